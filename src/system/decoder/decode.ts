import type { Location, Report } from '../../core/diagnostics/diagnostic.ts';
import { maxPixels } from '../../core/image/limits.ts';
import type { Decoded, Job, DecoderReply, Undecodable } from './job.ts';
import type { Decoders } from './pool.ts';
import type { Failure } from './process.ts';

/** Limits of decoding one image: processor time in milliseconds, memory in bytes. An idle decoder takes about 80 MB. */
const MAX_COST = { time: 10_000, memory: 1_000_000_000 };

/** An image to decode with the limits of a build. */
export type DecodeJob = Pick<Job, 'bytes' | 'format' | 'spec' | 'isAnalysed'>;

const withPixelLimit = (job: DecodeJob): Job => ({ ...job, pixelLimit: maxPixels(job.format) });

/** Decodes an image with the limits of a build. */
export function decode(job: DecodeJob, decoders: Decoders): Promise<DecoderReply | Failure> {
  return decoders.run(withPixelLimit(job), MAX_COST);
}

/** Returns the size of an image as it is displayed, or its sRGB pixels at a size; nothing if it cannot be decoded. */
export async function decodedPixels(
  { bytes, format }: Pick<Job, 'bytes' | 'format'>,
  pixels: NonNullable<Job['pixels']>,
  decoders: Decoders,
): Promise<Decoded | undefined> {
  const job = { bytes, format, pixelLimit: maxPixels(format), spec: undefined, pixels };
  const reply = await decoders.pixels(job, MAX_COST);
  return typeof reply === 'string' ? undefined : reply;
}

/** Reports an image that does not decode, with the reason of the decoder; an SVG has passed all checks, so it is only too much for the renderer. */
export function reportUndecodable(reply: Undecodable, path: string, location: Location, report: Report): void {
  const [, reason] = reply.split(/: (.*)/);
  if (/\.svg$/i.test(path)) report('svg/not-rendered', location, { path, reason: reason ?? 'no reason given' });
  else report('image/corrupt', location, { path, reason: reason ?? 'it cannot be decoded completely' });
}

/** Bytes of images in one message. Measured: sending nine small images one by one takes as long as decoding one. */
const MAX_MESSAGE_BYTES = 256 * 1024;

/** Collects small images, and sends them to a decoder together. */
export class DecodeBatch {
  readonly #decoders: Decoders;
  #jobs: { job: Job; resolve: (reply: DecoderReply | Failure) => void; reject: (error: unknown) => void }[] = [];
  #bytes = 0;

  constructor(decoders: Decoders) {
    this.#decoders = decoders;
  }

  /** Resolves with the reply once the batch is sent: by the next {@link send}, or when it is large enough. */
  add(job: DecodeJob): Promise<DecoderReply | Failure> {
    const { bytes } = job;
    this.#bytes += bytes instanceof Uint8Array ? bytes.length : bytes.bytes;
    const reply = new Promise<DecoderReply | Failure>((resolve, reject) =>
      this.#jobs.push({ job: withPixelLimit(job), resolve, reject }),
    );
    if (this.#bytes > MAX_MESSAGE_BYTES) this.send();
    return reply;
  }

  send(): void {
    const jobs = this.#jobs;
    [this.#jobs, this.#bytes] = [[], 0];
    if (jobs.length === 0) return;
    const all = jobs.map(({ job }) => job);
    this.#decoders.runAll(all, MAX_COST).then(
      (replies) => jobs.forEach(({ resolve }, at) => resolve(replies[at] ?? 'crashed')),
      (error: unknown) => jobs.forEach(({ reject }) => reject(error)),
    );
  }
}

import { ANALYSIS_VERSION } from '../../core/image/logo-analysis.ts';
import type { DecoderReply, Undecodable } from '../../system/decoder/job.ts';
import type { Failure } from '../../system/decoder/process.ts';
import { sha256Of } from '../../system/disk/files.ts';
import { sizeMarker, type ThumbnailSpec } from '../../core/theme/fields/thumbnail-spec.ts';
import type { Cache } from '../store/cache.ts';
import { readThumbnail } from '../store/media-content.ts';
import type { Decoding } from '../model.ts';

/** Increase it when checks become stricter or thumbnails are made differently, so that stored results are no longer used. */
const CHECKS_VERSION = 5;

/** A thumbnail to make from an image; without a spec, the image is only decoded. */
export interface DecodingJob {
  spec: ThumbnailSpec | undefined;
  /** Whether the image is used as a logo, so that its pixels are analysed. */
  isAnalysed: boolean;
}

export type DecodeFailure = Failure | Undecodable | 'changed';

/** Results of decoding images. Equal bytes are decoded once, whichever themes contain them, in this run or an earlier one. */
export class Decodings {
  readonly #cache: Cache;
  readonly #versions: string;
  readonly #methods = [new Map<DecodingJob['spec'], string>(), new Map<DecodingJob['spec'], string>()] as const;
  readonly #current = new Map<string, Promise<Decoding | DecodeFailure>>();
  count = 0;

  constructor(cache: Cache, versions: string) {
    this.#cache = cache;
    this.#versions = versions;
  }

  /** Returns the result of a job. @param run - runs the job if no result is stored */
  resultOf(
    sha256: string,
    job: DecodingJob,
    run: () => Promise<DecoderReply | Failure>,
  ): Promise<Decoding | DecodeFailure> {
    const method = this.#methodOf(job);
    const key = `${sha256} ${method}`;
    const result = this.#current.get(key) ?? this.#decode(key, method, job, run);
    this.#current.set(key, result);
    return result;
  }

  async #decode(
    key: string,
    method: string,
    job: DecodingJob,
    run: () => Promise<DecoderReply | Failure>,
  ): Promise<Decoding | DecodeFailure> {
    const json = this.#cache.recall(decodingKey(key));
    const stored = json === undefined ? undefined : (JSON.parse(json) as Decoding);
    const isWhole = stored?.thumbnail === undefined || readThumbnail(stored.thumbnail, this.#cache) !== undefined;
    if (stored !== undefined && isWhole) return stored;
    const reply = await run();
    if (typeof reply === 'string' && reply !== 'decodes') return reply;
    this.count++;
    const decoding = await this.#store(method, job, reply);
    await this.#cache.remember(decodingKey(key), decoding);
    return decoding;
  }

  /** Stores the thumbnail of a reply. */
  async #store(method: string, job: DecodingJob, reply: Exclude<DecoderReply, string> | 'decodes'): Promise<Decoding> {
    if (reply === 'decodes') return { method };
    const analysis = reply.analysis && { analysis: reply.analysis };
    if (!('data' in reply) || job.spec === undefined) return { method, ...analysis };
    const { data, format } = reply;
    const blob = { bytes: data.length, sha256: await this.#cache.add(data) };
    const thumbnail = { marker: sizeMarker(job.spec), format, ...blob, ...(format === 'png' && pngSize(data)) };
    return { method, thumbnail, ...analysis };
  }

  #methodOf({ spec, isAnalysed }: DecodingJob): string {
    const methods = this.#methods[isAnalysed ? 1 : 0];
    const parts = {
      spec: spec ?? 'decode',
      versions: this.#versions,
      checks: CHECKS_VERSION,
      analysis: isAnalysed && ANALYSIS_VERSION,
    };
    const method = methods.get(spec) ?? sha256Of(JSON.stringify(parts)).slice(0, 16);
    methods.set(spec, method);
    return method;
  }
}

/** Returns the key of a stored decoding. @param name - the SHA-256 of the published image, a space, and the method */
export function decodingKey(name: string): string {
  return sha256Of(`decoding ${name}`);
}

/** Returns the size of a PNG in pixels, from its header (PNG, third edition, §11.2.1). */
function pngSize(data: Uint8Array): { width: number; height: number } {
  const header = Buffer.from(data.buffer, data.byteOffset, data.length);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

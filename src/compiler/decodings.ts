import { LOOK_VERSION } from '../image/advice-look.ts';
import { isReply, type Reply } from '../decoder/job.ts';
import type { Failure } from '../decoder/process.ts';
import { sha256Of } from '../disk/files.ts';
import { sizeMarker, type ThumbnailSpec } from '../theme/thumbnail-spec.ts';
import type { Cache } from './cache.ts';
import { readThumbnail } from './media-content.ts';
import type { Memory } from './memory.ts';
import type { Decoding } from './model.ts';

/** Raised when the checks become stricter or thumbnails are made differently, so that earlier decodings are not used any more. */
const CHECKS = 4;

/** A thumbnail to make of an image; without a spec, the image is only decoded. */
export interface DecodingJob {
  spec: ThumbnailSpec | undefined;
  /** Whether a field shows it as a logo, so that its pixels are looked at. */
  isLookedAt: boolean;
}

/** Why an image was not decoded. */
export type DecodeFailure = Failure | Extract<Reply, 'does not decode' | 'changed'>;

/** The results of decoding images: equal bytes are decoded once, whichever themes they lie in, in this run or an earlier one. */
export class Decodings {
  readonly #memory: Memory;
  readonly #cache: Cache;
  /** Versions of the renderer. */
  readonly #versions: string;
  readonly #methods = [new Map<DecodingJob['spec'], string>(), new Map<DecodingJob['spec'], string>()] as const;
  readonly #now = new Map<string, Promise<Decoding | DecodeFailure>>();
  /** Decodings of earlier runs, read once an image is not in the theme that had it. */
  #earlier: ReadonlyMap<string, Decoding> | undefined;
  /** How many images were decoded. */
  count = 0;

  constructor(memory: Memory, cache: Cache, versions: string) {
    this.#memory = memory;
    this.#cache = cache;
    this.#versions = versions;
  }

  /** The result of a job. @param run - does it, if nothing is known */
  of(sha256: string, job: DecodingJob, run: () => Promise<Reply | Failure>): Promise<Decoding | DecodeFailure> {
    const method = this.#methodOf(job);
    const key = `${sha256} ${method}`;
    const known = this.#now.get(key) ?? this.#make(key, method, job, run);
    this.#now.set(key, known);
    return known;
  }

  async #make(
    key: string,
    method: string,
    job: DecodingJob,
    run: () => Promise<Reply | Failure>,
  ): Promise<Decoding | DecodeFailure> {
    const earlier = (this.#earlier ??= this.#readEarlier()).get(key);
    const usable = earlier && usableFor(earlier, job, this.#cache);
    if (usable !== undefined) return usable;
    const reply = await run();
    if (typeof reply === 'string' && reply !== 'decodes') return reply;
    this.count++;
    if (reply === 'decodes') return { method };
    const look = reply.look && { look: reply.look };
    if (!('data' in reply) || job.spec === undefined) return { method, ...look };
    const { data, format } = reply;
    const stored = { bytes: data.length, sha256: await this.#cache.add(data) };
    const thumbnail = { marker: sizeMarker(job.spec), format, ...stored, ...(format === 'png' && pngSize(data)) };
    return { method, thumbnail, ...look };
  }

  #readEarlier(): ReadonlyMap<string, Decoding> {
    const earlier = new Map<string, Decoding>();
    for (const { compiled } of this.#memory.themes())
      for (const { sha256, made } of compiled.images)
        for (const decoding of made) earlier.set(`${sha256} ${decoding.method}`, decoding);
    return earlier;
  }

  #methodOf({ spec, isLookedAt }: DecodingJob): string {
    const methods = this.#methods[isLookedAt ? 1 : 0];
    const parts = {
      spec: spec ?? 'decode',
      versions: this.#versions,
      checks: CHECKS,
      look: isLookedAt && LOOK_VERSION,
    };
    const known = methods.get(spec) ?? sha256Of(JSON.stringify(parts)).slice(0, 16);
    methods.set(spec, known);
    return known;
  }
}

/** The size of a PNG, in pixels, by its header (PNG, third edition, §11.2.1). */
function pngSize(data: Uint8Array): { width: number; height: number } {
  const header = Buffer.from(data.buffer, data.byteOffset, data.length);
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

/** As much of a stored decoding as a job wants, if its thumbnail is in the cache: another program may have written it. */
function usableFor(
  { method, thumbnail, look }: Decoding,
  { spec, isLookedAt }: DecodingJob,
  cache: Cache,
): Decoding | undefined {
  const seen = isLookedAt ? { look } : {};
  const data = spec && thumbnail?.marker === sizeMarker(spec) ? readThumbnail(thumbnail, cache) : undefined;
  const reply =
    spec === undefined && !isLookedAt ? 'decodes' : { ...seen, ...(spec && { data, format: thumbnail?.format }) };
  if (!isReply(reply, { spec, isLookedAt })) return undefined;
  return { method, ...(spec && thumbnail && { thumbnail }), ...(isLookedAt && look && { look }) };
}

import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import type { Format } from '../../image/format.ts';
import { pixelLimit } from '../../image/limits.ts';
import { type SourceImage, imageKey, thumbnailKey, type Thumbnail } from '../../image/source-image.ts';
import { thumbnailSpecOf } from '../../theme/fields.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';
import { pngIcons } from '../../image/container/ico.ts';
import type { Theme } from '../../theme/resolve.ts';
import type { Site } from '../../theme/site.ts';
import { type Cache, cacheKey } from './cache.ts';
import { mapConcurrently } from '../concurrency.ts';
import { readRegularFile, sha256Of } from '../files.ts';
import { type Reply, isReply } from '../decoder/job.ts';
import type { Decoders, Failure } from '../decoder/pool.ts';
import type { IncrementalCache } from '../incremental-cache.ts';
import { rendererVersions } from './sharp.ts';

export interface RenderOptions {
  limits: Site['limits'];
  cache: Cache;
  decoders: Decoders;
  incremental: IncrementalCache;
}

export interface RenderResult {
  /** By {@link thumbnailKey}. */
  thumbnails: ReadonlyMap<string, Thumbnail>;
  rendered: number;
  cached: number;
}

/** An image to decode: to a thumbnail, or, without a thumbnail spec, only to see that it can be. */
interface Job {
  image: SourceImage;
  spec: ThumbnailSpec | undefined;
}

/** Decodes every image once for each spec, and stores the thumbnails in the cache. Earlier results come from there. */
export async function renderThumbnails(
  themes: readonly Theme[],
  images: ReadonlyMap<string, SourceImage>,
  { limits, cache, decoders, incremental }: RenderOptions,
  report: Report,
  onProgress: (done: number, all: number) => void,
): Promise<RenderResult> {
  const jobs = listJobs(themes, images);
  const thumbnails = new Map<string, Thumbnail>();
  const failed = new Set<SourceImage>();
  let [done, rendered, cached] = [0, 0, 0];
  await mapConcurrently(jobs, availableParallelism(), async ({ image, spec }) => {
    const key = spec === undefined ? image.sha256 : thumbnailKey(image, spec);
    let isMemoized = true;
    const rendition = `rendition ${key}`;
    const result = await incremental.memoize(rendition, [image.file, JSON.stringify(limits)], report, () => {
      isMemoized = false;
      return renderCached(image, spec, limits, cache, decoders);
    });
    if ('failure' in result) {
      incremental.drop(rendition);
      // The same bytes may lie in several themes: each of them is reported.
      const same = [...images.values()].filter(({ sha256 }) => sha256 === image.sha256);
      for (const one of same.filter((other) => !failed.has(other))) reportFailure(one, result.failure, limits, report);
      for (const one of same) failed.add(one);
    } else {
      if (result.thumbnail !== undefined && spec !== undefined)
        thumbnails.set(thumbnailKey(image, spec), result.thumbnail);
      if (isMemoized || result.fromCache) cached++;
      else rendered++;
    }
    onProgress(++done, jobs.length);
  });
  return { thumbnails, rendered, cached };
}

function listJobs(themes: readonly Theme[], images: ReadonlyMap<string, SourceImage>): Job[] {
  const jobs = new Map<string, Job>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.images)) {
      const image = 'path' in source ? images.get(imageKey(source)) : undefined;
      if (image === undefined) continue;
      const spec = thumbnailSpecOf(field as keyof Theme['images']);
      jobs.set(spec === undefined ? image.sha256 : thumbnailKey(image, spec), { image, spec });
    }
  }
  // A thumbnail decodes the whole image, so nothing more has to be checked of it.
  const rendered = [...jobs.values()].filter(({ spec }) => spec !== undefined);
  for (const { image } of rendered) jobs.delete(image.sha256);
  return [...jobs.values()];
}

/** Raised when the checks become stricter, so that earlier entries are not used any more. */
const CHECKS = 2;

interface Entry {
  sha256: string;
  format: Format;
  bytes: number;
}

type Rendered = { thumbnail: Thumbnail | undefined; fromCache: boolean } | { failure: DecodeFailure };
type DecodeFailure = Failure | 'does not decode' | 'holds more' | 'changed';

async function renderCached(
  image: SourceImage,
  spec: ThumbnailSpec | undefined,
  limits: Site['limits'],
  cache: Cache,
  decoders: Decoders,
): Promise<Rendered> {
  const versions = await rendererVersions();
  const key = cacheKey({ source: image.sha256, spec: spec ?? 'decode', versions, checks: CHECKS });
  const entry = await cache.entry<Entry | 'decodes'>(key);
  if (entry === 'decodes' && spec === undefined) return { thumbnail: undefined, fromCache: true };
  if (typeof entry === 'object' && spec !== undefined) {
    const { sha256, format, bytes } = entry;
    const file = await cache.blob(sha256, (data) => data.length === bytes && isReply({ data, format }, { spec }));
    if (file !== undefined) return { thumbnail: { ...entry, file, isStored: true }, fromCache: true };
  }
  // Read again, and as carefully: it may have changed since.
  const source = await readRegularFile(image.file, image.bytes, path.dirname(image.file));
  if (!Buffer.isBuffer(source) || sha256Of(source) !== image.sha256) return { failure: 'changed' };
  const result = await decode(source, image, spec, limits, decoders);
  if (result === 'decodes') {
    await cache.setEntry(key, result);
    return { thumbnail: undefined, fromCache: false };
  }
  if (typeof result === 'string') return { failure: result };
  const { data, format } = result;
  const { sha256, file } = await cache.addBlob(data);
  await cache.setEntry(key, { sha256, format, bytes: data.length } satisfies Entry);
  return { thumbnail: { file, isStored: true, sha256, bytes: data.length, format }, fromCache: false };
}

async function decode(
  source: Buffer,
  { format }: SourceImage,
  spec: ThumbnailSpec | undefined,
  limits: Site['limits'],
  decoders: Decoders,
): Promise<Reply | Failure> {
  const cost = { time: limits.decode_seconds * 1000, memory: limits.decode_bytes };
  if (format !== 'ico')
    return decoders.run({ bytes: source, format, pixelLimit: pixelLimit(format, limits), spec }, cost);
  // libvips does not read ICO; all of it but the icons that are PNG was checked without decoding.
  for (const bytes of pngIcons(source)) {
    const job = { bytes, format: 'png', pixelLimit: limits.picture_pixels, spec: undefined } as const;
    const answer = await decoders.run(job, cost);
    if (answer !== 'decodes') return answer;
  }
  return 'decodes';
}

function reportFailure(
  { path, location }: SourceImage,
  failure: DecodeFailure,
  { decode_seconds, decode_bytes }: Site['limits'],
  report: Report,
): void {
  const over = {
    'too slow': count(decode_seconds, 'second'),
    'too much memory': `${Math.round(decode_bytes / 1e7) / 100} GB of memory`,
  };
  if (failure === 'holds more') report('image/hidden-data', location, { path });
  else if (failure === 'ended') report('image/decoder-ended', location, { path });
  else if (failure in over)
    report('image/too-expensive', location, { path, limit: over[failure as keyof typeof over] });
  else report('image/corrupt', location, { path, reason: REASONS[failure as keyof typeof REASONS] });
}

/** Never the message of the decoder: it may be pages long, and about another image. */
const REASONS = {
  'does not decode': 'it cannot be decoded completely',
  crashed: 'it crashes the decoder',
  changed: 'it changed while it was being read',
} as const;

import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import type { Format } from '../../image/format.ts';
import { pixelLimit } from '../../image/limits.ts';
import { jobsOfShard, type Shard } from '../../image/render-plan.ts';
import type { SourceImage, Thumbnail } from '../../image/source-image.ts';
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
import { listJobs } from './render-jobs.ts';
import { rendererVersions } from './sharp.ts';

export interface RenderOptions {
  limits: Site['limits'];
  cache: Cache;
  decoders: Decoders;
  incremental: IncrementalCache;
  /** The share of this process. Default: everything. */
  shard?: Shard | undefined;
  /** Whether nothing is rendered; what is not in the cache is then {@link RenderResult.missing}. */
  expectCached?: boolean | undefined;
}

export interface RenderResult {
  /** By {@link thumbnailKey}. */
  thumbnails: ReadonlyMap<string, Thumbnail>;
  rendered: number;
  cached: number;
  /** Images that are expected in the cache, and not in it. */
  missing: readonly SourceImage[];
  /** How many are left to the other shards. */
  left: number;
}

/** Decodes every image once for each spec, and stores the thumbnails in the cache. Earlier results come from there. */
export async function renderThumbnails(
  themes: readonly Theme[],
  images: ReadonlyMap<string, SourceImage>,
  { limits, cache, decoders, incremental, shard, expectCached = false }: RenderOptions,
  report: Report,
  onProgress: (done: number, all: number) => void,
): Promise<RenderResult> {
  const all = listJobs(themes, images);
  const jobs = shard === undefined ? all : jobsOfShard(all, shard);
  const thumbnails = new Map<string, Thumbnail>();
  const failed = new Set<SourceImage>();
  const missing: SourceImage[] = [];
  let [done, rendered, cached] = [0, 0, 0];
  await mapConcurrently(jobs, availableParallelism(), async ({ key, image, spec }) => {
    let isMemoized = true;
    const rendition = `rendition ${key}`;
    const result = await incremental.memoize(
      rendition,
      [image.file, JSON.stringify(limits)],
      report,
      async (): Promise<Result> => {
        isMemoized = false;
        const found = await lookUp(image, spec, cache);
        if (found !== undefined || expectCached) return found ?? { failure: 'not cached' };
        return render(image, spec, limits, cache, decoders);
      },
    );
    if ('failure' in result) {
      incremental.drop(rendition);
      if (result.failure === 'not cached') missing.push(image);
      else reportEverywhere(image, result.failure);
    } else {
      if (result.thumbnail !== undefined && spec !== undefined) thumbnails.set(key, result.thumbnail);
      if (isMemoized || result.fromCache) cached++;
      else rendered++;
    }
    onProgress(++done, jobs.length);
  });
  return { thumbnails, rendered, cached, missing, left: all.length - jobs.length };

  /** The same bytes may lie in several themes: each of them is reported. */
  function reportEverywhere({ sha256 }: SourceImage, failure: DecodeFailure): void {
    const same = [...images.values()].filter((image) => image.sha256 === sha256);
    for (const one of same.filter((other) => !failed.has(other))) reportFailure(one, failure, limits, report);
    for (const one of same) failed.add(one);
  }
}

/** Has the results of all shards count as used: one of them does not prune those of the others. */
export async function retainRendered(
  themes: readonly Theme[],
  images: ReadonlyMap<string, SourceImage>,
  cache: Cache,
): Promise<void> {
  for (const { image, spec } of listJobs(themes, images)) {
    const entry = await cache.entry<Entry | 'decodes'>(await entryKey(image, spec));
    if (typeof entry === 'object') cache.retainBlob(entry.sha256);
  }
}

/** Raised when the checks become stricter, so that earlier entries are not used any more. */
const CHECKS = 2;

interface Entry {
  sha256: string;
  format: Format;
  bytes: number;
}

type Rendered = { thumbnail: Thumbnail | undefined; fromCache: boolean };
type DecodeFailure = Failure | 'does not decode' | 'holds more' | 'changed';
type Result = Rendered | { failure: DecodeFailure | 'not cached' };

async function entryKey(image: SourceImage, spec: ThumbnailSpec | undefined): Promise<string> {
  const versions = await rendererVersions();
  return cacheKey({ source: image.sha256, spec: spec ?? 'decode', versions, checks: CHECKS });
}

/** An earlier result; nothing if there is none in the cache. */
async function lookUp(
  image: SourceImage,
  spec: ThumbnailSpec | undefined,
  cache: Cache,
): Promise<Rendered | undefined> {
  const entry = await cache.entry<Entry | 'decodes'>(await entryKey(image, spec));
  if (entry === 'decodes' && spec === undefined) return { thumbnail: undefined, fromCache: true };
  if (typeof entry !== 'object' || spec === undefined) return undefined;
  const { sha256, format, bytes } = entry;
  const file = await cache.blob(sha256, (data) => data.length === bytes && isReply({ data, format }, { spec }));
  return file === undefined ? undefined : { thumbnail: { ...entry, file }, fromCache: true };
}

async function render(
  image: SourceImage,
  spec: ThumbnailSpec | undefined,
  limits: Site['limits'],
  cache: Cache,
  decoders: Decoders,
): Promise<Rendered | { failure: DecodeFailure }> {
  const key = await entryKey(image, spec);
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
  return { thumbnail: { file, sha256, bytes: data.length, format }, fromCache: false };
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

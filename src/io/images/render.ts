import { availableParallelism } from 'node:os';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import type { Look } from '../../image/advice-look.ts';
import { pixelLimit } from '../../image/limits.ts';
import { jobsOfShard } from '../../image/render-plan.ts';
import type { SourceImage, Thumbnail } from '../../image/source-image.ts';
import { pngIcons } from '../../image/container/ico.ts';
import type { NamedImages } from '../../theme/resolve.ts';
import type { Site } from '../../theme/site.ts';
import type { Cache } from './cache.ts';
import { type Entry, hasThumbnail, Renditions } from './entries.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { Reply } from '../decoder/job.ts';
import type { Decoders } from '../decoder/pool.ts';
import type { Failure } from '../decoder/process.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { listJobs, type RenderJob, type RenderOptions } from './render-jobs.ts';
import { rendererVersions } from '../decoder/sharp.ts';

export interface RenderResult {
  /** By {@link thumbnailKey}. */
  thumbnails: ReadonlyMap<string, Thumbnail>;
  /** Of logos, by SHA-256. */
  looks: ReadonlyMap<string, Look>;
  rendered: number;
  cached: number;
  /** Images that are expected in the cache, and not in it. */
  missing: readonly SourceImage[];
  /** Images that cannot be decoded, which is reported. */
  failed: ReadonlySet<SourceImage>;
  /** How many are left to the other shards. */
  left: number;
}

/** Images that are read or decoded at a time: there is always one for a decoder that has finished another. */
const AT_A_TIME = 2 * availableParallelism();

/** Decodes every image once for each spec, and stores the thumbnails in the cache. Earlier results come from there. */
export async function renderThumbnails(
  themes: readonly NamedImages[],
  images: ReadonlyMap<string, SourceImage>,
  options: RenderOptions,
  report: Report,
  onProgress: (done: number, all: number) => void,
): Promise<RenderResult> {
  const { limits, cache, shard, expectCached = false } = options;
  const all = listJobs(themes, images);
  const jobs = shard === undefined ? all : jobsOfShard(all, shard);
  const renditions = new Renditions(options, await rendererVersions());
  const thumbnails = new Map<string, Thumbnail>();
  const looks = new Map<string, Look>();
  const failed = new Set<SourceImage>();
  let rendered = 0;
  const add = ({ key, image }: RenderJob, entry: Entry): void => {
    if (entry === 'decodes') return;
    const { look, ...thumbnail } = entry;
    if ('sha256' in thumbnail) thumbnails.set(key, { ...thumbnail, file: cache.pathOfBlob(thumbnail.sha256) });
    if (look !== undefined) looks.set(image.sha256, look);
  };
  const pending = jobs.filter((job) => {
    const entry = renditions.of(job);
    if (entry !== undefined) add(job, entry);
    return entry === undefined;
  });
  const cached = jobs.length - pending.length;
  if (cached > 0) onProgress(cached, jobs.length);
  const missing = expectCached ? pending.map(({ image }) => image) : [];
  await mapConcurrently(expectCached ? [] : pending, AT_A_TIME, async (job) => {
    const result = await renderedNow(job, options);
    if ('failure' in result) reportEverywhere(job.image, result.failure);
    else {
      add(job, result.entry);
      renditions.add(job, result.entry);
      rendered++;
    }
    onProgress(cached + rendered, jobs.length);
  });
  renditions.remember();
  return { thumbnails, looks, rendered, cached, missing, failed, left: all.length - jobs.length };

  /** The same bytes may lie in several themes: each of them is reported. */
  function reportEverywhere({ sha256 }: SourceImage, failure: DecodeFailure): void {
    const same = [...images.values()].filter((image) => image.sha256 === sha256);
    for (const job of same.filter((each) => !failed.has(each))) reportFailure(job, failure, limits, report);
    for (const job of same) failed.add(job);
  }
}

/** Has the results of all shards count as used: one of them does not prune those of the others. */
export async function retainRendered(
  themes: readonly NamedImages[],
  images: ReadonlyMap<string, SourceImage>,
  { cache, incremental }: Pick<RenderOptions, 'cache' | 'incremental'>,
): Promise<void> {
  const renditions = new Renditions({ cache, incremental }, await rendererVersions());
  for (const job of listJobs(themes, images)) {
    const entry = renditions.of(job);
    if (hasThumbnail(entry)) cache.retainBlob(entry.sha256);
  }
}

type DecodeFailure = Failure | 'does not decode' | 'changed';

async function renderedNow(
  job: RenderJob,
  { limits, cache, decoders, incremental: { files } }: RenderOptions,
): Promise<{ entry: Entry } | { failure: DecodeFailure }> {
  const { image } = job;
  // Once more, and as carefully: it may have changed since.
  const source = files.contentOf(image.file, image.bytes);
  if ('problem' in source || source.sha256 !== image.sha256) return { failure: 'changed' };
  const result = await decode(source.bytes(), { format: image.format, ...job }, limits, decoders);
  if (typeof result === 'string') return result === 'decodes' ? { entry: result } : { failure: result };
  return { entry: 'data' in result ? await store(result, cache, files) : result };
}

async function store(
  { data, format, look }: Extract<Reply, { data: Uint8Array }>,
  cache: Cache,
  files: FileHashes,
): Promise<Entry> {
  const { sha256, file } = await cache.addBlob(data);
  files.addWritten(file, sha256);
  return { sha256, format, bytes: data.length, ...(look !== undefined && { look }) };
}

/** Decodes an image as a build does. ICO files have their icons decoded, one by one. */
export async function decode(
  source: Buffer,
  { format, spec, isLookedAt = false }: Pick<SourceImage, 'format'> & Partial<Pick<RenderJob, 'spec' | 'isLookedAt'>>,
  limits: Site['limits'],
  decoders: Decoders,
): Promise<Reply | Failure> {
  const cost = { time: limits.decode_seconds * 1000, memory: limits.decode_bytes };
  if (format !== 'ico')
    return decoders.run({ bytes: source, format, pixelLimit: pixelLimit(format, limits), spec, isLookedAt }, cost);
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
  if (failure === 'ended') report('image/decoder-ended', location, { path });
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

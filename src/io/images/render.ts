import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Look } from '../../image/advice-look.ts';
import { maxPixels } from '../../image/limits.ts';
import { thumbnailPath } from '../../image/name.ts';
import type { SourceImage, Thumbnail } from '../../image/source-image.ts';
import type { NamedImages } from '../../theme/resolve.ts';
import { type Entry, Renditions } from './entries.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { Job, Reply } from '../decoder/job.ts';
import type { Decoders } from '../decoder/pool.ts';
import type { Failure } from '../decoder/process.ts';
import { listJobs, type RenderJob, type RenderOptions } from './render-jobs.ts';
import { rendererVersions } from '../decoder/sharp.ts';

export interface RenderResult {
  /** By {@link thumbnailKey}. */
  thumbnails: ReadonlyMap<string, Thumbnail>;
  /** Of logos, by SHA-256. */
  looks: ReadonlyMap<string, Look>;
  rendered: number;
  cached: number;
  /** Images that cannot be decoded, which is reported. */
  failed: ReadonlySet<SourceImage>;
}

/** Images that are read or decoded at a time: there is always one for a decoder that has finished another. */
export const AT_A_TIME = 2 * availableParallelism();

/** Decodes every image once for each spec, and stores the thumbnails in the cache. Earlier results come from there. */
export async function renderThumbnails(
  themes: readonly NamedImages[],
  images: ReadonlyMap<string, SourceImage>,
  options: RenderOptions & { begun?: ReadonlyMap<string, Promise<Rendered>> | undefined },
  report: Report,
  onProgress: (done: number, all: number) => void,
): Promise<RenderResult> {
  const { cache } = options;
  const jobs = listJobs(themes, images);
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
    // One that was begun is not from the cache, although it is there by now.
    const entry = options.begun?.has(renditions.keyOf(job)) === true ? undefined : renditions.of(job);
    if (entry !== undefined) add(job, entry);
    return entry === undefined;
  });
  const cached = jobs.length - pending.length;
  if (cached > 0) onProgress(cached, jobs.length);
  await mapConcurrently(pending, AT_A_TIME, async (job) => {
    const result = await (options.begun?.get(renditions.keyOf(job)) ?? renderedNow(job, options));
    if ('failure' in result) reportEverywhere(job.image, result.failure);
    else {
      add(job, result.entry);
      renditions.add(job, result.entry);
      rendered++;
    }
    onProgress(cached + rendered, jobs.length);
  });
  renditions.remember();
  return { thumbnails, looks, rendered, cached, failed };

  /** The same bytes may lie in several themes: each of them is reported. */
  function reportEverywhere({ sha256 }: SourceImage, failure: DecodeFailure): void {
    const same = [...images.values()].filter((image) => image.sha256 === sha256);
    for (const job of same.filter((each) => !failed.has(each))) reportFailure(job, failure, report);
    for (const job of same) failed.add(job);
  }
}

type DecodeFailure = Failure | 'does not decode' | 'changed';

/** What came of a job. */
export type Rendered = { entry: Entry } | { failure: DecodeFailure };

/** Bytes up to which an image is sent to a decoder, as many as a pipe holds; a larger one is read there. */
const SENT = 64 * 1024;

/**
 * Does a job, and stores what comes of it.
 * @param published - the bytes of the image, if they are in memory
 */
export async function renderedNow(
  job: RenderJob,
  { cache, decoders, incremental: { files }, stage }: RenderOptions,
  published?: Buffer,
): Promise<Rendered> {
  const { slug, path, file, bytes, sha256, format } = job.image;
  const source = published !== undefined && bytes <= SENT ? published : { file: resolve(file), bytes, sha256 };
  const result = await decode(source, { format, ...job }, decoders);
  if (typeof result === 'string') return result === 'decodes' ? { entry: result } : { failure: result };
  if (!('data' in result) || job.spec === undefined) return { entry: result as Entry };
  const { data, ...drawn } = result;
  const hash = await cache.addBlob(data, files);
  await stage?.(thumbnailPath(slug, path, drawn.format, hash, job.spec), data);
  return { entry: { sha256: hash, bytes: data.length, ...drawn } };
}

/** Limits of decoding one image: processor time in milliseconds, memory in bytes. An idle decoder takes about 80 MB. */
const MAX_COST = { time: 10_000, memory: 1_000_000_000 };

/** Decodes an image as a build does. */
export async function decode(
  bytes: Job['bytes'],
  { format, spec, isLookedAt = false }: Pick<SourceImage, 'format'> & Partial<Pick<RenderJob, 'spec' | 'isLookedAt'>>,
  decoders: Decoders,
): Promise<Reply | Failure> {
  return decoders.run({ bytes, format, pixelLimit: maxPixels(format), spec, isLookedAt }, MAX_COST);
}

function reportFailure({ path, location }: SourceImage, failure: DecodeFailure, report: Report): void {
  const over = { 'too slow': '10 seconds', 'too much memory': '1 GB of memory' };
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

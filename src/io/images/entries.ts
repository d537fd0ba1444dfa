import { type Look, LOOK_VERSION } from '../../image/advice-look.ts';
import type { Thumbnail } from '../../image/source-image.ts';
import { isReply } from '../decoder/job.ts';
import type { IncrementalCache } from '../incremental-cache.ts';
import { type Cache, cacheKey } from './cache.ts';
import type { RenderJob } from './render-jobs.ts';
import type { RenderOptions } from './render.ts';
import { rendererVersions } from './sharp.ts';

/** Raised when the checks become stricter, so that earlier entries are not used any more. */
const CHECKS = 2;

/** A thumbnail as the cache names it, and how a logo looks; or that an image of which nothing else is wanted decodes. */
export type Entry = (CachedThumbnail & { look?: Look | undefined }) | { look: Look } | 'decodes';
type CachedThumbnail = Pick<Thumbnail, 'sha256' | 'format' | 'bytes'>;

export function hasThumbnail(entry: Entry | undefined | null): entry is CachedThumbnail {
  return typeof entry === 'object' && entry !== null && 'sha256' in entry;
}

/** What earlier builds made of the images of each folder, as the incremental cache retains it: an entry for each job, in their order. */
export class EarlierResults {
  readonly #folders = new Map<
    string,
    { jobs: RenderJob[]; parts: unknown[]; entries: Map<string, Entry>; isOld: boolean }
  >();

  constructor(jobs: readonly RenderJob[], { incremental, cache, shard, prunes }: RenderOptions, versions: string) {
    // A share is not all of a folder; and what is to outlive pruning has to be seen to be used.
    if (shard !== undefined || prunes === true) return;
    const ignore = (): void => undefined;
    for (const [slug, own] of bySlug(jobs)) {
      const parts = [versions, CHECKS, LOOK_VERSION, own.map(({ key, isLookedAt }) => [key, isLookedAt])];
      const isWhole = (entries: readonly Entry[]): boolean =>
        entries.every((entry) => !hasThumbnail(entry) || cache.hasBlob(entry, incremental.files));
      const found = incremental.recall<Entry[]>(keyOf(slug), parts, ignore, isWhole) ?? [];
      const entries = new Map(found.map((entry, at) => [own[at]?.key ?? '', entry]));
      this.#folders.set(slug, { jobs: own, parts, entries, isOld: entries.size > 0 });
    }
  }

  of({ image, key }: RenderJob): Entry | undefined {
    return this.#folders.get(image.slug)?.entries.get(key);
  }

  add({ image, key }: RenderJob, entry: Entry): void {
    this.#folders.get(image.slug)?.entries.set(key, entry);
  }

  /** Retains the results of every folder in which nothing failed. */
  remember(incremental: IncrementalCache): void {
    for (const [slug, { jobs, parts, entries, isOld }] of this.#folders) {
      const all = jobs.flatMap(({ key }) => entries.get(key) ?? []);
      if (!isOld && all.length === jobs.length) incremental.remember(keyOf(slug), parts, all);
    }
  }
}

function bySlug(jobs: readonly RenderJob[]): Map<string, RenderJob[]> {
  const folders = new Map<string, RenderJob[]>();
  for (const job of jobs) {
    const { slug } = job.image;
    folders.set(slug, [...(folders.get(slug) ?? []), job]);
  }
  return folders;
}

function keyOf(slug: string): string {
  return `renditions ${slug}`;
}

/** The key of the entry of a job: everything that it depends on. */
export async function entryKey({ image, spec, isLookedAt }: RenderJob): Promise<string> {
  const versions = await rendererVersions();
  const look = isLookedAt ? LOOK_VERSION : undefined;
  return cacheKey({ source: image.sha256, spec: spec ?? 'decode', versions, checks: CHECKS, look });
}

/** Whether an entry has what a job wants. It is looked at once: another version of this program may have taken other bytes for a thumbnail. */
export async function isUsable(entry: Entry, { spec, isLookedAt }: RenderJob, cache: Cache): Promise<boolean> {
  if (entry === 'decodes') return isReply(entry, { spec, isLookedAt });
  const { look } = entry;
  if (!hasThumbnail(entry)) return isReply({ look }, { spec, isLookedAt });
  const { sha256, format, bytes } = entry;
  const isThumbnail = (data: Buffer): boolean =>
    data.length === bytes && isReply({ data, format, look }, { spec, isLookedAt });
  return (await cache.blob(sha256, isThumbnail)) !== undefined;
}

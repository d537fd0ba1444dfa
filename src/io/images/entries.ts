import { type Look, LOOK_VERSION } from '../../image/advice-look.ts';
import type { Thumbnail } from '../../image/source-image.ts';
import { isReply } from '../decoder/job.ts';
import { sha256Of } from '../disk/files.ts';
import type { Cache } from './cache.ts';
import type { RenderJob } from './render-jobs.ts';
import type { RenderOptions } from './render-jobs.ts';

/** Raised when the checks become stricter or thumbnails are made differently, so that earlier entries are not used any more. */
const CHECKS = 4;

/** A thumbnail as the cache names it, and how a logo looks; or that an image of which nothing else is wanted decodes. */
export type Entry = (CachedThumbnail & { look?: Look | undefined }) | { look: Look } | 'decodes';
type CachedThumbnail = Pick<Thumbnail, 'sha256' | 'format' | 'bytes'>;

/** Results by their keys; the index has those of a folder together. */
type Entries = Record<string, Entry>;

const PREFIX = 'renditions ';

function hasThumbnail(entry: Entry | undefined): entry is CachedThumbnail {
  return typeof entry === 'object' && entry !== null && 'sha256' in entry;
}

/** What was made of the images of each folder, by this build and earlier ones. */
export class Renditions {
  readonly #options: Pick<RenderOptions, 'incremental' | 'cache' | 'shard'>;
  readonly #versions: string;
  /** Digests of what is done to images, by spec; those of logos apart. There are a few, and thousands of images. */
  readonly #methods = [new Map<RenderJob['spec'], string>(), new Map<RenderJob['spec'], string>()] as const;
  readonly #folders = new Map<string, Entries>();
  /** Folders with a result that is new there. */
  readonly #changed = new Set<string>();
  /** The results of all folders and shards: an image may have been moved, or be the same as another. */
  #everywhere: Map<string, Entry> | undefined;

  /** @param versions - of the renderer */
  constructor(options: Pick<RenderOptions, 'incremental' | 'cache' | 'shard'>, versions: string) {
    this.#options = options;
    this.#versions = versions;
  }

  /** The result of a job, if it has what the job wants. It is looked at: another program may have written it. */
  of(job: RenderJob): Entry | undefined {
    const { incremental, cache } = this.#options;
    const key = this.keyOf(job);
    const known = this.#recalled(job.image.slug)[key];
    const entry = known ?? (this.#everywhere ??= this.#all()).get(key);
    if (entry === undefined || !isUsable(entry, job, cache, incremental.files)) return undefined;
    this.#add(job, key, entry, known !== undefined);
    return entry;
  }

  add(job: RenderJob, entry: Entry): void {
    this.#add(job, this.keyOf(job), entry, false);
  }

  #add({ image: { slug } }: RenderJob, key: string, entry: Entry, isKnown: boolean): void {
    if (!isKnown) this.#changed.add(slug);
    const entries = this.#folders.get(slug) ?? {};
    entries[key] = entry;
    this.#folders.set(slug, entries);
  }

  /** Retains the results of all folders; of a shard, beside those of the others. */
  remember(): void {
    const { incremental, shard } = this.#options;
    const ending = shard === undefined ? '' : ` ${shard.index}/${shard.total}`;
    for (const slug of this.#changed) incremental.made.set(PREFIX + slug + ending, this.#folders.get(slug));
    if (shard !== undefined) return;
    const ofShards = [...incremental.made.keys()].filter((key) => /^renditions \S+ /.test(key));
    for (const key of ofShards) incremental.made.delete(key);
  }

  /** The key of a result: everything that it depends on. */
  keyOf({ image, spec, isLookedAt }: RenderJob): string {
    const known = this.#methods[isLookedAt ? 1 : 0];
    const parts = {
      spec: spec ?? 'decode',
      versions: this.#versions,
      checks: CHECKS,
      look: isLookedAt && LOOK_VERSION,
    };
    const method = known.get(spec) ?? sha256Of(JSON.stringify(parts)).slice(0, 16);
    known.set(spec, method);
    return `${image.sha256.slice(0, 32)} ${method}`;
  }

  #recalled(slug: string): Entries {
    const made = this.#options.incremental.made.get(PREFIX + slug);
    return typeof made === 'object' && made !== null ? (made as Entries) : {};
  }

  #all(): Map<string, Entry> {
    const { made } = this.#options.incremental;
    const keys = [...made.keys()].filter((key) => key.startsWith(PREFIX));
    return new Map(keys.flatMap((key) => Object.entries(this.#recalled(key.slice(PREFIX.length)))));
  }
}

/** Whether an entry has what a job wants, and its thumbnail is in the cache. */
function isUsable(
  entry: Entry,
  { spec, isLookedAt }: RenderJob,
  cache: Cache,
  files: RenderOptions['incremental']['files'],
): boolean {
  if (entry === 'decodes') return isReply(entry, { spec, isLookedAt });
  if (!hasThumbnail(entry)) return isReply({ look: entry?.look }, { spec, isLookedAt });
  const { sha256, format, bytes, look } = entry;
  if (spec === undefined || (format !== spec.opaque && format !== spec.transparent)) return false;
  return cache.hasBlob({ sha256, bytes }, files, (data) => isReply({ data, format, look }, { spec, isLookedAt }));
}

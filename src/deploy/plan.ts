import {
  type DeploymentRecord,
  isMedia,
  type ListedFile,
  type RetainedImage,
  RETENTION_MS,
} from '../document/deployment.ts';
import type { EdgeHost } from '../theme/site.ts';

/** The build to deploy. */
export interface Built {
  host: EdgeHost;
  /** `edge/HOST/deploy.sh`. */
  script: string;
  themesDir: string;
  outDir: string;
  edgeOutDir: string;
  /** The commit that was built. */
  commit: string;
  /** A line about the checkout, or nothing. */
  remark: string;
  baseUrl: string;
  mediaUrl: string;
  files: readonly ListedFile[];
  /** SHA-256 of the manifest. */
  manifest: string;
  /** Environment variables that deploy.sh needs and that are not set. */
  unset: readonly string[];
  cacheControl: Readonly<Record<string, string>>;
  /** The command that deploys this build, quoted. */
  repeat: string;
  /** The command that shows what this build changes, and for whom. */
  difference: (live: string) => string;
  /** The commands that build and deploy another commit. */
  again: (commit: string, ...flags: readonly string[]) => string;
}

/** What a deployment changes: sorted by path. */
export interface Plan {
  /** Images that are not live; they are uploaded before all else. */
  images: readonly ListedFile[];
  /** Documents that are new or have changed. */
  changed: readonly ListedFile[];
  /** Removed documents. */
  gone: readonly string[];
  /** Images that this build does not name and cached documents still may. */
  retained: readonly RetainedImage[];
  /** Themes that are live and not in this build. */
  goneThemes: readonly string[];
}

/** What is live, as far as it is known. */
export interface LiveSite {
  record: DeploymentRecord;
  /**
   * The files of the live manifest, if its hash is in the record: another manifest may be forged, or an interrupted deployment has left
   * it, and any document may be of either.
   */
  files: readonly ListedFile[] | undefined;
}

/**
 * Compares a build with what is live.
 * @param dropped - images to retain no longer
 */
export function planOf(
  build: readonly ListedFile[],
  live: LiveSite | undefined,
  now: Date,
  dropped: readonly string[],
): Plan {
  const before = new Map((live?.files ?? []).map((file) => [file.path, file]));
  const own = new Set(build.map(({ path }) => path));
  const isLive = (file: ListedFile): boolean => before.get(file.path)?.sha256 === file.sha256;
  const gone = [...before.values()].filter(({ path }) => !own.has(path));
  const retained = new Map(live?.record.retained.map((image) => [image.path, image]));
  for (const image of gone)
    if (isMedia(image.path)) retained.set(image.path, { ...pick(image), last_named: now.toISOString() });
  const documents = gone.flatMap(({ path }) => (DOCUMENT.test(path) ? [path] : []));
  return {
    images: build.filter(({ path }) => isMedia(path) && !before.has(path) && !retained.has(path)),
    changed: build.filter((file) => !isMedia(file.path) && !isLive(file)),
    gone: documents,
    retained: [...retained.values()]
      .filter(
        ({ path, last_named }) =>
          !own.has(path) && !dropped.includes(path) && isRecent(Date.parse(last_named), now.getTime()),
      )
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    goneThemes: documents.flatMap((path) => THEME_DOCUMENT.exec(path)?.[1] ?? []),
  };
}

/** Returns the retained images of several plans, each with the last time that it was live. */
export function unionOf(lists: readonly (readonly RetainedImage[])[]): RetainedImage[] {
  const images = lists.flat().toSorted((a, b) => (a.last_named < b.last_named ? -1 : 1));
  return [...new Map(images.map((image) => [image.path, image])).values()].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

/** Neither a lying record nor the clock of another machine makes an image stay for longer. */
function isRecent(time: number, now: number): boolean {
  return time >= now - RETENTION_MS && time <= now + MAX_CLOCK_SKEW_MS;
}

const MAX_CLOCK_SKEW_MS = 10 * 60 * 1000;
/** The documents that a deployment may delete; all other files of a bucket or a server are of others. */
const DOCUMENT = /^(?:api\/v2\/theme|schema)\/(?!(?:deployment|manifest)\.json$)/;
const THEME_DOCUMENT = /^api\/v2\/theme\/config\/(?!(?:index|options)\.json$)([^/]+)\.json$/;

function pick({ path, sha256, bytes }: ListedFile): ListedFile {
  return { path, sha256, bytes };
}

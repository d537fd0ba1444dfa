import { servedAs } from '../../core/document/files/served-as.ts';
import {
  type DeploymentRecord,
  isMedia,
  type ListedFile,
  type RetainedImage,
  RETENTION_MS,
} from '../../core/document/files/deployment.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';

export interface BuildToDeploy {
  host: EdgeHost;
  /** The path of the script of the host, in the package. */
  script: string;
  /** Its environment, made of the rules of the build. */
  variables: Readonly<Record<string, string>>;
  themesDir: string;
  outDir: string;
  edgeOutDir: string;
  commit: string;
  /** The commits before it, if the build knew them. */
  ancestors: readonly string[] | undefined;
  /** A warning about the checkout, or ''. */
  remark: string;
  baseUrl: string;
  mediaUrl: string;
  files: readonly ListedFile[];
  /** SHA-256 of the manifest. */
  manifest: string;
  /** Missing environment variables of the script. */
  unset: readonly string[];
  cacheControl: Readonly<Record<string, string>>;
  /** The command that deploys this build, quoted. */
  repeat: string;
  /** The commands that build and deploy another commit. */
  again: (commit: string, ...flags: readonly string[]) => string;
}

/** The changes of a deployment, sorted by path. */
export interface Plan {
  /** Images that are not live; they are uploaded first. */
  images: readonly ListedFile[];
  /** New and changed documents. */
  changed: readonly ListedFile[];
  /** Removed documents. */
  removed: readonly string[];
  /** Images that only cached documents may still refer to. */
  retained: readonly RetainedImage[];
}

/** The known state of the live site. */
export interface LiveSite {
  record?: DeploymentRecord | undefined;
  /**
   * The files of the live manifest; undefined if its digest is not in the record. Then it is forged, or a deployment was interrupted, and
   * any document may be of either build.
   */
  files?: readonly ListedFile[] | undefined;
}

/** Compares a build with the live site. */
export function planOf(build: readonly ListedFile[], live: LiveSite, now: Date): Plan {
  const before = new Map((live.files ?? []).map((file) => [file.path, file]));
  const nextPaths = new Set(build.map(({ path }) => path));
  const isLive = (file: ListedFile): boolean => before.get(file.path)?.sha256 === file.sha256;
  const removed = [...before.values()].filter(({ path }) => !nextPaths.has(path));
  const retained = new Map(live.record?.retained.map((image) => [image.path, image]));
  for (const image of removed)
    if (isMedia(image.path)) retained.set(image.path, { ...pick(image), last_named: now.toISOString() });
  return {
    images: build.filter(({ path }) => isMedia(path) && !before.has(path) && !retained.has(path)),
    changed: build.filter((file) => !isMedia(file.path) && !isLive(file)),
    removed: removed.flatMap(({ path }) => (DOCUMENT.test(path) ? [path] : [])),
    retained: [...retained.values()]
      .filter(({ path, last_named }) => !nextPaths.has(path) && isRecent(Date.parse(last_named), now.getTime()))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** Combines the retained images of several plans, each with its latest time. */
export function unionOf(lists: readonly (readonly RetainedImage[])[]): RetainedImage[] {
  const images = lists.flat().toSorted((a, b) => (a.last_named < b.last_named ? -1 : 1));
  return [...new Map(images.map((image) => [image.path, image])).values()].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

/** Whether an image is still to be retained. A forged record or a wrong clock must not extend the time. */
function isRecent(time: number, now: number): boolean {
  return time >= now - RETENTION_MS && time <= now + MAX_CLOCK_SKEW_MS;
}

const MAX_CLOCK_SKEW_MS = 10 * 60 * 1000;
/** Documents that a deployment may delete; all other files of a bucket or a server are foreign. */
const DOCUMENT = /^(?:api\/v2\/theme|schema)\/(?!(?:deployment|manifest)\.json$)/;

function pick({ path, sha256, bytes }: ListedFile): ListedFile {
  return { path, sha256, bytes };
}

/** Returns a line `CLASS|TYPE|PATH` for each file: stores get its cache class and media type explicitly. */
export function servedText(files: readonly Pick<ListedFile, 'path'>[]): string {
  const lines = files.map(({ path: name }) => {
    const { cacheClass, mediaType } = servedAs(name);
    return `${cacheClass}|${mediaType}|${name}\n`;
  });
  return lines.join('');
}

import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, isInside } from './files.ts';
import { PublishError, sayWhere } from './publish-error.ts';

/** A folder of output. */
export interface Tree {
  folder: string;
  /** The file that lists the others, and how it starts: a folder without it was not made by themecast and is never written to. */
  list: { file: string; start: RegExp };
  /** Whether only its owner may read it. */
  isPrivate: boolean;
}

/** In a tree of releases, the link to the one that is live. */
export const CURRENT = 'current';
/** Where a release is below its tree; anything else that a link or a record says is not followed. */
export const RELEASE = /^releases\/[0-9a-f]{16}$/;

/** Names in an output folder under which a publication is prepared. */
const STAGING = /^\.themecast-[0-9a-f-]{36}$/;

/** `<parent>/.<name>.<purpose>`: beside the folder, and hidden. */
export function besides(folder: string, purpose: string): string {
  return path.join(path.dirname(folder), `.${path.basename(folder)}.${purpose}`);
}

export function isStagingId(id: string): boolean {
  return STAGING.test(`.themecast-${id}`);
}

/** Whether a path with `/` that was read from a file leads to something below the folder that it is for. */
export function isPathBelow(file: string): boolean {
  return (
    file !== '' && !path.posix.isAbsolute(file) && path.posix.normalize(file) === file && !/^\.\.?(?:\/|$)/.test(file)
  );
}

export function stagingOf(folder: string, id: string): string {
  return path.join(folder, `.themecast-${id}`);
}

/** What publications have prepared in a folder and not cleared away: the ids of all of them. */
export async function stagedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => STAGING.test(name)).map((name) => name.slice('.themecast-'.length));
}

/** The live release of a folder; nothing if it has no releases. */
export async function liveRelease(folder: string): Promise<string | undefined> {
  const release = await readlink(path.join(folder, CURRENT)).catch(() => '');
  return RELEASE.test(release) ? release : undefined;
}

/** The folder that the files of a tree are in: by way of the link, if it has releases. */
export async function liveFolder(folder: string): Promise<string> {
  return (await liveRelease(folder)) === undefined ? folder : path.join(folder, CURRENT);
}

/**
 * Throws a {@link PublishError} if trees must not be where they are to be, wherever links lead.
 * @param sources - folders that the build reads, the themes first: no tree may hold one, or lie among the themes
 */
export async function checkPlaces(trees: readonly Tree[], sources: readonly string[]): Promise<void> {
  const places = await Promise.all(trees.map(async ({ folder }) => ({ folder, real: await realFolder(folder) })));
  const read = await Promise.all(sources.map(async (folder) => ({ folder, real: await realFolder(folder) })));
  for (const [index, { folder, real }] of places.entries()) {
    const other = places.find((place, at) => at !== index && isInside(place.real, real));
    if (other !== undefined)
      throw new PublishError(`The output folders must not lie inside each other: ${folder} and ${other.folder}.`);
    const source = read.find((place) => isInside(place.real, real));
    if (source !== undefined)
      throw new PublishError(
        `${folder} would be written to, and the build reads ${source.folder} in it. Name another output folder.`,
      );
    const [themes] = read;
    if (themes !== undefined && isInside(real, themes.real))
      throw new PublishError(
        `${folder} lies among the themes, where it would be read as one. Name another output folder.`,
      );
    // Node waits for ever for a folder to be made there.
    if (isInside(real, '/proc')) throw new PublishError(`${folder} lies in /proc. Name another output folder.`);
    const stat = await lstat(folder).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory())
      throw new PublishError(`${folder} is not a folder. Move it away, or name another output folder.`);
  }
}

/** Where a folder really is, or will be when it is made. */
async function realFolder(folder: string): Promise<string> {
  const resolved = path.resolve(folder);
  try {
    return await realpath(resolved);
  } catch (error) {
    const parent = path.dirname(resolved);
    if (parent === resolved || errorCode(error) !== 'ENOENT') throw sayWhere(error, resolved);
    return path.join(await realFolder(parent), path.basename(resolved));
  }
}

/** Throws a {@link PublishError} if a folder holds anything but what themecast published there, in the same way. */
export async function checkMade({ folder, list }: Tree, hasReleases: boolean): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw sayWhere(error, folder);
  });
  if (names.length === 0) return;
  const startsRight = async (file: string): Promise<boolean> =>
    list.start.test(await readFile(path.join(folder, file), 'utf8').catch(() => ''));
  const isInPlace = await startsRight(list.file);
  const live = isInPlace ? undefined : await liveRelease(folder);
  const isReleases = live !== undefined && (await startsRight(path.join(live, list.file)));
  if (!isInPlace && !isReleases)
    throw new PublishError(
      `${folder} holds files that themecast did not make. Empty it, or name another output folder.`,
    );
  if (isReleases && !hasReleases)
    throw new PublishError(`${folder} holds releases. Build with \`--releases\`, or name another output folder.`);
  if (isInPlace && hasReleases)
    throw new PublishError(
      `${folder} was published without \`--releases\`. Empty it, name another output folder, or build without the flag.`,
    );
}

import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { errorCode, isInside } from '../../disk/files.ts';
import { publishError, wrapError } from './publish-error.ts';
import { linkOnTheWay } from '../../git/tracked.ts';

/** A folder of output. */
export interface Tree {
  dir: ContainedFolder;
  /** The file that lists the others, and how it starts: a folder without it was not made by themecast and is never written to. */
  list: { file: string; start: RegExp };
  /** Whether only its owner may read it. */
  isPrivate: boolean;
}

/** Names in an output folder under which a publication is prepared. */
const STAGING = /^\.themecast-[0-9a-f-]{36}$/;

/** `<parent>/.<name>.<purpose>`: beside the folder, and hidden. */
export function besides(folder: string, purpose: string): string {
  return path.join(path.dirname(folder), `.${path.basename(folder)}.${purpose}`);
}

/** Files beside an output folder that one build leaves for the next. */
export function stateFiles(folder: string): string[] {
  return ['lock', 'lock.takeover'].map((purpose) => besides(folder, purpose));
}

/** The folder below an output folder in which a publication is prepared. */
export function stagingOf(id: string): string {
  return `.themecast-${id}`;
}

export function isStagingName(name: string): boolean {
  return STAGING.test(name);
}

/** The entries below a folder, by path with `/`; links are not followed. */
export type Listing = ReadonlyMap<string, 'file' | 'folder' | 'other'>;

export async function listTree(dir: ContainedFolder): Promise<Listing> {
  const kinds = new Map<string, 'file' | 'folder' | 'other'>();
  const walk = async (below: string): Promise<void> => {
    for (const { name: entry, kind } of await dir.list(below)) {
      if (below === '' && isStagingName(entry)) continue;
      const name = path.posix.join(below, entry);
      kinds.set(name, kind);
      if (kind === 'folder') await walk(name);
    }
  };
  await walk('');
  return kinds;
}

/**
 * Throws a {@link ThemecastError} if output must not be where it is to be.
 * @param sources - folders that the build reads, the themes first: no output may hold one, or lie among the themes
 * @param checkout - folder below which links are not followed: they may have come with it
 */
export async function checkPlaces(
  folders: readonly string[],
  sources: readonly string[],
  checkout: string,
): Promise<void> {
  const places = await Promise.all(folders.map(async (folder) => ({ folder, real: await realFolder(folder) })));
  const read = await Promise.all(sources.map(async (folder) => ({ folder, real: await realFolder(folder) })));
  for (const [index, { folder, real }] of places.entries()) {
    const other = places.find((place, at) => at !== index && isInside(place.real, real));
    if (other !== undefined)
      throw publishError(`The output folders must not be inside each other: ${folder} and ${other.folder}.`);
    const source = read.find((place) => isInside(place.real, real));
    if (source !== undefined)
      throw publishError(
        `${folder} would be written to, and the build reads ${source.folder} in it. Name another output folder.`,
      );
    const [themes] = read;
    if (themes !== undefined && isInside(real, themes.real))
      throw publishError(
        `${folder} is inside the themes folder, where it would be read as a theme. Name another output folder.`,
      );
    // Node waits for ever for a folder to be made there.
    if (isInside(real, '/proc')) throw publishError(`${folder} is in /proc. Name another output folder.`);
    const stat = await lstat(folder).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory())
      throw publishError(`${folder} is not a folder. Move it away, or name another output folder.`);
    const link = linkOnTheWay(folder, checkout);
    if (link !== undefined)
      throw publishError(
        `${link} is a link, and links in a checkout are not followed. Remove it, or name another output folder.`,
      );
  }
}

/** Where a folder really is, or will be when it is made. */
async function realFolder(folder: string): Promise<string> {
  const resolved = path.resolve(folder);
  try {
    return await realpath(resolved);
  } catch (error) {
    const parent = path.dirname(resolved);
    if (parent === resolved || errorCode(error) !== 'ENOENT') throw wrapError(error, resolved);
    return path.join(await realFolder(parent), path.basename(resolved));
  }
}

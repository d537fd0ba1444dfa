import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { displayPath, errorCode, isInside } from '../disk/files.ts';
import { blobId, git } from './git.ts';
import { ContainedFolder, ContainmentError } from '../disk/contained-folder.ts';

/** A file that Git tracks. */
export interface TrackedFile {
  /** Absolute. */
  path: string;
  /** The id of its blob. */
  object: string;
}

/**
 * The checkout that a folder lies in: the nearest folder at or above it with a `.git`; nothing if there is none. One that is reached by
 * a link in another checkout does not count.
 */
export function checkoutOf(folder: string): string | undefined {
  const resolved = path.resolve(folder);
  const parent = path.dirname(resolved);
  const around = parent === resolved ? undefined : checkoutOf(parent);
  if (!existsSync(path.join(resolved, '.git'))) return around;
  return around !== undefined && linkOnTheWay(resolved, around) !== undefined ? around : resolved;
}

/** The checkout of some themes, or the folder that they are in. */
export function checkoutAround(themesDir: string): string {
  const parent = path.dirname(path.resolve(themesDir));
  return checkoutOf(parent) ?? parent;
}

/** The first link between a checkout and a place in it, or the place itself; nothing for one elsewhere. */
export function linkOnTheWay(place: string, checkout: string): string | undefined {
  if (!isInside(place, checkout)) return undefined;
  const steps = path.relative(checkout, place).split(path.sep);
  const places = steps.map((_, index) => path.join(checkout, ...steps.slice(0, index + 1)));
  return places.find(isLink);
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // not there, or below a file: what uses it reports that
  }
}

/** The link that something written to a place would follow: the place itself, or one on the way from its checkout, if it is in one. */
export function plantedLink(place: string): string | undefined {
  const resolved = path.resolve(place);
  const around = path.dirname(resolved);
  return linkOnTheWay(resolved, checkoutOf(around) ?? around);
}

/**
 * The folder that a command writes to. Everything that is written below a checkout goes through here, apart from the output of a build,
 * whose places are checked together.
 * @throws {ContainmentError} if a link would be followed
 */
export function writableFolder(folder: string): ContainedFolder {
  const link = plantedLink(folder);
  if (link === undefined) return new ContainedFolder(folder);
  throw new ContainmentError(
    `${link} is a link, and links in a checkout are not followed. Remove it, or name another folder.`,
  );
}

/** The files that Git tracks at or below some places; none where there is no checkout or no Git. */
export async function trackedFiles(checkout: string | undefined, places: readonly string[]): Promise<TrackedFile[]> {
  const inside = places.filter((place) => checkout !== undefined && isInside(path.resolve(place), checkout));
  if (checkout === undefined || inside.length === 0) return [];
  const names = inside.map((place) => path.relative(checkout, path.resolve(place)));
  const listed = (await git(checkout, 'ls-files', '--stage', '-z', '--', ...names)) ?? '';
  return listed.split('\0').flatMap((row) => {
    const { object, name } = /^\d+ (?<object>[0-9a-f]+) \d\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    return object === undefined || name === undefined ? [] : [{ path: path.join(checkout, name), object }];
  });
}

/** Whether a tracked link still has the target that was committed, or is no link at all. */
export function isCommittedLink({ path: file, object }: TrackedFile): boolean {
  try {
    return blobId(readlinkSync(file, 'buffer'), object) === object;
  } catch (error) {
    return errorCode(error) === 'EINVAL';
  }
}

/**
 * Reports each place that is tracked or has tracked files in it.
 * @param edge - the private output, which contains user keys
 * @param cwd - what diagnostics name files relative to
 */
export function reportTracked(
  tracked: readonly TrackedFile[],
  places: readonly string[],
  { edge, cwd }: { edge: string; cwd: string },
  report: Report,
): void {
  for (const place of places) {
    if (!tracked.some((file) => isInside(file.path, place))) continue;
    const shown = displayPath(place, cwd);
    report('output/tracked', { file: shown }, { path: shown, hasUsers: place === edge });
  }
}

import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { displayPath, errorCode, isInside } from '../disk/files.ts';
import { blobId, git } from './git.ts';
import { ContainedFolder, ContainmentError } from '../disk/contained-folder.ts';

export interface TrackedFile {
  /** Absolute. */
  path: string;
  object: string;
}

/**
 * Returns the checkout that contains a folder: the nearest folder with a `.git`, from the folder upwards. A checkout that is reached through a link
 * in another one is ignored.
 */
export function checkoutOf(folder: string): string | undefined {
  const resolved = path.resolve(folder);
  const parent = path.dirname(resolved);
  const outer = parent === resolved ? undefined : checkoutOf(parent);
  if (!existsSync(path.join(resolved, '.git'))) return outer;
  return outer !== undefined && linkOnTheWay(resolved, outer) !== undefined ? outer : resolved;
}

/** Returns the checkout that contains the themes folder, or its parent folder. */
export function checkoutAround(themesDir: string): string {
  const parent = path.dirname(path.resolve(themesDir));
  return checkoutOf(parent) ?? parent;
}

/** Returns the first link between a checkout and a path in it, including the path itself; nothing for a path elsewhere. */
export function linkOnTheWay(file: string, checkout: string): string | undefined {
  if (!isInside(file, checkout)) return undefined;
  const steps = path.relative(checkout, file).split(path.sep);
  const paths = steps.map((_, index) => path.join(checkout, ...steps.slice(0, index + 1)));
  return paths.find(isLink);
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // missing, or below a file: reported where it is used
  }
}

/** Returns the link that writing to a path would follow: the path itself, or a link between it and its checkout. */
export function plantedLink(file: string): string | undefined {
  const resolved = path.resolve(file);
  const parent = path.dirname(resolved);
  return linkOnTheWay(resolved, checkoutOf(parent) ?? parent);
}

/**
 * Returns the folder that a command writes to. Every write below a checkout uses it, except the output of a build, whose folders are checked
 * together.
 * @throws {ContainmentError} if a link would be followed
 */
export function writableFolder(folder: string): ContainedFolder {
  const link = plantedLink(folder);
  if (link === undefined) return new ContainedFolder(folder);
  throw new ContainmentError(
    `${link} is a link, and links in a checkout are not followed. Remove it, or name another folder.`,
  );
}

/** Returns the files that Git tracks at or below some paths; none without a checkout or Git. */
export async function trackedFiles(checkout: string | undefined, paths: readonly string[]): Promise<TrackedFile[]> {
  const inside = paths.filter((file) => checkout !== undefined && isInside(path.resolve(file), checkout));
  if (checkout === undefined || inside.length === 0) return [];
  const names = inside.map((file) => path.relative(checkout, path.resolve(file)));
  const listing = (await git(checkout, 'ls-files', '--stage', '-z', '--', ...names)) ?? '';
  return listing.split('\0').flatMap((row) => {
    const { object, name } = /^\d+ (?<object>[0-9a-f]+) \d\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    return object === undefined || name === undefined ? [] : [{ path: path.join(checkout, name), object }];
  });
}

/** Whether a tracked link still has its committed target, or is no link. */
export function isCommittedLink({ path: file, object }: TrackedFile): boolean {
  try {
    return blobId(readlinkSync(file, 'buffer'), object) === object;
  } catch (error) {
    return errorCode(error) === 'EINVAL';
  }
}

/** Reports each folder that is tracked or contains tracked files. @param edge - the edge directory, which contains user keys */
export function reportTracked(
  tracked: readonly TrackedFile[],
  folders: readonly string[],
  { edge, cwd }: { edge: string; cwd: string },
  report: Report,
): void {
  for (const folder of folders) {
    if (!tracked.some((file) => isInside(file.path, folder))) continue;
    const name = displayPath(folder, cwd);
    report('output/tracked', { file: name }, { path: name, hasUsers: folder === edge });
  }
}

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContainedFolder, ContainmentError } from './contained-folder.ts';
import { isInside } from './files.ts';

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

/** Returns what is checked out around a folder: `ref: refs/heads/main`, or a commit; undefined without a repository. */
export function checkedOut(folder: string): string | undefined {
  const checkout = checkoutOf(folder);
  if (checkout === undefined) return undefined;
  try {
    return readFileSync(path.join(gitDirOf(checkout), 'HEAD'), 'utf8').trim();
  } catch {
    return undefined; // not readable: Git says more where it is needed
  }
}

/** Returns the folder of Git in a checkout: in a worktree or submodule, `.git` is a file with its path (gitrepository-layout(5)). */
export function gitDirOf(checkout: string): string {
  const dotGit = path.join(checkout, '.git');
  const link = lstatSync(dotGit).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1] : undefined;
  return link === undefined ? dotGit : path.resolve(checkout, link);
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

import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode, isInside } from './files.ts';

/**
 * Returns the folder for results that depend only on the contents of files: `themecast` in `$XDG_CACHE_HOME` (default `~/.cache`; XDG Base
 * Directory Specification). Creates it if necessary.
 * @param checkout - a folder inside it is not used, since it could have come with the checkout
 * @returns nothing if no such folder is writable by this user alone, as in a container, with a read-only home, or for the user `nobody`
 */
export function cacheHome(checkout: string): string | undefined {
  return usable(homeFolder('XDG_CACHE_HOME', '.cache'), checkout);
}

/**
 * Returns the folder for results that depend on inodes and times, and are never copied to another machine: `$XDG_STATE_HOME`, by default
 * `~/.local/state`. See {@link cacheHome}.
 */
export function stateHome(checkout: string): string | undefined {
  return usable(homeFolder('XDG_STATE_HOME', path.join('.local', 'state')), checkout);
}

function homeFolder(variable: string, below: string): string | undefined {
  const { [variable]: value = '' } = process.env;
  if (path.isAbsolute(value)) return path.join(value, 'themecast');
  const home = homedir();
  // `HOME=` may be empty; and a home that does not exist must not be created.
  return path.isAbsolute(home) && existsSync(home) ? path.join(home, below, 'themecast') : undefined;
}

function usable(folder: string | undefined, checkout: string): string | undefined {
  if (folder === undefined) return undefined;
  try {
    makeFolders(folder, 0o700);
    if (isInside(realpathSync(folder), realpathSync(checkout))) return undefined;
    accessSync(folder, constants.W_OK);
    const { uid, mode } = statSync(folder);
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isPrivate ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder and its parents. Not with `recursive`, which fails with ENOENT on a read-only file system, and never ends in /proc.
 * @param mode - less the umask
 */
export function makeFolders(folder: string, mode: number): void {
  const make = (): void => {
    try {
      mkdirSync(folder, mode);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
    }
  };
  try {
    make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    makeFolders(path.dirname(folder), mode);
    make();
  }
}

import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode, isInside } from './files.ts';

/**
 * Where themecast keeps what can be made again, and rests on the contents of files alone: `themecast` in `$XDG_CACHE_HOME` (`~/.cache` by
 * default: XDG Base Directory Specification). Made if it is missing.
 * @param checkout - a folder in it could have come with it, and is not used
 * @returns nothing where there is no such folder that is this user's alone to write: a container, a read-only home, the user `nobody`
 */
export function cacheHome(checkout: string): string | undefined {
  return usable(homeFolder('XDG_CACHE_HOME', '.cache'), checkout);
}

/** Where themecast keeps what rests on inodes and times, which never travels: `$XDG_STATE_HOME`, `~/.local/state`. See {@link cacheHome}. */
export function stateHome(checkout: string): string | undefined {
  return usable(homeFolder('XDG_STATE_HOME', path.join('.local', 'state')), checkout);
}

function homeFolder(variable: string, below: string): string | undefined {
  const { [variable]: given = '' } = process.env;
  if (path.isAbsolute(given)) return path.join(given, 'themecast');
  const home = homedir();
  // `HOME=` may be set, but empty; and users without a home have one that does not exist, which is not to be made.
  return path.isAbsolute(home) && existsSync(home) ? path.join(home, below, 'themecast') : undefined;
}

function usable(folder: string | undefined, checkout: string): string | undefined {
  if (folder === undefined) return undefined;
  try {
    makeFolders(folder, 0o700);
    if (isInside(realpathSync(folder), realpathSync(checkout))) return undefined;
    accessSync(folder, constants.W_OK);
    const { uid, mode } = statSync(folder);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder and those around it. Not with `recursive`, which fails with ENOENT on a read-only file system, and never ends in /proc.
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

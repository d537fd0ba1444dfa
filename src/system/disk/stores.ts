import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isInside } from './files.ts';

/**
 * Returns the folder for results that depend only on the contents of files: `themecast` in `$XDG_CACHE_HOME` (default `~/.cache`; XDG Base
 * Directory Specification). Creates it if necessary.
 * @param checkout - a folder inside it is not used, since it could have come with the checkout
 * @returns nothing if no such folder is writable, as with a read-only home, or for the user `nobody`
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
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return isInside(realpathSync(folder), realpathSync(checkout)) ? undefined : folder;
  } catch {
    return undefined;
  }
}

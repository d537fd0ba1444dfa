import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { displayPath } from '../io/disk/files.ts';
import { checkoutAround } from '../io/disk/tracked.ts';
import { cacheHome, stateHome } from '../io/disk/stores.ts';
import type { FlagValues } from '../command-line/flags.ts';

export type StoreFlags = Partial<FlagValues<'themes' | 'cache' | 'no-cache'>>;

/** The cache of a command: the one named, or that of the user; nothing if there is none, or none is wanted. */
export function cacheOf({ themes = '', cache, 'no-cache': none }: StoreFlags): string | undefined {
  return none ? undefined : (cache ?? cacheHome(checkoutAround(themes)));
}

/** What a user has to know of the places of results: what is of earlier versions, and that there is no home. */
export function storeLines({ themes, cache, 'no-cache': none }: StoreFlags): string[] {
  if (themes === undefined) return [];
  const secret = process.env['THEMECAST_CACHE_SECRET'] || undefined;
  const old = path.join(path.dirname(path.resolve(themes)), '.cache');
  const isUsed = cache !== undefined && path.resolve(cache) === old;
  const shown = displayPath(isUsed ? path.join(old, 'notes') : old, process.cwd());
  const hasState = none === true || stateHome(checkoutAround(themes)) !== undefined;
  const rendered = cache === undefined ? ', and every image rendered again: `--cache DIR` keeps the results' : '';
  return [
    ...(secret === undefined ? [] : ['! THEMECAST_CACHE_SECRET has no effect any more: remove it.']),
    ...(hasOldCache(old) ? [`! ${shown} is of an earlier version and is not read any more: delete it.`] : []),
    ...(hasState
      ? []
      : [
          `! There is no home folder outside the checkout that can be written, so every file is read again${rendered}.`,
        ]),
  ];
}

/** Whether a folder is the cache of an earlier version: it has one file for each result, by the digits of a hash. */
function hasOldCache(folder: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory() || !lstatSync(path.join(folder, 'notes')).isDirectory()) return false;
    return readdirSync(path.join(folder, 'notes')).some((name) => /^[0-9a-f]{2}$/.test(name));
  } catch {
    return false;
  }
}

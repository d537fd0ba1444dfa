import { checkoutAround } from '../git/tracked.ts';
import { cacheHome, stateHome } from '../disk/stores.ts';
import type { FlagValues } from '../command-line/flags.ts';

export type StoreFlags = Partial<FlagValues<'themes' | 'cache' | 'no-cache'>>;

/** The cache of a command: the one named, or that of the user; nothing if there is none, or none is wanted. */
export function cacheOf({ themes = '', cache, 'no-cache': none }: StoreFlags): string | undefined {
  return none ? undefined : (cache ?? cacheHome(checkoutAround(themes)));
}

/** Warns when there is no home directory to store results in. */
export function storeLines({ themes, cache, 'no-cache': none }: StoreFlags): string[] {
  if (themes === undefined || none === true || stateHome(checkoutAround(themes)) !== undefined) return [];
  const lost =
    cache === undefined ? 'nothing is cached between runs: `--cache DIR` keeps images' : 'every file is read again';
  return [`! No writable home directory outside the checkout, so ${lost}.`];
}

import { checkoutAround } from '../system/disk/checkout.ts';
import { refusalOf } from '../system/git/git.ts';
import { cacheHome, stateHome } from '../system/disk/stores.ts';
import type { FlagValues } from '../system/command-line/flags.ts';

export type StoreFlags = Partial<FlagValues<'themes' | 'cache' | 'no-cache'>>;

/** Returns the cache of a command: from `--cache`, or the user's cache. Returns nothing with `--no-cache`, or without a home directory. */
export function cacheOf({ themes = '', cache, 'no-cache': noCache }: StoreFlags): string | undefined {
  return noCache ? undefined : (cache ?? cacheHome(checkoutAround(themes)));
}

/** Warns when there is no home directory to store results in. */
export function storeLines({ themes, cache, 'no-cache': noCache }: StoreFlags): string[] {
  if (themes === undefined || noCache === true || stateHome(checkoutAround(themes)) !== undefined) return [];
  const lost =
    cache === undefined ? 'nothing is cached between runs: `--cache DIR` keeps images' : 'every file is read again';
  return [`! No writable home directory outside the checkout, so ${lost}.`];
}

/** Says what a build goes on without, if Git refuses the checkout, as in a container whose user does not own it, or is not installed. */
export async function gitLines({ themes }: StoreFlags): Promise<string[]> {
  const refusal = themes === undefined ? undefined : await refusalOf(themes);
  return refusal === undefined
    ? []
    : [`! Git was not asked for the commit, or whether it tracks the output or the cache: ${refusal}`];
}

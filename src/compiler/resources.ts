import path from 'node:path';
import type { CheckOptions } from './api.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Decoders } from '../decoder/pool.ts';
import { withDecoders } from '../decoder/shared.ts';
import { isFolder, isInside } from '../disk/files.ts';
import { Cache } from './cache.ts';
import { Memory } from './memory.ts';
import { openMemory } from './open-memory.ts';
import { checkoutAround, checkoutOf, trackedFiles } from '../git/tracked.ts';
import { cacheHome, stateHome } from '../disk/stores.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/** The helpers that the stages share while a build or the development server runs. */
export interface Resources {
  cache: Cache;
  decoders: Decoders;
  memory: Memory;
}

/** The resources of one build, and what it reports. */
export interface Run extends Resources {
  diagnostics: Diagnostics;
}

/** Where results are retained, and of which themes. */
export type CacheOptions = Pick<CheckOptions, 'themesDir' | 'cacheDir' | 'shard'>;

/** Opens the cache of some themes, with its indexes; a temporary one where there are no themes. */
export async function openCaches({
  themesDir,
  cacheDir,
  shard,
}: CacheOptions): Promise<Pick<Resources, 'cache' | 'memory'>> {
  if (cacheDir === undefined || !(await isFolder(themesDir)))
    return { cache: await Cache.open(undefined), memory: new Memory() };
  if (isAmongThemes(cacheDir, themesDir))
    throw new ThemecastError(
      'cache',
      `The cache folder ${cacheDir} is inside the themes folder, where it would be read as themes. Name another with \`--cache DIR\`.`,
    );
  const checkout = checkoutAround(themesDir);
  const isHome = cacheDir === cacheHome(checkout);
  if (!isHome) await refuseTracked(cacheDir);
  const place = path.resolve(cacheDir);
  const isOutside = checkoutOf(path.dirname(place)) === undefined && !isInside(place, checkout);
  const cache = await Cache.open(cacheDir, isOutside);
  const travels = isHome ? undefined : path.relative(checkout, path.resolve(themesDir));
  const state = stateHome(checkout);
  const share = shard && `${shard.index}-of-${shard.total}`;
  return {
    cache,
    memory: await openMemory({ cache: cache.folder, state, themesDir, travels, shard: share }),
  };
}

async function refuseTracked(folder: string): Promise<void> {
  const place = path.resolve(folder);
  const [tracked] = await trackedFiles(checkoutOf(path.dirname(place)), [place]);
  if (tracked !== undefined)
    throw new ThemecastError(
      'cache',
      `Git tracks files in the cache folder ${folder}, so anyone who can push could decide what is published. Remove them with \`git rm -r --cached ${folder}\`, or name another with \`--cache DIR\`.`,
    );
}

/** Runs stages with resources of their own. Where there are no themes, the cache is a temporary one. */
export async function withResources<T>(
  options: CacheOptions,
  stages: (run: Run) => Promise<T>,
  diagnostics = new Diagnostics(),
): Promise<T> {
  const { cache, memory } = await openCaches(options);
  try {
    return await withDecoders(async (decoders) => {
      const result = await stages({ cache, decoders, memory, diagnostics });
      await memory.save();
      return result;
    });
  } catch (error) {
    // A cache that travels may have results of any form, with a valid checksum: without it, the next run makes them again.
    if (!isBug(error) || !(await memory.discard())) throw error;
    const message = 'The results of earlier runs are damaged, and have been removed. Run the command again.';
    throw new ThemecastError('cache', message, { cause: error });
  } finally {
    await cache.close();
  }
}

/** Whether an error may come from stored results: neither this program nor the system reports it. */
function isBug(error: unknown): boolean {
  return (
    error instanceof Error &&
    [Error, TypeError, RangeError].some((one) => error.constructor === one) &&
    !('code' in error) &&
    !error.message.startsWith('Bug:')
  );
}

/** Whether a folder would be read as themes; names that start with a dot are left out there. */
function isAmongThemes(folder: string, themesDir: string): boolean {
  const [themes, resolved] = [path.resolve(themesDir), path.resolve(folder)];
  const steps = path.relative(themes, resolved).split(path.sep);
  return isInside(resolved, themes) && !steps.some((step) => step.startsWith('.'));
}

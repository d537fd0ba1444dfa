import path from 'node:path';
import type { CheckOptions } from './api.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Decoders } from '../decoder/pool.ts';
import { withDecoders } from '../decoder/shared.ts';
import { isFolder, isInside } from '../disk/files.ts';
import { Cache } from './cache.ts';
import { Memory } from './memory.ts';
import { openMemory } from './open-memory.ts';
import { checkoutAround, checkoutOf } from '../disk/checkout.ts';
import { trackedFiles } from '../git/git.ts';
import { cacheHome, stateHome } from '../disk/stores.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/** The tools that the stages share while a build or the development server runs. */
export interface Resources {
  cache: Cache;
  decoders: Decoders;
  memory: Memory;
}

/** The resources of one build, with its diagnostics. */
export interface Run extends Resources {
  diagnostics: Diagnostics;
}

/** The cache folder, and the themes that it is for. */
export type CacheOptions = Pick<CheckOptions, 'themesDir' | 'cacheDir' | 'shard'>;

/** Opens the cache of a themes folder with its indexes. Without a themes folder or a cache folder, the cache is temporary. */
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
  const cachePath = path.resolve(cacheDir);
  const isOutside = checkoutOf(path.dirname(cachePath)) === undefined && !isInside(cachePath, checkout);
  const cache = await Cache.open(cacheDir, isOutside);
  const portablePath = isHome ? undefined : path.relative(checkout, path.resolve(themesDir));
  const state = stateHome(checkout);
  const shardName = shard && `${shard.index}-of-${shard.total}`;
  return {
    cache,
    memory: await openMemory({ cache: cache.folder, state, themesDir, portablePath, shard: shardName }),
  };
}

async function refuseTracked(folder: string): Promise<void> {
  const resolved = path.resolve(folder);
  const [tracked] = await trackedFiles(checkoutOf(path.dirname(resolved)), [resolved]).catch(() => []);
  if (tracked !== undefined)
    throw new ThemecastError(
      'cache',
      `Git tracks files in the cache folder ${folder}, so anyone who can push could decide what is published. Remove them with \`git rm -r --cached ${folder}\`, or name another with \`--cache DIR\`.`,
    );
}

/** Runs stages with their own resources. Without a themes folder, the cache is temporary. */
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
    // A copied cache may contain results of any form with a valid checksum. Without it, the next run makes them again.
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
    [Error, TypeError, RangeError].some((type) => error.constructor === type) &&
    !('code' in error) &&
    !error.message.startsWith('Bug:')
  );
}

/** Whether a folder would be read as themes; names that start with a dot are ignored there. */
function isAmongThemes(folder: string, themesDir: string): boolean {
  const [themes, resolved] = [path.resolve(themesDir), path.resolve(folder)];
  const steps = path.relative(themes, resolved).split(path.sep);
  return isInside(resolved, themes) && !steps.some((step) => step.startsWith('.'));
}

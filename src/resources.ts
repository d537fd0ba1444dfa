import path from 'node:path';
import type { CheckOptions } from './api.ts';
import { Diagnostics } from './diagnostics/diagnostic.ts';
import { Decoders } from './io/decoder/pool.ts';
import { isFolder, isInside } from './io/files.ts';
import { CacheError } from './io/images/cache-error.ts';
import { Cache } from './io/images/cache.ts';
import { openIncrementalCache } from './io/incremental/open.ts';
import { cacheKeys } from './io/images/cache-keys.ts';
import { IncrementalCache } from './io/incremental-cache.ts';

/** What the stages share while a build or the development server runs. */
export interface Resources {
  cache: Cache;
  decoders: Decoders;
  incremental: IncrementalCache;
}

/** The resources of one build, and what it reports. */
export interface Run extends Resources {
  diagnostics: Diagnostics;
}

/** Where results are retained, and of which themes. */
export type CacheOptions = Pick<CheckOptions, 'themesDir' | 'cacheDir' | 'cacheSecret' | 'verifyCache'>;

/** Opens the cache of some themes, with its index; a temporary one where there are no themes. */
export async function openCaches({
  themesDir,
  cacheDir,
  cacheSecret,
  verifyCache,
}: CacheOptions): Promise<Pick<Resources, 'cache' | 'incremental'>> {
  const isStored = cacheDir !== undefined && (await isFolder(themesDir));
  if (isStored && isAmongThemes(cacheDir, themesDir))
    throw new CacheError(
      `The cache folder ${cacheDir} is inside the themes folder, where it would be read as themes. Name another with \`--cache DIR\`.`,
    );
  const findKeys = cacheKeys(themesDir, cacheSecret);
  const cache = await Cache.open(isStored ? cacheDir : undefined, findKeys);
  const incremental = isStored
    ? await openIncrementalCache({ folder: cache.folder, themesDir, keys: await findKeys(), verifies: verifyCache })
    : await IncrementalCache.open();
  return { cache, incremental };
}

/** Runs stages with resources of their own. Where there are no themes, the cache is a temporary one. */
export async function withResources<T>(
  options: CacheOptions,
  stages: (run: Run) => Promise<T>,
  diagnostics = new Diagnostics(),
): Promise<T> {
  const { cache, incremental } = await openCaches(options);
  const decoders = new Decoders();
  try {
    const result = await stages({ cache, decoders, incremental, diagnostics });
    await incremental.save();
    return result;
  } finally {
    decoders.close();
    await cache.close();
  }
}

/** Whether a folder would be read as themes; names that start with a dot are left out there. */
function isAmongThemes(folder: string, themesDir: string): boolean {
  const [themes, resolved] = [path.resolve(themesDir), path.resolve(folder)];
  const steps = path.relative(themes, resolved).split(path.sep);
  return isInside(resolved, themes) && !steps.some((step) => step.startsWith('.'));
}

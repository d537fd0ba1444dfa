import path from 'node:path';
import { sha256Of } from '../files.ts';
import { rendererVersions } from '../images/sharp.ts';
import { IncrementalCache } from '../incremental-cache.ts';
import { ContainedFolder } from '../output/contained-folder.ts';
import type { CacheKeys } from '../images/cache-keys.ts';
import { programDigest } from './program.ts';

/** The folder of a cache, the themes that it is for, and how far it is believed. */
export interface IncrementalOptions {
  folder: string;
  themesDir: string;
  keys: CacheKeys;
  /** Whether every file is read again, whatever its times say. Default: false. */
  verifies?: boolean | undefined;
}

/** Opens the incremental cache of some themes. Named by their place relative to the cache, so that both may move together. */
export async function openIncrementalCache({
  folder,
  themesDir,
  keys,
  verifies,
}: IncrementalOptions): Promise<IncrementalCache> {
  const dir = new ContainedFolder(folder);
  return IncrementalCache.open({
    dir,
    id: sha256Of(path.relative(dir.path, path.resolve(themesDir))).slice(0, 16),
    keys,
    program: `${await programDigest()} ${await rendererVersions()} node ${process.version} ${process.arch}`,
    verifies,
  });
}

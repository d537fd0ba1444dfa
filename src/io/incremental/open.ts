import path from 'node:path';
import { sha256Of } from '../files.ts';
import { rendererVersions } from '../images/sharp.ts';
import { IncrementalCache } from '../incremental-cache.ts';
import { ContainedFolder } from '../output/contained-folder.ts';
import { stateKey } from '../output/state-key.ts';
import { checkoutOf } from '../output/tracked.ts';
import { programDigest } from './program.ts';

/** Where results are retained, and how far they are believed. */
export interface IncrementalOptions {
  /** Folder of the cache; without one, nothing is retained. */
  cacheDir?: string | undefined;
  themesDir: string;
  /** Whether every file is read again, whatever its times say. Default: false. */
  verifies?: boolean | undefined;
}

/** Opens the incremental cache of some themes. Named by their place relative to the cache, so that both may move together. */
export async function openIncrementalCache({
  cacheDir,
  themesDir,
  verifies,
}: IncrementalOptions): Promise<IncrementalCache> {
  if (cacheDir === undefined) return IncrementalCache.open();
  const dir = new ContainedFolder(cacheDir);
  const themes = path.resolve(themesDir);
  const machine = await stateKey(checkoutOf(themes) ?? path.dirname(themes));
  return IncrementalCache.open({
    dir,
    id: sha256Of(path.relative(dir.path, themes)).slice(0, 16),
    keys: { machine },
    program: `${await programDigest()} ${await rendererVersions()} node ${process.version} ${process.arch}`,
    verifies,
  });
}

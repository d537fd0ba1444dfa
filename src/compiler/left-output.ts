import path from 'node:path';
import { cacheHome } from '../io/disk/stores.ts';
import { checkoutAround } from '../io/disk/tracked.ts';
import type { Memory } from './memory.ts';
import type { LeftOutput } from './output/publish.ts';
import { openCaches } from './resources.ts';
import { themePrints } from './walk.ts';

interface Folders {
  outDir: string;
  edgeOutDir: string;
}

/** The output as the last build into its folders left it, and what it was built from, if that is known. */
type Left = LeftOutput & { sources: string | undefined };

const nameOf = ({ outDir }: Folders): string => `output ${path.resolve(outDir)}`;
const inputsOf = ({ edgeOutDir }: Folders): string[] => [path.resolve(edgeOutDir)];

export function recallOutput(memory: Memory, folders: Folders): Left | undefined {
  return memory.recall<Left>(nameOf(folders), inputsOf(folders));
}

export function rememberOutput(memory: Memory, folders: Folders, left: Left): void {
  memory.remember(nameOf(folders), inputsOf(folders), left);
}

/** Whether themes were edited, or checked out again, since the last build into some folders; nothing if this machine knows of no such build. */
export async function hasChangedSince(themesDir: string, folders: Folders): Promise<boolean | undefined> {
  const { cache, memory } = await openCaches({ themesDir, cacheDir: cacheHome(checkoutAround(themesDir)) });
  await cache.close();
  const left = recallOutput(memory, folders);
  return left && left.sources !== undefined && left.sources !== themePrints(themesDir).get('');
}

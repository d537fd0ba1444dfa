import path from 'node:path';
import type { BuildOptions, BuildSuccess } from './api.ts';
import { sha256Of } from '../disk/files.ts';
import { type Fingerprints, settledIdentity } from './fingerprints.ts';
import type { Memory } from './memory.ts';
import type { PublicationOptions } from './output/tracked-output.ts';
import type { LeftOutput } from './output/new-publication.ts';

/** The output as the last build into its folders left it, and its result. */
export type Left = LeftOutput & {
  /** A digest of the sources, the options and the files of users; nothing if one of them does not count. */
  inputs: string | undefined;
  result: BuildSuccess;
};

const nameOf = ({ outDir }: PublicationOptions): string => `output ${path.resolve(outDir)}`;
const edgeOf = ({ edgeOutDir }: PublicationOptions): string[] => [path.resolve(edgeOutDir)];

export function recallOutput(memory: Memory, folders: PublicationOptions): Left | undefined {
  return memory.recall(nameOf(folders), edgeOf(folders)) as Left | undefined;
}

export function rememberOutput(memory: Memory, folders: PublicationOptions, left: Left): void {
  memory.remember(nameOf(folders), edgeOf(folders), left);
}

/**
 * A digest of all that a build into some folders depends on, by names and times; nothing if it does not count, or if something was
 * reported of the output already.
 */
export function inputsOf(options: BuildOptions, prints: Fingerprints, isFirst: boolean): string | undefined {
  const { themesDir, users, keySecret, onProgress: _, signal: __, cacheDir: ___, ...others } = options;
  const sources = prints.get('');
  const identity = users === undefined ? '' : users === '-' ? undefined : settledIdentity(users);
  if (sources === undefined || identity === undefined || !isFirst) return undefined;
  return sha256Of(
    JSON.stringify([sources, path.resolve(themesDir), users, identity, keySecret && sha256Of(keySecret), others]),
  );
}

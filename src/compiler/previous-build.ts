import path from 'node:path';
import type { BuildOptions, BuildSuccess } from './api.ts';
import { sha256Of } from '../disk/files.ts';
import { type Fingerprints, settledFingerprint } from './fingerprints.ts';
import type { Memory } from './memory.ts';
import type { PublicationOptions } from './output/tracked-output.ts';
import type { OutputState } from './output/new-publication.ts';

/** The output after the last build into its folders, and the result of that build. */
export type PreviousBuild = OutputState & {
  /** A digest of the themes, the options and the files of users; undefined if a fingerprint is not trusted. */
  inputs: string | undefined;
  result: BuildSuccess;
};

const nameOf = ({ outDir }: PublicationOptions): string => `output ${path.resolve(outDir)}`;
const edgeOf = ({ edgeOutDir }: PublicationOptions): string[] => [path.resolve(edgeOutDir)];

export function recallOutput(memory: Memory, folders: PublicationOptions): PreviousBuild | undefined {
  return memory.recall(nameOf(folders), edgeOf(folders)) as PreviousBuild | undefined;
}

export function rememberOutput(memory: Memory, folders: PublicationOptions, left: PreviousBuild): void {
  memory.remember(nameOf(folders), edgeOf(folders), left);
}

/**
 * Returns a digest of everything that a build depends on, by names and times. Returns nothing if a fingerprint is not trusted, or if the output has
 * diagnostics already.
 */
export function inputsOf(
  options: BuildOptions,
  fingerprints: Fingerprints,
  hasNoDiagnostics: boolean,
): string | undefined {
  const { themesDir, users, keySecret, onProgress: _, signal: __, cacheDir: ___, ...otherOptions } = options;
  const sources = fingerprints.get('');
  const usersFingerprint = users === undefined ? '' : users === '-' ? undefined : settledFingerprint(users);
  if (sources === undefined || usersFingerprint === undefined || !hasNoDiagnostics) return undefined;
  return sha256Of(
    JSON.stringify([
      sources,
      path.resolve(themesDir),
      users,
      usersFingerprint,
      keySecret && sha256Of(keySecret),
      otherOptions,
    ]),
  );
}

import path from 'node:path';
import type { BuildOptions, BuildSuccess } from './api.ts';
import { hashFile, sha256Of } from '../system/disk/files.ts';
import type { Memory } from './memory.ts';
import type { OutputState } from './output/publish.ts';

/** The result of the last build, and the output that it left. */
interface LastBuild {
  output: OutputState;
  result: BuildSuccess;
}

/** Returns the last build if nothing has changed since. @param inputs - as of {@link inputsOf} */
export function recallBuild(memory: Memory, inputs: string): LastBuild | undefined {
  return memory.recall('build', [inputs]) as LastBuild | undefined;
}

export function rememberBuild(memory: Memory, inputs: string | undefined, build: LastBuild): void {
  memory.remember('build', [inputs], build);
}

/** Returns a digest of everything that a build depends on. @param sources - the digest of the themes, if it is known */
export function inputsOf(options: BuildOptions, sources: string | undefined): string | undefined {
  const {
    themesDir,
    users,
    keySecret,
    onProgress: _,
    onStage: __,
    signal: ___,
    cacheDir: ____,
    ...otherOptions
  } = options;
  const usersFile = users === undefined || users === '-' ? undefined : hashFile(users);
  const digest = users === undefined ? '' : usersFile && 'sha256' in usersFile ? usersFile.sha256 : undefined;
  if (sources === undefined || digest === undefined) return undefined;
  const secret = keySecret && sha256Of(keySecret);
  return sha256Of(JSON.stringify([sources, path.resolve(themesDir), users, digest, secret, otherOptions]));
}

import path from 'node:path';
import type { BuildOptions, BuildSuccess } from './api.ts';
import { hashFile, sha256Of } from '../system/disk/files.ts';
import type { Memory } from './memory.ts';
import type { Publication } from './output/publish.ts';

/** Returns the result of the last build if it would change nothing. @param inputs - as of {@link inputsOf} */
export function recallBuild(memory: Memory, inputs: string | undefined): BuildSuccess | undefined {
  return memory.recall('build', [inputs]) as BuildSuccess | undefined;
}

/** Stores the result of a build that has changed nothing: the next one returns it. */
export function rememberBuild(memory: Memory, inputs: string | undefined, result: BuildSuccess): void {
  memory.remember('build', [inputs], { ...result, cached: result.cached + result.rendered, rendered: 0 });
}

/** Returns a digest of everything that a build depends on, its output included. @param sources - the digest of the themes, if it is known */
export function inputsOf(
  { themesDir, users, keySecret, onProgress: _, onStage: __, signal: ___, cacheDir: ____, ...others }: BuildOptions,
  sources: string | undefined,
  publication: Publication,
): string | undefined {
  const usersFile = users === undefined || users === '-' ? undefined : hashFile(users);
  const digest = users === undefined ? '' : usersFile && 'sha256' in usersFile ? usersFile.sha256 : undefined;
  const output = sources === undefined || digest === undefined ? undefined : publication.digest();
  if (output === undefined) return undefined;
  const secret = keySecret && sha256Of(keySecret);
  return sha256Of(JSON.stringify([sources, path.resolve(themesDir), users, digest, secret, others, output]));
}

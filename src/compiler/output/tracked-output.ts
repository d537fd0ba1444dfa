import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { checkoutOf } from '../../disk/checkout.ts';
import { displayPath, errorCode, isInside } from '../../disk/files.ts';
import { type TrackedFile, trackedFiles } from '../../git/git.ts';
import { lockFiles } from './output-directory.ts';

export interface PublicationOptions {
  outDir: string;
  edgeOutDir: string;
}

/** Reports and returns the files of the output that Git tracks; without Git, none. @param cwd - diagnostics name files relative to it */
export async function trackedOutput(
  { outDir, edgeOutDir }: PublicationOptions,
  themesDir: string,
  cwd: string,
  report: Report,
): Promise<TrackedFile[]> {
  const [out, edge] = [path.resolve(outDir), path.resolve(edgeOutDir)];
  const paths = [out, edge].flatMap((folder) => [folder, ...lockFiles(folder)]);
  const tracked = await trackedFiles(checkoutOf(path.dirname(path.resolve(themesDir))), paths).catch(() => []);
  for (const folder of paths) {
    if (!tracked.some((file) => isInside(file.path, folder))) continue;
    const name = displayPath(folder, cwd);
    report('output/tracked', { file: name }, { path: name, hasUsers: folder === edge });
  }
  return tracked;
}

/** Whether a tracked link still has its committed target, or is no link. */
export function isCommittedLink({ path: file, object }: TrackedFile): boolean {
  try {
    const target = readlinkSync(file, 'buffer');
    const hash = createHash(object.length === 64 ? 'sha256' : 'sha1');
    return hash.update(`blob ${target.length}\0`).update(target).digest('hex') === object;
  } catch (error) {
    return errorCode(error) === 'EINVAL';
  }
}

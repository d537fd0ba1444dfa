import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { checkoutOf } from '../../system/disk/checkout.ts';
import { displayPath, isInside } from '../../system/disk/files.ts';
import { trackedFiles } from '../../system/git/git.ts';
import { lockFiles } from './output-directory.ts';

export interface PublicationOptions {
  outDir: string;
  edgeOutDir: string;
}

/** Reports the folders and locks of the output that Git tracks; without Git, none. @param cwd - diagnostics name files relative to it */
export async function trackedOutput(
  { outDir, edgeOutDir }: PublicationOptions,
  themesDir: string,
  cwd: string,
  report: Report,
): Promise<void> {
  const [out, edge] = [path.resolve(outDir), path.resolve(edgeOutDir)];
  const paths = [out, edge].flatMap((folder) => [folder, ...lockFiles(folder)]);
  const tracked = await trackedFiles(checkoutOf(path.dirname(path.resolve(themesDir))), paths).catch(() => []);
  for (const folder of paths) {
    if (!tracked.some((file) => isInside(file, folder))) continue;
    const name = displayPath(folder, cwd);
    report('output/tracked', { file: name }, { path: name, hasUsers: folder === edge });
  }
}

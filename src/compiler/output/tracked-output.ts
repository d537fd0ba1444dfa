import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { checkoutOf, reportTracked, type TrackedFile, trackedFiles } from '../../git/tracked.ts';
import { lockFiles } from './output-directory.ts';

export interface PublicationOptions {
  outDir: string;
  edgeOutDir: string;
}

/** Reports and returns the files of the output that Git tracks. @param cwd - diagnostics name files relative to it */
export async function trackedOutput(
  { outDir, edgeOutDir }: PublicationOptions,
  themesDir: string,
  cwd: string,
  report: Report,
): Promise<TrackedFile[]> {
  const [out, edge] = [path.resolve(outDir), path.resolve(edgeOutDir)];
  const paths = [out, edge].flatMap((folder) => [folder, ...lockFiles(folder)]);
  const tracked = await trackedFiles(checkoutOf(path.dirname(path.resolve(themesDir))), paths);
  reportTracked(tracked, paths, { edge, cwd }, report);
  return tracked;
}

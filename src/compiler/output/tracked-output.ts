import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { checkoutOf, reportTracked, type TrackedFile, trackedFiles } from '../../git/tracked.ts';
import { stateFiles } from './places.ts';

/** Where a build publishes. */
export interface PublicationOptions {
  outDir: string;
  edgeOutDir: string;
}

/**
 * The files of an output that Git tracks, which are reported.
 * @param cwd - what diagnostics name files relative to
 */
export async function trackedOutput(
  { outDir, edgeOutDir }: PublicationOptions,
  themesDir: string,
  cwd: string,
  report: Report,
): Promise<TrackedFile[]> {
  const [out, edge] = [path.resolve(outDir), path.resolve(edgeOutDir)];
  const places = [out, edge].flatMap((folder) => [folder, ...stateFiles(folder)]);
  const tracked = await trackedFiles(checkoutOf(path.dirname(path.resolve(themesDir))), places);
  reportTracked(tracked, places, { edge, cwd }, report);
  return tracked;
}

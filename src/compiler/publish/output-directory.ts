import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { displayPath, errorCode, isInside } from '../../system/disk/files.ts';
import { trackedFiles } from '../../system/git/git.ts';
import { failsIn, publishError } from './publish-error.ts';
import { checkoutOf, linkOnTheWay } from '../../system/disk/checkout.ts';

/** How the names begin of what a build makes in an output directory for itself. */
export const OWN_NAME = '.themecast-';

/** Returns `<parent>/.<name>.<purpose>`: a hidden file beside the folder. */
export function fileBeside(folder: string, purpose: string): string {
  return path.join(path.dirname(folder), `.${path.basename(folder)}.${purpose}`);
}

/** Returns the files beside an output directory by which builds lock it. */
export function lockFiles(folder: string): string[] {
  return ['lock', 'lock.takeover'].map((purpose) => fileBeside(folder, purpose));
}

/**
 * Throws a {@link ThemecastError} if a folder must not be an output directory.
 * @param sources - folders that the build reads, the themes first: no output directory may contain one, or be inside the themes
 * @param checkout - folder in which links are not followed: they may have come with it
 */
export async function checkDirectories(
  folders: readonly string[],
  sources: readonly string[],
  checkout: string,
): Promise<void> {
  const targets = await Promise.all(folders.map(async (folder) => ({ folder, real: await realFolder(folder) })));
  const sourceFolders = await Promise.all(sources.map(async (folder) => ({ folder, real: await realFolder(folder) })));
  for (const [index, { folder, real }] of targets.entries()) {
    const nested = targets.find((target, at) => at !== index && isInside(target.real, real));
    if (nested !== undefined)
      throw publishError(`The output folders must not be inside each other: ${folder} and ${nested.folder}.`);
    const source = sourceFolders.find((candidate) => isInside(candidate.real, real));
    if (source !== undefined)
      throw publishError(
        `${folder} would be written to, and the build reads ${source.folder} in it. Name another output folder.`,
      );
    const [themes] = sourceFolders;
    if (themes !== undefined && isInside(real, themes.real))
      throw publishError(
        `${folder} is inside the themes folder, where it would be read as a theme. Name another output folder.`,
      );
    const stat = await lstat(folder).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory())
      throw publishError(`${folder} is not a folder. Move it away, or name another output folder.`);
    const link = linkOnTheWay(folder, checkout);
    if (link !== undefined)
      throw publishError(
        `${link} is a link, and links in a checkout are not followed. Remove it, or name another output folder.`,
      );
  }
}

/** Returns the real path of a folder, which need not exist yet. */
async function realFolder(folder: string): Promise<string> {
  const resolved = path.resolve(folder);
  try {
    return await realpath(resolved);
  } catch (error) {
    const parent = path.dirname(resolved);
    if (parent === resolved || errorCode(error) !== 'ENOENT') failsIn(resolved)(error);
    return path.join(await realFolder(parent), path.basename(resolved));
  }
}

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

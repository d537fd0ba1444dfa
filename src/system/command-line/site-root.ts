import { lstatSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from './invocation.ts';
import type { Flags } from './command.ts';
import { FLAGS } from './flags.ts';

/** A flag whose default folder is in the root of the site. */
type FolderFlag = 'themes' | 'out' | 'edge-out';

/**
 * Returns the default folders that apply to a call, as paths from the working directory. They are in the root of the site around the
 * working directory. Without a site, or with `--themes`, they are in the working directory itself.
 */
export function defaultFolders(flags: Flags, values: { readonly themes?: unknown }): Record<string, string> {
  const root = values.themes === undefined ? siteRoot() : '';
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) =>
      flag.inSiteRoot && flag.default !== undefined ? [[name, folderIn(root, flag.default)]] : [],
    ),
  );
}

/** Returns the flags to repeat so that another command uses the same folders: those that differ from the defaults. */
export function repeatedFlags(folders: Readonly<Partial<Record<FolderFlag, string>>>): string[] {
  const root = siteRoot();
  return Object.entries(folders).flatMap(([name, folder]) =>
    folder === folderIn(root, FLAGS[name as FolderFlag].default) ? [] : [`--${name}`, shellWord(folder)],
  );
}

/** Returns the output and edge directories of a build of these themes, called without `--out` and `--edge-out`. */
export function outputsOf(themes: string): { outDir: string; edgeOutDir: string } {
  const root = siteRoot();
  const around = themes === folderIn(root, FLAGS.themes.default) ? root : '';
  return { outDir: folderIn(around, FLAGS.out.default), edgeOutDir: folderIn(around, FLAGS['edge-out'].default) };
}

function folderIn(root: string, name: string): string {
  return path.relative('', path.join(root, name)) || '.';
}

/**
 * Returns the nearest folder with `themes/site.yaml`, upward from the working directory to the root of its Git repository or of the file
 * system; the empty path if there is none.
 */
function siteRoot(): string {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    if (exists(path.join(folder, FLAGS.themes.default, 'site.yaml'))) return folder;
    if (exists(path.join(folder, '.git')) || folder === path.dirname(folder)) return '';
  }
}

function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // the folder may not be entered; reading it reports that
  }
}

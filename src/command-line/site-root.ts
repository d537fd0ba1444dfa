import { lstatSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from './invocation.ts';
import type { Flags } from './command.ts';
import { FLAGS } from './flags.ts';

/** A flag whose folder lies in the root of the site, unless it is given. */
type FolderFlag = 'themes' | 'out' | 'edge-out';

/**
 * The folders of a call that were not given, as paths from the working directory. They lie in the root of the site that the
 * working directory is in; or in the working directory itself, if it is in none, or the themes are given.
 */
export function defaultFolders(flags: Flags, given: { readonly themes?: unknown }): Record<string, string> {
  const root = given.themes === undefined ? siteRoot() : '';
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) =>
      flag.inSiteRoot && flag.default !== undefined ? [[name, folderIn(root, flag.default)]] : [],
    ),
  );
}

/** The flags with which another command, called in the same place, uses these folders: those that differ from its defaults. */
export function repeatedFlags(folders: Readonly<Partial<Record<FolderFlag, string>>>): string[] {
  const root = siteRoot();
  return Object.entries(folders).flatMap(([name, folder]) =>
    folder === folderIn(root, FLAGS[name as FolderFlag].default) ? [] : [`--${name}`, shellWord(folder)],
  );
}

/** The public and the private output that a build of these themes writes, called in the same place without `--out` and `--edge-out`. */
export function outputsOf(themes: string): { outDir: string; edgeOutDir: string } {
  const root = siteRoot();
  const around = themes === folderIn(root, FLAGS.themes.default) ? root : '';
  return { outDir: folderIn(around, FLAGS.out.default), edgeOutDir: folderIn(around, FLAGS['edge-out'].default) };
}

function folderIn(root: string, name: string): string {
  return path.relative('', path.join(root, name)) || '.';
}

/**
 * The nearest folder with `themes/site.yaml`, from the working directory upward to the root of its Git repository, or of the
 * file system without one; the working directory itself if there is none.
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
    return true; // in a folder that may not be entered, which is reported when it is read
  }
}

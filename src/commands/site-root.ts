import { lstatSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../io/invocation.ts';
import { FLAGS, type FlagName, type FlagValues } from './flags.ts';

/** Flags whose folder lies in the root of the site, unless they are given. */
const FOLDERS = ['themes', 'out', 'edge-out', 'cache', 'admin'] as const satisfies readonly FlagName[];

/**
 * The flags of a call with the folders that were not given, as paths from the working directory. They lie in the root of the
 * site that the working directory is in; or in the working directory itself, if it is in none, or the themes are given.
 * @param names - the flags that the command has
 */
export function withFolders(given: Partial<FlagValues>, names: readonly FlagName[]): Partial<FlagValues> {
  const root = given.themes === undefined ? siteRoot() : '';
  const folders = FOLDERS.filter((name) => names.includes(name)).map((name) => [name, folderIn(root, name)]);
  return { ...Object.fromEntries(folders), ...given };
}

/** The flags that another command, called in the same place, has to repeat to use these folders. */
export function repeated(flags: FlagValues, names: readonly (typeof FOLDERS)[number][]): string[] {
  const root = siteRoot();
  return names.flatMap((name) => {
    const folder = flags[name] ?? '';
    return folder === folderIn(root, name) ? [] : [`--${name}`, shellWord(folder)];
  });
}

/** The output that a build of these themes writes, called in the same place without `--out`. */
export function outputOf(themes: string): string {
  return folderIn(themes === folderIn(siteRoot(), 'themes') ? siteRoot() : '', 'out');
}

function folderIn(root: string, name: (typeof FOLDERS)[number]): string {
  return path.relative('', path.join(root, FLAGS[name].default)) || '.';
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

import { lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { displayPath, type FileProblem, readBytes, reportFileProblem } from '../disk/files.ts';
import { decodeText } from '../source/text.ts';
import { slugOf, USERS_FOLDER } from '../theme/slug.ts';
import {
  classifyTop,
  type FolderEntry,
  PREVIEW_FILE,
  REDIRECTS_FILE,
  TEXT_LIMIT,
  THEME_FILE,
  type ThemesFolder,
} from '../theme/themes-folder.ts';
import { type Entries, listEntries } from './entries.ts';
import type { Fingerprints } from './fingerprints.ts';
import { notCheckedOut } from './not-checked-out.ts';
import { themePrints } from './theme-prints.ts';

/** A text file of the themes folder. */
export interface TextFile {
  /** Its name in diagnostics. */
  file: string;
  text: string;
}

/** A file that is read later. */
export interface FoundFile {
  /** Its name in diagnostics. */
  file: string;
  path: string;
}

/** The themes folder as a walk finds it: what is at its top, and of each theme the fingerprint. */
export interface Walk extends Pick<ThemesFolder, 'siteMissing' | 'slugs'> {
  themesDir: string;
  /** The path of a file in the themes folder as diagnostics show it. */
  display: (file?: string) => string;
  site: TextFile | undefined;
  /** `redirects.csv`. */
  redirects: FoundFile | undefined;
  /** The page of the site in which themes are previewed. */
  preview: TextFile | undefined;
  /** The JSON schemas for editors, by name. */
  schemas: readonly (FoundFile & { name: string })[];
  /** CSV files of users, sorted. */
  users: readonly FoundFile[];
  prints: Fingerprints;
}

/** The entries of a theme folder, with paths in that folder. */
export interface ThemeEntries extends Pick<Entries, 'unusable' | 'unreadable'> {
  entries: readonly FolderEntry[];
}

/**
 * Walks the themes folder, and reads the texts at its top. Ignored are folders without a file, names that start with a dot, which are those
 * of tools, but not a folder with a theme, and what file managers leave.
 * @param cwd - what diagnostics name files relative to
 * @param prints - fingerprints that were just taken. Default: they are taken
 */
export async function walkThemes(themesDir: string, cwd: string, report: Report, prints?: Fingerprints): Promise<Walk> {
  const display = (file = ''): string => displayPath(path.join(themesDir, file), cwd);
  // Before anything is listed: what changes in between has another one the next time.
  const taken = prints ?? themePrints(themesDir);
  // Where paths are written with slashes; fast-glob takes backslashes for those everywhere, and would read another folder.
  const hasBackslash = path.sep === '/' && themesDir.includes('\\');
  const listing = hasBackslash ? undefined : listEntries(themesDir, ['*']);
  if (listing === undefined) {
    const suggestion = hasBackslash ? themesDir.replaceAll('\\', '/') : undefined;
    report('theme/folder-missing', { file: display() }, { suggestion });
  } else {
    if (lstatSync(themesDir).isSymbolicLink()) report('theme/folder-link', { file: display() }, { name: display() });
    reportUnusable(listing, display, report);
    await reportHidden(themesDir, listing.dotFolders, display, report);
    for (const missing of await notCheckedOut(themesDir))
      report('theme/not-checked-out', { file: display(missing.folder) }, { ...missing });
  }
  const top = listing?.entries ?? [];
  const hasUsers = top.some((entry) => entry.path === USERS_FOLDER && entry.kind === 'folder');
  const users = hasUsers ? listEntries(themesDir, [`${USERS_FOLDER}/**`]) : undefined;
  if (users !== undefined) reportUnusable(users, display, report);
  // Of a folder that is not there, nothing else is reported.
  const isComplete = listing !== undefined && listing.unreadable.length === 0;
  const folder = classifyTop([...top, ...(users?.entries ?? [])], isComplete, display, report);
  const later = (file: string): FoundFile => ({ file: display(file), path: path.join(themesDir, file) });
  return {
    themesDir,
    display,
    siteMissing: folder.siteMissing,
    slugs: folder.slugs,
    site: folder.hasSite ? readTextFile(later('site.yaml'), report) : undefined,
    redirects: folder.hasRedirects ? later(REDIRECTS_FILE) : undefined,
    preview: folder.hasPreview ? readTextFile(later(PREVIEW_FILE), report) : undefined,
    schemas: folder.schemas.map((name) => ({ name, ...later(name) })),
    users: folder.users.map(later),
    prints: taken,
  };
}

/** More folders than these are listed by one pattern, which takes less time. */
const MANY_FOLDERS = 100;

/** Lists the folders of some themes. */
export function listThemes(themesDir: string, slugs: readonly string[]): ReadonlyMap<string, ThemeEntries> {
  // With `./`: fast-glob 3.3 keeps patterns by folder in a plain object, where `constructor` is there from the start.
  const patterns = slugs.length > MANY_FOLDERS ? ['**'] : slugs.map((slug) => `./${slug}/**`);
  const listed = slugs.length === 0 ? undefined : listEntries(themesDir, patterns);
  const themes = new Map(
    slugs.map((slug) => [
      slug,
      {
        entries: [] as FolderEntry[],
        unusable: [] as Entries['unusable'][number][],
        unreadable: [] as Entries['unreadable'][number][],
      },
    ]),
  );
  const of = (folder: string): ReturnType<typeof themes.get> => themes.get(folder.split('/', 1)[0] ?? '');
  for (const { path: file, depth, kind } of listed?.entries ?? [])
    if (depth > 1) of(file)?.entries.push({ path: file.slice(file.indexOf('/') + 1), depth: depth - 1, kind });
  for (const one of listed?.unusable ?? []) of(one.folder)?.unusable.push(one);
  for (const one of listed?.unreadable ?? []) of(one.folder)?.unreadable.push(one);
  return themes;
}

/** Reports names that cannot be used, and folders that cannot be read. */
export function reportUnusable(
  { unusable, unreadable }: Pick<Entries, 'unusable' | 'unreadable'>,
  display: (file: string) => string,
  report: Report,
): void {
  for (const { folder, name } of unusable) report('file/name', { file: display(folder) }, { name });
  for (const { folder, reason } of unreadable)
    report('file/unreadable', { file: display(folder) }, { folder: true, reason });
}

/** Reports themes in hidden folders. */
async function reportHidden(
  themesDir: string,
  dotFolders: readonly string[],
  display: (file: string) => string,
  report: Report,
): Promise<void> {
  for (const folder of dotFolders) {
    const hasTheme = await stat(path.join(themesDir, folder, THEME_FILE)).then(
      () => true,
      () => false,
    );
    if (hasTheme) report('theme/slug', { file: display(folder) }, { folder, suggestion: slugOf(folder) });
  }
}

/** The bytes of a file; nothing, and a diagnostic, if it cannot be read. */
export function readOrReport({ file, path: name }: FoundFile, limit: number, report: Report): Buffer | undefined {
  const read: ReturnType<typeof readBytes> | FileProblem = readBytes(name, limit);
  if (!('problem' in read)) return read.bytes;
  reportFileProblem(read, file, limit, report);
  return undefined;
}

/** A text file; nothing, and a diagnostic, if it cannot be read. */
export function readTextFile(found: FoundFile, report: Report, limit = TEXT_LIMIT): TextFile | undefined {
  const bytes = readOrReport(found, limit, report);
  const text = bytes && decodeText({ file: found.file, bytes }, report);
  return text === undefined ? undefined : { file: found.file, text };
}

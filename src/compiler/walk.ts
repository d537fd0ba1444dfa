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
import { themeFingerprints } from './theme-fingerprints.ts';

export interface TextFile {
  /** Its name in diagnostics. */
  file: string;
  text: string;
}

export interface UnreadFile {
  /** Its name in diagnostics. */
  file: string;
  path: string;
}

/** The themes folder as found by a walk: its top-level files, and a fingerprint per theme. */
export interface Walk extends Pick<ThemesFolder, 'siteMissing' | 'slugs'> {
  themesDir: string;
  /** Returns the path of a file in the themes folder for diagnostics. */
  display: (file?: string) => string;
  site: TextFile | undefined;
  redirects: UnreadFile | undefined;
  /** The page of the site for previews of themes. */
  preview: TextFile | undefined;
  /** The JSON schemas for editors, by name. */
  schemas: readonly (UnreadFile & { name: string })[];
  users: readonly UnreadFile[];
  fingerprints: Fingerprints;
}

/** The entries of a theme folder, with paths in that folder. */
export interface ThemeEntries extends Pick<Entries, 'unusable' | 'unreadable'> {
  entries: readonly FolderEntry[];
}

/**
 * Walks the themes folder, and reads its top-level texts. Ignored are folders without files, names that start with a dot (except themes), and files
 * that file managers leave.
 * @param fingerprints - current fingerprints. Default: they are computed
 */
export async function walkThemes(
  themesDir: string,
  cwd: string,
  report: Report,
  fingerprints?: Fingerprints,
): Promise<Walk> {
  const display = (file = ''): string => displayPath(path.join(themesDir, file), cwd);
  // Taken before the listing: a change in between gets another fingerprint next time.
  const current = fingerprints ?? themeFingerprints(themesDir);
  // Where paths are written with slashes: fast-glob reads backslashes as slashes everywhere, and would read another folder.
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
  // Nothing else is reported about a missing folder.
  const isComplete = listing !== undefined && listing.unreadable.length === 0;
  const folder = classifyTop([...top, ...(users?.entries ?? [])], isComplete, display, report);
  const unread = (file: string): UnreadFile => ({ file: display(file), path: path.join(themesDir, file) });
  return {
    themesDir,
    display,
    siteMissing: folder.siteMissing,
    slugs: folder.slugs,
    site: folder.hasSite ? readTextFile(unread('site.yaml'), report) : undefined,
    redirects: folder.hasRedirects ? unread(REDIRECTS_FILE) : undefined,
    preview: folder.hasPreview ? readTextFile(unread(PREVIEW_FILE), report) : undefined,
    schemas: folder.schemas.map((name) => ({ name, ...unread(name) })),
    users: folder.users.map(unread),
    fingerprints: current,
  };
}

/** With more folders than this, one pattern lists them faster. */
const MANY_FOLDERS = 100;

export function listThemes(themesDir: string, slugs: readonly string[]): ReadonlyMap<string, ThemeEntries> {
  // With `./`: fast-glob 3.3 keeps patterns by folder in a plain object, which already has a `constructor`.
  const patterns = slugs.length > MANY_FOLDERS ? ['**'] : slugs.map((slug) => `./${slug}/**`);
  const listing = slugs.length === 0 ? undefined : listEntries(themesDir, patterns);
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
  const entriesOf = (folder: string): ReturnType<typeof themes.get> => themes.get(folder.split('/', 1)[0] ?? '');
  for (const { path: file, depth, kind } of listing?.entries ?? [])
    if (depth > 1) entriesOf(file)?.entries.push({ path: file.slice(file.indexOf('/') + 1), depth: depth - 1, kind });
  for (const entry of listing?.unusable ?? []) entriesOf(entry.folder)?.unusable.push(entry);
  for (const entry of listing?.unreadable ?? []) entriesOf(entry.folder)?.unreadable.push(entry);
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

/** Returns the bytes of a file; if it cannot be read, reports it and returns nothing. */
export function readOrReport({ file, path: name }: UnreadFile, limit: number, report: Report): Buffer | undefined {
  const read: ReturnType<typeof readBytes> | FileProblem = readBytes(name, limit);
  if (!('problem' in read)) return read.bytes;
  reportFileProblem(read, file, limit, report);
  return undefined;
}

/** Reads a text file; if it cannot be read, reports it and returns nothing. */
export function readTextFile(file: UnreadFile, report: Report, limit = TEXT_LIMIT): TextFile | undefined {
  const bytes = readOrReport(file, limit, report);
  const text = bytes && decodeText({ file: file.file, bytes }, report);
  return text === undefined ? undefined : { file: file.file, text };
}

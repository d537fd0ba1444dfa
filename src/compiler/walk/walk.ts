import { existsSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { displayPath, type FileProblem, readBytes, reportFileProblem } from '../../system/disk/files.ts';
import { checkoutOf, gitDirOf } from '../../system/disk/checkout.ts';
import { git } from '../../system/git/git.ts';
import { decodeText } from '../../core/source/text.ts';
import { slugOf, USERS_FOLDER } from '../../core/theme/slug.ts';
import {
  classifyTop,
  type FolderEntry,
  PREVIEW_FILE,
  REDIRECTS_FILE,
  TEXT_LIMIT,
  type ThemesFolder,
} from '../../core/theme/themes-folder.ts';
import { type Entries, hiddenThemes, listEntries } from './entries.ts';

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

/** The themes folder as found by a walk: its top-level files. */
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
}

/**
 * Walks the themes folder, and reads its top-level texts. Ignored are folders without files, names that start with a dot (except themes), and files
 * that file managers leave.
 */
export async function walkThemes(themesDir: string, cwd: string, report: Report): Promise<Walk> {
  const display = (file = ''): string => displayPath(path.join(themesDir, file), cwd);
  // Where paths are written with slashes: fast-glob reads backslashes as slashes everywhere, and would read another folder.
  const hasBackslash = path.sep === '/' && themesDir.includes('\\');
  const listing = hasBackslash ? undefined : listEntries(themesDir, 'in');
  if (listing === undefined) {
    const suggestion = hasBackslash ? themesDir.replaceAll('\\', '/') : undefined;
    const isFile = existsSync(themesDir) && statSync(themesDir).isFile();
    report('theme/folder-missing', { file: display() }, { isFile, suggestion });
  } else {
    if (lstatSync(themesDir).isSymbolicLink()) report('theme/folder-link', { file: display() }, { name: display() });
    reportUnusable(listing, display, report);
    for (const folder of hiddenThemes(themesDir))
      report('theme/slug', { file: display(folder) }, { folder, suggestion: slugOf(folder), isReserved: false });
    for (const folder of await notCheckedOut(themesDir))
      report('theme/not-checked-out', { file: display(folder) }, { folder });
  }
  const top = listing?.entries ?? [];
  const hasUsers = top.some((entry) => entry.path === USERS_FOLDER && entry.kind === 'folder');
  const users = hasUsers ? listEntries(path.join(themesDir, USERS_FOLDER), 'below') : undefined;
  if (users !== undefined) reportUnusable(users, (file) => display(path.posix.join(USERS_FOLDER, file)), report);
  // Nothing else is reported about a missing folder.
  const isComplete = listing !== undefined && listing.unreadable === undefined;
  const folder = classifyTop([...top, ...below(USERS_FOLDER, users?.entries ?? [])], isComplete, display, report);
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
  };
}

function below(folder: string, entries: readonly FolderEntry[]): FolderEntry[] {
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}`, depth: entry.depth + 1 }));
}

/** Reports names that cannot be used, and a folder that cannot be read. */
export function reportUnusable(
  { unusable, unreadable }: Pick<Entries, 'unusable' | 'unreadable'>,
  display: (file: string) => string,
  report: Report,
): void {
  for (const { folder, name } of unusable) report('file/name', { file: display(folder) }, { name });
  if (unreadable !== undefined)
    report('file/unreadable', { file: display(unreadable.folder) }, { folder: true, reason: unreadable.reason });
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

/**
 * Returns the theme folders that a sparse checkout leaves out. Without a report, their themes would disappear silently. Git runs only if the
 * repository has sparse-checkout patterns.
 */
async function notCheckedOut(themesDir: string): Promise<string[]> {
  const themes = path.resolve(themesDir);
  const checkout = checkoutOf(path.dirname(themes));
  if (checkout === undefined) return [];
  if (!existsSync(path.join(gitDirOf(checkout), 'info/sparse-checkout'))) return [];
  const relative = path.relative(checkout, themes);
  const rows = (await git(checkout, 'ls-files', '-t', '-z', '--', relative)) ?? '';
  const prefix = `S ${relative.split(path.sep).join('/')}/`;
  return rows.split('\0').flatMap((row) => {
    const slug = row.startsWith(prefix) ? /^([^/]+)\/theme\.yaml$/.exec(row.slice(prefix.length))?.[1] : undefined;
    return slug === undefined || existsSync(path.join(themes, slug, 'theme.yaml')) ? [] : [slug];
  });
}

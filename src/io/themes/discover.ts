import { lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { decodeText } from '../../source/text.ts';
import { slugOf } from '../../theme/slug.ts';
import { classifyEntries, REDIRECTS_FILE, TEXT_LIMIT, THEME_FILE, type ThemesFolder } from '../../theme/themes-folder.ts';
import { notCheckedOut } from './not-checked-out.ts';
import { displayPath, reportFileProblem } from '../disk/files.ts';
import type { FileContent, FileHashes } from '../incremental/file-hashes.ts';
import { IncrementalCache } from '../incremental/incremental-cache.ts';
import type { Entries } from './entries.ts';

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

/** Everything in the themes folder. */
export interface Content extends Pick<ThemesFolder, 'files' | 'notFiles' | 'siteMissing'> {
  themesDir: string;
  /** The path of a file in the themes folder as diagnostics show it. */
  display: (file?: string) => string;
  site: TextFile | undefined;
  /** `redirects.csv`. */
  redirects: FoundFile | undefined;
  /** The JSON schemas for editors, by name. */
  schemas: readonly (FoundFile & { name: string })[];
  /** CSV files of users, sorted. */
  users: readonly FoundFile[];
  themes: readonly (FoundFile & { slug: string })[];
}

/**
 * Reads the themes folder: classifies every entry, and reads the texts at its top. Ignored are folders without a file, names that start with a
 * dot, which are those of tools, but not a folder with a theme, and what file managers leave.
 * @param cwd - what diagnostics name files relative to
 */
export async function discover(
  themesDir: string,
  cwd: string,
  incremental: IncrementalCache,
  report: Report,
): Promise<Content> {
  const { files } = incremental;
  const display = (file = ''): string => displayPath(path.join(themesDir, file), cwd);
  // Where paths are written with slashes; fast-glob takes backslashes for those everywhere, and would read another folder.
  const hasBackslash = path.sep === '/' && themesDir.includes('\\');
  const listing = hasBackslash ? undefined : await entriesOf(themesDir, incremental);
  if (listing === undefined) {
    const suggestion = hasBackslash ? themesDir.replaceAll('\\', '/') : undefined;
    report('theme/folder-missing', { file: display() }, { suggestion });
  } else {
    if (lstatSync(themesDir).isSymbolicLink()) report('theme/folder-link', { file: display() }, { name: display() });
    await reportUnusable(themesDir, listing, display, report);
    for (const missing of await notCheckedOut(themesDir))
      report('theme/not-checked-out', { file: display(missing.folder) }, { ...missing });
  }
  // Of a folder that is not there, nothing else is reported.
  const unreadable = new Set(listing?.unreadable.map(({ folder }) => folder) ?? ['']);
  const folder = classifyEntries(listing?.entries ?? [], unreadable, display, report);
  const read = (file: string): TextFile | undefined => {
    const text = readText({ file: display(file), path: path.join(themesDir, file) }, files, report)?.text();
    return text === undefined ? undefined : { file: display(file), text };
  };
  const later = (file: string): FoundFile => ({ file: display(file), path: path.join(themesDir, file) });
  const { notFiles, siteMissing, users } = folder;
  return {
    themesDir,
    display,
    files: folder.files,
    notFiles,
    siteMissing,
    site: folder.hasSite ? read('site.yaml') : undefined,
    redirects: folder.hasRedirects ? later(REDIRECTS_FILE) : undefined,
    schemas: folder.schemas.map((name) => ({ name, ...later(name) })),
    users: users.map(later),
    themes: folder.themes.map((slug) => ({ slug, ...later(`${slug}/${THEME_FILE}`) })),
  };
}

/** The entries of the themes folder; listed again if names or kinds have changed since. Names that are not UTF-8 look alike to others. */
async function entriesOf(themesDir: string, incremental: IncrementalCache): Promise<Entries | undefined> {
  const list = async (): Promise<Entries | undefined> => (await import('./entries.ts')).listEntries(themesDir);
  const parts = [path.resolve(themesDir), incremental.files.names];
  const isWhole = (entries: Entries | undefined): boolean => entries?.unusable.length === 0 && entries.unreadable.length === 0;
  return incremental.memoize(IncrementalCache.local('entries'), parts, () => undefined, list, isWhole);
}

/** Reports names that cannot be used, folders that cannot be read, and themes in hidden folders. */
async function reportUnusable(
  themesDir: string,
  { dotFolders, unusable, unreadable }: Entries,
  display: (file: string) => string,
  report: Report,
): Promise<void> {
  for (const { folder, name } of unusable) report('file/name', { file: display(folder) }, { name });
  for (const { folder, reason } of unreadable)
    report('file/unreadable', { file: display(folder) }, { folder: true, reason });
  for (const folder of dotFolders) {
    const hasTheme = await stat(path.join(themesDir, folder, THEME_FILE)).then(
      () => true,
      () => false,
    );
    if (hasTheme) report('theme/slug', { file: display(folder) }, { folder, suggestion: slugOf(folder) });
  }
}

/** A text file with its hash; reports why it cannot be read. */
export function readText(
  { file, path: name }: FoundFile,
  files: FileHashes,
  report: Report,
  limit = TEXT_LIMIT,
): (Pick<FileContent, 'sha256'> & { text: (report?: Report) => string | undefined }) | undefined {
  const content = files.contentOf(name, limit);
  if (!('problem' in content))
    return {
      sha256: content.sha256,
      text: (found = report) => decodeText({ file, bytes: content.bytes() }, found),
    };
  reportFileProblem(content, file, limit, report);
  return undefined;
}

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { decodeText } from '../../source/text.ts';
import { slugOf } from '../../theme/slug.ts';
import { classifyEntries, THEME_FILE, type ThemesFolder } from '../../theme/themes-folder.ts';
import { mapConcurrently } from '../concurrency.ts';
import { displayPath, READERS, readRegularFile, reportFileProblem } from '../files.ts';
import type { IncrementalCache } from '../incremental-cache.ts';
import { type Entries, listEntries } from './entries.ts';

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

/** Everything in the themes folder that can be read at once. */
export interface Content extends Pick<ThemesFolder, 'files' | 'notFiles' | 'siteMissing'> {
  themesDir: string;
  /** The path of a file in the themes folder as diagnostics show it. */
  display: (file?: string) => string;
  site: TextFile | undefined;
  /** `rows`: CSV and NDJSON, sorted; `lists`: the lists of keys that `users.yaml` may name, by the path it names them by. */
  users: { rows: readonly FoundFile[]; yaml: TextFile | undefined; lists: ReadonlyMap<string, FoundFile> };
  themes: readonly (TextFile & { slug: string })[];
}

/** Maximum size of YAML files, in bytes. */
export const TEXT_LIMIT = 256 * 1024;

/**
 * Reads the themes folder: classifies every entry, and reads the texts. Ignored are folders without a file, names that start with a
 * dot, which are those of tools, but not a folder with a theme, and what file managers leave.
 * @param cwd - what diagnostics name files relative to
 */
export async function discover(
  themesDir: string,
  cwd: string,
  cache: IncrementalCache,
  report: Report,
): Promise<Content> {
  const display = (file = ''): string => displayPath(path.join(themesDir, file), cwd);
  // Where paths are written with slashes; fast-glob takes backslashes for those everywhere, and would read another folder.
  const hasBackslash = path.sep === '/' && themesDir.includes('\\');
  const listing = hasBackslash ? undefined : await listEntries(themesDir);
  if (listing === undefined) {
    const suggestion = hasBackslash ? themesDir.replaceAll('\\', '/') : undefined;
    report('theme/folder-missing', { file: display() }, { suggestion });
    return emptyContent(themesDir, display);
  }
  await reportUnusable(themesDir, listing, display, report);
  const unreadable = new Set(listing.unreadable.map(({ folder }) => folder));
  const folder = classifyEntries(listing.entries, unreadable, display, report);
  const read = async (file: string): Promise<TextFile | undefined> => {
    const place = path.join(themesDir, file);
    const text = await cache.memoize(`file ${place}`, [cache.fingerprintOf(place)], report, (found) =>
      readText(place, display(file), themesDir, found),
    );
    return text === undefined ? undefined : { file: display(file), text };
  };
  const themes = await mapConcurrently(folder.themes, READERS, async (slug) => {
    const source = await read(`${slug}/${THEME_FILE}`);
    return source === undefined ? [] : [{ slug, ...source }];
  });
  const later = (file: string): FoundFile => ({ file: display(file), path: path.join(themesDir, file) });
  const { files, notFiles, siteMissing, users } = folder;
  return {
    themesDir,
    display,
    files,
    notFiles,
    siteMissing,
    site: folder.hasSite ? await read('site.yaml') : undefined,
    users: {
      rows: users.rows.map(later),
      yaml: users.hasYaml ? await read('users.yaml') : undefined,
      lists: new Map(users.lists.map((file) => [file, later(file)])),
    },
    themes: themes.flat(),
  };
}

function emptyContent(themesDir: string, display: Content['display']): Content {
  return {
    themesDir,
    display,
    files: new Map(),
    notFiles: new Map(),
    siteMissing: false,
    site: undefined,
    users: { rows: [], yaml: undefined, lists: new Map() },
    themes: [],
  };
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

async function readText(file: string, shown: string, themesDir: string, report: Report): Promise<string | undefined> {
  const bytes = await readRegularFile(file, TEXT_LIMIT, themesDir);
  if (Buffer.isBuffer(bytes)) return decodeText({ file: shown, bytes }, report);
  reportFileProblem(bytes, shown, TEXT_LIMIT, report);
  return undefined;
}

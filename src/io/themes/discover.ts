import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { decodeText } from '../../source/text.ts';
import { isSlug, slugOf, USERS_FOLDER } from '../../theme/slug.ts';
import { mapConcurrently } from '../concurrency.ts';
import { type Entries, type Entry, listEntries } from './entries.ts';
import { type FileProblem, READERS, readRegularFile } from '../files.ts';
import type { Memory } from '../images/incremental-cache.ts';

/** A text file of the themes folder; `file` is relative to the working directory. */
export interface TextFile {
  file: string;
  text: string;
}

/** A file that is read later; `file` is relative to the working directory. */
export interface FoundFile {
  file: string;
  path: string;
}

/** Everything that editors wrote, as read. */
export interface Content {
  themesDir: string;
  site: TextFile | undefined;
  /** Whether there is no site.yaml, nor anything that was meant to be one. */
  siteMissing: boolean;
  /** `rows`: CSV and NDJSON, sorted; `lists`: the lists of keys that `users.yaml` may name, as it names them. */
  users: { rows: readonly FoundFile[]; yaml: TextFile | undefined; lists: ReadonlyMap<string, FoundFile> };
  themes: (TextFile & { slug: string })[];
  /** The other files in the folder of each theme, relative to it, sorted. */
  pictures: ReadonlyMap<string, readonly string[]>;
  /** Those of them that are links or special files, with the folder: `harbor/logo.svg`. */
  notFiles: ReadonlyMap<string, Entry['kind']>;
}

const KB = 1024;
/** Greatest size of YAML files, in bytes. */
export const TEXT_LIMIT = 256 * KB;
/** Files at the top of the themes folder. README files and JSON schemas are for people and editors. */
const TOP_FILES = ['site.yaml', 'users.csv', 'users.yaml'];
export const THEME_FILE = 'theme.yaml';
const USERS_FILE = /^users\/[^/]+\.(?:csv|ndjson|txt)$/;
const IGNORED = /^(?:readme(?:\.\w+)?|.*\.schema\.json)$/i;

/**
 * Reads the themes folder: classifies every entry, and reads the texts. Ignored are folders without a file, names that start with a
 * dot, which are those of tools, but not a folder with a theme, and what file managers leave.
 */
export async function discover(themesDir: string, memory: Memory, report: Report): Promise<Content> {
  const name = (file = ''): string => displayPath(path.join(themesDir, file));
  // Where paths are written with slashes; fast-glob takes backslashes for those everywhere, and would read another folder.
  const hasBackslash = path.sep === '/' && themesDir.includes('\\');
  const listing = hasBackslash ? undefined : await listEntries(themesDir);
  const empty: Content = {
    themesDir,
    site: undefined,
    siteMissing: false,
    users: { rows: [], yaml: undefined, lists: new Map() },
    themes: [],
    pictures: new Map(),
    notFiles: new Map(),
  };
  if (listing === undefined) {
    const suggestion = hasBackslash ? themesDir.replaceAll('\\', '/') : undefined;
    report('theme/folder-missing', { file: name() }, { suggestion });
    return empty;
  }
  const read = async (file: string, limit: number): Promise<TextFile | undefined> => {
    const place = path.join(themesDir, file);
    const text = await memory.recall(`file ${place}`, [memory.stampOf(place)], report, (found) =>
      readText(place, name(file), limit, themesDir, found),
    );
    return text === undefined ? undefined : { file: name(file), text };
  };
  const { entries } = listing;
  await reportHidden(themesDir, listing, name, report);
  const top = new Map(entries.filter(({ depth }) => depth === 1).map((entry) => [entry.path, entry.kind]));
  for (const [file, kind] of top) {
    const isText = TOP_FILES.includes(file);
    if (kind === 'link' || kind === 'special' || (kind === 'folder' && isText)) {
      report('file/not-a-file', { file: name(file) }, { name: file, kind });
    } else if (kind === 'file' && !isText && !IGNORED.test(file)) {
      report('theme/unexpected-file', { file: name(file) }, { name: file, suggestion: suggest(file, TOP_FILES) });
    }
  }
  const has = (file: string): boolean => top.get(file) === 'file';
  const folders = [...top.keys()].filter(
    (file) => top.get(file) === 'folder' && file !== USERS_FOLDER && !TOP_FILES.includes(file),
  );
  const slugs = folders.filter((slug) => isSlug(slug, { file: name(slug) }, report));
  const isWhole = !listing.unreadable.some(({ folder }) => folder === '');
  if (folders.length === 0 && isWhole) report('theme/none', { file: name() }, {});

  const inside = filesByFolder(entries);
  const userFiles = entries
    .filter((entry) => entry.depth === 2 && entry.path.startsWith(`${USERS_FOLDER}/`))
    .filter((entry) => isUsersFile(entry, name, report))
    .map((entry) => entry.path);
  const found = (file: string): FoundFile => ({ file: name(file), path: path.join(themesDir, file) });
  const kinds = new Map(entries.map((entry) => [entry.path, entry.kind]));
  const unreadable = new Set(listing.unreadable.map(({ folder }) => folder));
  const themes = await mapConcurrently(slugs, READERS, async (slug) => {
    const files = inside.get(slug) ?? [];
    const kind = kinds.get(`${slug}/${THEME_FILE}`);
    const others = files.filter((file) => file !== THEME_FILE && /^[^/]*\.ya?ml$/i.test(file));
    const second = others.find((file) => /^theme\./i.test(file));
    if (kind === 'file') {
      if (second !== undefined) report('theme/second-file', { file: name(`${slug}/${second}`) }, { file: second });
      const source = await read(`${slug}/${THEME_FILE}`, TEXT_LIMIT);
      return source === undefined ? undefined : { slug, ...source };
    }
    if (kind !== undefined) {
      report('file/not-a-file', { file: name(`${slug}/${THEME_FILE}`) }, { name: THEME_FILE, kind });
    } else if (!unreadable.has(slug)) {
      report('theme/file-missing', { file: name(slug) }, { folder: slug, found: second ?? others[0] });
    }
    return undefined;
  });
  return {
    themesDir,
    siteMissing:
      isWhole && ![...top.keys()].some((file) => file === 'site.yaml' || suggest(file, TOP_FILES) === 'site.yaml'),
    site: has('site.yaml') ? await read('site.yaml', TEXT_LIMIT) : undefined,
    users: {
      rows: [...(has('users.csv') ? ['users.csv'] : []), ...userFiles.filter((file) => !file.endsWith('.txt'))].map(
        found,
      ),
      yaml: has('users.yaml') ? await read('users.yaml', TEXT_LIMIT) : undefined,
      lists: new Map(userFiles.filter((file) => file.endsWith('.txt')).map((file) => [file, found(file)])),
    },
    themes: themes.filter((theme) => theme !== undefined),
    pictures: new Map(slugs.map((slug) => [slug, (inside.get(slug) ?? []).filter((file) => file !== THEME_FILE)])),
    notFiles: new Map(
      entries.flatMap(({ path: file, depth, kind }) =>
        depth > 1 && (kind === 'link' || kind === 'special') ? [[file, kind]] : [],
      ),
    ),
  };
}

/** Reports what has no place among the entries: names that cannot be used, folders that cannot be read, and themes in hidden folders. */
async function reportHidden(
  themesDir: string,
  { dotFolders, unusable, unreadable }: Entries,
  name: (file: string) => string,
  report: Report,
): Promise<void> {
  for (const { folder, name: shown } of unusable) report('file/name', { file: name(folder) }, { name: shown });
  for (const { folder, reason } of unreadable)
    report('file/unreadable', { file: name(folder) }, { folder: true, reason });
  for (const folder of dotFolders) {
    if (await exists(path.join(themesDir, folder, THEME_FILE)))
      report('theme/slug', { file: name(folder) }, { folder, suggestion: slugOf(folder) });
  }
}

function filesByFolder(entries: readonly Entry[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const { path: file, depth, kind } of entries) {
    if (kind === 'folder' || depth === 1) continue;
    const slug = file.slice(0, file.indexOf('/'));
    const files = folders.get(slug);
    if (files === undefined) folders.set(slug, [file.slice(slug.length + 1)]);
    else files.push(file.slice(slug.length + 1));
  }
  return folders;
}

function isUsersFile({ path: file, kind }: Entry, name: (file: string) => string, report: Report): boolean {
  if (USERS_FILE.test(file) && kind !== 'folder') return true;
  if (!IGNORED.test(path.basename(file)))
    report('theme/unexpected-file', { file: name(file) }, { name: file, suggestion: undefined });
  return false;
}

async function readText(
  file: string,
  shown: string,
  limit: number,
  themesDir: string,
  report: Report,
): Promise<string | undefined> {
  const bytes = await readRegularFile(file, limit, themesDir);
  if (Buffer.isBuffer(bytes)) return decodeText({ file: shown, bytes }, report);
  reportFileProblem(bytes, shown, limit, report);
  return undefined;
}

/** Reports why a text file cannot be used. */
export function reportFileProblem(found: FileProblem, file: string, limit: number, report: Report): void {
  if (found.problem === 'too-large') report('file/too-large', { file }, { bytes: found.bytes, limit });
  else if (found.problem === 'unreadable') report('file/unreadable', { file }, { folder: false, reason: found.reason });
  else report('file/not-a-file', { file }, { name: path.basename(file), kind: 'link' });
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** A path as diagnostics show it: relative to the working directory, with `/`. */
export function displayPath(file: string): string {
  return (path.relative(process.cwd(), file) || '.').split(path.sep).join('/');
}

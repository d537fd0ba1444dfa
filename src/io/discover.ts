import { stat } from 'node:fs/promises';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { compareText, type Location, type Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { decodeText } from '../source/text.ts';
import { mapConcurrently } from './concurrency.ts';
import { errorCode, READERS, readRegularFile } from './files.ts';

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
}

const KB = 1024;
/** Greatest size of YAML files, in bytes. */
const TEXT_LIMIT = 256 * KB;
/** Files at the top of the themes folder. README files and JSON schemas are for people and editors. */
const TOP_FILES = ['site.yaml', 'users.csv', 'users.yaml'];
/** Folder of further files of users. */
const USERS_FOLDER = 'users';
const USERS_FILE = /^users\/[^/]+\.(?:csv|ndjson|txt)$/;
const IGNORED = /^(?:readme(?:\.\w+)?|.*\.schema\.json)$/i;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Names that the config folder of `dist/` uses itself. */
const RESERVED_SLUGS = new Set(['index', 'browse', 'options']);

/** Reads the themes folder: classifies every entry, and reads the texts. Names starting with a dot are passed over. */
export async function discover(themesDir: string, report: Report): Promise<Content> {
  const name = (file = ''): string => displayPath(path.join(themesDir, file));
  const entries = await listEntries(themesDir);
  const empty: Content = {
    themesDir,
    site: undefined,
    siteMissing: false,
    users: { rows: [], yaml: undefined, lists: new Map() },
    themes: [],
    pictures: new Map(),
  };
  if (entries === undefined) {
    report('theme/folder-missing', { file: name() }, {});
    return empty;
  }
  const read = async (file: string, limit: number): Promise<TextFile | undefined> => {
    const text = await readText(path.join(themesDir, file), name(file), limit, themesDir, report);
    return text === undefined ? undefined : { file: name(file), text };
  };
  const top = entries.filter(({ depth }) => depth === 1);
  const links = new Set(top.filter(({ link }) => link).map((entry) => entry.path));
  for (const { path: file } of top.filter(({ folder }) => !folder)) {
    if (links.has(file)) report('file/not-a-file', { file: name(file) }, { name: file });
    else if (!TOP_FILES.includes(file) && !IGNORED.test(file)) {
      report('theme/unexpected-file', { file: name(file) }, { name: file, suggestion: suggest(file, TOP_FILES) });
    }
  }
  const has = (file: string): boolean => top.some((entry) => entry.path === file && !entry.folder && !entry.link);
  const slugs = top
    .filter(({ folder }) => folder)
    .map((entry) => entry.path)
    .filter((folder) => folder !== USERS_FOLDER)
    .filter((slug) => isSlug(slug, { file: name(slug) }, report));
  if (!top.some((entry) => entry.folder && entry.path !== USERS_FOLDER)) report('theme/none', { file: name() }, {});

  const inside = filesByFolder(entries);
  const userFiles = entries
    .filter((entry) => entry.depth === 2 && entry.path.startsWith(`${USERS_FOLDER}/`))
    .filter((entry) => isUsersFile(entry, name, report))
    .map((entry) => entry.path);
  const found = (file: string): FoundFile => ({ file: name(file), path: path.join(themesDir, file) });
  const themes = await mapConcurrently(slugs, READERS, async (slug) => {
    const files = inside.get(slug) ?? [];
    if (files.includes('theme.yaml')) {
      const source = await read(`${slug}/theme.yaml`, TEXT_LIMIT);
      return source === undefined ? undefined : { slug, ...source };
    }
    report(
      'theme/file-missing',
      { file: name(slug) },
      { folder: slug, found: files.find((file) => /^[^/]*\.ya?ml$/i.test(file)) },
    );
    return undefined;
  });
  return {
    themesDir,
    siteMissing: !top.some(({ path: file }) => file === 'site.yaml' || suggest(file, TOP_FILES) === 'site.yaml'),
    site: has('site.yaml') ? await read('site.yaml', TEXT_LIMIT) : undefined,
    users: {
      rows: [...(has('users.csv') ? ['users.csv'] : []), ...userFiles.filter((file) => !file.endsWith('.txt'))].map(
        found,
      ),
      yaml: has('users.yaml') ? await read('users.yaml', TEXT_LIMIT) : undefined,
      lists: new Map(userFiles.filter((file) => file.endsWith('.txt')).map((file) => [file, found(file)])),
    },
    themes: themes.filter((theme) => theme !== undefined),
    pictures: new Map(slugs.map((slug) => [slug, (inside.get(slug) ?? []).filter((file) => file !== 'theme.yaml')])),
  };
}

interface Entry {
  path: string;
  depth: number;
  folder: boolean;
  /** A symbolic link, which is never followed. */
  link: boolean;
}

/** Every entry below the folder, sorted; nothing if there is no such folder. */
async function listEntries(folder: string): Promise<Entry[] | undefined> {
  let found;
  try {
    // A fixed pattern with `cwd`: brackets in folder names would be read as part of the pattern.
    found = await fastGlob.glob('**', {
      cwd: folder,
      onlyFiles: false,
      objectMode: true,
      followSymbolicLinks: false,
      suppressErrors: false,
    });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
  if (found.length === 0 && !(await folderExists(folder))) return undefined;
  return found
    .map(({ path: file, dirent }) => ({
      path: file,
      depth: file.split('/').length,
      folder: dirent.isDirectory(),
      link: dirent.isSymbolicLink(),
    }))
    .toSorted((a, b) => compareText(a.path, b.path));
}

function filesByFolder(entries: readonly Entry[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const { path: file, depth, folder } of entries) {
    if (folder || depth === 1) continue;
    const slug = file.slice(0, file.indexOf('/'));
    const files = folders.get(slug);
    if (files === undefined) folders.set(slug, [file.slice(slug.length + 1)]);
    else files.push(file.slice(slug.length + 1));
  }
  return folders;
}

function isUsersFile({ path: file, folder }: Entry, name: (file: string) => string, report: Report): boolean {
  if (USERS_FILE.test(file) && !folder) return true;
  if (!IGNORED.test(path.basename(file)))
    report('theme/unexpected-file', { file: name(file) }, { name: file, suggestion: undefined });
  return false;
}

function isSlug(folder: string, location: Location, report: Report): boolean {
  if (RESERVED_SLUGS.has(folder)) report('theme/reserved-slug', location, { folder });
  else if (SLUG.test(folder)) return true;
  else report('theme/slug', location, { folder, suggestion: slugOf(folder) });
  return false;
}

/** The slug that a folder name comes closest to. */
function slugOf(folder: string): string | undefined {
  const slug = folder
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
  return SLUG.test(slug) ? slug : undefined;
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
  if (bytes.problem === 'too-large') report('file/too-large', { file: shown }, { bytes: bytes.bytes, limit });
  else report('file/not-a-file', { file: shown }, { name: path.basename(file) });
  return undefined;
}

async function folderExists(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** A path as diagnostics show it: relative to the working directory, with `/`. */
export function displayPath(file: string): string {
  return (path.relative(process.cwd(), file) || '.').split(path.sep).join('/');
}

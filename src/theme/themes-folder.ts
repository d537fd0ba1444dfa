import type { Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { isSlug, USERS_FOLDER } from './slug.ts';

/** Maximum size of YAML files, in bytes. */
export const TEXT_LIMIT = 256 * 1024;

/** An entry of the themes folder. */
export interface FolderEntry {
  /** Relative to the themes folder, with `/`. */
  path: string;
  /** 1 for an entry at the top. */
  depth: number;
  /** Links are never followed. `special`: a named pipe, a socket or a device. */
  kind: 'file' | 'folder' | 'link' | 'special';
}

/** What lies at the top of the themes folder. Paths are relative to it. */
export interface ThemesFolder {
  /** Whether there is a `site.yaml`. */
  hasSite: boolean;
  /** Whether there is no `site.yaml`, nor anything that was meant to be one. */
  siteMissing: boolean;
  /** CSV files of users, sorted. */
  users: readonly string[];
  /** Whether there is a list of redirects. */
  hasRedirects: boolean;
  /** Whether there is a page of the site, in which themes are previewed. */
  hasPreview: boolean;
  /** The JSON schemas for editors, by name. */
  schemas: readonly string[];
  /** The folders that may hold a theme, whether or not there is a `theme.yaml`. */
  slugs: readonly string[];
}

/** What lies in the folder of a theme. Paths are relative to it. */
export interface ThemeFolder {
  /** Whether there is a `theme.yaml` that can be read. */
  hasTheme: boolean;
  /** The other files, sorted. */
  files: readonly string[];
  /** Those of them that are links or special files. */
  notFiles: ReadonlyMap<string, FolderEntry['kind']>;
}

export const THEME_FILE = 'theme.yaml';
/** The files beside the themes that editors read: completion, help and errors as you type. */
export const SCHEMA_FILES = ['theme.schema.json', 'site.schema.json'] as const;
export type SchemaFile = (typeof SCHEMA_FILES)[number];
/** The old paths of images, and the images that they lead to. */
export const REDIRECTS_FILE = 'redirects.csv';
/** A static page of the site, in which themes are previewed; it is not published. */
export const PREVIEW_FILE = 'preview.html';
/** Files at the top of the themes folder. README files and JSON schemas are for people and editors. */
const TOP_FILES = ['site.yaml', 'users.csv', REDIRECTS_FILE, PREVIEW_FILE];
const USERS_FILE = /^users\/[^/]+\.csv$/;
const IGNORED = /^(?:readme(?:\.\w+)?|.*\.schema\.json)$/i;

/**
 * Decides what the entries at the top of the themes folder are for, and reports those that have no use there.
 * @param entries - those at the top, and those in the folder of users
 * @param isComplete - whether the folder could be listed
 * @param display - an entry's path as diagnostics show it
 */
export function classifyTop(
  entries: readonly FolderEntry[],
  isComplete: boolean,
  display: (file?: string) => string,
  report: Report,
): ThemesFolder {
  const top = new Map(entries.filter(({ depth }) => depth === 1).map((entry) => [entry.path, entry.kind]));
  reportTopEntries(top, display, report);
  const folders = [...top].flatMap(([name, kind]) =>
    kind === 'folder' && name !== USERS_FOLDER && !TOP_FILES.includes(name) ? [name] : [],
  );
  if (folders.length === 0 && isComplete) report('theme/none', { file: display() }, {});
  const userFiles = entries
    .filter((entry) => entry.depth === 2 && entry.path.startsWith(`${USERS_FOLDER}/`))
    .filter((entry) => isUsersFile(entry, display, report))
    .map((entry) => entry.path);
  return {
    hasSite: top.get('site.yaml') === 'file',
    siteMissing:
      isComplete && ![...top.keys()].some((file) => file === 'site.yaml' || suggest(file, TOP_FILES) === 'site.yaml'),
    users: [...(top.get('users.csv') === 'file' ? ['users.csv'] : []), ...userFiles],
    hasRedirects: top.get(REDIRECTS_FILE) === 'file',
    hasPreview: top.get(PREVIEW_FILE) === 'file',
    schemas: SCHEMA_FILES.filter((file) => top.get(file) === 'file'),
    slugs: folders.filter((slug) => isSlug(slug, { file: display(slug) }, report)),
  };
}

/**
 * Decides what the entries in the folder of a theme are for, and reports what is wrong with them.
 * @param entries - with their paths in that folder
 * @param isUnreadable - whether it could not be listed
 */
export function classifyTheme(
  slug: string,
  entries: readonly FolderEntry[],
  isUnreadable: boolean,
  display: (file: string) => string,
  report: Report,
): ThemeFolder {
  const inside = entries.filter(({ kind }) => kind !== 'folder');
  const files = inside.map(({ path }) => path);
  const kind = entries.find(({ path }) => path === THEME_FILE)?.kind;
  return {
    hasTheme: hasThemeFile(slug, kind, files, isUnreadable, display, report),
    files: files.filter((file) => file !== THEME_FILE),
    notFiles: new Map(inside.flatMap((entry) => (entry.kind === 'file' ? [] : [[entry.path, entry.kind]]))),
  };
}

function reportTopEntries(
  top: ReadonlyMap<string, FolderEntry['kind']>,
  display: (file: string) => string,
  report: Report,
): void {
  for (const [name, kind] of top) {
    const isText = TOP_FILES.includes(name);
    if (kind === 'link' || kind === 'special' || (kind === 'folder' && isText)) {
      report('file/not-a-file', { file: display(name) }, { name, kind });
    } else if (kind === 'file' && /^users\.ya?ml$/i.test(name))
      report('mapping/not-csv', { file: display(name) }, { name });
    else if (kind === 'file' && !isText && !IGNORED.test(name)) {
      const suggestion = meantFile(name);
      const isTaken = suggestion !== undefined && top.has(suggestion);
      report('theme/unexpected-file', { file: display(name) }, { name, suggestion, isTaken });
    }
  }
}

/** The file that a file at the top was meant to be, or is a copy of: users files with other names are in their folder. */
function meantFile(name: string): string | undefined {
  const meant = /(?:^|[^a-z])users?\b.*\.(?:csv|xlsx?|ods|numbers)\b/i.test(name)
    ? 'users.csv'
    : suggest(name, TOP_FILES);
  return meant === undefined && name.endsWith('.csv') ? `${USERS_FOLDER}/${name}` : meant;
}

/** Whether a theme folder has a `theme.yaml` that can be read; reports why not, and files with a name like it. */
function hasThemeFile(
  slug: string,
  kind: FolderEntry['kind'] | undefined,
  files: readonly string[],
  isUnreadable: boolean,
  display: (file: string) => string,
  report: Report,
): boolean {
  const others = files.filter((file) => file !== THEME_FILE && /^[^/]*\.ya?ml$/i.test(file));
  const second = others.find((file) => /^theme\./i.test(file));
  // The editor of Windows adds `.txt`; every JSON text is YAML.
  const meant = second ?? others[0] ?? files.find((file) => /^theme(?:\.ya?ml)?\.(?:txt|json)$/i.test(file));
  const nested = files.find((file) => file.endsWith(`/${THEME_FILE}`))?.slice(0, -THEME_FILE.length - 1);
  if (kind === 'file') {
    if (second !== undefined) report('theme/second-file', { file: display(`${slug}/${second}`) }, { file: second });
    return true;
  }
  if (kind !== undefined)
    report('file/not-a-file', { file: display(`${slug}/${THEME_FILE}`) }, { name: THEME_FILE, kind });
  else if (!isUnreadable) report('theme/file-missing', { file: display(slug) }, { folder: slug, found: meant, nested });
  return false;
}

function isUsersFile({ path, kind }: FolderEntry, display: (file: string) => string, report: Report): boolean {
  if (USERS_FILE.test(path) && kind !== 'folder') return true;
  if (!IGNORED.test(path.slice(path.lastIndexOf('/') + 1)))
    report('theme/unexpected-file', { file: display(path) }, { name: path, suggestion: undefined, isTaken: false });
  return false;
}

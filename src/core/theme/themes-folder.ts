import type { Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { isSlug, USERS_FOLDER } from './slug.ts';

/** Maximum size of a YAML file, in bytes. */
export const TEXT_LIMIT = 256 * 1024;

export interface FolderEntry {
  /** Relative to the listed folder, with `/`. */
  path: string;
  /** 1 for an entry of the listed folder itself. */
  depth: number;
  /** Links are never followed. `special`: a named pipe, a socket or a device. */
  kind: 'file' | 'folder' | 'link' | 'special';
}

/** The entries at the top of the themes folder, with paths relative to it. */
export interface ThemesFolder {
  hasSite: boolean;
  /** Whether there is no `site.yaml`, and no file with a similar name. */
  siteMissing: boolean;
  /** CSV files with assignments, sorted. */
  users: readonly string[];
  hasRedirects: boolean;
  /** Whether `preview.html` exists, a page of the site in which themes are shown. */
  hasPreview: boolean;
  schemas: readonly string[];
  /** The names of the folders that are read as themes, even without a `theme.yaml`. */
  slugs: readonly string[];
}

/** The entries in the folder of a theme, with paths relative to it. */
export interface ThemeFolder {
  /** Whether there is a readable `theme.yaml`. */
  hasTheme: boolean;
  /** The other files, sorted. */
  files: readonly string[];
  /** Entries of `files` that are links or special files. */
  notFiles: ReadonlyMap<string, FolderEntry['kind']>;
}

export const THEME_FILE = 'theme.yaml';
/** The JSON schemas beside the themes, with which editors complete, explain and check the files. */
export const SCHEMA_FILES = ['theme.schema.json', 'site.schema.json'] as const;
export type SchemaFile = (typeof SCHEMA_FILES)[number];
/** The file with old paths of images, and their targets. */
export const REDIRECTS_FILE = 'redirects.csv';
/** A static page of the site that themes are previewed in; it is not published. */
export const PREVIEW_FILE = 'preview.html';
/** Files at the top of the themes folder. README files and JSON schemas are for people and editors. */
const TOP_FILES = ['site.yaml', 'users.csv', REDIRECTS_FILE, PREVIEW_FILE];
const USERS_FILE = /^users\/[^/]+\.csv$/;
const IGNORED = /^(?:readme(?:\.\w+)?|.*\.schema\.json)$/i;

/**
 * Classifies the entries at the top of the themes folder, and reports files without a use there.
 * @param entries - the entries at the top, and in the folder of users
 * @param isComplete - whether the whole folder could be listed
 * @param display - returns the path of an entry for diagnostics
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
 * Classifies the entries in the folder of a theme, and reports their problems.
 * @param entries - with their paths in that folder
 * @param isUnreadable - whether the folder could not be listed
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

/** Returns the file that a file at the top was probably meant to be. Users files with other names belong in their folder. */
function meantFile(name: string): string | undefined {
  const meant = /(?:^|[^a-z])users?\b.*\.(?:csv|xlsx?|ods|numbers)\b/i.test(name)
    ? 'users.csv'
    : suggest(name, TOP_FILES);
  return meant === undefined && name.endsWith('.csv') ? `${USERS_FOLDER}/${name}` : meant;
}

/** Checks whether a theme folder has a readable `theme.yaml`; reports why not, and files with a similar name. */
function hasThemeFile(
  slug: string,
  kind: FolderEntry['kind'] | undefined,
  files: readonly string[],
  isUnreadable: boolean,
  display: (file: string) => string,
  report: Report,
): boolean {
  const yamlFiles = files.filter((file) => file !== THEME_FILE && /^[^/]*\.ya?ml$/i.test(file));
  const second = yamlFiles.find((file) => /^theme\./i.test(file));
  // Notepad adds `.txt`; every JSON text is YAML.
  const meant = second ?? yamlFiles[0] ?? files.find((file) => /^theme(?:\.ya?ml)?\.(?:txt|json)$/i.test(file));
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

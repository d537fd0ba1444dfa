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

/** What the entries of the themes folder are for. Paths are relative to it. */
export interface ThemesFolder {
  /** Whether there is a `site.yaml`. */
  hasSite: boolean;
  /** Whether there is no `site.yaml`, nor anything that was meant to be one. */
  siteMissing: boolean;
  users: {
    hasYaml: boolean;
    /** CSV files, sorted. */
    rows: readonly string[];
  };
  /** Whether there is a list of redirects. */
  hasRedirects: boolean;
  /** The JSON schemas for editors, by name. */
  schemas: readonly string[];
  /** Slugs of the themes with a `theme.yaml`. */
  themes: readonly string[];
  /** The other files in each theme folder, relative to it, sorted; by slug, whether or not there is a `theme.yaml`. */
  files: ReadonlyMap<string, readonly string[]>;
  /** Those of them that are links or special files, with the folder: `harbor/logo.svg`. */
  notFiles: ReadonlyMap<string, FolderEntry['kind']>;
}

export const THEME_FILE = 'theme.yaml';
/** The files beside the themes that editors read: completion, help and errors as you type. */
export const SCHEMA_FILES = ['theme.schema.json', 'site.schema.json'] as const;
export type SchemaFile = (typeof SCHEMA_FILES)[number];
/** The old paths of images, and the images that they lead to. */
export const REDIRECTS_FILE = 'redirects.csv';
/** Files at the top of the themes folder. README files and JSON schemas are for people and editors. */
const TOP_FILES = ['site.yaml', 'users.csv', 'users.yaml', REDIRECTS_FILE];
const USERS_FILE = /^users\/[^/]+\.csv$/;
const IGNORED = /^(?:readme(?:\.\w+)?|.*\.schema\.json)$/i;

/**
 * Decides what each entry of the themes folder is for, and reports those that have no use there.
 * @param unreadable - folders whose entries are unknown; `''` for the themes folder itself
 * @param display - an entry's path as diagnostics show it
 */
export function classifyEntries(
  entries: readonly FolderEntry[],
  unreadable: ReadonlySet<string>,
  display: (file?: string) => string,
  report: Report,
): ThemesFolder {
  const top = new Map(entries.filter(({ depth }) => depth === 1).map((entry) => [entry.path, entry.kind]));
  reportTopEntries(top, display, report);
  const folders = [...top].flatMap(([name, kind]) =>
    kind === 'folder' && name !== USERS_FOLDER && !TOP_FILES.includes(name) ? [name] : [],
  );
  const slugs = folders.filter((slug) => isSlug(slug, { file: display(slug) }, report));
  const isComplete = !unreadable.has('');
  if (folders.length === 0 && isComplete) report('theme/none', { file: display() }, {});
  const inside = filesByFolder(entries);
  const kinds = new Map(entries.map((entry) => [entry.path, entry.kind]));
  const userFiles = entries
    .filter((entry) => entry.depth === 2 && entry.path.startsWith(`${USERS_FOLDER}/`))
    .filter((entry) => isUsersFile(entry, display, report))
    .map((entry) => entry.path);
  return {
    hasSite: top.get('site.yaml') === 'file',
    siteMissing:
      isComplete && ![...top.keys()].some((file) => file === 'site.yaml' || suggest(file, TOP_FILES) === 'site.yaml'),
    users: {
      hasYaml: top.get('users.yaml') === 'file',
      rows: [...(top.get('users.csv') === 'file' ? ['users.csv'] : []), ...userFiles],
    },
    hasRedirects: top.get(REDIRECTS_FILE) === 'file',
    schemas: SCHEMA_FILES.filter((file) => top.get(file) === 'file'),
    themes: slugs.filter((slug) => {
      const kind = kinds.get(`${slug}/${THEME_FILE}`);
      return hasThemeFile(slug, kind, inside.get(slug) ?? [], unreadable.has(slug), display, report);
    }),
    files: new Map(slugs.map((slug) => [slug, (inside.get(slug) ?? []).filter((file) => file !== THEME_FILE)])),
    notFiles: new Map(
      entries.flatMap(({ path, depth, kind }) =>
        depth > 1 && (kind === 'link' || kind === 'special') ? [[path, kind]] : [],
      ),
    ),
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
    } else if (kind === 'file' && !isText && !IGNORED.test(name)) {
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

function filesByFolder(entries: readonly FolderEntry[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const { path, depth, kind } of entries) {
    if (kind === 'folder' || depth === 1) continue;
    const slug = path.slice(0, path.indexOf('/'));
    const files = folders.get(slug);
    if (files === undefined) folders.set(slug, [path.slice(slug.length + 1)]);
    else files.push(path.slice(slug.length + 1));
  }
  return folders;
}

function isUsersFile({ path, kind }: FolderEntry, display: (file: string) => string, report: Report): boolean {
  if (USERS_FILE.test(path) && kind !== 'folder') return true;
  if (!IGNORED.test(path.slice(path.lastIndexOf('/') + 1)))
    report('theme/unexpected-file', { file: display(path) }, { name: path, suggestion: undefined, isTaken: false });
  return false;
}

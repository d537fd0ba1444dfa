import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordText } from '../../src/core/document/files/deployment.ts';
import { CONFIG, LIST, optionsDocument, renderingsOf, THEME } from '../../src/core/document/endpoint.ts';
import { type OutputFile, type PrivateFile, textFile } from '../../src/core/document/files/output-file.ts';
import type { KeyKind } from '../../src/core/users/key.ts';
import type { Mapping } from '../../src/core/users/mapping.ts';
import { type EdgeRules, edgeRules } from '../../src/hosts/contract/contract.ts';
import { readHostTemplates } from '../../src/compiler/runtime.ts';
import { EDGE_HOSTS, type Site, SITE_DEFAULTS } from '../../src/core/theme/site/site.ts';
import { theme as sampleTheme } from '../sample-records.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';

/** A small site in the layout of `themecast build`, written without a build. */
export interface PublishedSite {
  /** The folder that contains `dist` and the private `edge`. */
  folder: string;
  dist: string;
  rules: EdgeRules;
  assignments: readonly Assignment[];
  mapping: Mapping;
  /** The secrets by environment variable, as an administrator configures them. */
  secrets: Readonly<Record<string, string>>;
  files: ReadonlyMap<string, OutputFile>;
}

export const templates = await readHostTemplates(EDGE_HOSTS);

/** The themes, of which the first is the default. */
export const THEMES = ['harbor', 'meadow', 'nightfall'] as const;
export type Theme = (typeof THEMES)[number];

/** Keys that are keywords of configurations, maps and shells, or that a host might change. */
const AWKWARD_KEYS = [
  ...'no-case server if else end true false null none key value map x y / // .. . ./x - -- -n'.split(' '),
  ...'= == | | @ @x + : :: __proto__ 0 00 007 1e3 0x10 x~ a=b|c http://a.b/c:1 _ -f/x'.split(' '),
  `${'.'.repeat(127)}x`,
];

/** The theme of each user, with keys that a lexer or map might misread, and with the longest key. */
export const USERS: Readonly<Record<string, Theme>> = {
  ...Object.fromEntries(AWKWARD_KEYS.map((key, at) => [key, at % 2 === 0 ? 'meadow' : 'nightfall'])),
  42: 'nightfall',
  '=x': 'meadow',
  'a@b.c': 'nightfall',
  default: 'meadow',
  hostnames: 'nightfall',
  include: 'meadow',
  nancy: 'nightfall',
  rob: 'meadow',
  tom: 'meadow',
  volatile: 'nightfall',
  'x~y/z:1': 'meadow',
  'urn:a:b:c:d:e:f:g:h:i:j:k:l:m:n+1': 'meadow',
  '|y': 'nightfall',
  ['k'.repeat(128)]: 'meadow',
};

export const GROUPS: Readonly<Record<string, (typeof THEMES)[number]>> = {
  staff: 'nightfall',
  tom: 'nightfall',
  'forest.example.org': 'nightfall',
  'xn--frst-6qa.example.org': 'meadow',
};

/** The secrets that the identity rules of tests use. */
export const SECRETS = {
  PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn',
  TOKEN_SECRET: 'token-secret-0123456789-abcdefghijklmn',
  THEMECAST_KEY_SECRET: 'key-secret-0123456789-abcdefghijklmnop',
} as const;

/** Published images of each type, by file name. */
export const MEDIA: Readonly<Record<string, string>> = {
  'logo.3f2a9c01.svg': 'image/svg+xml',
  'logo.3f2a9c01-thumbnail-250x250.png': 'image/png',
  'banner.5d41c2aa.jpg': 'image/jpeg',
  'banner.5d41c2aa.jpeg': 'image/jpeg',
  'banner.77b0e1c4.webp': 'image/webp',
  'banner.90aa12ce.avif': 'image/avif',
  'spark.12ab34cd.gif': 'image/gif',
  'favicon.0badcafe.ico': 'image/vnd.microsoft.icon',
};

/** The published schemas, whose content other tests check. */
export const SCHEMA_FILES = ['schema/openapi.json', 'schema/theme.schema.json'] as const;
/** The published files besides endpoints and images: the schemas, and the records of a deployment. */
export const FILES = [
  ...SCHEMA_FILES,
  'api/v2/theme/assets.json',
  'api/v2/theme/deployment.json',
  'api/v2/theme/manifest.json',
] as const;
const RECORD_TEXTS: Readonly<Record<string, string>> = {
  'api/v2/theme/assets.json': '{}',
  'api/v2/theme/deployment.json': recordText({
    commit: '0123456789abcdef0123456789abcdef01234567',
    time: '2026-11-21T12:00:00.000Z',
    manifest: 'a'.repeat(64),
    cache_control: {},
    retained: [],
  }),
  'api/v2/theme/manifest.json': JSON.stringify({ version: 1, base_url: '', cache_control: {}, files: [] }),
};

/** The settings of a site, the targets of old paths, and whether there is a deployment record. */
export type SiteSettings = Partial<Site> & Pick<EdgeRules, 'redirects'> & { isDeployed?: boolean };

/** Writes a site into a new folder. Omitted settings have their defaults. */
export async function publishSite({
  redirects,
  isDeployed = true,
  ...settings
}: SiteSettings = {}): Promise<PublishedSite> {
  const site = completeSite(settings);
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-edge-'));
  const files = new Map(publishedFiles(isDeployed).map((file) => [file.path, file]));
  const dist = path.join(folder, 'dist');
  for (const file of files.values()) await writeOutputFile(dist, file);
  // No request may reach this private file.
  await writeOutputFile(path.join(folder, 'edge'), textFile('users.ndjson', JSON.stringify(USERS)));
  const assigned = (kind: KeyKind, themes: Readonly<Record<string, string>>): Assignment[] =>
    Object.entries(themes).map(([key, theme]) => ({ kind, key, theme }));
  const assignments = [...assigned('group', GROUPS), ...assigned('user', USERS)];
  const themes = THEMES.map((slug, index) => ({ slug, id: index + 1 }));
  return {
    folder,
    dist,
    rules: { ...edgeRules(site, themes, 'sha256-c3R5bGU='), ...(redirects === undefined ? {} : { redirects }) },
    assignments,
    mapping: await mappingOf(assignments, site.mapping.keyed ? SECRETS.THEMECAST_KEY_SECRET : undefined),
    secrets: SECRETS,
    files,
  };
}

export async function removeSite({ folder }: PublishedSite): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

export function textOf(site: PublishedSite, file: string): string {
  const content = site.files.get(file)?.content;
  if (content === undefined || !('text' in content)) throw new Error(`The fixture has no text file ${file}.`);
  return content.text;
}

/** The modification time of all files, so that servers derive the same ETag for themes of equal length. */
export const PUBLISHED_AT = new Date('2026-11-21T12:00:00Z');

export async function writeOutputFile(root: string, file: OutputFile | PrivateFile): Promise<void> {
  const target = path.join(root, file.path);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, contentOf(file));
  await utimes(target, PUBLISHED_AT, PUBLISHED_AT);
}

/** Returns the text of a file. */
export function contentOf({ content }: OutputFile | PrivateFile): string {
  if ('text' in content) return content.text;
  return 'parts' in content ? [...content.parts()].join('') : '';
}

/** The setting that enables all renderings. */
export const WEB_APP = { start_url: '/', display: 'standalone' } as const;

function completeSite(settings: Partial<Site>): Site {
  return {
    ...SITE_DEFAULTS,
    base_url: 'https://community.example.org',
    media_url: 'https://media.example.org/media',
    web_app: WEB_APP,
    ...settings,
  };
}

function publishedFiles(isDeployed: boolean): OutputFile[] {
  const json = (file: string, value: unknown) => textFile(file, JSON.stringify(value));
  const page = (file: string, title: string) => textFile(file, `<!doctype html><title>${title}</title>`);
  const sheet = (file: string, theme: string) => textFile(file, `:root { --theme-name: "${theme}" }`);
  // Hosts do not read these files, so any content does.
  const linked = (file: string, theme: string) => [
    textFile(`${file}.png`, `icon ${theme}`),
    textFile(`${file}.webmanifest`, JSON.stringify({ id: '/', name: theme })),
  ];
  const list = LIST.path.slice(1);
  const config = CONFIG.path.slice(1);
  return [
    json(`${list}index.json`, THEMES.map(themeDocument)),
    page(`${list}browse.html`, 'Theme List'),
    json(`${list}options.json`, optionsDocument(LIST, renderingsOf(LIST, SITE_DEFAULTS))),
    json(`${config}index.json`, themeDocument(THEMES[0])),
    page(`${config}browse.html`, THEMES[0]),
    sheet(`${config}index.css`, THEMES[0]),
    ...linked(`${config}index`, THEMES[0]),
    json(`${config}options.json`, optionsDocument(CONFIG, renderingsOf(CONFIG, SITE_DEFAULTS))),
    json(THEME.options.slice(1), optionsDocument(THEME, renderingsOf(THEME, SITE_DEFAULTS))),
    ...THEMES.flatMap((theme, index) => [
      json(`${list}${index + 1}/index.json`, themeDocument(theme)),
      sheet(`${list}${index + 1}/index.css`, theme),
      json(`${config}${theme}.json`, themeDocument(theme)),
      page(`${config}${theme}.html`, theme),
      sheet(`${config}${theme}.css`, theme),
      ...linked(`${config}${theme}`, theme),
    ]),
    ...Object.keys(MEDIA).map((name) => textFile(`media/harbor/${name}`, `picture ${name}`)),
    ...FILES.filter((name) => isDeployed || !/deployment|theme\/manifest/.test(name)).map((name) =>
      textFile(name, RECORD_TEXTS[name] ?? JSON.stringify({ title: name })),
    ),
    textFile('manifest.json', '{}'),
  ];
}

/** Returns the document of a theme. All have equal length, so a validator of time and size cannot distinguish them. */
function themeDocument(theme: string): object {
  return sampleTheme(THEMES.findIndex((slug) => slug === theme) + 1, {
    name: theme.padEnd(12, '-'),
    is_default: false,
    palette_preview: [],
  });
}

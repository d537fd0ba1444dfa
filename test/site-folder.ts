import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plain, squareSvg } from './images.ts';
import { ANY_IMAGE_FIELDS, FIELDS } from '../src/theme/fields.ts';

/** A folder with everything that a build reads and writes, under the names that the command line takes by default. */
export interface SiteFolder {
  root: string;
  themesDir: string;
  outDir: string;
  edgeOutDir: string;
  cacheDir: string;
}

/** What a theme has besides the defaults. */
export interface ThemeParts {
  /** Fields of theme.yaml; `undefined` leaves one out. */
  fields?: Readonly<Record<string, unknown>>;
  /** Pictures beside it, by file name, that replace or join the default ones. */
  pictures?: Readonly<Record<string, Buffer>>;
}

export interface SiteParts {
  site?: Readonly<Record<string, unknown>>;
  /** By slug. The first is the default theme, and ids count from 1, unless the fields say otherwise. */
  themes?: Readonly<Record<string, ThemeParts>>;
  /** Rows of users.csv: user key and theme. */
  users?: readonly (readonly [user: string, theme: string])[];
  /** Other files, by path below the root. */
  files?: Readonly<Record<string, string | Buffer>>;
}

export const BASE_URL = 'https://community.example.org';

/** Nine colours with their published form. */
export const PALETTE = {
  authored: [
    '#ff0000',
    'lime',
    'rgb(0 0 255)',
    'hsl(60,100%,50%)',
    '#0ff',
    'black',
    'white',
    'gray',
    'hsl(219,100%,52%)',
  ],
  published: [
    'hsl(0,100%,50%)',
    'hsl(120,100%,50%)',
    'hsl(240,100%,50%)',
    'hsl(60,100%,50%)',
    'hsl(180,100%,50%)',
    'hsl(0,0%,0%)',
    'hsl(0,0%,100%)',
    'hsl(0,0%,50%)',
    'hsl(219,100%,52%)',
  ],
};

/** The file of each image field, unless a test sets another. */
const IMAGE_FILES = Object.fromEntries(
  ANY_IMAGE_FIELDS.map((field) => {
    if (FIELDS[field].page === 'banners') return [field, 'banner.png'];
    return [field, field === 'favicon' ? 'favicon.png' : 'logo.svg'];
  }),
);

/** Writes a themes folder into a new temporary folder. */
export async function makeSite(parts: SiteParts = {}): Promise<SiteFolder> {
  const root = await mkdtemp(path.join(tmpdir(), 'themecast-test-'));
  const themesDir = path.join(root, 'themes');
  await mkdir(themesDir);
  const { site = { base_url: BASE_URL }, themes = { harbor: {} }, users = [], files = {} } = parts;
  await writeFile(path.join(themesDir, 'site.yaml'), yaml(site));
  if (users.length > 0)
    await writeFile(
      path.join(themesDir, 'users.csv'),
      ['user,theme', ...users.map((row) => row.join(',')), ''].join('\n'),
    );
  for (const [index, [slug, theme]] of Object.entries(themes).entries())
    await writeTheme(themesDir, slug, index, theme);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), content);
  }
  const below = (name: string): string => path.join(root, name);
  return { root, themesDir, outDir: below('dist'), edgeOutDir: below('edge'), cacheDir: below('.cache') };
}

/** A copy in a folder of its own, with all that was built in it. */
export async function copySite(site: SiteFolder): Promise<SiteFolder> {
  const root = await mkdtemp(path.join(tmpdir(), 'themecast-test-'));
  await cp(site.root, root, { recursive: true });
  const moved = Object.entries(site).map(([name, folder]: [string, string]) => [name, folder.replace(site.root, root)]);
  return Object.fromEntries(moved) as SiteFolder;
}

export async function removeSite(site: SiteFolder | undefined): Promise<void> {
  if (site !== undefined) await rm(site.root, { recursive: true, force: true });
}

async function writeTheme(
  themesDir: string,
  slug: string,
  index: number,
  { fields = {}, pictures = {} }: ThemeParts,
): Promise<void> {
  const folder = path.join(themesDir, slug);
  await mkdir(folder, { recursive: true });
  const all: Record<string, unknown> = {
    id: index + 1,
    name: slug,
    is_default: index === 0,
    palette_preview: PALETTE.authored,
    ...IMAGE_FILES,
    ...fields,
  };
  await writeFile(path.join(folder, 'theme.yaml'), yaml(all));
  const named = new Set(Object.values(all));
  const defaults = Object.entries(await defaultPictures()).filter(([name]) => named.has(name));
  for (const [name, bytes] of Object.entries({ ...Object.fromEntries(defaults), ...pictures })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), bytes);
  }
}

let drawn: Promise<Record<string, Buffer>> | undefined;

function defaultPictures(): Promise<Record<string, Buffer>> {
  drawn ??= (async () => ({
    'favicon.png': await plain(32, 32).png().toBuffer(),
    'logo.svg': squareSvg(24, 24),
    'banner.png': await plain(64, 16).png().toBuffer(),
  }))();
  return drawn;
}

/** JSON is YAML, so values need no other quoting. */
function yaml(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: ${JSON.stringify(value)}`],
  );
  return `${lines.join('\n')}\n`;
}

/** Every file below a folder with its bytes, by path with `/`; nothing if there is no such folder. */
export async function readTree(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return new Map(
    files.map((file, at) => [path.relative(folder, file).split(path.sep).join('/'), contents[at] as Buffer]),
  );
}

/** A tree as one text for each file, so that a comparison that fails names the file. */
export async function treeHashes(folder: string): Promise<Record<string, string>> {
  const tree = await readTree(folder);
  return Object.fromEntries([...tree].map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]));
}

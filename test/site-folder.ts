import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions, type BuildSuccess } from '../src/index.ts';
import { solidImage } from './images.ts';
import { themeFields, yamlOf } from './theme-yaml.js';

/** A folder with all inputs and outputs of a build, under the default names of the command line. */
export interface SiteFolder {
  root: string;
  themesDir: string;
  outDir: string;
  edgeOutDir: string;
  cacheDir: string;
}

/** Values that override the defaults of a theme. */
export interface ThemeParts {
  /** Fields of theme.yaml; `undefined` removes a field. */
  fields?: Readonly<Record<string, unknown>>;
  /** Images by file name, in addition to the default images or instead of them. */
  images?: Readonly<Record<string, Buffer>>;
}

export interface SiteParts {
  site?: Readonly<Record<string, unknown>>;
  /** Themes by slug. Unless their fields say otherwise, the first is the default theme, and ids count from 1. */
  themes?: Readonly<Record<string, ThemeParts>>;
  /** Rows of users.csv: user key and theme. */
  users?: readonly (readonly [user: string, theme: string])[];
  /** Additional files, by path relative to the root. */
  files?: Readonly<Record<string, string | Buffer>>;
}

export const BASE_URL = 'https://community.example.org';

/** Writes a themes folder into a new temporary folder. */
export async function makeSite(parts: SiteParts = {}): Promise<SiteFolder> {
  const root = await mkdtemp(path.join(tmpdir(), 'themecast-test-'));
  const themesDir = path.join(root, 'themes');
  await mkdir(themesDir);
  const { site = { base_url: BASE_URL }, themes = { harbor: {} }, users = [], files = {} } = parts;
  await writeFile(path.join(themesDir, 'site.yaml'), yamlOf(site));
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
  const pathInRoot = (name: string): string => path.join(root, name);
  return {
    root,
    themesDir,
    outDir: pathInRoot('dist'),
    edgeOutDir: pathInRoot('edge'),
    cacheDir: pathInRoot('.cache'),
  };
}

/** Copies a site with its output into a new folder. */
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
  { fields = {}, images = {} }: ThemeParts,
): Promise<void> {
  const folder = path.join(themesDir, slug);
  await mkdir(folder, { recursive: true });
  const themeValues = themeFields(slug, index, fields);
  await writeFile(path.join(folder, 'theme.yaml'), yamlOf(themeValues));
  const imageNames = new Set(Object.values(themeValues));
  const defaults = Object.entries(await defaultImages()).filter(([name]) => imageNames.has(name));
  for (const [name, bytes] of Object.entries({ ...Object.fromEntries(defaults), ...images })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), bytes);
  }
}

/** An image that is visible on both backgrounds, so that it causes no advice. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="100%" height="100%" fill="#36c"/></svg>`;

let cachedImages: Promise<Record<string, Buffer>> | undefined;

function defaultImages(): Promise<Record<string, Buffer>> {
  cachedImages ??= (async () => ({
    'favicon.png': await solidImage(32, 32).png().toBuffer(),
    'logo.svg': Buffer.from(LOGO),
    'banner.png': await solidImage(640, 160).png().toBuffer(),
  }))();
  return cachedImages;
}

/** Builds a site and requires that it has no errors. */
export async function buildSite(options: BuildOptions): Promise<BuildSuccess> {
  const result = await build(options);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result;
}

/** Returns every file in a folder with its bytes, by path with `/`. The result is empty if the folder does not exist. */
export async function readTree(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return new Map(
    files.map((file, index) => [path.relative(folder, file).split(path.sep).join('/'), contents[index] as Buffer]),
  );
}

/** Returns a text per file of a folder, so that a failed comparison shows the differing file. */
export async function treeHashes(folder: string): Promise<Record<string, string>> {
  const tree = await readTree(folder);
  return Object.fromEntries([...tree].map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]));
}

/** Returns the same for a working tree, without the files of Git. */
export async function workingTree(folder: string): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await treeHashes(folder)).filter(([name]) => !name.startsWith('.git/')));
}

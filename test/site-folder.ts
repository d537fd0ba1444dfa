import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions, type BuildSuccess } from '../src/index.ts';
import { plain } from './images.ts';
import { themeFields, yamlOf } from './theme-yaml.js';

/** A folder with everything that a build reads and writes, under the default names of the command line. */
export interface SiteFolder {
  root: string;
  themesDir: string;
  outDir: string;
  edgeOutDir: string;
  cacheDir: string;
}

/** Overrides of a theme's defaults. */
export interface ThemeParts {
  /** Fields of theme.yaml; `undefined` removes one. */
  fields?: Readonly<Record<string, unknown>>;
  /** Images by file name, which replace or extend the default ones. */
  images?: Readonly<Record<string, Buffer>>;
}

export interface SiteParts {
  site?: Readonly<Record<string, unknown>>;
  /** By slug. The first is the default theme, and ids start at 1, unless the fields override them. */
  themes?: Readonly<Record<string, ThemeParts>>;
  /** Rows of users.csv: user key and theme. */
  users?: readonly (readonly [user: string, theme: string])[];
  /** Other files, by path relative to the root. */
  files?: Readonly<Record<string, string | Buffer>>;
}

export const BASE_URL = 'https://community.example.org';

/** Makes all following calls respond as on a file system of this type (`f_type` of statfs(2)). @returns a function that ends this */
export function onFileSystem(type: number): () => void {
  const { statfsSync } = fs;
  const replace = (one: typeof statfsSync): void => {
    fs.statfsSync = one;
    syncBuiltinESMExports();
  };
  const fake = (folder: string): fs.StatsFs => Object.assign(statfsSync(folder), { type });
  replace(fake as typeof statfsSync);
  return () => replace(statfsSync);
}

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
  const below = (name: string): string => path.join(root, name);
  return { root, themesDir, outDir: below('dist'), edgeOutDir: below('edge'), cacheDir: below('.cache') };
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
  const all = themeFields(slug, index, fields);
  await writeFile(path.join(folder, 'theme.yaml'), yamlOf(all));
  const named = new Set(Object.values(all));
  const defaults = Object.entries(await defaultImages()).filter(([name]) => named.has(name));
  for (const [name, bytes] of Object.entries({ ...Object.fromEntries(defaults), ...images })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), bytes);
  }
}

/** An image for both backgrounds, so that it causes no advice. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="100%" height="100%" fill="#36c"/></svg>`;

let drawn: Promise<Record<string, Buffer>> | undefined;

function defaultImages(): Promise<Record<string, Buffer>> {
  drawn ??= (async () => ({
    'favicon.png': await plain(32, 32).png().toBuffer(),
    'logo.svg': Buffer.from(LOGO),
    'banner.png': await plain(320, 80).png().toBuffer(),
  }))();
  return drawn;
}

/** Builds a site without errors. */
export async function buildSite(options: BuildOptions): Promise<BuildSuccess> {
  const result = await build(options);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result;
}

/** Returns every file in a folder with its bytes, by path with `/`; empty if the folder is missing. */
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

/** Returns one text per file of a folder, so that a failed comparison shows the file. */
export async function treeHashes(folder: string): Promise<Record<string, string>> {
  const tree = await readTree(folder);
  return Object.fromEntries([...tree].map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]));
}

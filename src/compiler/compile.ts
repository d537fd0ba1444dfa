import { availableParallelism } from 'node:os';
import type { Report } from '../diagnostics/diagnostic.ts';
import { rendererVersions } from '../decoder/sharp.ts';
import { mapConcurrently } from '../disk/concurrency.ts';
import { sha256Of } from '../disk/files.ts';
import type { Site } from '../theme/site.ts';
import { TEXT_LIMIT, THEME_FILE } from '../theme/themes-folder.ts';
import type { Cache } from './cache.ts';
import { Decodings } from './decodings.ts';
import type { Fingerprints } from './fingerprints.ts';
import type { Memory, ThemeEntry } from './memory.ts';
import { readThumbnail } from './media-content.ts';
import type { CompiledSite, CompiledTheme } from './model.ts';
import type { Resources } from './resources.ts';
import { compileSettings } from './settings.ts';
import { reportStaleSchemas } from './stale-schemas.ts';
import { filesOnDisk, type ThemeFiles } from './theme-files.ts';
import { keyOf, settingsKey } from './theme-key.ts';
import type { Stage, Tools } from './tools.ts';
import { listThemes, walkThemes } from './walk.ts';

/** Where the themes are, and what overrides their settings. */
export interface ThemesOptions {
  themesDir: string;
  /** Folder that diagnostics name files relative to. */
  cwd: string;
  /** Overrides `base_url` of site.yaml. */
  baseUrl?: string | undefined;
}

export interface CompileOptions extends ThemesOptions {
  /** `text`: no image is looked at; `images`: none is decoded. Default: `decoded` */
  depth?: 'text' | 'images' | 'decoded';
  /** The share of the themes that is compiled, for one of several machines; of the others, the text alone. Default: everything. */
  shard?: { index: number; total: number } | undefined;
  /** Fingerprints of the themes that were just taken. Default: they are taken. */
  prints?: Fingerprints | undefined;
  /** Themes of which what is stored does not count: a thumbnail is lost. */
  again?: ReadonlySet<string>;
  /** Whether what is compiled is stored. Default: true */
  stores?: boolean;
  stage?: Stage | undefined;
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** Themes that are compiled at a time: there is always one for a decoder that has finished another. */
const AT_A_TIME = 2 * availableParallelism();

/** Compiles all themes of a folder: those that have changed, and of the others what was stored. */
export async function compileSite(
  options: CompileOptions,
  { memory, cache, decoders }: Resources,
  report: Report,
): Promise<CompiledSite> {
  const { themesDir, cwd, baseUrl, prints, again, depth = 'decoded', stores = true, stage, onProgress } = options;
  const walk = await walkThemes(themesDir, cwd, report, prints);
  const settings = await compileSettings(walk, baseUrl, memory, report);
  const { site } = settings;
  await reportStaleSchemas(walk, site, memory, report);
  const { slugs } = walk;
  const key = settingsKey(site, walk.display, memory.program);
  // Of the folder, and of all else that the theme is compiled from.
  const printOf = (slug: string): string | undefined => {
    const print = walk.prints.get(slug);
    return print && `${print} ${key}`;
  };
  const stored = slugs.map((slug) => recall(slug, printOf(slug), memory, options));
  const changed = slugs.filter((_, at) => stored[at] === undefined);
  const decodings = new Decodings(memory, cache, await rendererVersions());
  const themes = new Map<string, CompiledTheme>();
  for (const [at, slug] of slugs.entries()) if (stored[at] !== undefined) themes.set(slug, stored[at]);
  if (changed.length > 0) {
    const entries = listThemes(themesDir, changed);
    let done = slugs.length - changed.length;
    await mapConcurrently(changed, AT_A_TIME, async (slug) => {
      const files = filesOnDisk(themesDir, slug, entries.get(slug));
      const themeKey = keyOf(files, key);
      const last = again?.has(slug) === true ? undefined : memory.theme(slug);
      const isSame = last?.key === themeKey && (await isCompiledFrom(last, files, site, stage, cache));
      const tools: Tools = {
        themesDir,
        decoders,
        decodings,
        isOnDisk: true,
        stage,
        ...depthOf(slug, slugs, options, depth),
      };
      const { compiled, entry } = isSame
        ? { compiled: last.compiled, entry: last }
        : await (await import('./compile-theme.ts')).compileTheme(files, site, walk.display, tools, themeKey);
      if (entry !== undefined && stores) memory.addTheme(slug, entry, printOf(slug));
      themes.set(slug, compiled);
      onProgress?.(++done, slugs.length);
    });
  }
  if (changed.length === 0) onProgress?.(slugs.length, slugs.length);
  for (const slug of slugs)
    for (const [code, location, args] of themes.get(slug)?.diagnostics ?? []) report(code, location, args);
  return { walk, settings, themes, rendered: decodings.count };
}

/** How far a theme is compiled. */
function depthOf(
  slug: string,
  slugs: readonly string[],
  { shard }: CompileOptions,
  depth: NonNullable<CompileOptions['depth']>,
): Pick<Tools, 'images' | 'decodes'> {
  const isOurs = shard === undefined || slugs.indexOf(slug) % shard.total === shard.index - 1;
  return { images: isOurs && depth !== 'text', decodes: isOurs && depth === 'decoded' };
}

/** The stored theme of a folder, if that has the fingerprint that it was compiled with. */
function recall(
  slug: string,
  print: string | undefined,
  memory: Memory,
  { again }: CompileOptions,
): CompiledTheme | undefined {
  if (again?.has(slug) === true) return undefined;
  const entry = memory.theme(slug);
  return entry !== undefined && memory.isOf(slug, entry, print) ? entry.compiled : undefined;
}

/** Whether the files of a folder are those that an entry was compiled from; what is published of them is staged while they are in memory. */
async function isCompiledFrom(
  { reads, compiled: { slug, images } }: ThemeEntry,
  files: ThemeFiles,
  { limits }: Site,
  stage: Stage | undefined,
  cache: Cache,
): Promise<boolean> {
  const originals = new Map<string, { bytes: Buffer; sha256: string }>();
  for (const [file, sha256] of reads) {
    const bytes = files.read(file, file === THEME_FILE ? TEXT_LIMIT : limits.picture_bytes);
    if (!Buffer.isBuffer(bytes) || sha256Of(bytes) !== sha256) return false;
    originals.set(file, { bytes, sha256 });
  }
  if (stage?.wants(slug) !== true) return true;
  const thumbnails = images.flatMap(({ made }) => made.flatMap(({ thumbnail }) => thumbnail ?? []));
  if (!thumbnails.every((thumbnail) => readThumbnail(thumbnail, cache) !== undefined)) return false;
  for (const image of images) {
    const original = originals.get(image.path);
    if (original !== undefined && !image.isStripped && image.sha256 === original.sha256)
      await stage.original(slug, image, original.bytes);
    for (const { thumbnail } of image.made) if (thumbnail) await stage.thumbnail(slug, image.path, thumbnail);
  }
  return true;
}

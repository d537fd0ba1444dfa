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
import { walkThemes } from './walk.ts';

/** The themes folder, and overrides of its settings. */
export interface ThemesOptions {
  themesDir: string;
  cwd: string;
  baseUrl?: string | undefined;
}

export interface CompileOptions extends ThemesOptions {
  /** `text`: images are ignored; `images`: they are checked, but not decoded. Default: `decoded` */
  depth?: 'text' | 'images' | 'decoded';
  /** The share of the themes to compile, for one of several machines; of other themes, only the text. Default: everything. */
  shard?: { index: number; total: number } | undefined;
  /** Current fingerprints of the themes. Default: they are computed. */
  fingerprints?: Fingerprints | undefined;
  /** Themes whose stored result is ignored because a thumbnail is lost. */
  recompile?: ReadonlySet<string>;
  stores?: boolean;
  stage?: Stage | undefined;
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** Themes compiled at the same time: enough to keep all decoders busy. */
const MAX_CONCURRENT_THEMES = 2 * availableParallelism();

/** Compiles all themes of a folder. Results of unchanged themes are taken from the memory. */
export async function compileSite(
  options: CompileOptions,
  { memory, cache, decoders }: Resources,
  report: Report,
): Promise<CompiledSite> {
  const { themesDir, fingerprints, recompile, depth = 'decoded', stores = true, stage, onProgress } = options;
  const walk = await walkThemes(themesDir, options.cwd, report, fingerprints);
  const settings = await compileSettings(walk, options.baseUrl, memory, report);
  const { site } = settings;
  await reportStaleSchemas(walk, site, memory, report);
  const { slugs } = walk;
  const key = settingsKey(site, walk.display, memory.program);
  // Covers the folder, and everything else that the theme is compiled from.
  const fingerprintOf = (slug: string): string | undefined => {
    const fingerprint = walk.fingerprints.get(slug);
    return fingerprint && `${fingerprint} ${key}`;
  };
  const stored = slugs.map((slug) => recall(slug, fingerprintOf(slug), memory, options));
  const changed = slugs.filter((_, at) => stored[at] === undefined);
  const decodings = new Decodings(memory, cache, await rendererVersions());
  const themes = new Map<string, CompiledTheme>();
  for (const [at, slug] of slugs.entries()) if (stored[at] !== undefined) themes.set(slug, stored[at]);
  if (changed.length > 0) {
    let done = slugs.length - changed.length;
    await mapConcurrently(changed, MAX_CONCURRENT_THEMES, async (slug) => {
      const files = filesOnDisk(themesDir, slug);
      const themeKey = keyOf(files, key);
      const previous = recompile?.has(slug) === true ? undefined : memory.theme(slug);
      const isSame = previous?.key === themeKey && (await isFresh(previous, files, site, stage, cache));
      const tools: Tools = {
        themesDir,
        decoders,
        decodings,
        isOnDisk: true,
        stage,
        ...depthOf(slug, slugs, options, depth),
      };
      const { compiled, entry } = isSame
        ? { compiled: previous.compiled, entry: previous }
        : await (await import('./compile-theme.ts')).compileTheme(files, site, walk.display, tools, themeKey);
      if (entry !== undefined && stores) memory.addTheme(slug, entry, fingerprintOf(slug));
      themes.set(slug, compiled);
      onProgress?.(++done, slugs.length);
    });
  }
  if (changed.length === 0) onProgress?.(slugs.length, slugs.length);
  for (const slug of slugs)
    for (const [code, location, args] of themes.get(slug)?.diagnostics ?? []) report(code, location, args);
  return { walk, settings, themes, rendered: decodings.count };
}

function depthOf(
  slug: string,
  slugs: readonly string[],
  { shard }: CompileOptions,
  depth: NonNullable<CompileOptions['depth']>,
): Pick<Tools, 'images' | 'decodes'> {
  const isOurs = shard === undefined || slugs.indexOf(slug) % shard.total === shard.index - 1;
  return { images: isOurs && depth !== 'text', decodes: isOurs && depth === 'decoded' };
}

/** Returns the stored theme of a folder if the fingerprint has not changed. */
function recall(
  slug: string,
  fingerprint: string | undefined,
  memory: Memory,
  { recompile }: CompileOptions,
): CompiledTheme | undefined {
  if (recompile?.has(slug) === true) return undefined;
  const entry = memory.theme(slug);
  return entry !== undefined && memory.isFresh(slug, entry, fingerprint) ? entry.compiled : undefined;
}

/** Whether a folder still has the files that an entry was compiled from. Stages the published files while their bytes are in memory. */
async function isFresh(
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
  const thumbnails = images.flatMap(({ decodings }) => decodings.flatMap(({ thumbnail }) => thumbnail ?? []));
  if (!thumbnails.every((thumbnail) => readThumbnail(thumbnail, cache) !== undefined)) return false;
  for (const image of images) {
    const original = originals.get(image.path);
    if (original !== undefined && !image.isStripped && image.sha256 === original.sha256)
      await stage.original(slug, image, original.bytes);
    for (const { thumbnail } of image.decodings) if (thumbnail) await stage.thumbnail(slug, image.path, thumbnail);
  }
  return true;
}

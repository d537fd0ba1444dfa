import { availableParallelism } from 'node:os';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { rendererVersions } from '../../system/decoder/sharp.ts';
import { mapConcurrently } from '../../system/disk/concurrency.ts';
import { Decodings } from './decodings.ts';
import type { CompiledSite, CompiledTheme } from '../model.ts';
import type { Resources } from '../store/resources.ts';
import { compileSettings, reportStaleSchemas } from './settings.ts';
import { Sources } from '../walk/sources.ts';
import { filesOnDisk, keyedFolder, type KeyedFolder } from '../walk/theme-files.ts';
import { type KeyedEntry, keyOf, parseTheme, settingsKey } from '../store/theme-key.ts';
import type { Tools } from './compile-theme.ts';
import { walkThemes } from '../walk/walk.ts';

/** The themes folder, and overrides of its settings. */
export interface ThemesOptions {
  themesDir: string;
  cwd: string;
  baseUrl?: string | undefined;
}

export interface CompileOptions extends ThemesOptions {
  /** Whether images are compiled; otherwise only texts are. Default: true. */
  images?: boolean;
  /** The share of the themes to compile, for one of several machines; of other themes, only the text. Default: everything. */
  shard?: { index: number; total: number } | undefined;
  /** The current sources. Default: they are listed. */
  sources?: Sources | undefined;
  /** An earlier compilation in this process, and the themes that may have changed since. */
  since?: { site: CompiledSite; changed: ReadonlySet<string> } | undefined;
  /** Themes whose stored result is ignored because a thumbnail is lost. */
  recompile?: ReadonlySet<string>;
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** Themes compiled at the same time: enough to keep all decoders busy. */
const MAX_CONCURRENT_THEMES = 2 * availableParallelism();

/** Compiles all themes of a folder. Results of unchanged themes are taken from the cache. */
export async function compileSite(
  options: CompileOptions,
  { memory, cache, decoders, table }: Resources,
  report: Report,
): Promise<CompiledSite> {
  const { themesDir, recompile, shard, images = true, onProgress } = options;
  const sources = options.sources ?? new Sources(themesDir, table);
  const walk = await walkThemes(themesDir, options.cwd, report);
  const settings = await compileSettings(walk, options.baseUrl, memory, report);
  const { site } = settings;
  await reportStaleSchemas(walk, site, memory, report);
  const { slugs, display } = walk;
  const settingsDigest = settingsKey(site, memory.program);
  const decodings = new Decodings(cache, await rendererVersions());
  const keys: string[] = [];
  const unfinished = new Set<string>();
  const compile = async (slug: string): Promise<CompiledTheme> => {
    const isLost = recompile?.has(slug) === true;
    const known = isLost ? undefined : knownTheme(slug, settingsDigest, options);
    if (known !== undefined) return known;
    const folder: KeyedFolder = images ? keyedFolder(sources, slug) : { entries: undefined, files: new Map() };
    const key = folder.entries && keyOf(slug, folder.entries, settingsDigest);
    if (key !== undefined) keys.push(key);
    const stored = key === undefined || isLost ? undefined : cache.recall(key);
    if (stored !== undefined) return parseTheme(stored, display);
    const isOurs = shard === undefined || slugs.indexOf(slug) % shard.total === shard.index - 1;
    const tools: Tools = { themesDir, decoders, decodings, isOnDisk: true, images: images && isOurs };
    const { compileTheme } = await import('./compile-theme.ts');
    const { compiled, reads, isFinal } = await compileTheme(filesOnDisk(themesDir, slug, folder.files), site, tools);
    if (!isFinal) unfinished.add(slug);
    if (key !== undefined && isFinal && isAsKeyed(slug, folder.entries ?? [], reads, sources))
      await cache.remember(key, compiled);
    return parseTheme(JSON.stringify(compiled), display);
  };
  const themes = new Map<string, CompiledTheme>();
  onProgress?.(0, slugs.length);
  await mapConcurrently(slugs, MAX_CONCURRENT_THEMES, async (slug) => {
    const compiled = await compile(slug);
    themes.set(slug, compiled);
    onProgress?.(themes.size, slugs.length);
  });
  for (const slug of slugs)
    for (const [code, location, args] of themes.get(slug)?.diagnostics ?? []) report(code, location, args);
  return { walk, settings, settingsDigest, themes, keys, unfinished, rendered: decodings.count };
}

/** Returns an unchanged theme of an earlier compilation in this process. */
function knownTheme(slug: string, settingsDigest: string, { since }: CompileOptions): CompiledTheme | undefined {
  if (since === undefined || since.changed.has(slug)) return undefined;
  const { site } = since;
  return site.settingsDigest === settingsDigest && !site.unfinished.has(slug) ? site.themes.get(slug) : undefined;
}

/** Whether a theme was compiled from what its key says: a file may have changed meanwhile. */
function isAsKeyed(
  slug: string,
  entries: readonly KeyedEntry[],
  reads: readonly (readonly [file: string, sha256: string])[],
  sources: Sources,
): boolean {
  const digests = new Map(entries.map(([name, , sha256]) => [name, sha256]));
  const now = sources.folderNow(slug);
  return (
    reads.every(([file, sha256]) => digests.get(file) === sha256) &&
    now?.length === entries.length &&
    now.every(([name, kind], at) => `${slug}/${entries[at]?.[0]}` === name && entries[at]?.[1] === kind)
  );
}

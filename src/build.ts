import { Diagnostics, type Diagnostic, type Location, type Report } from './diagnostics/diagnostic.ts';
import { PAGE_STYLE_HASH } from './document/browsable-page.ts';
import { documents, manifest } from './document/documents.ts';
import { publishedMedia } from './document/media.ts';
import type { OutputFile } from './document/output-file.ts';
import { edgeOutput } from './edge/registry.ts';
import { type Picture, pictureKey } from './image/picture.ts';
import { Cache } from './io/cache.ts';
import { Decoders } from './io/decoder/pool.ts';
import { type Content, discover, displayPath } from './io/discover.ts';
import { probePictures } from './io/probe.ts';
import { Publication, type PublicationOptions } from './io/publish.ts';
import { checkShrinkage } from './io/shrinkage.ts';
import { type Memory, NO_MEMORY } from './io/memory.ts';
import { renderThumbnails } from './io/render.ts';
import { readRuntime } from './io/runtime.ts';
import { type AssignmentOptions, readAssignments, type ShardOptions } from './io/users/read-assignments.ts';
import type { Users } from './io/users/read-users.ts';
import { edgeRules } from './mapping/edge-rules.ts';
import { keyCount } from './mapping/mapping.ts';
import { parseYaml } from './source/yaml.ts';
import { resolveThemes, type Theme } from './theme/resolve.ts';
import { type EdgeHost, type Site, validateSite } from './theme/site.ts';
import { type ThemeSource, validateTheme } from './theme/validate.ts';

export interface CheckOptions extends AssignmentOptions {
  /** Folder of the cache; without one, nothing is kept. */
  cacheDir?: string | undefined;
  /** Overrides `base_url` of site.yaml. */
  baseUrl?: string | undefined;
  /** Whether warnings stop the build too. */
  strict?: boolean | undefined;
}

export interface BuildOptions extends CheckOptions, ShardOptions, PublicationOptions {
  /** Whether much less may be published than there is now. */
  allowShrink?: boolean | undefined;
  /** Stops the build; the output is then as it was, unless it was just being published. */
  signal?: AbortSignal | undefined;
  /** Called after each picture. */
  onProgress?: ((done: number, all: number) => void) | undefined;
}

export interface CheckResult {
  /** Sorted by place. */
  diagnostics: readonly Diagnostic[];
  /** Whether the diagnostics let a build go on. */
  ok: boolean;
  /** The texts that diagnostics point into, by file. */
  texts: ReadonlyMap<string, string>;
  themes: readonly Theme[];
  /** Users and groups with a theme other than the default. */
  users: number;
}

export interface BuildResult extends CheckResult {
  /** What was published in `outDir`; nothing if it was not. */
  files: readonly OutputFile[];
  /** The hosts whose rewrite rules were written. */
  hosts: readonly EdgeHost[];
  /** Files in the output that themecast did not make, and left alone. */
  foreign: readonly string[];
  rendered: number;
  cached: number;
}

/** Checks everything that can be checked without decoding pictures. Writes nothing but the cache. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const cache = await Cache.open(options.cacheDir);
  try {
    const diagnostics = new Diagnostics();
    const checked = await checkThemes(options, cache, NO_MEMORY, diagnostics.report);
    return outcome(checked, checked.given.users, diagnostics, options);
  } finally {
    await cache.close();
  }
}

/** Builds the site: reads and checks every theme, then publishes all of them or none. */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const publication = await Publication.open(options, sources);
  try {
    const cache = await Cache.open(options.cacheDir);
    const decoders = new Decoders();
    try {
      return await buildInto(publication, cache, decoders, options);
    } finally {
      decoders.close();
      await cache.close();
    }
  } finally {
    await publication.close();
  }
}

async function buildInto(
  publication: Publication,
  cache: Cache,
  decoders: Decoders,
  options: BuildOptions,
): Promise<BuildResult> {
  const diagnostics = new Diagnostics();
  const read = await readThemes(options, cache, NO_MEMORY, diagnostics.report);
  const assigned = await assign(options, read, diagnostics.report);
  try {
    return await publish(read, assigned, diagnostics, publication, cache, decoders, options);
  } finally {
    assigned.users.close();
  }
}

async function publish(
  read: ReadThemes,
  { users, edgeFiles, publicFiles }: Assignments,
  diagnostics: Diagnostics,
  publication: Publication,
  cache: Cache,
  decoders: Decoders,
  options: BuildOptions,
): Promise<BuildResult> {
  const { signal, onProgress, allowShrink = false } = options;
  const nothing = { files: [], hosts: [], foreign: [], rendered: 0, cached: 0 };
  const checked = outcome(read, keyCount(users.mapping), diagnostics, options);
  if (!checked.ok) return { ...checked, ...nothing };
  if (!allowShrink) checkShrinkage(await publication.published(), checked);

  const { site, themes, pictures } = read;
  const show = (done: number, all: number): void => {
    signal?.throwIfAborted();
    onProgress?.(done, all);
  };
  const how = { limits: site.limits, cache, decoders, memory: NO_MEMORY };
  const rendering = await renderThumbnails(themes, pictures, how, diagnostics.report, show);
  const rendered = outcome(read, checked.users, diagnostics, options);
  if (diagnostics.hasErrors) return { ...rendered, ...nothing };

  const media = publishedMedia(themes, pictures, rendering.thumbnails, site.media_url);
  const texts = [...documents(media, site).values()].map((make) => make());
  const published = [...media.files, ...texts, ...publicFiles];
  const files = [...published, manifest(published, site)];
  const foreign = await publication.publish(files, edgeFiles, checked.users, signal);
  return {
    ...rendered,
    files,
    hosts: site.edge,
    foreign,
    rendered: rendering.rendered,
    cached: rendering.cached,
  };
}

/** What a check finds, and what it read. */
export async function checkThemes(
  options: CheckOptions,
  cache: Cache,
  memory: Memory,
  report: Report,
): Promise<ReadThemes & { given: Given }> {
  const read = await readThemes(options, cache, memory, report);
  const { content, rules } = read;
  const files = [...content.users.rows, ...content.users.lists.values()];
  const parts = [
    ...files.flatMap(({ file, path }) => [file, memory.stampOf(path)]),
    options.users === undefined ? '' : undefined,
    content.users.yaml?.text ?? '',
    content.site?.text ?? '',
    JSON.stringify([rules, [...content.pictures.keys()]]),
  ];
  const given = await memory.recall('users', parts, report, async (found) => {
    const { users } = await assign(options, read, found);
    users.close();
    return { users: keyCount(users.mapping), countsByTheme: users.countsByTheme };
  });
  return { ...read, given };
}

/** How many keys are given a theme: those that hosts must know, and all of each theme. */
type Given = { users: number } & Pick<Users, 'countsByTheme'>;

type ReadThemes = Awaited<ReturnType<typeof readThemes>>;

/** The themes with their pictures, as far as both can be told without decoding. */
async function readThemes(options: CheckOptions, cache: Cache, memory: Memory, report: Report) {
  const authored = await readAuthored(options, memory, report);
  const { content, site, themes } = authored;
  const { pictures, texts } = await probePictures(themes, content, { limits: site.limits, cache, memory }, report);
  reportUnused(content, themes, pictures, report);
  return { ...authored, pictures, texts, rules: edgeRules(site, themes, PAGE_STYLE_HASH) };
}

type Assignments = Awaited<ReturnType<typeof assign>>;

/** Who gets which theme, and the files by which hosts know it. */
async function assign(options: CheckOptions & Partial<ShardOptions>, read: ReadThemes, report: Report) {
  const { content, site, locations, themes, rules } = read;
  const runtime = await readRuntime();
  const users = await readAssignments(options, content, site, themes, report);
  try {
    const input = { rules, mapping: users.mapping, runtime, report };
    return { users, ...edgeOutput(site.edge, input, users.assigned, locations) };
  } catch (error) {
    users.close();
    throw error;
  }
}

/** What editors wrote of the site and the themes, checked. */
export async function readAuthored(options: CheckOptions, memory: Memory, report: Report): Promise<Authored> {
  const content = await discover(options.themesDir, memory, report);
  const { site, locations } = readSite(content, options.baseUrl, report);
  const sources = await Promise.all(
    content.themes.map(({ slug, file, text }) =>
      memory.recall(`theme ${slug}`, [text, content.site?.text ?? ''], report, async (found) => {
        const document = parseYaml(file, text, found);
        return document === undefined ? undefined : validateTheme(slug, document, site, found);
      }),
    ),
  );
  const valid = sources.filter((source) => source !== undefined);
  const folders = new Set(content.pictures.keys());
  return { content, site, locations, sources: valid, themes: resolveThemes(valid, folders, site, report) };
}

export interface Authored {
  content: Content;
  site: Site;
  /** Where site.yaml names the hosts, and each rule of identity. */
  locations: { edge: Location; identity: (rule: number) => Location };
  /** The themes that could be read, each as its own file has it. */
  sources: readonly ThemeSource[];
  themes: Theme[];
}

function readSite(
  { themesDir, site, siteMissing }: Content,
  baseUrl: string | undefined,
  report: Report,
): Pick<Authored, 'site' | 'locations'> {
  const document = site && parseYaml(site.file, site.text, report);
  const place = { file: displayPath(`${themesDir}/site.yaml`) };
  return {
    site: validateSite(document, siteMissing ? place : undefined, baseUrl, report),
    locations: {
      edge: document?.valueAt(['edge']) ?? place,
      identity: (rule) => document?.valueAt(['identity', rule]) ?? place,
    },
  };
}

/** Files that no theme names. Asked only of folders without other findings: a file may be unused because its name is misspelt. */
function reportUnused(
  content: Content,
  themes: readonly Theme[],
  pictures: ReadonlyMap<string, Picture>,
  report: Report,
): void {
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const { slug, pictures: named } of themes) {
    const keys = Object.values(named).flatMap((source) => ('path' in source ? [pictureKey(source)] : []));
    for (const key of keys) used.add(key);
    if (keys.every((key) => pictures.has(key))) whole.add(slug);
  }
  for (const { slug, file } of content.themes) {
    if (!whole.has(slug)) continue;
    for (const path of content.pictures.get(slug) ?? []) {
      if (used.has(pictureKey({ slug, path }))) continue;
      const place = { file: file.replace(/theme\.yaml$/, path) };
      const kind = content.notFiles.get(`${slug}/${path}`);
      if (kind !== undefined) report('file/not-a-file', place, { name: path, kind });
      // A second theme.yaml has a finding of its own.
      else if (!/^theme\.ya?ml$/i.test(path)) report('image/unused', place, { path });
    }
  }
}

/** What is known once the stages so far have reported. */
export function outcome(
  { content, themes, texts: svgs }: Pick<ReadThemes, 'content' | 'themes' | 'texts'>,
  users: number,
  diagnostics: Diagnostics,
  { strict = false }: Pick<CheckOptions, 'strict'>,
): CheckResult {
  // Without the files of users: their keys are personal data, and a code frame would show them in the log of a build.
  const texts = [content.site, ...content.themes].filter((source) => source !== undefined);
  const { sorted } = diagnostics;
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    texts: new Map([...svgs, ...texts.map(({ file, text }) => [file, text] as const)]),
    themes,
    users,
  };
}

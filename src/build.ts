import { randomBytes } from 'node:crypto';
import { Diagnostics, type Diagnostic, type Location, type Report } from './diagnostics/diagnostic.ts';
import { PAGE_STYLE_HASH } from './document/browsable-page.ts';
import { documents, manifest } from './document/documents.ts';
import { publishedMedia } from './document/media.ts';
import type { OutputFile } from './document/output-file.ts';
import { adapters, edgeOutput } from './edge/registry.ts';
import { KEY_SECRET } from './edge/secrets.ts';
import { type Picture, pictureKey } from './image/picture.ts';
import { readNamedBuild, readStoredBuild } from './io/built.ts';
import { Cache } from './io/cache.ts';
import { Decoders } from './io/decoder/pool.ts';
import { type Content, discover, displayPath, type FoundFile } from './io/discover.ts';
import { probePictures } from './io/probe.ts';
import { Publication, type PublicationOptions } from './io/publish.ts';
import { checkShrinkage } from './io/shrinkage.ts';
import { renderThumbnails } from './io/render.ts';
import { readRuntime } from './io/runtime.ts';
import { readUsers, type Users } from './io/users/read-users.ts';
import type { UsersSource } from './io/users/rows-of.ts';
import { namedUsers, openUsersFile } from './io/users/sources.ts';
import { edgeRules } from './mapping/edge-rules.ts';
import { isNeeded, keyCount } from './mapping/mapping.ts';
import { type StoredBuild, themeBytes } from './mapping/shards.ts';
import { parseUsersYaml } from './mapping/users-yaml.ts';
import { parseYaml } from './source/yaml.ts';
import { resolveThemes, type Theme } from './theme/resolve.ts';
import { type EdgeHost, type Site, validateSite } from './theme/site.ts';
import { validateTheme } from './theme/validate.ts';

export interface CheckOptions {
  /** Folder of the themes. */
  themesDir: string;
  /** Folder of the cache; without one, nothing is kept. */
  cacheDir?: string | undefined;
  /** Overrides `base_url` of site.yaml. */
  baseUrl?: string | undefined;
  /** Whether warnings stop the build too. */
  strict?: boolean | undefined;
  /** Further users: a file of CSV or NDJSON, which may be gzip, or `-` for standard input. */
  users?: string | undefined;
}

export interface BuildOptions extends CheckOptions, PublicationOptions {
  /** Secret of keyed shards, at least 32 bytes; needed only if the site asks for them. */
  keySecret?: string | undefined;
  /** Private output of the build that is live, for the delta of keyed shards; that in `edgeOutDir` if it is not given. */
  previousEdgeDir?: string | undefined;
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

/** There is no secret for keyed shards, or it is too short. */
export class KeySecretError extends Error {}

/** Shortest secret, in bytes: as many as the digest has (RFC 2104, section 3). */
const SECRET_BYTES = 32;

/** Checks everything that can be checked without decoding pictures. Writes nothing but the cache. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const cache = await Cache.open(options.cacheDir);
  try {
    const diagnostics = new Diagnostics();
    const prepared = await prepare(options, cache, diagnostics.report);
    prepared.users.close();
    return outcome(prepared, diagnostics, options);
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
  const prepared = await prepare(options, cache, diagnostics.report);
  try {
    return await publishPrepared(prepared, diagnostics, publication, cache, decoders, options);
  } finally {
    prepared.users.close();
  }
}

async function publishPrepared(
  prepared: Prepared,
  diagnostics: Diagnostics,
  publication: Publication,
  cache: Cache,
  decoders: Decoders,
  options: BuildOptions,
): Promise<BuildResult> {
  const { signal, onProgress, allowShrink = false } = options;
  const nothing = { files: [], hosts: [], foreign: [], rendered: 0, cached: 0 };
  const checked = outcome(prepared, diagnostics, options);
  if (!checked.ok) return { ...checked, ...nothing };
  if (!allowShrink) checkShrinkage(await publication.published(), checked);

  const { site, themes, pictures, edgeFiles, publicFiles } = prepared;
  const rendering = await renderThumbnails(themes, pictures, cache, decoders, diagnostics.report, (done, all) => {
    signal?.throwIfAborted();
    onProgress?.(done, all);
  });
  if (diagnostics.hasErrors) return { ...outcome(prepared, diagnostics, options), ...nothing };

  const media = publishedMedia(themes, pictures, rendering.thumbnails, site.media_url);
  const published = [...media.files, ...documents(media.themes, site), ...publicFiles];
  const files = [...published, manifest(published, site)];
  const foreign = await publication.publish(files, edgeFiles, checked.users, signal);
  return {
    ...outcome(prepared, diagnostics, options),
    files,
    hosts: site.edge,
    foreign,
    rendered: rendering.rendered,
    cached: rendering.cached,
  };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The stages before pictures are decoded: every finding of every file, in one run. */
async function prepare(options: CheckOptions & Partial<BuildOptions>, cache: Cache, report: Report) {
  const { content, site, locations, themes } = await readAuthored(options, report);
  const { pictures, texts } = await probePictures(themes, content, cache, report);
  reportUnused(content, themes, pictures, report);

  const rules = edgeRules(site, themes, PAGE_STYLE_HASH);
  const runtime = await readRuntime();
  const users = await readAllUsers(options, content, site, themes, report);
  try {
    const input = { rules, mapping: users.mapping, runtime, report };
    const { edgeFiles, publicFiles } = edgeOutput(site.edge, input, users.assigned, locations);
    return { content, site, themes, users, pictures, texts, edgeFiles, publicFiles };
  } catch (error) {
    users.close();
    throw error;
  }
}

/** What editors wrote of the site and the themes, checked. */
export async function readAuthored(options: CheckOptions, report: Report): Promise<Authored> {
  const content = await discover(options.themesDir, report);
  const { site, locations } = readSite(content, options.baseUrl, report);
  const sources = content.themes.flatMap(({ slug, file, text }) => {
    const document = parseYaml(file, text, report);
    return document === undefined ? [] : [validateTheme(slug, document, site, report)];
  });
  const folders = new Set(content.pictures.keys());
  return { content, site, locations, themes: resolveThemes(sources, folders, site, report) };
}

export interface Authored {
  content: Content;
  site: Site;
  /** Where site.yaml names the hosts, and each rule of identity. */
  locations: { edge: Location; identity: (rule: number) => Location };
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

/** Reads and checks who gets which theme, from all files. */
async function readAllUsers(
  options: CheckOptions & Partial<BuildOptions>,
  content: Content,
  site: Site,
  themes: readonly Theme[],
  report: Report,
): Promise<Users> {
  const slugs = [...content.pictures.keys()];
  const hosts = site.edge.map((host) => adapters[host].capabilities);
  const idsOf = (kind: 'user' | 'group'): (number | undefined)[] =>
    slugs.map((slug) => {
      const theme = themes.find((one) => one.slug === slug);
      return theme && isNeeded(kind, theme.is_default, site.identity) ? theme.id : undefined;
    });
  return readUsers(
    userSources(options, content, report),
    {
      themes: slugs,
      ids: { user: idsOf('user'), group: idsOf('group') },
      foldsCase: hosts.some(({ caseSensitiveKeys }) => !caseSensitiveKeys),
      keepsPairs: !site.mapping.keyed || hosts.some(({ keyed, maxKeys }) => keyed === undefined && maxKeys > 0),
      shards: site.mapping.keyed
        ? {
            bits: Math.log2(site.mapping.shards),
            themeBytes: themeBytes(themes.map(({ id }) => id)),
            secret: keySecret(options),
            before: await buildBefore(options),
          }
        : undefined,
    },
    report,
  );
}

/** The shards that are live; a check compares them with none. */
async function buildBefore({ previousEdgeDir, edgeOutDir }: Partial<BuildOptions>): Promise<StoredBuild | undefined> {
  if (previousEdgeDir !== undefined) return readNamedBuild(previousEdgeDir);
  return edgeOutDir === undefined ? undefined : readStoredBuild(edgeOutDir);
}

/** The secret of keyed shards. A check, which keeps none of them, is content with any. */
function keySecret({ edgeOutDir, keySecret: given = '' }: Partial<BuildOptions>): Uint8Array {
  const secret = Buffer.from(given);
  if (edgeOutDir === undefined) return randomBytes(SECRET_BYTES);
  if (secret.length >= SECRET_BYTES) return secret;
  const found = given === '' ? 'is not set' : `has ${secret.length} bytes`;
  throw new KeySecretError(
    `site.yaml asks for keyed shards (\`mapping.keyed\`), and their secret ${KEY_SECRET} ${found}. Set it in the environment, with ${SECRET_BYTES} bytes or more: \`openssl rand -hex 32\` makes one.`,
  );
}

/** In the order in which they are read: of a user who is listed twice, the first place counts. */
export function userSources({ themesDir, users }: CheckOptions, content: Content, report: Report): UsersSource[] {
  const { rows, yaml, lists } = content.users;
  const sources: UsersSource[] = [];
  const addFile = (found: FoundFile, form: { form: 'rows' } | { form: 'keys'; theme: string }): void => {
    sources.push({ file: found.file, open: () => openUsersFile(found, themesDir, report), ...form });
  };
  for (const found of rows) addFile(found, { form: 'rows' });
  const folders = new Set(content.pictures.keys());
  const written = yaml && parseUsersYaml(yaml.file, yaml.text, folders, lists.keys(), report);
  if (yaml !== undefined && written !== undefined) sources.push({ file: yaml.file, rows: written.rows });
  for (const { theme, path } of written?.lists ?? []) {
    const found = lists.get(path);
    if (found !== undefined) addFile(found, { form: 'keys', theme });
  }
  for (const [path, { file }] of lists)
    if (!written?.lists.some((list) => list.path === path)) report('mapping/list-unused', { file }, { path });
  if (users !== undefined) sources.push({ ...namedUsers(users), form: 'rows' });
  return sources;
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

function outcome(
  { content, themes, users, texts: svgs }: Prepared,
  diagnostics: Diagnostics,
  { strict = false }: CheckOptions,
): CheckResult {
  // Without the files of users: their keys are personal data, and a code frame would show them in the log of a build.
  const texts = [content.site, ...content.themes].filter((source) => source !== undefined);
  const { sorted } = diagnostics;
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    texts: new Map([...svgs, ...texts.map(({ file, text }) => [file, text] as const)]),
    themes,
    users: keyCount(users.mapping),
  };
}

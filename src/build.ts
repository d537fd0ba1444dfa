import type { BuildOptions, BuildResult, CheckOptions, CheckResult } from './api.ts';
import { Diagnostics } from './diagnostics/diagnostic.ts';
import { documents, manifest } from './document/documents.ts';
import { publishedMedia } from './document/media.ts';
import type { Cache } from './io/images/cache.ts';
import { Decoders } from './io/decoder/pool.ts';
import { isFolder } from './io/files.ts';
import { NO_MEMORY } from './io/images/incremental-cache.ts';
import { Publication } from './io/output/publish.ts';
import { renderThumbnails } from './io/images/render.ts';
import { checkShrinkage } from './io/output/shrinkage.ts';
import { keyCount } from './users/mapping.ts';
import { assign, type Assignments, checkThemes, openCache, outcome, readThemes, type ReadThemes } from './pipeline.ts';
import { isPublicUrl, PUBLIC_URL } from './theme/site.ts';

/**
 * Checks everything that can be checked without decoding images. Writes nothing but the cache.
 * @returns what is wrong with the themes, which is never thrown
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {DigestCollisionError} if two keys have one digest; see there
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  checkBaseUrl(options);
  const cache = await openCache(options);
  try {
    const diagnostics = new Diagnostics();
    const checked = await checkThemes(options, cache, NO_MEMORY, diagnostics.report);
    return outcome(checked, checked.given.users, diagnostics, options);
  } finally {
    await cache.close();
  }
}

/** What was published, if nothing was. */
const NOTHING = { files: [], hosts: [], foreign: [], rendered: 0, cached: 0 };

/**
 * Builds the site: reads and checks every theme, then publishes all of them or none.
 * @returns what is wrong with the themes, which is never thrown, and what was published
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {KeySecretError} if the site asks for keyed shards, and `keySecret` is missing or short
 * @throws {NoBuildError} if there is no build in `previousEdgeDir`
 * @throws {DigestCollisionError} if two keys have one digest; see there
 * @throws {LockedError} if another build is writing to the same output
 * @throws {PublishError} if the output cannot be written, or without `allowShrink` if far less would be published than there is
 * @throws the reason of `signal`, if it stops the build
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  checkBaseUrl(options);
  if (!(await isFolder(options.themesDir))) return { ...(await check(options)), ...NOTHING };
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const diagnostics = new Diagnostics();
  const publication = await Publication.open(options, sources, diagnostics.report).catch((error: unknown) => {
    throw withReasons(error, diagnostics);
  });
  try {
    const cache = await openCache(options);
    const decoders = new Decoders();
    try {
      return await buildInto(publication, cache, decoders, diagnostics, options);
    } finally {
      decoders.close();
      await cache.close();
    }
  } finally {
    await publication.close();
  }
}

/** An error with what was found in the output, which is often why. */
function withReasons(error: unknown, diagnostics: Diagnostics): unknown {
  if (error instanceof Error)
    error.message = [error.message, ...diagnostics.sorted.map(({ message, hint }) => `${message} ${hint}`)].join('\n');
  return error;
}

function checkBaseUrl({ baseUrl }: CheckOptions): void {
  if (baseUrl !== undefined && !isPublicUrl(baseUrl))
    throw new RangeError(`baseUrl must be ${PUBLIC_URL}, not \`${baseUrl}\`.`);
}

async function buildInto(
  publication: Publication,
  cache: Cache,
  decoders: Decoders,
  diagnostics: Diagnostics,
  options: BuildOptions,
): Promise<BuildResult> {
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
  const checked = outcome(read, keyCount(users.mapping), diagnostics, options);
  if (!checked.ok) return { ...checked, ...NOTHING };
  if (!allowShrink) checkShrinkage(await publication.published(), checked);

  const { site, themes, images } = read;
  const show = (done: number, all: number): void => {
    signal?.throwIfAborted();
    onProgress?.(done, all);
  };
  const how = { limits: site.limits, cache, decoders, memory: NO_MEMORY };
  const rendering = await renderThumbnails(themes, images, how, diagnostics.report, show);
  const rendered = outcome(read, checked.users, diagnostics, options);
  if (diagnostics.hasErrors) return { ...rendered, ...NOTHING };

  const media = publishedMedia(themes, images, rendering.thumbnails, site.media_url);
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

import type { BuildOptions, BuildResult, CheckOptions, CheckResult } from './api.ts';
import { Diagnostics } from './diagnostics/diagnostic.ts';
import { documents, manifest } from './document/documents.ts';
import { isFolder } from './io/files.ts';
import { Publication } from './io/output/publish.ts';
import { checkShrinkage } from './io/output/shrinkage.ts';
import { keyCount } from './users/mapping.ts';
import {
  assign,
  type Assignments,
  checkThemes,
  outcome,
  readThemes,
  type ReadThemes,
  renderMedia,
  type Run,
  withResources,
} from './pipeline.ts';
import { isPublicUrl, PUBLIC_URL } from './theme/public-url.ts';

/**
 * Runs every check that does not need to decode images. Writes nothing but the cache.
 * @returns what is wrong with the themes, which is never thrown
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {TemporaryFileError} if a temporary file cannot be written, which more than 4 MiB of users need
 * @throws {DigestCollisionError} if two keys have one digest; see there
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  checkBaseUrl(options);
  return withResources(options, async (run) => {
    const checked = await checkThemes(located(options), run);
    return outcome(checked, checked.given.users, run.diagnostics, options);
  });
}

/** The options with the folder that diagnostics name files relative to. */
function located<O extends CheckOptions>(options: O): O & { cwd: string } {
  return { ...options, cwd: options.cwd ?? process.cwd() };
}

/** The result if nothing is published. */
const NOTHING = { files: [], hosts: [], foreign: [], rendered: 0, cached: 0 };

/**
 * Builds the site: reads and checks every theme, then publishes all of them or none.
 * @returns what is wrong with the themes, which is never thrown, and what was published
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {TemporaryFileError} if a temporary file cannot be written, which more than 4 MiB of users need
 * @throws {KeySecretError} if the site asks for keyed shards, and `keySecret` is missing or short
 * @throws {DecoderError} if the process that decodes images cannot be started
 * @throws {NoBuildError} if there is no build in `previousEdgeDir`
 * @throws {DigestCollisionError} if two keys have one digest; see there
 * @throws {LockedError} if another build is writing to the same output
 * @throws {PublishError} if the output cannot be written, or without `allowShrink` if far less would be published than before
 * @throws the reason of `signal`, if it stops the build
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  checkBaseUrl(options);
  if (!(await isFolder(options.themesDir))) return { ...(await check(options)), ...NOTHING };
  const { cwd } = located(options);
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const diagnostics = new Diagnostics();
  const publication = await Publication.open(options, { sources, cwd }, diagnostics.report).catch((error: unknown) => {
    throw withReasons(error, diagnostics);
  });
  try {
    return await withResources(options, (run) => buildInto(publication, run, located(options)), diagnostics);
  } finally {
    await publication.close();
  }
}

/** An error with the diagnostics about the output, which often explain it. */
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
  run: Run,
  options: BuildOptions & { cwd: string },
): Promise<BuildResult> {
  const read = await readThemes(options, run);
  const assigned = await assign(read, options, run.diagnostics.report);
  try {
    return await publish(publication, run, read, assigned, options);
  } finally {
    assigned.users.close();
  }
}

async function publish(
  publication: Publication,
  run: Run,
  read: ReadThemes,
  { users, edgeFiles, publicFiles }: Assignments,
  { strict, signal, onProgress, allowShrink = false }: BuildOptions,
): Promise<BuildResult> {
  const { diagnostics } = run;
  const { site, themes } = read;
  const checked = outcome(read, keyCount(users.mapping), diagnostics, { strict });
  if (!checked.ok) return { ...checked, ...NOTHING };
  if (!allowShrink) checkShrinkage(await publication.published(), checked);

  const { media, rendered, cached } = await renderMedia(
    themes,
    read,
    run,
    site.media_url,
    diagnostics.report,
    (done, all) => {
      signal?.throwIfAborted();
      onProgress?.(done, all);
    },
  );
  const result = outcome(read, checked.users, diagnostics, { strict });
  if (diagnostics.hasErrors) return { ...result, ...NOTHING };

  const images = media();
  const texts = [...documents(images, site).values()].map((make) => make());
  const published = [...images.files, ...texts, ...publicFiles];
  const files = [...published, manifest(published, site)];
  const foreign = await publication.publish({ files, edgeFiles, users: checked.users, signal });
  return { ...result, files, hosts: site.edge, foreign, rendered, cached };
}

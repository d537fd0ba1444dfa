import { type BuildOptions, type BuildResult, type CheckOptions, type CheckResult, NOTHING_PUBLISHED } from './api.ts';
import { refusePlugAndPlay } from '../command-line/plug-and-play.ts';
import { byPlace, diagnosticOf, Diagnostics } from '../diagnostics/diagnostic.ts';
import { isFolder } from '../io/disk/files.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/public-url.ts';
import { withoutAccepted } from '../theme/without-accepted.ts';
import { keyCount } from '../users/mapping.ts';
import { compileSite } from './compile.ts';
import { type Linked, link } from './link.ts';
import { checkHosts, linkHosts } from './link-hosts.ts';
import type { CompiledSite, LinkedThemes } from './model.ts';
import { Publication, trackedOutput } from './output/publish.ts';
import { type Run, withResources } from './resources.ts';
import { sourceText } from './source-text.ts';

/**
 * Runs every check of a build, and publishes nothing. Writes nothing but the cache.
 * @returns what is wrong with the themes, which is never thrown
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used, or Git tracks it
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {TemporaryFileError} if a temporary file cannot be written, which more than 4 MiB of users need
 * @throws {DecoderError} if the process that decodes images cannot be started
 * @throws {DigestCollisionError} if two keys have one digest; see there
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  refusePlugAndPlay();
  checkBaseUrl(options);
  const located = { ...options, cwd: options.cwd ?? process.cwd() };
  const { themesDir, cwd, outDir, edgeOutDir, shard, decode = true, users } = located;
  return withResources(options, async (run) => {
    const { diagnostics, memory } = run;
    const { report } = diagnostics;
    if (shard === undefined && outDir !== undefined && edgeOutDir !== undefined)
      await trackedOutput({ outDir, edgeOutDir }, themesDir, cwd, report);
    const depth = decode ? 'decoded' : 'images';
    const compiled = await compileSite({ ...located, depth }, run, report);
    // The share of one machine says nothing of the others.
    if (shard !== undefined) return { ...outcome(await linkShare(compiled), diagnostics, located), users: 0 };
    const linked = await link(compiled, { users }, memory, report);
    try {
      await checkHosts(linked, linked.rules, linked.redirects, linked.users, memory, report);
      return outcome(linked, diagnostics, { ...located, isWhole: decode });
    } finally {
      linked.users.close();
    }
  });

  async function linkShare(compiled: CompiledSite): Promise<LinkedThemes> {
    const { linkThemes } = await import('./link-themes.ts');
    return linkThemes(compiled, () => undefined);
  }
}

/**
 * Builds the site: compiles and links the themes, then publishes all of them or none.
 * @returns what is wrong with the themes, which is never thrown, and what was published
 * @throws {RangeError} if `baseUrl` is not such a URL
 * @throws {CacheError} if the folder of the cache cannot be used, or Git tracks it
 * @throws {UsersFileError} if the file of `users` cannot be read
 * @throws {TemporaryFileError} if a temporary file cannot be written, which more than 4 MiB of users need
 * @throws {KeySecretError} if the site asks for keyed shards, and `keySecret` is missing or short
 * @throws {DecoderError} if the process that decodes images cannot be started
 * @throws {DigestCollisionError} if two keys have one digest; see there
 * @throws {LockedError} if another build is writing to the same output
 * @throws {PublishError} if the output cannot be written, or without `allowShrink` if far less would be published than before
 * @throws the reason of `signal`, if it stops the build
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  refusePlugAndPlay();
  checkBaseUrl(options);
  if (!(await isFolder(options.themesDir))) return { ...(await check(options)), ...NOTHING_PUBLISHED };
  const cwd = options.cwd ?? process.cwd();
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const diagnostics = new Diagnostics();
  const publication = await Publication.open(options, { sources, cwd }, diagnostics.report).catch((error: unknown) => {
    throw withReasons(error, diagnostics);
  });
  try {
    return await withResources(options, (run) => buildInto(publication, run, { ...options, cwd }), diagnostics);
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
  again?: ReadonlySet<string>,
): Promise<BuildResult> {
  const { signal } = options;
  const { diagnostics, memory, cache } = run;
  const { report } = diagnostics;
  const onProgress = (done: number, all: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.(done, all);
  };
  const stage = publication.stage(cache, () => !diagnostics.hasErrors);
  const compiled = await compileSite({ ...options, onProgress, stage, ...(again && { again }) }, run, report);
  const linked = await link(compiled, options, memory, report);
  try {
    const { users, rules, redirects } = linked;
    const hosts = await linkHosts(linked, rules, redirects, users, memory, report);
    const result = outcome(linked, diagnostics, { ...options, isWhole: true });
    if (!result.ok) return { ...result, ...NOTHING_PUBLISHED };
    const { publishSite } = await import('./publish-site.ts');
    const published = await publishSite(publication, { compiled, linked, hosts }, run, options);
    if ('lost' in published) {
      // What is stored of some themes is not there any more. Nothing was published.
      const retried = { ...run, diagnostics: new Diagnostics() };
      return await buildInto(publication, retried, options, published.lost);
    }
    return { ...result, ...published };
  } finally {
    linked.users.close();
  }
}

/**
 * The result of the stages so far, without the warnings that themes accept.
 * @param isWhole - whether all stages have run, so that it is known which entries of `accept` have no warning
 */
export function outcome(
  linked: LinkedThemes & Partial<Pick<Linked, 'users'>>,
  diagnostics: Diagnostics,
  { strict = false, isWhole = false, cwd }: Pick<CheckOptions, 'strict'> & { isWhole?: boolean; cwd: string },
): CheckResult {
  const { remaining, unused } = withoutAccepted(diagnostics.sorted, linked.sources);
  const reported =
    isWhole && !diagnostics.hasErrors
      ? unused.map(({ location, ...entry }) => diagnosticOf('theme/accept-unused', location, entry))
      : [];
  const sorted = [...remaining, ...reported].toSorted(byPlace);
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    textOf: sourceText(linked.walk, cwd),
    themes: linked.themes.length,
    users: linked.users === undefined ? 0 : keyCount(linked.users.compiled),
  };
}

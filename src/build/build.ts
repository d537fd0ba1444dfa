import { type BuildOptions, type BuildResult, type CheckOptions, type CheckResult, NOTHING_PUBLISHED } from './api.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { isFolder } from '../io/disk/files.ts';
import { untilSettled } from '../io/incremental/identity.ts';
import { LastResult } from './last-result.ts';
import { Publication, trackedOutput } from '../io/output/publish.ts';
import { refusePlugAndPlay } from '../command-line/plug-and-play.ts';
import { type Run, withResources } from './resources.ts';
import { COMMIT } from '../document/build-file.ts';
import { revParse } from '../io/git.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/public-url.ts';

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
  const { cwd, themesDir, outDir, edgeOutDir } = located(options);
  const { shard, decode = true, onProgress = () => undefined } = options;
  return withResources(options, async (run) => {
    if (shard !== undefined) {
      const { readThemes } = await import('./pipeline.ts');
      const { examineShare } = await import('./examine.ts');
      return examineShare(await readThemes(located(options), run), shard, run, options);
    }
    if (outDir !== undefined && edgeOutDir !== undefined)
      await trackedOutput({ outDir, edgeOutDir }, themesDir, cwd, run.diagnostics.report);
    const last = new LastResult<CheckResult>('check', located(options), run);
    const earlier = last.recall();
    if (earlier !== undefined) return earlier;
    const { assign, checkThemes } = await import('./pipeline.ts');
    const { examine } = await import('./examine.ts');
    const read = await checkThemes(located(options), run, decode ? { onProgress } : undefined);
    const { result } = await examine(read, read.given.users, run, located(options), async (urls, report) => {
      const { users, redirected } = await assign(read, { users: options.users }, () => undefined);
      await redirected(urls, report).finally(() => users.close());
    });
    if (result.ok) last.remember(result, read.content);
    return result;
  });
}

/** The options with the folder that diagnostics name files relative to. */
function located<O extends CheckOptions>(options: O): O & { cwd: string } {
  return { ...options, cwd: options.cwd ?? process.cwd() };
}

/**
 * Builds the site: reads and checks every theme, then publishes all of them or none.
 * @returns what is wrong with the themes, which is never thrown, and what was published
 * @throws {RangeError} if `baseUrl` is not such a URL, or `commit` not the full id of a commit
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
  const { cwd } = located(options);
  const commit = options.commit ?? (await revParse(options.themesDir, 'HEAD^{commit}'));
  if (commit !== undefined && !COMMIT.test(commit))
    throw new RangeError(`The commit must be its full id, such as \`git rev-parse HEAD\` prints, not \`${commit}\`.`);
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const diagnostics = new Diagnostics();
  const publication = await Publication.open(options, { sources, cwd }, diagnostics.report).catch((error: unknown) => {
    throw withReasons(error, diagnostics);
  });
  try {
    return await withResources(
      options,
      (run) => buildInto(publication, run, located({ ...options, commit })),
      diagnostics,
    );
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
  const last = new LastResult<BuildResult>('build', options, run);
  const earlier = last.recall(() => publication.identity());
  if (earlier !== undefined) return earlier;

  const { publishThemes } = await import('./publish-themes.ts');
  const before = last.outputBefore(options.outDir);
  const { content, ...result } = await publishThemes(publication, run, { ...options, before });
  if (result.files === 0) return result;
  await untilSettled(Date.now());
  const output = publication.identity();
  last.published(options.outDir, output);
  const cached = result.cached + result.rendered;
  last.remember({ ...result, cached, rendered: 0 }, content, output);
  return result;
}

import { type BuildOptions, type BuildResult, type CheckOptions, type CheckResult, NOTHING_PUBLISHED } from './api.ts';
import { refusePlugAndPlay } from '../command-line/plug-and-play.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { COMMIT } from '../document/build-file.ts';
import { isFolder } from '../io/disk/files.ts';
import { revParse } from '../io/git.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/public-url.ts';
import { inputsOf, recallOutput } from './left-output.ts';
import { Publication } from './output/publish.ts';
import { type Run, withResources } from './resources.ts';
import { sourceText } from './source-text.ts';
import { themePrints } from './theme-prints.ts';

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
  const { checkSite } = await import('./check-site.ts');
  return withResources(options, (run) => checkSite({ ...options, cwd: options.cwd ?? process.cwd() }, run));
}

/**
 * Builds the site: compiles and links the themes, then publishes all of them or none.
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
  const cwd = options.cwd ?? process.cwd();
  const commit = options.commit ?? (await revParse(options.themesDir, 'HEAD^{commit}'));
  if (commit !== undefined && !COMMIT.test(commit))
    throw new RangeError(`The commit must be its full id, such as \`git rev-parse HEAD\` prints, not \`${commit}\`.`);
  const sources = [options.themesDir, ...(options.cacheDir === undefined ? [] : [options.cacheDir])];
  const diagnostics = new Diagnostics();
  const publication = await Publication.open(options, { sources, cwd }, diagnostics.report).catch((error: unknown) => {
    throw withReasons(error, diagnostics);
  });
  try {
    return await withResources(options, (run) => buildInto(publication, run, { ...options, commit, cwd }), diagnostics);
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
  const { diagnostics, memory } = run;
  const prints = themePrints(options.themesDir);
  const inputs = inputsOf(options, prints, diagnostics.sorted.length === 0);
  const last = recallOutput(memory, options);
  // Linking takes time, and so does what it is for.
  if (last !== undefined && inputs !== undefined && last.inputs === inputs && publication.isLeft(last))
    return { ...last.result, textOf: sourceText(options.themesDir, options.cwd) };
  const { compileAndPublish } = await import('./compile-and-publish.ts');
  return compileAndPublish(publication, run, { ...options, prints, inputs, last });
}

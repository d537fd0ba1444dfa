import path from 'node:path';
import type { BuildOptions, BuildResult, BuildSuccess, CheckOptions, CheckResult } from './api.ts';
import { refusePlugAndPlay } from '../system/command-line/plug-and-play.ts';
import { Diagnostics } from '../core/diagnostics/diagnostic.ts';
import { COMMIT } from '../core/document/files/build-file.ts';
import { hashFile, isFolder, sha256Of } from '../system/disk/files.ts';
import { revParse } from '../system/git/git.ts';
import { isPublicUrl, PUBLIC_URL } from '../core/theme/site/public-url.ts';
import { Publication } from './publish/publication.ts';
import { type Caches, withCaches, withDecoders, withResources } from './store/resources.ts';
import { Sources } from './walk/sources.ts';

/**
 * Runs every check of a build without publishing. Writes only the cache.
 * @returns the problems of the themes, which are never thrown
 * @throws {RangeError} if `baseUrl` is no valid base URL
 * @throws {ThemecastError} if anything but the themes prevents it
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  refusePlugAndPlay();
  checkBaseUrl(options);
  const { checkSite } = await import('./check-site.ts');
  return withResources(options, (run) => checkSite({ ...options, cwd: options.cwd ?? process.cwd() }, run));
}

/**
 * Builds the site: compiles and links the themes, then publishes all of them or none.
 * @returns the problems of the themes, which are never thrown, and figures about the published files
 * @throws {RangeError} if `baseUrl` is no valid base URL, or `commit` not the full id of a commit
 * @throws {ThemecastError} if anything but the themes prevents it
 * @throws the reason of `signal`, if it stops the build
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  refusePlugAndPlay();
  checkBaseUrl(options);
  if (!(await isFolder(options.themesDir))) return { ...(await check(options)), ok: false };
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
    const output = [options.outDir, options.edgeOutDir] as const;
    return await withCaches({ ...options, output }, (caches) =>
      buildInto(publication, caches, diagnostics, { ...options, commit, cwd }),
    );
  } finally {
    await publication.close();
  }
}

/** Adds the diagnostics about the output to an error, which they often explain. */
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
  caches: Caches,
  diagnostics: Diagnostics,
  options: BuildOptions & { cwd: string },
): Promise<BuildResult> {
  const { memory, table, state } = caches;
  options.onStage?.('walk');
  publication.list(state);
  const sources = new Sources(options.themesDir, table);
  // Diagnostics so far are about what Git tracks, which the inputs do not cover.
  const isRemembered = state !== undefined && diagnostics.sorted.length === 0 && options.users !== '-';
  // If nothing has changed, the last result is returned: loading the compiler and linking take time.
  // Of the users at the beginning: if their file changes meanwhile, the next build differs.
  const users = isRemembered ? digestOf(options.users) : '';
  const inputs = (): string =>
    inputsOf(options, [memory.program, users, sources.table.stamps(sources.list()), ...publication.stamps()]);
  const folders = [options.themesDir, options.outDir, options.edgeOutDir];
  const key = `build ${folders.map((folder) => path.resolve(folder)).join('\0')}`;
  const last = (isRemembered ? state.recall(key) : undefined) as LastBuild | undefined;
  if (last !== undefined && last.inputs === inputs()) return last.result;
  await publication.begin();
  const { compileAndPublish } = await import('./compile-and-publish.ts');
  const { result, hasChanged } = await withDecoders(caches, diagnostics, (run) =>
    compileAndPublish(publication, run, { ...options, sources }),
  );
  if (result.ok && isRemembered && !hasChanged && sources.table.keepsAll(sources.list()) && publication.isSettled()) {
    const repeated = { ...result, cached: result.cached + result.rendered, rendered: 0 };
    state.keep(key, { inputs: inputs(), result: repeated } satisfies LastBuild);
  }
  return result;
}

/** The result of the last build that changed nothing. */
interface LastBuild {
  inputs: string;
  result: BuildSuccess;
}

/** Returns a digest of everything that a build depends on. @param stamps - of the program, the users, the themes and the output */
function inputsOf(options: BuildOptions, stamps: readonly string[]): string {
  const { keySecret, onProgress: _, onStage: __, signal: ___, cacheDir: ____, ...others } = options;
  return sha256Of(JSON.stringify([stamps, keySecret && sha256Of(keySecret), others]));
}

function digestOf(file: string | undefined): string {
  const hashed = file === undefined ? undefined : hashFile(file);
  return hashed && 'sha256' in hashed ? hashed.sha256 : '';
}

import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { checkoutOf } from '../disk/checkout.ts';
import { errorCode, isInside } from '../disk/files.ts';

/** What a Git command printed, and whether it succeeded. */
export interface GitResult {
  ok: boolean;
  stdout: Buffer;
  /** Git's words, or why it did not run. */
  stderr: string;
}

/** The limit of a command: enough for a push of many images, and for a person who types a passphrase. */
const MAX_SECONDS = 600;

/**
 * Runs Git as its user would: in the same environment, with the same settings, hooks, filters and helpers. Only its own prompts are off, because
 * no one would see them.
 */
export function runGit(
  folder: string,
  args: readonly string[],
  { input, seconds = MAX_SECONDS }: { input?: string | undefined; seconds?: number } = {},
): Promise<GitResult> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd: folder, env, timeout: seconds * 1000, maxBuffer: 2 ** 31, encoding: 'buffer' } as const;
  return new Promise((resolve) => {
    const child = execFile('git', args, options, (error, stdout, words) => {
      const reasons = [words.toString()];
      if (error?.killed) reasons.push(`\`git ${args[0]}\` was stopped after ${seconds / 60} minutes. ${WAITING}`);
      else if (errorCode(error) === 'ENOENT' && existsSync(folder)) reasons.push(NOT_INSTALLED);
      else if (typeof error?.code === 'string') reasons.push(error.message);
      resolve({ ok: error === null, stdout, stderr: reasons.filter(Boolean).join('\n').trim() });
    });
    child.stdin?.on('error', () => undefined).end(input);
  });
}

const WAITING = 'It may have waited for a passphrase in the terminal of this command, such as `themecast dev`.';
const NOT_INSTALLED = 'Git is not installed here. Install it, such as with `apt-get install git` or `apk add git`.';

/** Git refused; the message has its words. */
export class GitError extends Error {}

/** Returns the output of Git. @throws {GitError} */
export async function gitBytes(folder: string, ...args: readonly string[]): Promise<Buffer> {
  const { ok, stdout, stderr } = await runGit(folder, args);
  if (ok) return stdout;
  throw new GitError(stderr || `\`git ${args.find((arg) => !arg.startsWith('-'))}\` failed.`);
}

/** Returns the output of Git as text, without the last line break. @throws {GitError} */
export async function gitText(folder: string, ...args: readonly string[]): Promise<string> {
  return (await gitBytes(folder, ...args)).toString().replace(/\n$/, '');
}

/** Returns a line that Git prints; undefined if it prints none or fails, for what a repository need not have. */
export async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  const { ok, stdout } = await runGit(folder, args);
  return (ok && stdout.toString().trim()) || undefined;
}

/** Returns the id of a revision, such as `HEAD^{commit}`; undefined if it does not exist. */
export function revParse(folder: string, revision: string): Promise<string | undefined> {
  return git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', revision);
}

export async function isShallowClone(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-shallow-repository')) === 'true';
}

/** Returns the last commits before a commit, the newest first; undefined if the clone is shallow or lacks it. */
export async function ancestorsOf(folder: string, commit: string, most: number): Promise<string[] | undefined> {
  const list = await git(folder, 'rev-list', `--max-count=${most + 1}`, '--end-of-options', commit);
  if (list === undefined || (await isShallowClone(folder))) return undefined;
  return list.split('\n').filter((id) => id !== commit);
}

/** The repository of some themes. */
export interface Repository {
  /** The top folder of its working tree. */
  root: string;
  /** The themes folder, relative to the root, with `/`. */
  themes: string;
}

/** Returns the repository of the themes; undefined if no folder around them has a `.git`. @throws {GitError} if Git refuses it */
export async function repositoryOf(themesDir: string): Promise<Repository | undefined> {
  const parent = path.dirname(path.resolve(themesDir));
  if (checkoutOf(parent) === undefined || !existsSync(parent)) return undefined;
  const [root = '', prefix = ''] = (await gitText(parent, 'rev-parse', '--show-toplevel', '--show-prefix')).split('\n');
  if (!isInside(realpathSync(parent), realpathSync(root)))
    throw new GitError(`The working tree of this repository is ${root}, which does not contain ${themesDir}.`);
  return { root, themes: prefix + path.basename(path.resolve(themesDir)) };
}

/** Returns in a line why Git cannot read the repository of the themes; undefined if it can, or if there is none. */
export async function refusalOf(themesDir: string): Promise<string | undefined> {
  return repositoryOf(themesDir).then(
    () => undefined,
    (error: Error) => error.message.replaceAll(/\s+/g, ' '),
  );
}

/** A file that differs from the last commit, by the two letters of git-status(1). */
export interface StatusRow {
  letters: string;
  /** Relative to the themes folder; a folder ends with `/`. */
  name: string;
}

/** Lists what differs from the last commit in the themes folder. @throws {GitError} */
export async function statusOf({ root, themes }: Repository, ...flags: string[]): Promise<StatusRow[]> {
  const args = ['--literal-pathspecs', 'status', '--porcelain', '-z', '--no-renames', '--ignore-submodules', ...flags];
  const rows = (await gitBytes(root, ...args, '--', themes)).toString().split('\0');
  return rows.filter(Boolean).map((row) => ({ letters: row.slice(0, 2), name: row.slice(themes.length + 4) }));
}

/** Returns the absolute paths of the files that Git tracks at or below some paths; none without a checkout. @throws {GitError} */
export async function trackedFiles(checkout: string | undefined, paths: readonly string[]): Promise<string[]> {
  const inside = paths.filter((file) => checkout !== undefined && isInside(path.resolve(file), checkout));
  if (checkout === undefined || inside.length === 0) return [];
  const names = inside.map((file) => path.relative(checkout, path.resolve(file)));
  const listing = await gitText(checkout, '--literal-pathspecs', 'ls-files', '-z', '--', ...names);
  return listing.split('\0').flatMap((name) => (name === '' ? [] : [path.join(checkout, name)]));
}

/** The origin of the themes: remote, branch, and folder in the repository. */
export interface GitRemote {
  url: string;
  branch: string;
  /** With `/`; empty for the root. */
  folder: string;
}

/** Reads the remote, branch and path of a folder; undefined outside a repository, or without a remote or branch. */
export async function readGitRemote(folder: string): Promise<GitRemote | undefined> {
  const url = await git(folder, 'remote', 'get-url', 'origin');
  const branch = await git(folder, 'symbolic-ref', '--short', 'HEAD');
  const prefix = (await git(folder, 'rev-parse', '--show-prefix')) ?? '';
  return url && branch ? { url, branch, folder: prefix.replace(/\/$/, '') } : undefined;
}

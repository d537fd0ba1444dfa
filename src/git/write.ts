import { spawn } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { temporaryFolder } from '../disk/temporary-folder.ts';
import { git } from './git.ts';

export interface GitResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Options of a Git command. `env`: further variables. */
interface GitOptions {
  input?: string;
  env?: Readonly<Record<string, string>>;
  seconds?: number;
}

/** Settings that disable configured programs, which are not needed to write a commit. */
const CONFIG = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'i18n.commitEncoding=UTF-8',
  'user.useConfigOnly=true',
].flatMap((setting) => ['-c', setting]);

/** Variables that a Git command sets for its own repository when it starts this program. */
const UNSET = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/**
 * Runs Git commands that may write. Hooks, file system monitors and signing programs do not run, and no one is prompted. Filters run
 * (gitattributes(5)): without them, Git LFS would commit the images themselves.
 */
export function runGit(
  folder: string,
  args: readonly string[],
  { input = '', env = {}, seconds = 60 }: GitOptions = {},
): Promise<GitResult> {
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GCM_INTERACTIVE: 'never', GIT_NO_LAZY_FETCH: '1' };
  const detached = process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn('git', [...CONFIG, '--literal-pathspecs', '--no-replace-objects', ...args], {
      cwd: folder,
      env: { ...process.env, ...UNSET, ...quiet, GIT_ALLOW_PROTOCOL: 'none', GIT_SSH_COMMAND: 'false', ...env },
      detached,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const end = (ok: boolean): void => {
      clearTimeout(timer);
      resolve({ ok, stdout, stderr });
    };
    // Kills helpers of Git too, such as ssh: they are in the same process group.
    const timer = setTimeout(() => {
      stderr += `No response within ${seconds} seconds.\n`;
      if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    }, seconds * 1000);
    child.once('error', (error) => {
      stderr += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** An entry of the index: a file and its blob. A file that is removed has the mode `0`. */
export interface IndexEntry {
  name: string;
  mode: string;
  id: string;
}

/** Git rejected a step; the message contains the reason. */
export class GitError extends Error {}

/** Returns the output of a step. @throws {GitError} */
async function runOrThrow(folder: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { ok, stdout, stderr } = await runGit(folder, args, options);
  if (!ok) throw new GitError(stderr.trim() || `git ${args[0]} failed.`);
  return stdout;
}

/** Parses `git ls-files --stage -z`. */
export function parseIndex(listed: string): IndexEntry[] {
  return listed.split('\0').flatMap((row) => {
    const { mode, id, name } = /^(?<mode>\d+) (?<id>[0-9a-f]+) 0\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    return mode === undefined || id === undefined || name === undefined ? [] : [{ name, mode, id }];
  });
}

/**
 * Commits files of the working tree through a temporary index.
 * @param names - relative to the checkout
 * @returns the commit and the index entries of these files; nothing if nothing differs after the filters
 * @throws {GitError}
 */
export async function commitFiles(
  checkout: string,
  parent: string,
  names: readonly string[],
  message: string,
): Promise<{ commit: string; entries: IndexEntry[] } | undefined> {
  const folder = await temporaryFolder('themecast-index-');
  try {
    const env = { GIT_INDEX_FILE: path.join(folder, 'index') };
    await runOrThrow(checkout, ['read-tree', parent], { env });
    const input = names.map((name) => `${name}\0`).join('');
    await runOrThrow(checkout, ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { env, input });
    const tree = (await runOrThrow(checkout, ['write-tree'], { env })).trim();
    if (tree === (await runOrThrow(checkout, ['rev-parse', `${parent}^{tree}`])).trim()) return undefined;
    const all = new Map(
      parseIndex(await runOrThrow(checkout, ['ls-files', '--stage', '-z'], { env })).map((entry) => [
        entry.name,
        entry,
      ]),
    );
    const args = ['commit-tree', '--no-gpg-sign', '-p', parent, '-F', '-', tree];
    const commit = (await runOrThrow(checkout, args, { input: message })).trim();
    return { commit, entries: names.map((name) => all.get(name) ?? { name, mode: '0', id: parent }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A move of HEAD: from a commit on a branch to the next, on the same or a new branch. */
export interface Move {
  from: string;
  parent: string;
  branch: string;
  commit: string;
}

/**
 * Moves HEAD to a commit, and updates the index entries of its files. No file is written, and no other entry changes.
 * @param before - the previous index entries of the same files
 * @throws {GitError} if something has changed meanwhile; then nothing is moved
 */
export async function moveHead(
  checkout: string,
  { from, parent, branch, commit }: Move,
  entries: readonly IndexEntry[],
  before: readonly IndexEntry[],
): Promise<void> {
  await setIndex(checkout, entries);
  const ref = `refs/heads/${branch}`;
  try {
    const head = await runOrThrow(checkout, ['rev-parse', '--symbolic-full-name', 'HEAD']);
    if (head.trim() !== `refs/heads/${from}`) throw new GitError(`This checkout is no longer on the branch ${from}.`);
    if (from === branch) return void (await runOrThrow(checkout, ['update-ref', '-m', 'propose', ref, commit, parent]));
    await runOrThrow(checkout, ['update-ref', '-m', 'propose', ref, commit, '']);
    const moved = ['symbolic-ref', '-m', `checkout: moving from ${from} to ${branch}`, 'HEAD', ref];
    await runOrThrow(checkout, moved).catch(async (error: unknown) => {
      await runOrThrow(checkout, ['update-ref', '-d', ref, commit]);
      throw error;
    });
  } catch (error) {
    await setIndex(checkout, before);
    throw error;
  }
}

function setIndex(checkout: string, entries: readonly IndexEntry[]): Promise<string> {
  const input = entries.map(({ name, mode, id }) => `${mode} ${id} 0\t${name}\0`).join('');
  return runOrThrow(checkout, ['update-index', '-z', '--replace', '--index-info'], { input });
}

/** A commit, and where it is pushed. `lfs`: whether the commit contains a file in Git LFS. */
export interface Push {
  remote: { name: string; url: string };
  branch: string;
  commit: string;
  lfs: boolean;
}

/**
 * Pushes a commit from an empty repository that borrows the objects of this one. So no setting of this repository applies, and no program it
 * configures can run; the user's settings apply. It lies inside this repository, since settings may depend on the folder (`includeIf`).
 */
export async function pushCommit(checkout: string, { remote, branch, commit, lfs }: Push): Promise<GitResult> {
  const locations = ['--absolute-git-dir', '--git-common-dir', '--git-path objects', '--git-path shallow'];
  const [gitDir = '', common = '', objects = '', shallow = ''] = await Promise.all(
    locations.map(
      async (location) =>
        (await git(checkout, 'rev-parse', '--path-format=absolute', ...location.split(' ')))?.replace(/\n$/, '') ?? '',
    ),
  );
  const format = (await git(checkout, 'rev-parse', '--show-object-format'))?.trim() ?? 'sha1';
  const folder = await temporaryFolder('themecast-push-', gitDir);
  try {
    await runOrThrow(folder, ['init', '--quiet', '--template=', `--object-format=${format}`, folder]);
    const repository = path.join(folder, '.git');
    await mkdir(path.join(repository, 'objects/info'), { recursive: true });
    await writeFile(path.join(repository, 'objects/info/alternates'), `${objects}\n`);
    await copyFile(shallow, path.join(repository, 'shallow')).catch(() => undefined); // only in a shallow clone
    const env = {
      GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
      GIT_SSH_COMMAND: await sshCommand(checkout),
    };
    if (lfs) {
      // LFS skips objects of commits that the remote has.
      const refs = await runOrThrow(checkout, [
        'for-each-ref',
        '--format=create %(refname) %(objectname)',
        `refs/remotes/${remote.name}/`,
      ]);
      const input = `${refs.replaceAll(/^.*\/HEAD .*\n/gm, '')}create refs/heads/${branch} ${commit}\n`;
      await runOrThrow(folder, ['update-ref', '--stdin'], { input });
      // Set in a file: environment variables would also affect a remote on this machine.
      await runOrThrow(folder, ['config', 'lfs.storage', path.join(common, 'lfs')]);
      await runOrThrow(folder, ['config', `remote.${remote.name}.url`, remote.url]);
      const uploaded = await runGit(folder, ['lfs', 'push', remote.name, `refs/heads/${branch}`], { env });
      if (!uploaded.ok) return uploaded;
    }
    const flags = ['--no-verify', '--no-signed', '--recurse-submodules=no'];
    const refspec = `${commit}:refs/heads/${branch}`;
    return await runGit(checkout, [`--git-dir=${repository}`, 'push', ...flags, '--', remote.url, refspec], { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the ssh command of the user, not of the repository, in batch mode so that it never prompts. */
async function sshCommand(checkout: string): Promise<string> {
  const { stdout } = await runGit(checkout, ['config', '--show-scope', '--get-all', 'core.sshCommand']);
  const users = stdout.split('\n').flatMap((line) => /^(?:system|global)\t(.+)$/.exec(line)?.[1] ?? []);
  return `${process.env['GIT_SSH_COMMAND'] ?? users.at(-1) ?? 'ssh'} -o BatchMode=yes`;
}

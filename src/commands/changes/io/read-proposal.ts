import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { shownUrl } from '../../../core/diagnostics/quote.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import {
  git,
  GitError,
  gitText,
  type Repository,
  repositoryOf,
  revParse,
  runGit,
  statusOf,
} from '../../../system/git/git.ts';
import { type FileChange, messageFor, type Proposal, themesIn } from '../proposal.ts';
import { bytesOf } from './base.ts';

/** The prefix of the branches of proposals. */
const BRANCH_PREFIX = 'themecast/';

/** Prepares a proposal of the uncommitted changes. @returns the reason if it is not possible */
export async function readProposal(themesDir: string): Promise<Proposal | string> {
  try {
    const repository = await repositoryOf(themesDir);
    if (repository === undefined) return 'The themes are in no Git repository. Run `git init`, and commit them.';
    return await proposalIn(repository, themesDir);
  } catch (error) {
    if (error instanceof GitError) return error.message;
    throw error;
  }
}

async function proposalIn(repository: Repository, themesDir: string): Promise<Proposal | string> {
  const { root } = repository;
  const pending = await pendingOperation(root);
  if (pending !== undefined) return pending;
  const from = await git(root, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  if (from === undefined) return 'No branch is checked out. Run `git switch BRANCH` first.';
  const parent = await revParse(root, 'HEAD^{commit}');
  if (parent === undefined) return 'There is no commit yet. Commit the themes first.';
  const author = await runGit(root, ['var', 'GIT_AUTHOR_IDENT']);
  if (!author.ok) return author.stderr;
  const remotes = (await git(root, 'remote'))?.split('\n') ?? [];
  const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  const url = remote && (await git(root, 'remote', 'get-url', '--push', remote));
  if (remote === undefined || url === undefined)
    return 'There is no remote to push to. Run `git remote add origin URL`.';
  const files = await changedFiles(repository);
  const isFollowUp = from.startsWith(BRANCH_PREFIX);
  const branch = isFollowUp ? from : await freeBranch(root, remote, files);
  const back = isFollowUp ? await git(root, 'rev-parse', '--abbrev-ref', '@{-1}') : undefined;
  return {
    root,
    themes: repository.themes,
    parent,
    from,
    files,
    branch,
    isFollowUp,
    hasCommit: isFollowUp && (back === undefined || (await revParse(root, `refs/heads/${back}`)) !== parent),
    back,
    pushed: await revParse(root, `refs/remotes/${remote}/${branch}^{commit}`),
    message: messageFor(files),
    author: author.stdout.toString().replace(/ \d+ [-+]\d+\s*$/, ''),
    remote,
    shownUrl: shownUrl(url),
    digest: await digestOf(repository, parent, files, themesDir),
  };
}

/** Files of Git that exist while an operation is under way. */
const PENDING_OPERATIONS = {
  MERGE_HEAD: 'A merge is under way. Finish it in Git first.',
  CHERRY_PICK_HEAD: 'A cherry-pick is under way. Finish it in Git first.',
  REVERT_HEAD: 'A revert is under way. Finish it in Git first.',
  'rebase-merge': 'A rebase is under way. Finish it in Git first.',
  'rebase-apply': 'A rebase is under way. Finish it in Git first.',
  // The branch would be created without it, but neither the commit nor the way back is possible.
  'index.lock':
    'Git is at work, or was killed and left an `index.lock` in `.git`. Reload the page, or remove that file.',
};

async function pendingOperation(root: string): Promise<string | undefined> {
  const names = Object.keys(PENDING_OPERATIONS).flatMap((name) => ['--git-path', name]);
  const places = (await gitText(root, 'rev-parse', ...names)).split('\n');
  return Object.values(PENDING_OPERATIONS).find((_, at) => existsSync(path.resolve(root, places[at] ?? '')));
}

/** Lists the files to propose: links and other repositories are none. */
async function changedFiles(repository: Repository): Promise<FileChange[]> {
  const rows = await statusOf(repository, '--untracked-files=all');
  return rows.flatMap(({ letters, name: below }): FileChange[] => {
    const name = `${repository.themes}/${below}`;
    const stats = lstatSync(path.join(repository.root, name), { throwIfNoEntry: false });
    if (stats === undefined) return [{ name, kind: 'removed', isInIndex: true }];
    // The letters ` A`: a killed proposal has announced the file.
    const isInIndex = letters !== '??' && letters !== ' A';
    return stats.isFile() ? [{ name, kind: isInIndex && letters[0] !== 'A' ? 'changed' : 'new', isInIndex }] : [];
  });
}

async function digestOf(
  { themes }: Repository,
  parent: string,
  files: readonly FileChange[],
  themesDir: string,
): Promise<string> {
  const lines = [parent];
  for (const { name } of files) {
    const bytes = await bytesOf(name.slice(themes.length + 1), themesDir);
    lines.push(`${name} ${bytes === undefined ? '' : sha256Of(bytes)}`);
  }
  return sha256Of(lines.join('\n'));
}

/** Returns `themecast/aurora`, with a number if that branch exists. */
async function freeBranch(root: string, remote: string, files: readonly FileChange[]): Promise<string> {
  const [first = 'settings'] = themesIn(files);
  const name = BRANCH_PREFIX + first.replaceAll(/[^a-z0-9-]/g, '-');
  for (let n = 1; ; n++) {
    const branch = n === 1 ? name : `${name}-${n}`;
    const refs = [`refs/heads/${branch}`, `refs/remotes/${remote}/${branch}`];
    const taken = await Promise.all(refs.map((ref) => revParse(root, ref)));
    if (taken.every((id) => id === undefined)) return branch;
  }
}

import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { bytesOf, checkoutOfThemes } from './base.ts';
import { changedFiles } from './changed-files.ts';
import { count, firstOf, inQuotes, shownUrl, visible } from '../../diagnostics/quote.ts';
import { sha256Of } from '../../disk/files.ts';
import { git, listTree, revParse } from '../../git/git.ts';
import { parseIndex, runGit } from '../../git/write.ts';
import { type FileChange, messageFor, type Proposal, themesIn } from '../proposal.ts';

/** The prefix of the branches of proposals. */
const BRANCH_PREFIX = 'themecast/';

/** Prepares a proposal of the uncommitted changes. @returns the reason if it is not possible */
export async function readProposal(themesDir: string): Promise<Proposal | string> {
  const checkout = checkoutOfThemes(themesDir);
  if (checkout === undefined) return 'The themes are in no Git repository. Run `git init`, and commit them.';
  const from = (await git(checkout, 'symbolic-ref', '--quiet', '--short', 'HEAD'))?.trim();
  if (from === undefined) return 'No branch is checked out. Run `git switch BRANCH` first.';
  const parent = await revParse(checkout, 'HEAD^{commit}');
  if (parent === undefined) return 'There is no commit yet. Commit the themes first.';
  for (const [ref, name] of Object.entries(PENDING_OPERATIONS))
    if ((await revParse(checkout, ref)) !== undefined) return `A ${name} is under way. Finish it in Git first.`;
  const author = await runGit(checkout, ['var', 'GIT_AUTHOR_IDENT']);
  const committer = await runGit(checkout, ['var', 'GIT_COMMITTER_IDENT']);
  if (!author.ok || !committer.ok)
    return 'Git does not know who you are. Run `git config --global user.name "Your Name"`, and the same for `user.email`.';
  const remotes = (await git(checkout, 'remote'))?.split('\n').filter((name) => name !== '') ?? [];
  const remote = remotes.includes('origin') ? 'origin' : remotes.length === 1 ? remotes[0] : undefined;
  const url = remote && (await git(checkout, 'remote', 'get-url', '--push', remote))?.trim();
  if (remote === undefined || url === undefined)
    return 'There is no remote to push to. Run `git remote add origin URL`.';
  const changes = await changesOf(themesDir, checkout, parent);
  if (typeof changes === 'string') return changes;
  const isFollowUp = from.startsWith(BRANCH_PREFIX);
  const branch = isFollowUp ? from : await freeBranch(checkout, remote, changes.files);
  const filters = await filtersOf(checkout, changes.files);
  if (typeof filters === 'string') return filters;
  const back = isFollowUp ? (await git(checkout, 'rev-parse', '--abbrev-ref', '@{-1}'))?.trim() : undefined;
  return {
    ...changes,
    checkout,
    parent,
    from,
    branch,
    remote,
    url,
    filters,
    isFollowUp,
    back: back === '' ? undefined : back,
    message: messageFor(changes.files),
    author: author.stdout.replace(/ \d+ [-+]\d+\s*$/, ''),
    shownUrl: shownUrl(url),
    pushed: await revParse(checkout, `refs/remotes/${remote}/${branch}^{commit}`),
  };
}

const PENDING_OPERATIONS = { MERGE_HEAD: 'merge', CHERRY_PICK_HEAD: 'cherry-pick', REVERT_HEAD: 'revert' };

/** Returns the changed files and a digest of the proposal, or the reason if it is not possible. */
async function changesOf(
  themesDir: string,
  checkout: string,
  parent: string,
): Promise<Pick<Proposal, 'files' | 'before' | 'digest'> | string> {
  const folder = path.relative(checkout, path.resolve(themesDir)).replaceAll(path.sep, '/');
  const [tree, index, untracked] = await Promise.all([
    listTree(checkout, parent, `${folder}/`),
    git(checkout, 'ls-files', '-v', '--stage', '-z', '--', folder),
    git(checkout, 'ls-files', '--others', '--exclude-standard', '-z', '--', folder),
  ]);
  if (tree === undefined || index === undefined || untracked === undefined)
    return 'Git cannot read the themes of this repository. Run `git status` to see why.';
  const rows = index.split('\0').filter((row) => row !== '' && !row.slice(2).startsWith('160000'));
  const entries = new Map(parseIndex(rows.map((row) => row.slice(2)).join('\0')).map((entry) => [entry.name, entry]));
  const staged = [...new Set([...entries.keys(), ...[...tree.keys()].map((name) => `${folder}/${name}`)])].filter(
    (name) => entries.get(name)?.id !== tree.get(name.slice(folder.length + 1))?.id,
  );
  if (staged.length > 0 || entries.size < rows.length)
    return `${count(Math.max(staged.length, 1), 'file')} of the themes ${staged.length > 1 ? 'are' : 'is'} staged already: ${firstOf(staged.map(inQuotes), 3)}. Commit or unstage them in Git first (\`git restore --staged\`).`;
  // Files outside a sparse checkout, or with the flag assume-unchanged, are never proposed.
  const skipped = new Set(rows.flatMap((row) => (/^[a-zS] /.test(row) ? row.slice(row.indexOf('\t') + 1) : [])));
  const compared = new Map([...tree].filter(([name]) => !skipped.has(`${folder}/${name}`)));
  const changed = (await changedFiles(themesDir, compared)).map((name) => `${folder}/${name}`);
  const files = [...changed, ...untracked.split('\0').filter((name) => name !== '')].flatMap((name): FileChange[] => {
    const stats = lstatSync(path.join(checkout, name), { throwIfNoEntry: false });
    if (stats === undefined) return [{ name, kind: 'removed' }];
    return stats.isFile() ? [{ name, kind: entries.has(name) ? 'changed' : 'new' }] : [];
  });
  const contents = files.map(async ({ name }) => {
    const bytes = await bytesOf(name.slice(folder.length + 1), themesDir);
    return `${name} ${bytes === undefined ? '' : sha256Of(bytes)}`;
  });
  return {
    // Removed files first, because a new file may replace a folder.
    files: files.toSorted((a, b) => Number(b.kind === 'removed') - Number(a.kind === 'removed')),
    before: files.map(({ name }) => entries.get(name) ?? { name, mode: '0', id: parent }),
    digest: sha256Of(Buffer.from([parent, ...(await Promise.all(contents))].join('\n'))),
  };
}

/** Returns `themecast/aurora`, with a number if that branch exists. */
async function freeBranch(checkout: string, remote: string, files: readonly FileChange[]): Promise<string> {
  const [first = 'settings'] = themesIn(files);
  const name = BRANCH_PREFIX + first.replaceAll(/[^a-z0-9-]/g, '-');
  for (let n = 1; ; n++) {
    const branch = n === 1 ? name : `${name}-${n}`;
    const refs = [`refs/heads/${branch}`, `refs/remotes/${remote}/${branch}`];
    const taken = await Promise.all(refs.map((ref) => revParse(checkout, ref)));
    if (taken.every((id) => id === undefined)) return branch;
  }
}

/** Returns the Git filters of some files with their programs, or a problem if one is not set up. */
async function filtersOf(checkout: string, files: readonly FileChange[]): Promise<Proposal['filters'] | string> {
  const input = files.map(({ name }) => `${name}\0`).join('');
  const { stdout } = await runGit(checkout, ['check-attr', '-z', '--stdin', 'filter'], { input });
  const names = new Map<string, string[]>();
  for (const [, file = '', filter = ''] of stdout.matchAll(/([^\0]+)\0filter\0([^\0]*)\0/g))
    if (!['unspecified', 'unset', 'set', ''].includes(filter)) names.set(filter, [...(names.get(filter) ?? []), file]);
  const filters: Proposal['filters'][number][] = [];
  for (const [name, filtered] of names) {
    const commands = await Promise.all(
      ['process', 'clean'].map((kind) => runGit(checkout, ['config', '--get', `filter.${name}.${kind}`])),
    );
    const command = commands.map(({ stdout: value }) => value.trim()).find((value) => value !== '');
    if (command === undefined)
      return name === 'lfs'
        ? 'Git LFS is not set up here, so its files would be committed whole. Install it, and run `git lfs install`.'
        : `The filter ${inQuotes(visible(name))} of .gitattributes is not set up here. Set \`filter.${visible(name)}.clean\` in Git first.`;
    // An untrusted file must not redirect the upload of images to another server.
    if (name === 'lfs' && existsSync(path.join(checkout, '.lfsconfig')))
      return 'The `.lfsconfig` of this repository may set another server. Commit and push in Git.';
    filters.push({ name, command, files: filtered });
  }
  return filters;
}

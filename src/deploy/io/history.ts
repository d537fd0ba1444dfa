import { git } from '../../io/git.ts';

/** What a commit that is live is to the one that was built: `newer` too if neither is an ancestor of the other. */
export type Relation = 'same' | 'older' | 'newer' | 'unknown';

/** The commit that is checked out; nothing outside of Git. */
export async function headOf(folder: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'))?.trim();
}

/** Whether the index has other files below a folder than the commit, or the folder others than the index, as far as their times show. */
export async function isChanged(folder: string): Promise<boolean> {
  return ((await git(folder, 'diff-index', '--name-only', 'HEAD', '--', '.')) ?? '') !== '';
}

/** Compares the live commit with ours, by what is in this clone. */
export async function relationOf(folder: string, live: string, own: string): Promise<Relation> {
  if (live === own) return 'same';
  if ((await git(folder, 'rev-parse', '--verify', '--quiet', `${live}^{commit}`)) === undefined) return 'unknown';
  if ((await git(folder, 'merge-base', live, own))?.trim() === live) return 'older';
  return (await isShallowClone(folder)) ? 'unknown' : 'newer';
}

export async function isShallowClone(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true';
}

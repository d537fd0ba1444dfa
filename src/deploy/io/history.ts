import { git, isShallowClone, revParse } from '../../io/git.ts';

/** What a commit that is live is to the one that was built: `older` if it is the same, `newer` if neither is an ancestor of the other. */
type Relation = 'older' | 'newer' | 'unknown';

/** Whether the index has other files below a folder than the commit, or the folder others than the index, as far as their times show. */
export async function isChanged(folder: string): Promise<boolean> {
  return ((await git(folder, 'diff-index', '--name-only', 'HEAD', '--', '.')) ?? '') !== '';
}

/** Compares the live commit with ours, by what is in this clone. */
export async function relationOf(folder: string, live: string, own: string): Promise<Relation> {
  if (live === own) return 'older';
  if ((await revParse(folder, `${live}^{commit}`)) === undefined) return 'unknown';
  if ((await git(folder, 'merge-base', live, own))?.trim() === live) return 'older';
  return (await isShallowClone(folder)) ? 'unknown' : 'newer';
}

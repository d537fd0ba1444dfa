import { checkoutOfThemes, themesAt } from '../../changes/io/base.ts';
import { changedFiles } from '../../changes/io/changed-files.ts';
import { UsageError } from '../../command-line/command.ts';
import { displayPath } from '../../io/disk/files.ts';
import { trackedFiles } from '../../io/disk/tracked.ts';
import { git, isShallowClone, MISSING_OBJECT, revParse } from '../../io/git.ts';

/** Whether the live commit may be replaced with the one that was built: `replaceable` if it is the same or an ancestor. */
type Relation = 'replaceable' | 'conflicting' | 'unknown';

/** Whether the themes differ from the last commit: a file has other bytes or is removed, or one is added and staged. */
export async function isChanged(themesDir: string): Promise<boolean> {
  const checkout = checkoutOfThemes(themesDir);
  const tree = checkout === undefined ? undefined : await themesAt('HEAD', checkout, themesDir);
  if (tree === undefined) throw new UsageError(MISSING_OBJECT);
  const staged = await trackedFiles(checkout, [themesDir]);
  const isAdded = staged.some(({ path: file }) => !tree.has(displayPath(file, themesDir)));
  return isAdded || (await changedFiles(themesDir, tree)).length > 0;
}

/** Compares the live commit with ours, by what is in this clone. */
export async function relationOf(folder: string, live: string, own: string): Promise<Relation> {
  if (live === own) return 'replaceable';
  if ((await revParse(folder, `${live}^{commit}`)) === undefined) return 'unknown';
  if ((await git(folder, 'merge-base', live, own))?.trim() === live) return 'replaceable';
  return (await isShallowClone(folder)) ? 'unknown' : 'conflicting';
}

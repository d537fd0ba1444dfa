import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { checkoutOfThemes, themesAt } from '../../changes/io/base.ts';
import { changedFiles } from '../../changes/io/changed-files.ts';
import { UsageError } from '../../command-line/command.ts';
import { git, isShallowClone, MISSING_OBJECT, revParse } from '../../git/git.ts';

/** Whether the build may replace the live commit: `replaceable` if that is the same commit or an ancestor. */
type Relation = 'replaceable' | 'conflicting' | 'unknown';

/** Compares the themes with the checked-out commit by content. @returns changed and removed files, and added files and folders */
export async function uncommitted(themesDir: string, commit: string): Promise<string[]> {
  const checkout = checkoutOfThemes(themesDir);
  if (checkout === undefined) return [];
  const tree = await themesAt(commit, checkout, themesDir);
  if (tree === undefined) throw new UsageError(MISSING_OBJECT);
  const folders = new Set([...tree.keys()].map((name) => name.slice(0, name.indexOf('/') + 1)));
  const entries = await readdir(themesDir, { recursive: true, withFileTypes: true });
  const added = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.relative(themesDir, path.join(parentPath, name)).split(path.sep).join('/'))
    .filter((name) => !tree.has(name) && !/(?:^|\/)\./.test(name))
    .map((name) => (folders.has(name.slice(0, name.indexOf('/') + 1)) ? name : name.replace(/\/.*/s, '/')));
  return [...new Set([...added, ...(await changedFiles(themesDir, tree))])].toSorted();
}

/** Compares the live commit with the commit of the build, if this clone has both. */
export async function relationOf(folder: string, live: string, built: string): Promise<Relation> {
  if (live === built) return 'replaceable';
  for (const commit of [live, built])
    if ((await revParse(folder, `${commit}^{commit}`)) === undefined) return 'unknown';
  if ((await git(folder, 'merge-base', live, built))?.trim() === live) return 'replaceable';
  return (await isShallowClone(folder)) ? 'unknown' : 'conflicting';
}

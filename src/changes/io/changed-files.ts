import { isBlob, type Tree } from '../../git/git.ts';
import { bytesOf } from './base.ts';

/** Returns the changed and removed files of a commit. Does not ask Git, which would run the filters of the checkout. */
export async function changedFiles(themesDir: string, tree: Tree): Promise<string[]> {
  const changed: string[] = [];
  for (const [name, { id, kind }] of tree) {
    if (kind === 'link') continue;
    const bytes = await bytesOf(name, themesDir);
    if (bytes === undefined || !isBlob(bytes, id)) changed.push(name);
  }
  return changed;
}

import path from 'node:path';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { listedFiles } from './file-list.ts';
import { type History, NOTHING_BEGUN, retire } from './history.ts';
import { listTree, type Tree } from './places.ts';
import { foldersOf } from './folders.ts';
import { type Change, checkFree, missingFiles, type Wanted } from './staging.ts';

/**
 * Finds out what changes in a tree; nothing is changed yet.
 * @param index - of the tree in the history
 * @returns the change, and the media that are retired once it is done
 */
export async function changeOf(
  tree: Tree,
  index: 0 | 1,
  files: readonly Wanted[],
  history: History,
  hashes: FileHashes,
): Promise<{ change: Change; retired: History['retired'] }> {
  const { dir, isPrivate } = tree;
  const listing = await listTree(dir);
  const listed = new Set(await listedFiles(tree));
  const earlier = history.begun?.[index] ?? NOTHING_BEGUN;
  const before = isPrivate ? [] : history.retired;
  const retained = new Set(before.flatMap((one) => one.files));
  const own = new Set([...listed, ...earlier.appear, ...earlier.go]);
  checkFree(dir.path, listing, (file) => own.has(file) || retained.has(file), files);

  const named = new Set(files.map((file) => file.path));
  const gone = [...own].filter((file) => !named.has(file) && !retained.has(file));
  const went = new Set(earlier.go);
  const isDropped = (file: string): boolean =>
    !isPrivate && file.startsWith('media/') && !went.has(file) && listing.has(file);
  const { retired, expired } = retire(before, gone.filter(isDropped), named, new Date());
  // Those that are not there as well: of a publication that was killed, their folders may be.
  const go = [...gone.filter((file) => !isDropped(file)), ...expired];
  const remove = go.filter((file) => listing.get(file) === 'file');
  const folders = new Set(go.flatMap(foldersOf).filter((folder) => listing.get(folder) === 'folder'));
  const needed = await missingFiles(tree, files, listing, hashes);
  const change: Change = {
    tree,
    phases: [0, 1, 2, 3].map((phase) => needed.filter((file) => phaseOf(tree, file.path) === phase)),
    remove,
    emptied: [...folders].toSorted((a, b) => b.length - a.length),
    begun: { appear: [...named].filter((file) => !listed.has(file)), go },
    foreign: [...listing].flatMap(([file, kind]) =>
      kind === 'folder' || own.has(file) || retained.has(file) ? [] : [path.join(dir.path, file)],
    ),
  };
  return { change, retired };
}

/** The order in which files are moved in: media, configs, the list and the rest, and last the list of files. */
function phaseOf({ list }: Tree, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}

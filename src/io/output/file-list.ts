import path from 'node:path';
import { isPathBelow } from './contained-folder.ts';
import { MAX_LIST_BYTES, type Tree } from './places.ts';
import { begunFiles } from './plan.ts';
import { PublishError } from './publish-error.ts';

/** What the list of a tree says: `manifest.json`, or `files.json` of the private one. */
export interface TreeList {
  files: readonly (string | { path: string })[];
  /** How many users are mapped; in the private one. */
  users?: number;
}

/**
 * The list below a tree; nothing if there is none.
 * @param root - the folder that has it, below that of the tree: a release, or empty
 */
export async function readList({ dir, list }: Tree, root: string): Promise<TreeList | undefined> {
  const bytes = await dir.read(path.posix.join(root, list.file), MAX_LIST_BYTES);
  if (bytes === undefined) return undefined;
  const found = parsedList(bytes.toString('utf8'));
  if (found !== undefined) return found;
  const folder = path.join(dir.path, root);
  throw new PublishError(
    `${path.join(folder, list.file)} is damaged, so it is unknown which files themecast made there. Empty ${folder}, and build again.`,
  );
}

/** A list, if it has the form of one. */
function parsedList(text: string): TreeList | undefined {
  try {
    const found = JSON.parse(text) as TreeList;
    return found.files.every((file) => typeof pathOf(file) === 'string') ? found : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}

function pathOf(file: TreeList['files'][number]): string {
  return typeof file === 'string' ? file : file.path;
}

/**
 * The files that themecast published, the list among them; none if there is no list. A list may name anything: what does not lie
 * below the folder is left out, and what is a link there is not followed.
 */
export async function listedFiles(tree: Tree, root: string): Promise<string[]> {
  const found = await readList(tree, root);
  if (found === undefined) return [];
  return [...found.files.map(pathOf).filter(isPathBelow), tree.list.file];
}

/** The files that are themecast's: those that it published, and what killed publications have left. */
export async function ownFiles(tree: Tree, root: string): Promise<string[]> {
  const below = root === '' ? '' : `${root}/`;
  const begun = (await begunFiles(tree.dir)).filter((file) => file.startsWith(below));
  return [...new Set([...(await listedFiles(tree, root)), ...begun.map((file) => file.slice(below.length))])];
}

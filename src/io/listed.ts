import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './files.ts';
import { isPathBelow, type Tree } from './places.ts';
import { PublishError } from './publish-error.ts';

/** What the list of a tree says: `manifest.json`, or `files.json` of the private one. */
export interface TreeList {
  files: readonly (string | { path: string })[];
  /** How many users are mapped; in the private one. */
  users?: number;
}

/** The list in a folder; nothing if there is none. */
export async function readList(root: string, { list }: Pick<Tree, 'list'>): Promise<TreeList | undefined> {
  const file = path.join(root, list.file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const found = parsedList(text);
  if (found !== undefined) return found;
  throw new PublishError(
    `${file} is damaged, so what themecast made there is not known. Empty ${root}, and build again.`,
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

/** The files that themecast published in a folder, the list among them; none if there is no list. What is not in the folder is not theirs, whatever the list says. */
export async function listedFiles(root: string, tree: Pick<Tree, 'list'>): Promise<string[]> {
  const found = await readList(root, tree);
  if (found === undefined) return [];
  return [...found.files.map(pathOf).filter(isPathBelow), tree.list.file];
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './files.ts';
import type { Tree } from './places.ts';
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
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TreeList;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    throw new PublishError(
      `${file} is damaged, so what themecast made there is not known. Empty ${root}, and build again.`,
    );
  }
}

/** The files that themecast published in a folder, the list among them; none if there is no list. */
export async function listedFiles(root: string, tree: Pick<Tree, 'list'>): Promise<string[]> {
  const found = await readList(root, tree);
  if (found === undefined) return [];
  return [...found.files.map((file) => (typeof file === 'string' ? file : file.path)), tree.list.file];
}

import path from 'node:path';
import { isPathBelow } from '../../disk/contained-folder.ts';
import { MAX_LIST_BYTES } from '../built.ts';
import type { Tree } from './places.ts';
import { publishError } from './publish-error.ts';

/** The list of a tree: `manifest.json`, or `files.json` of the private one. */
interface TreeList {
  files: readonly (string | { path: string; sha256?: string })[];
  /** How many users are mapped; in the private one. */
  users?: number;
}

/** The list below a tree; nothing if there is none. */
export async function readList({ dir, list }: Tree): Promise<TreeList | undefined> {
  const bytes = await dir.read(list.file, MAX_LIST_BYTES);
  if (bytes === undefined) return undefined;
  const found = parsedList(bytes.toString('utf8'));
  if (found !== undefined) return found;
  throw publishError(
    `${path.join(dir.path, list.file)} is damaged, so it is unknown which files themecast made there. Empty ${dir.path}, and build again.`,
  );
}

/** A list, if it has the form of one. */
function parsedList(text: string): TreeList | undefined {
  try {
    const found = JSON.parse(text) as TreeList;
    return found.files.every((file) => typeof (typeof file === 'string' ? file : file.path) === 'string')
      ? found
      : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}

/** The SHA-256 of each file, by its path; of files of the private tree and of lists, it is unknown. */
export type ListedFiles = ReadonlyMap<string, string | undefined>;

/**
 * The files that themecast published, the list among them; none if there is no list. A list may name anything: what does not lie
 * below the folder is left out, and what is a link there is not followed.
 */
export async function listedFiles(tree: Tree): Promise<ListedFiles> {
  const found = await readList(tree);
  if (found === undefined) return new Map();
  const rows = found.files.map((file) => (typeof file === 'string' ? { path: file } : file));
  const below = rows.filter((row) => isPathBelow(row.path));
  return new Map([...below.map((row) => [row.path, row.sha256] as const), [tree.list.file, undefined]]);
}

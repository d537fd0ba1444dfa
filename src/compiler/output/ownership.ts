import { publishedMark, START_BYTES } from '../../document/published-names.ts';
import { isEdgeName } from '../../hosts/edge-names.ts';
import { readIfFile, sha256Of } from '../../disk/files.ts';
import type { ListedFiles } from './file-list.ts';
import { listTree, type Listing, type Tree } from './places.ts';
import { publishError } from './publish-error.ts';

/**
 * Checks that themecast made a folder: its list of files begins as a build writes it, or, after a first build that was killed, there is no
 * list and every file is ours. Private folders are closed.
 * @throws {ThemecastError} if not
 */
export async function checkMade(tree: Tree): Promise<void> {
  const { dir, list, isPrivate } = tree;
  const start = await dir.readStart(list.file, START_BYTES);
  if (start === undefined || !list.start.test(start)) {
    const listing = await listTree(dir);
    const ours = await ownFiles(tree, listing, new Map());
    const foreign = [...listing].find(([name, kind]) => kind !== 'folder' && !ours.has(name));
    const name = start === undefined ? foreign?.[0] : list.file;
    if (name !== undefined)
      throw publishError(
        `${dir.path} contains files that themecast did not make, like ${name}. Empty it, or name another output folder.`,
      );
  }
  if (isPrivate && (await dir.list()).length > 0) await dir.chmod('', 0o700);
}

/** A larger image is not published; see `limits.picture_bytes`. */
const MAX_IMAGE_BYTES = 104_857_600;

/**
 * Returns the files that a build made. Each has a name that a build gives; below `dist/`, where other programs may use the same names,
 * it is also in the list of files, begins as a build writes it, or has the digest that its name says. So a build that is killed at any
 * moment leaves only files that the next one recognises, and a list that came with a checkout adds no other file.
 */
export async function ownFiles(tree: Tree, listing: Listing, listed: ListedFiles): Promise<ReadonlySet<string>> {
  const ours = new Set<string>();
  for (const [name, kind] of listing) if (kind === 'file' && (await isOurs(tree, name, listed))) ours.add(name);
  return ours;
}

async function isOurs({ dir, isPrivate }: Tree, name: string, listed: ListedFiles): Promise<boolean> {
  if (isPrivate) return isEdgeName(name);
  const mark = publishedMark(name);
  if (mark === undefined) return false;
  if (listed.has(name)) return true;
  if ('start' in mark) return mark.start.test((await dir.readStart(name, START_BYTES)) ?? '');
  const bytes = readIfFile(dir.at(name), MAX_IMAGE_BYTES);
  return bytes !== undefined && sha256Of(bytes).startsWith(mark.digits);
}

import path from 'node:path';
import { type ContainedFolder, isPathBelow } from '../../system/disk/contained-folder.ts';
import { PRIVATE_LIST } from '../../hosts/contract/private-list.ts';
import { MAX_LIST_BYTES } from '../../core/document/files/manifest-file.ts';
import { OWN_NAME } from './output-directory.ts';
import { publishError } from './publish-error.ts';

/** In the edge directory while files are moved: everything that is ours before and after, in both directories. */
export const UNFINISHED = `${OWN_NAME}unfinished.json`;

/** Returns the files that a list names, and the list; nothing without a list. */
export async function listedFiles(dir: ContainedFolder, list: string): Promise<string[] | undefined> {
  const value = (await readList(dir, list)) as { files: (string | { path: string })[] } | undefined;
  return (
    value && [
      ...checked(dir, list, () => value.files.map((file) => (typeof file === 'string' ? file : file.path))),
      list,
    ]
  );
}

/** Returns the number of mapped users that the list of the edge directory names. */
export async function usersOf(edge: ContainedFolder): Promise<number> {
  const { users = 0 } = ((await readList(edge, PRIVATE_LIST)) ?? {}) as { users?: number };
  return users;
}

/** Returns the files that a build may have left that was killed while it moved them; nothing without such a build. */
export async function unionOf(edge: ContainedFolder): Promise<{ out: string[]; edge: string[] } | undefined> {
  const value = (await readList(edge, UNFINISHED)) as { out: string[]; edge: string[] } | undefined;
  return (
    value && { out: checked(edge, UNFINISHED, () => value.out), edge: checked(edge, UNFINISHED, () => value.edge) }
  );
}

async function readList(dir: ContainedFolder, list: string): Promise<unknown> {
  const bytes = await dir.read(list, MAX_LIST_BYTES);
  try {
    return bytes && (JSON.parse(bytes.toString('utf8')) as unknown);
  } catch {
    throw damaged(dir, list);
  }
}

/** Returns the paths of a list if all of them stay in their folder. */
function checked(dir: ContainedFolder, list: string, paths: () => readonly unknown[]): string[] {
  let names: readonly unknown[] = [];
  try {
    names = paths();
  } catch {
    throw damaged(dir, list); // of another form
  }
  if (names.every((name): name is string => typeof name === 'string' && isPathBelow(name))) return [...names];
  throw damaged(dir, list);
}

function damaged(dir: ContainedFolder, list: string): Error {
  return publishError(
    `${path.join(dir.path, list)} is not the list of a build, so it is unknown which files themecast made there. Empty ${dir.path}, or name another output folder.`,
  );
}

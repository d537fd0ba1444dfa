import path from 'node:path';
import { type ContainedFolder, isPathBelow } from '../../system/disk/contained-folder.ts';
import { PRIVATE_LIST } from '../../hosts/contract/private-list.ts';
import { MAX_LIST_BYTES } from '../../core/document/files/manifest-file.ts';
import { OWN_NAME } from './output-directory.ts';
import { publishError } from './publish-error.ts';

/** In the edge directory while files are moved: everything that is ours before and after, in both directories. */
export const UNFINISHED = `${OWN_NAME}unfinished.json`;

interface FileList {
  files: readonly (string | { path: string })[];
  users?: number;
}

const pathsIn = ({ files }: FileList): string[] => files.map((file) => (typeof file === 'string' ? file : file.path));

/** Returns the files that a list names, and the list; nothing without a list. */
export async function listedFiles(dir: ContainedFolder, list: string): Promise<string[] | undefined> {
  const value = await readList(dir, list, pathsIn);
  return value && [...pathsIn(value), list];
}

/** Returns the number of mapped users that the list of the edge directory names. */
export async function usersOf(edge: ContainedFolder): Promise<number> {
  return (await readList(edge, PRIVATE_LIST, pathsIn))?.users ?? 0;
}

/** Returns the files that a build may have left that was killed while it moved them; nothing without such a build. */
export function unionOf(edge: ContainedFolder): Promise<{ out: string[]; edge: string[] } | undefined> {
  return readList(edge, UNFINISHED, (union: { out: string[]; edge: string[] }) => [...union.out, ...union.edge]);
}

/** Reads a list, unless it is damaged or a path of it leaves its folder. @param pathsOf - throws if the list has another form */
async function readList<List>(
  dir: ContainedFolder,
  name: string,
  pathsOf: (list: List) => readonly unknown[],
): Promise<List | undefined> {
  const bytes = await dir.read(name, MAX_LIST_BYTES);
  if (bytes === undefined) return undefined;
  try {
    const list = JSON.parse(bytes.toString('utf8')) as List;
    if (pathsOf(list).every((file) => typeof file === 'string' && isPathBelow(file))) return list;
  } catch {
    // not JSON, or of another form
  }
  throw publishError(
    `${path.join(dir.path, name)} is not the list of a build, so it is unknown which files themecast made there. Empty ${dir.path}, or name another output folder.`,
  );
}

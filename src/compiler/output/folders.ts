import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { READERS } from '../../disk/files.ts';

/** The folders that a file is in, outermost first. */
export function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The folders that files are in, each after the one that it is in. */
export function foldersOfAll(files: readonly string[]): Set<string> {
  const direct = new Set(files.map((file) => path.posix.dirname(file)));
  return new Set([...direct].flatMap((folder) => foldersOf(`${folder}/.`)).filter((folder) => folder !== '.'));
}

/** Makes a tree and the folders in it that files need. Private ones are closed whatever the umask, and if they were there. */
export async function makeFolders(dir: ContainedFolder, files: readonly string[], isPrivate: boolean): Promise<void> {
  for (const name of ['', ...foldersOfAll(files)]) await dir.makeFolder(name, { isPrivate });
}

/** Has the names of files survive a power cut, as their bytes do. */
export async function syncFolders(dir: ContainedFolder, files: readonly string[]): Promise<void> {
  const folders = [...new Set(files.map((file) => path.posix.dirname(file)))];
  await mapConcurrently(folders, READERS, (folder) => dir.sync(folder));
}

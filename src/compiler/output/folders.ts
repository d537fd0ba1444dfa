import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { MAX_CONCURRENT_READS } from '../../disk/files.ts';

/** Returns the folders that contain a file, outermost first. */
export function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns the folders that contain files, each after its parent. */
export function foldersOfAll(files: readonly string[]): Set<string> {
  const direct = new Set(files.map((file) => path.posix.dirname(file)));
  return new Set([...direct].flatMap((folder) => foldersOf(`${folder}/.`)).filter((folder) => folder !== '.'));
}

/** Makes an output directory and the folders that files need. Private folders get their permissions whatever the umask, even if they exist. */
export async function makeFolders(dir: ContainedFolder, files: readonly string[], isPrivate: boolean): Promise<void> {
  for (const name of ['', ...foldersOfAll(files)]) await dir.makeFolder(name, { isPrivate });
}

/** Flushes the names of files to the disk, so that they survive a power cut as their bytes do. */
export async function syncFolders(dir: ContainedFolder, files: readonly string[]): Promise<void> {
  const folders = [...new Set(files.map((file) => path.posix.dirname(file)))];
  await mapConcurrently(folders, MAX_CONCURRENT_READS, (folder) => dir.sync(folder));
}

import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { mapConcurrently } from '../concurrency.ts';
import type { ContainedFolder } from '../disk/contained-folder.ts';
import { READERS } from '../disk/files.ts';
import type { Tree } from './places.ts';
import { PublishError } from './publish-error.ts';

/** Makes the folders of staged files. */
export async function prepare({ dir, isPrivate }: Tree, staging: string, paths: readonly string[]): Promise<void> {
  await dir.makeFolder('', { isPrivate });
  await checkWritable(dir, paths);
  await dir.makeFolder(path.posix.dirname(staging), { isPrivate: true });
  await makeFolders(dir, staging, paths, isPrivate);
}

/** Reports a folder that is closed, or that nothing can be renamed into, before anything is moved into another. */
async function checkWritable(dir: ContainedFolder, files: readonly string[]): Promise<void> {
  const { dev } = await stat(dir.path);
  for (const name of new Set(files.map((file) => path.posix.dirname(file)))) {
    const folder = name === '.' ? dir.path : dir.at(name);
    const stats = await stat(folder).catch(() => undefined);
    if (stats === undefined) continue;
    await access(folder, constants.W_OK);
    if (stats.dev !== dev)
      throw new PublishError(
        `${folder} is on a different file system from the folder that contains it. Keep the whole output on one.`,
      );
  }
}

/** The folders that a file is in, outermost first. */
export function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The folders that files are in, each after the one that it is in. */
export function foldersOfAll(files: readonly { path: string }[]): Set<string> {
  return new Set(files.flatMap((file) => foldersOf(file.path)));
}

/** Makes the folders that files need below a root, and the root. Private ones are closed whatever the umask, and if they were there. */
export async function makeFolders(
  dir: ContainedFolder,
  root: string,
  files: readonly string[],
  isPrivate: boolean,
): Promise<void> {
  const needed = files.map((file) => path.posix.join(root, file));
  const folders = ['', ...new Set([path.posix.join(root, 'file'), ...needed].flatMap(foldersOf))];
  for (const name of folders.toSorted((a, b) => a.length - b.length)) await dir.makeFolder(name, { isPrivate });
}

/** Has the names of files survive a power cut, as their bytes do. */
export async function syncFolders(dir: ContainedFolder, root: string, files: readonly string[]): Promise<void> {
  const folders = [...new Set(files.map((file) => path.posix.dirname(path.posix.join(root, file))))];
  await mapConcurrently(folders, READERS, (folder) => dir.sync(folder));
}

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { errorCode, READERS } from '../../disk/files.ts';
import type { Change } from './changes.ts';
import { foldersOfAll, makeFolders, syncFolders } from './folders.ts';

/** Moves staged files into their places, phase by phase; new folders whole, if no other phase has files in them. */
export async function moveIn({ tree: { dir, isPrivate }, staging, phases }: Change): Promise<void> {
  for (const phase of phases) {
    const others = foldersOfAll(phases.filter((other) => other !== phase).flat());
    const moved = new Set<string>();
    for (const folder of foldersOfAll(phase)) {
      if (others.has(folder)) continue;
      const isMoved = moved.has(path.posix.dirname(folder)) || (await moveFolder(dir, staging, folder, isPrivate));
      if (isMoved) moved.add(folder);
    }
    const files = phase.filter((file) => !moved.has(path.posix.dirname(file)));
    await makeFolders(dir, files, isPrivate);
    await mapConcurrently(files, READERS, (file) => dir.rename(path.posix.join(staging, file), file));
    await syncFolders(dir, [...files, ...moved]);
  }
}

/** Moves a staged folder into its place, if nothing is there: renaming replaces no file, no link and no folder that holds anything. */
async function moveFolder(dir: ContainedFolder, staging: string, folder: string, isPrivate: boolean): Promise<boolean> {
  if (lstatSync(dir.at(folder), { throwIfNoEntry: false }) !== undefined) return false;
  await makeFolders(dir, [folder], isPrivate);
  return dir.rename(path.posix.join(staging, folder), folder).then(
    () => true,
    (error: unknown) => {
      if (/^(?:ENOTEMPTY|EEXIST|ENOTDIR)$/.test(errorCode(error) ?? '')) return false;
      throw error;
    },
  );
}

/** Removes files, images last, so that none is missing that a document names; and the folders that are empty then. */
export async function removeFiles({ tree: { dir }, remove, emptied }: Change): Promise<void> {
  for (const areImages of [false, true]) {
    const files = remove.filter((file) => file.startsWith('media/') === areImages);
    await mapConcurrently(files, READERS, (file) => dir.remove(file));
  }
  for (const name of emptied) {
    await dir.removeFolder(name).catch((error: unknown) => {
      if (!/^(?:ENOTEMPTY|EEXIST|ENOENT)$/.test(errorCode(error) ?? '')) throw error;
    });
  }
}

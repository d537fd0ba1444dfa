import { lstatSync } from 'node:fs';
import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { errorCode, MAX_CONCURRENT_READS } from '../../disk/files.ts';
import type { Change } from './changes.ts';
import { foldersOfAll, makeFolders, syncFolders } from './folders.ts';

/** Moves staged files into place, phase by phase. A new folder is moved as a whole, unless another phase has files in it. */
export async function moveIn({ directory: { dir, isPrivate }, staging, phases }: Change): Promise<void> {
  for (const phase of phases) {
    const otherFolders = foldersOfAll(phases.filter((otherPhase) => otherPhase !== phase).flat());
    const movedFolders = new Set<string>();
    for (const folder of foldersOfAll(phase)) {
      if (otherFolders.has(folder)) continue;
      const isMoved =
        movedFolders.has(path.posix.dirname(folder)) || (await moveFolder(dir, staging, folder, isPrivate));
      if (isMoved) movedFolders.add(folder);
    }
    const files = phase.filter((file) => !movedFolders.has(path.posix.dirname(file)));
    await makeFolders(dir, files, isPrivate);
    await mapConcurrently(files, MAX_CONCURRENT_READS, (file) => dir.rename(path.posix.join(staging, file), file));
    await syncFolders(dir, [...files, ...movedFolders]);
  }
}

/** Moves a staged folder into place unless its name exists. Renaming never replaces a file, a link, or a folder with contents. */
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

/** Removes files, images last so that no document refers to a missing image; then the folders that are empty. */
export async function removeFiles({ directory: { dir }, remove, emptiedFolders: emptied }: Change): Promise<void> {
  for (const areImages of [false, true]) {
    const files = remove.filter((file) => file.startsWith('media/') === areImages);
    await mapConcurrently(files, MAX_CONCURRENT_READS, (file) => dir.remove(file));
  }
  for (const name of emptied) {
    await dir.removeFolder(name).catch((error: unknown) => {
      if (!/^(?:ENOTEMPTY|EEXIST|ENOENT)$/.test(errorCode(error) ?? '')) throw error;
    });
  }
}

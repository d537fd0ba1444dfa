import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CMS_FOLDER, MARK } from '../page.ts';
import type { CmsPackage } from './package.ts';
import { errorCode, systemReason } from '../../io/disk/files.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { type ContainedFolder, ContainmentError, isPathBelow } from '../../io/disk/contained-folder.ts';

/** The folder cannot be written there; the message says why. */
export class CmsFolderError extends Error {}

/** Lists the files of the CMS that were written, so that the next time replaces those and no others. */
const LIST = `${CMS_FOLDER}/VERSION.txt`;
/** Greatest size of a file that is looked into, in bytes: the CMS is one of 2 MB. */
const LIMIT = 32 * 1024 * 1024;

/**
 * Writes the folder of the CMS. Files of others stay, and if one of them is in the way, nothing is written.
 * @param pages - texts that have the mark in their first lines, by name
 */
export async function writeCmsFolder(
  folder: string,
  pages: Readonly<Record<string, string>>,
  { version, files }: CmsPackage,
): Promise<{ files: number; bytes: number }> {
  const copies = new Map([...files].map(([file, content]) => [`${CMS_FOLDER}/${file}`, content]));
  const list = [
    MARK,
    `@sveltia/cms ${version}. Changed: the translations are modules; npm/index.js imports these and immutable/. Added: preview/, from themecast.`,
    ...[...copies.keys()].toSorted(),
    '',
  ].join('\n');
  // The list first: if this is stopped, the next time still knows what is its own.
  const all = new Map<string, string | Buffer>([[LIST, list], ...copies, ...Object.entries(pages)]);
  try {
    const dir = writableFolder(folder);
    const made = await listed(dir);
    for (const file of all.keys()) {
      if (!made.has(file)) await checkFree(dir, folder, file);
    }
    await mkdir(dir.path, { recursive: true });
    for (const file of made) {
      if (!all.has(file)) await dir.remove(file);
    }
    for (const [file, content] of all) {
      await makeFoldersOf(dir, file);
      await dir.replace(file, content, 0o644);
    }
  } catch (error) {
    if (error instanceof ContainmentError) throw new CmsFolderError(error.message, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new CmsFolderError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
  }
  const bytes = [...all.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  return { files: all.size, bytes };
}

/** The files that the list of an earlier time names. */
async function listed(dir: ContainedFolder): Promise<Set<string>> {
  const list = await dir.read(LIST, LIMIT);
  if (list === undefined || !isMarked(list)) return new Set();
  const files = list.toString().split('\n').slice(2);
  return new Set(files.filter((file) => file.startsWith(`${CMS_FOLDER}/`) && isPathBelow(file)));
}

async function checkFree(dir: ContainedFolder, folder: string, file: string): Promise<void> {
  const bytes = await dir.read(file, LIMIT);
  if (bytes === undefined || isMarked(bytes)) return;
  throw new CmsFolderError(
    `${path.join(folder, file)} is not as \`themecast cms\` writes it: it is somebody else's, or the line "${MARK}" was taken out. Nothing was written. Move it away, or name another folder: \`--admin DIR\`.`,
  );
}

/** Whether a file was written by this command, and not changed by hand without removing the mark. */
function isMarked(found: Buffer): boolean {
  return found.toString('utf8', 0, 200).split('\n', 2).join().includes(MARK);
}

async function makeFoldersOf(dir: ContainedFolder, file: string): Promise<void> {
  const parts = file.split('/').slice(0, -1);
  for (const index of parts.keys()) await dir.makeFolder(parts.slice(0, index + 1).join('/'), { isPrivate: false });
}

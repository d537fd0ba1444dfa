import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CMS_FOLDER, MARK } from '../gallery/cms-page.ts';
import type { CmsPackage } from './cms-package.ts';
import { errorCode, type FileProblem, readRegularFile, systemReason } from './files.ts';
import { isPathBelow } from './places.ts';

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
    `@sveltia/cms ${version}. Changed: the translations are modules, and npm/index.js imports them as such.`,
    ...[...copies.keys()].toSorted(),
    '',
  ].join('\n');
  // The list first: if this is stopped, the next time still knows what is its own.
  const all = new Map<string, string | Buffer>([[LIST, list], ...copies, ...Object.entries(pages)]);
  try {
    const made = await listed(folder);
    for (const file of all.keys()) {
      if (!made.has(file)) await checkFree(folder, file);
    }
    for (const file of made) {
      if (!all.has(file)) await rm(path.join(folder, file), { force: true });
    }
    for (const [file, content] of all) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new CmsFolderError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
  }
  const bytes = [...all.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  return { files: all.size, bytes };
}

/** The files that the list of an earlier time names. */
async function listed(folder: string): Promise<Set<string>> {
  const list = await read(folder, LIST);
  if (!isMarked(list)) return new Set();
  const files = list.toString().split('\n').slice(2);
  return new Set(files.filter((file) => file.startsWith(`${CMS_FOLDER}/`) && isPathBelow(file)));
}

async function checkFree(folder: string, file: string): Promise<void> {
  const found = await read(folder, file);
  if (isMarked(found) || ('problem' in found && found.problem === 'missing')) return;
  throw new CmsFolderError(
    `${path.join(folder, file)} is not as \`themecast cms\` writes it: it is somebody else's, or the line "${MARK}" was taken out. Nothing was written. Move it away, or name another folder: \`--admin DIR\`.`,
  );
}

/** Whether a file was written by this command, and not changed by somebody who says so. */
function isMarked(found: Buffer | FileProblem): found is Buffer {
  return Buffer.isBuffer(found) && found.toString('utf8', 0, 200).split('\n', 2).join().includes(MARK);
}

function read(folder: string, file: string): Promise<Buffer | FileProblem> {
  return readRegularFile(path.join(folder, file), LIMIT, folder);
}

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { CMS_FOLDER, MARK } from '../page.ts';
import type { CmsPackage } from './package.ts';
import { errorCode, systemReason } from '../../disk/files.ts';
import { writableFolder } from '../../git/tracked.ts';
import { type ContainedFolder, ContainmentError } from '../../disk/contained-folder.ts';

/** Marks the folder of the CMS as one that was written here, and can be replaced. */
const VERSION = `${CMS_FOLDER}/VERSION.txt`;
/** Greatest size of a file that is looked into, in bytes: the CMS is one of 2 MB. */
const LIMIT = 32 * 1024 * 1024;

/**
 * Writes the page of the CMS, and replaces its folder. Files of others stay, and if one of them is in the way, nothing is written.
 * @param pages - texts that have the mark in their first lines, by name
 * @throws {UsageError} with the reason why it cannot be written there
 */
export async function writeCmsFolder(
  folder: string,
  pages: Readonly<Record<string, string>>,
  { version, files }: CmsPackage,
): Promise<{ files: number; bytes: number }> {
  const copies = [...files].map(([file, content]) => [`${CMS_FOLDER}/${file}`, content] as const);
  const text = `${MARK}
@sveltia/cms ${version}. Changed: the translations are modules; npm/index.js imports these and immutable/. Added: preview/, from themecast.
`;
  // Its mark first: if this is stopped, the next time still knows what is its own.
  const all = new Map<string, string | Buffer>([[VERSION, text], ...copies, ...Object.entries(pages)]);
  try {
    const dir = writableFolder(folder);
    const isOwn = isMarked(await dir.read(VERSION, LIMIT));
    for (const file of isOwn ? Object.keys(pages) : all.keys()) await checkFree(dir, folder, file);
    await mkdir(dir.path, { recursive: true });
    if (isOwn) await dir.removeTree(CMS_FOLDER);
    for (const [file, content] of all) {
      const parts = file.split('/').slice(0, -1);
      for (const index of parts.keys()) await dir.makeFolder(parts.slice(0, index + 1).join('/'), { isPrivate: false });
      await dir.replace(file, content, 0o644);
    }
  } catch (error) {
    if (error instanceof ContainmentError) throw new UsageError(error.message, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new UsageError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
  }
  const bytes = [...all.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  return { files: all.size, bytes };
}

async function checkFree(dir: ContainedFolder, folder: string, file: string): Promise<void> {
  const bytes = await dir.read(file, LIMIT);
  if (bytes === undefined || isMarked(bytes)) return;
  throw new UsageError(
    `${path.join(folder, file)} is not as \`themecast cms\` writes it: it was not written by themecast, or the line "${MARK}" was taken out. Nothing was written. Move it away, or name another folder: \`--admin DIR\`.`,
  );
}

/** Whether a file was written by this command, and not changed by hand without removing the mark. */
function isMarked(found: Buffer | undefined): boolean {
  return found?.toString('utf8', 0, 200).split('\n', 2).join().includes(MARK) === true;
}

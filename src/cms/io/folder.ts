import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { CMS_FOLDER, MARK } from '../page.ts';
import type { CmsPackage } from './package.ts';
import { errorCode, systemReason } from '../../disk/files.ts';
import { writableFolder } from '../../disk/checkout.ts';
import { type ContainedFolder, ContainmentError } from '../../disk/contained-folder.ts';

/** Its mark shows that this command wrote the folder of the CMS and may replace it. */
const VERSION_FILE = `${CMS_FOLDER}/VERSION.txt`;
/** Limits the size of an existing file; the CMS is a file of 2 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Writes the page of the CMS, and replaces its folder. Foreign files stay; if one has the name of ours, nothing is written.
 * @param pages - texts with the mark in their first lines, by name
 * @throws {UsageError} if a file cannot be written
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
  // The mark is written first, so that after an interruption the next run recognises the folder.
  const all = new Map<string, string | Buffer>([[VERSION_FILE, text], ...copies, ...Object.entries(pages)]);
  try {
    const dir = writableFolder(folder);
    const isOurs = isMarked(await dir.read(VERSION_FILE, MAX_BYTES));
    for (const file of isOurs ? Object.keys(pages) : all.keys()) await checkFree(dir, folder, file);
    await mkdir(dir.path, { recursive: true });
    if (isOurs) await dir.removeTree(CMS_FOLDER);
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
  const bytes = await dir.read(file, MAX_BYTES);
  if (bytes === undefined || isMarked(bytes)) return;
  throw new UsageError(
    `${path.join(folder, file)} is a foreign file: it lacks the line "${MARK}". Nothing was written. Move it away, or choose another folder: \`--admin DIR\`.`,
  );
}

/** Whether a file has the mark of this command: people remove it when they edit the file. */
function isMarked(content: Buffer | undefined): boolean {
  return content?.toString('utf8', 0, 200).split('\n', 2).join().includes(MARK) === true;
}

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { errorCode, readRegularFile, systemReason } from '../../disk/files.ts';
import { type ContainedFolder, ContainmentError } from '../../disk/contained-folder.ts';
import { writableFolder } from '../../git/tracked.ts';

/** `create`: there was none. `keep`: it is there already, with the same bytes. `yours`: something else is there, and stays. */
export type FileState = 'create' | 'keep' | 'yours';

/**
 * Writes the files that are not there yet, and never replaces one; an empty one is what a killed process leaves, and does not count. Where
 * a link or a file is in the way of one, none is written.
 * @param files - by name, relative to the folder, with `/`
 * @throws {UsageError}
 */
export async function writeNew(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<Map<string, FileState>> {
  const states = new Map<string, FileState>();
  try {
    const dir = writableFolder(folder);
    for (const [name, content] of files) states.set(name, await stateOf(dir, name, Buffer.from(content)));
    await mkdir(dir.path, { recursive: true });
    // The theme after its images: what is interrupted is no theme yet, and is completed by the next run.
    const isTheme = ([name]: readonly [string, unknown]): number => Number(path.posix.basename(name) === THEME_FILE);
    for (const [name, content] of [...files].toSorted((a, b) => isTheme(a) - isTheme(b))) {
      if (states.get(name) !== 'create') continue;
      await makeFolderOf(dir, name);
      await dir.remove(name); // an empty one
      await dir.create(name, content, 0o644);
    }
    return states;
  } catch (error) {
    throw asUsageError(error, folder);
  }
}

async function stateOf(dir: ContainedFolder, name: string, wanted: Buffer): Promise<FileState> {
  const existing = await readRegularFile(dir.at(name), wanted.length);
  if (!Buffer.isBuffer(existing)) return existing.problem === 'missing' ? 'create' : 'yours';
  if (existing.equals(wanted)) return 'keep';
  return existing.length === 0 ? 'create' : 'yours';
}

async function makeFolderOf(dir: ContainedFolder, name: string): Promise<void> {
  const folder = path.posix.dirname(name);
  if (folder === '.') return;
  await makeFolderOf(dir, folder);
  await dir.makeFolder(folder, { isPrivate: false });
}

/** A failed system call, or a path that leads out, as one of usage; any other error as it is. */
export function asUsageError(error: unknown, folder: string): unknown {
  if (error instanceof ContainmentError) return new UsageError(error.message, { cause: error });
  if (errorCode(error) === undefined) return error;
  return new UsageError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
}

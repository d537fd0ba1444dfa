import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../../system/command-line/command.ts';
import { THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { errorCode, readRegularFile, systemReason } from '../../../system/disk/files.ts';
import { type ContainedFolder, ContainmentError } from '../../../system/disk/contained-folder.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';

/** `create`: the file is new. `keep`: it has the same bytes already. `yours`: a different file exists, and is not changed. */
export type FileState = 'create' | 'keep' | 'yours';

/**
 * Writes the missing files. Never overwrites a file, except an empty one from a killed process. If a link or a file blocks a path, nothing
 * is written.
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
    // theme.yaml comes last: without it, an interrupted run has left no theme, and the next run completes it.
    const isTheme = ([name]: readonly [string, unknown]): number => Number(path.posix.basename(name) === THEME_FILE);
    for (const [name, content] of [...files].toSorted((a, b) => isTheme(a) - isTheme(b))) {
      if (states.get(name) !== 'create') continue;
      await makeFolderOf(dir, name);
      await dir.remove(name); // an empty file of a killed process
      await dir.create(name, content, 0o644);
    }
    return states;
  } catch (error) {
    throw asUsageError(error, folder);
  }
}

async function stateOf(dir: ContainedFolder, name: string, content: Buffer): Promise<FileState> {
  const existing = await readRegularFile(dir.at(name), content.length);
  if (!Buffer.isBuffer(existing)) return existing.problem === 'missing' ? 'create' : 'yours';
  if (existing.equals(content)) return 'keep';
  return existing.length === 0 ? 'create' : 'yours';
}

async function makeFolderOf(dir: ContainedFolder, name: string): Promise<void> {
  const folder = path.posix.dirname(name);
  if (folder === '.') return;
  await makeFolderOf(dir, folder);
  await dir.makeFolder(folder, { isPrivate: false });
}

/** Converts a failed system call, or a path that leaves the folder, to a usage error; returns other errors unchanged. */
export function asUsageError(error: unknown, folder: string): unknown {
  if (error instanceof ContainmentError) return new UsageError(error.message, { cause: error });
  if (errorCode(error) === undefined) return error;
  return new UsageError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
}

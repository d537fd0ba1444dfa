import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { errorCode, readRegularFile, systemReason } from '../../io/disk/files.ts';
import { type ContainedFolder, ContainmentError } from '../../io/disk/contained-folder.ts';
import { writableFolder } from '../../io/disk/tracked.ts';

/** `create`: there was none. `keep`: it is there already, with the same bytes. `yours`: something else is there, and stays. */
export type FileState = 'create' | 'keep' | 'yours';

/** Files by name, relative to one folder, with `/`. */
export type NewFiles = ReadonlyMap<string, string | Uint8Array>;

/** What {@link writeNew} would do with each file. Nothing is written. */
export async function planFiles(folder: string, files: NewFiles): Promise<Map<string, FileState>> {
  const dir = writableFolder(folder);
  const plan = new Map<string, FileState>();
  for (const [name, content] of files) plan.set(name, await stateOf(dir, name, content));
  return plan;
}

/**
 * Writes the files that are not there yet, and never replaces one; an empty one is what a killed process leaves, and does not count. If one cannot be written, those written before it are removed.
 * @throws {UsageError}
 */
export async function writeNew(folder: string, files: NewFiles): Promise<Map<string, FileState>> {
  const plan = await planFiles(folder, files);
  const dir = writableFolder(folder);
  const written: string[] = [];
  try {
    await mkdir(dir.path, { recursive: true });
    for (const [name, content] of files) {
      if (plan.get(name) !== 'create') continue;
      await makeFoldersOf(dir, name, written);
      await dir.remove(name); // an empty one
      await dir.create(name, content, 0o644);
      written.push(name);
    }
  } catch (error) {
    for (const name of written.toReversed()) await removeAgain(dir, name);
    throw asUsageError(error, dir.path);
  }
  return plan;
}

async function stateOf(dir: ContainedFolder, name: string, content: string | Uint8Array): Promise<FileState> {
  const wanted = Buffer.from(content);
  try {
    const existing = await readRegularFile(dir.at(name), wanted.length);
    if (Buffer.isBuffer(existing)) return existing.equals(wanted) ? 'keep' : existing.length === 0 ? 'create' : 'yours';
    return existing.problem === 'missing' ? 'create' : 'yours';
  } catch (error) {
    throw asUsageError(error, dir.path);
  }
}

/** @param made - gets the folders that were not there */
async function makeFoldersOf(dir: ContainedFolder, name: string, made: string[]): Promise<void> {
  const parts = name.split('/').slice(0, -1);
  for (const index of parts.keys()) {
    const folder = parts.slice(0, index + 1).join('/');
    const isNew = !(await exists(dir, folder));
    await dir.makeFolder(folder, { isPrivate: false });
    if (isNew) made.push(`${folder}/`);
  }
}

async function exists(dir: ContainedFolder, folder: string): Promise<boolean> {
  const parent = path.posix.dirname(folder);
  const entries = await dir.list(parent === '.' ? '' : parent);
  return entries.some(({ name }) => name === path.posix.basename(folder));
}

async function removeAgain(dir: ContainedFolder, name: string): Promise<void> {
  // A folder that anyone else has put something into meanwhile remains.
  if (name.endsWith('/')) await dir.removeFolder(name.slice(0, -1)).catch(() => undefined);
  else await dir.remove(name);
}

/** A failed system call, or a path that leads out, as one of usage; any other error as it is. */
export function asUsageError(error: unknown, folder: string): unknown {
  if (error instanceof ContainmentError) return new UsageError(error.message, { cause: error });
  if (errorCode(error) === undefined) return error;
  return new UsageError(`${folder} cannot be written: ${systemReason(error)}. Nothing was left there.`, {
    cause: error,
  });
}

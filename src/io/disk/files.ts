import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';

/** Why a file cannot be used. */
export type FileProblem =
  | { problem: 'missing' }
  | { problem: 'not-a-file' }
  | { problem: 'unreadable'; reason: string; error: unknown }
  | { problem: 'too-large'; bytes: number };

/** Files read at the same time. */
export const READERS = 16;

/**
 * Reads a regular file without following a link, and no more of it than its limit.
 * @param limit - greatest size, in bytes
 * @param inside - folder that the file must be in once links on the way are resolved; unchecked without one
 */
export async function readRegularFile(file: string, limit: number, inside?: string): Promise<Buffer | FileProblem> {
  let handle;
  try {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return problemOf(error);
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return { problem: 'not-a-file' };
    if (inside !== undefined) {
      const [real, root] = await Promise.all([realpath(path.dirname(file)), realpath(inside)]);
      if (!isInside(real, root)) return { problem: 'not-a-file' };
    }
    if (stat.size > limit) return { problem: 'too-large', bytes: stat.size };
    const bytes = await readUpTo(handle, limit + 1, stat.size);
    return bytes.length > limit ? { problem: 'too-large', bytes: bytes.length } : bytes;
  } catch (error) {
    return problemOf(error);
  } finally {
    await handle.close();
  }
}

/**
 * What is left of a file, or its first bytes. Not `readFile`, which follows a file that grows to its end.
 * @param expected - how many bytes there should be: as long as that holds, nothing is copied
 */
async function readUpTo(handle: FileHandle, most: number, expected: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const room = length <= expected ? expected + 1 - length : 65_536; // one byte more, to see the end
    const chunk = Buffer.allocUnsafe(Math.min(room, most - length));
    const { bytesRead } = await handle.read(chunk);
    if (bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
}

/** What a failed system call says about a file. Thrown again if it says something about this machine instead. */
export function problemOf(error: unknown): FileProblem {
  const code = errorCode(error) ?? '';
  if (code === '' || isOutOfResources(error)) throw error;
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return { problem: 'missing' };
  if (['ELOOP', 'ENXIO', 'EISDIR'].includes(code)) return { problem: 'not-a-file' };
  return { problem: 'unreadable', reason: systemReason(error), error };
}

/** Whether a system call failed for want of file handles or memory, not because of a file. */
export function isOutOfResources(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(errorCode(error) ?? '');
}

/** Whether there is a folder, by way of links too. */
export async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Whether a path is a folder or lies below it. Both absolute. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

/** Reports why a text file cannot be used. */
export function reportFileProblem(found: FileProblem, file: string, limit: number, report: Report): void {
  if (found.problem === 'too-large') report('file/too-large', { file }, { bytes: found.bytes, limit });
  else if (found.problem === 'unreadable') report('file/unreadable', { file }, { folder: false, reason: found.reason });
  else report('file/not-a-file', { file }, { name: path.basename(file), kind: 'link' });
}

/** A path as diagnostics show it: relative to `cwd`, with `/`. */
export function displayPath(file: string, cwd: string): string {
  return (path.relative(cwd, path.resolve(cwd, file)) || '.').split(path.sep).join('/');
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The error code of a failed system call, if it is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a failed system call says, without its code, its name and its path: `not a directory`. */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: (.*?), \w+/.exec(message)?.[1] ?? message;
}

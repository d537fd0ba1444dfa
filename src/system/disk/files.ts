import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

export type FileProblem =
  | { problem: 'missing' }
  | { problem: 'not-a-file' }
  | { problem: 'unreadable'; reason: string; error: unknown }
  | { problem: 'too-large'; bytes: number };

export const MAX_CONCURRENT_READS = 16;

/**
 * Reads a regular file up to a limit, without following a link. Synchronous: for ten thousand small files, promises take most of the time. Not
 * `readFileSync`, which reads a growing file to its end.
 * @param limit - maximum size, in bytes
 * @param inside - folder that must contain the file once links on the way are resolved; unchecked without one
 */
export function readBytes(file: string, limit: number, inside?: string): { bytes: Buffer; stats: Stats } | FileProblem {
  let handle;
  try {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return problemOf(error);
  }
  try {
    const stats = fstatSync(handle);
    const isContained = inside === undefined || isInside(realpathSync(path.dirname(file)), realpathSync(inside));
    if (!stats.isFile() || !isContained) return { problem: 'not-a-file' };
    let buffer = Buffer.allocUnsafe(Math.min(stats.size, limit) + 1); // one more byte, to detect the end
    let length = 0;
    for (;;) {
      const read = readSync(handle, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0) return { bytes: buffer.subarray(0, length), stats: fstatSync(handle) };
      if (length > limit) return { problem: 'too-large', bytes: Math.max(length, stats.size) };
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, limit + 1)); // the file has grown
    }
  } catch (error) {
    // Errors of a handle do not contain the file name.
    if (error instanceof Error && !error.message.includes(file)) error.message += ` '${file}'`;
    return problemOf(error);
  } finally {
    closeSync(handle);
  }
}

/** Returns the digest of a regular file of any size, read in parts. */
export function hashFile(file: string): { sha256: string; stats: Stats } | FileProblem {
  let handle;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const hash = createHash('sha256');
    const part = Buffer.allocUnsafe(1024 * 1024);
    for (let read; (read = readSync(handle, part)) > 0;) hash.update(part.subarray(0, read));
    return { sha256: hash.digest('hex'), stats: fstatSync(handle) };
  } catch (error) {
    return problemOf(error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Reads a regular file with {@link readBytes}. */
export async function readRegularFile(file: string, limit: number, inside?: string): Promise<Buffer | FileProblem> {
  const read = readBytes(file, limit, inside);
  return 'problem' in read ? read : read.bytes;
}

/** Returns the bytes of a regular file, or nothing if it cannot be read within the limit. */
export function readIfFile(file: string, limit: number): Buffer | undefined {
  const read = readBytes(file, limit);
  return 'problem' in read ? undefined : read.bytes;
}

/** Classifies a failed system call. Throws errors of this machine again, such as too many open files. */
export function problemOf(error: unknown): FileProblem {
  const code = errorCode(error) ?? '';
  if (code === '' || isOutOfResources(error)) throw error;
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return { problem: 'missing' };
  if (['ELOOP', 'ENXIO', 'EISDIR'].includes(code)) return { problem: 'not-a-file' };
  return { problem: 'unreadable', reason: systemReason(error), error };
}

/** Whether a system call failed for lack of file handles or memory, not because of a file. */
export function isOutOfResources(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(errorCode(error) ?? '');
}

/** Whether a path is a folder or a link to one. @throws if the disk fails */
export async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      if (problemOf(error).problem === 'unreadable' && errorCode(error) !== 'EACCES') throw error;
      return false;
    },
  );
}

/** Whether a path is a folder or lies below it. Both absolute. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}

export function reportFileProblem(failure: FileProblem, file: string, limit: number, report: Report): void {
  if (failure.problem === 'too-large') report('file/too-large', { file }, { bytes: failure.bytes, limit });
  else if (failure.problem === 'unreadable')
    report('file/unreadable', { file }, { folder: false, reason: failure.reason });
  else report('file/not-a-file', { file }, { name: path.basename(file), kind: 'link' });
}

/** Returns a path as diagnostics show it: relative to `cwd`, with `/`. */
export function displayPath(file: string, cwd: string): string {
  return (path.relative(cwd, path.resolve(cwd, file)) || '.').split(path.sep).join('/');
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the error code of a failed system call; nothing for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ThemecastError || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of a failed system call without code, call and path: `not a directory`. */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: (.*?), \w+/.exec(message)?.[1] ?? message;
}

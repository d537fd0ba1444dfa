import { constants } from 'node:fs';
import { type FileHandle, open as openFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { errorCode, isInside, problemOf, reportFileProblem, systemReason } from '../../../system/disk/files.ts';
import { ThemecastError } from '../../diagnostics/themecast-error.ts';

/** The users files of a themes folder. */
export interface UsersFolder {
  themesDir: string;
  /** The theme folders, with or without a theme. */
  slugs: readonly string[];
  /** The users files; `file` is their name in diagnostics. */
  users: readonly { file: string; path: string }[];
}

/** Number of bytes per read; with half of them, reading takes a tenth longer (measured). */
const READ_BYTES = 1024 * 1024;

/** Opens a users file of the themes folder, unless it is or leads through a link. The file is closed after the last read. */
export async function openUsersFile(
  { file, path: name }: UsersFolder['users'][number],
  themesDir: string,
  report: Report,
): Promise<AsyncIterable<Buffer> | undefined> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await openFile(name, flags).catch(problemOf);
  if ('problem' in handle) {
    reportFileProblem(handle, file, Infinity, report);
    return undefined;
  }
  let isRead = false;
  try {
    const isFile = (await handle.stat()).isFile();
    const [real, root] = await Promise.all([realpath(path.dirname(name)), realpath(themesDir)]);
    isRead = isFile && isInside(real, root);
    if (isRead) return withFileName(file, reading(handle));
    report('file/not-a-file', { file }, { name: path.basename(name), kind: isFile ? 'link' : 'special' });
  } catch (error) {
    reportFileProblem(problemOf(error), file, Infinity, report);
  } finally {
    if (!isRead) await handle.close();
  }
  return undefined;
}

/** Returns the bytes of `--users`: of a file, or with `-` of standard input. */
export function namedUsers(name: string): AsyncGenerator<Buffer> {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield* name === '-' ? (process.stdin as AsyncIterable<Buffer>) : reading(await openFile(name));
  };
  return withFileName(`--users ${name}`, bytes(), ' Name a file of CSV, or - for standard input.');
}

/** Yields the bytes of a file, and adds its name to errors of the disk. @throws {ThemecastError} `users-file` */
async function* withFileName(file: string, bytes: AsyncIterable<Buffer>, hint = ''): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new ThemecastError('users-file', `${file} cannot be read: ${systemReason(error)}.${hint}`, { cause: error });
  }
}

/** Returns the name of the file of `--users` in diagnostics. */
export function fileOf(name: string): string {
  return name === '-' ? 'standard input' : name;
}

async function* reading(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(READ_BYTES), 0, READ_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

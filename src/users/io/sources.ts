import { constants } from 'node:fs';
import { type FileHandle, open as openFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { errorCode, isInside, problemOf, reportFileProblem, systemReason } from '../../disk/files.ts';
import { MAX_USERS_BYTES } from '../source-rows.ts';
import { ThemecastError } from '../../diagnostics/themecast-error.ts';

/** The themes folder, as far as its users go. */
export interface UsersFolder {
  themesDir: string;
  /** The theme folders, whether or not they hold a theme. */
  slugs: readonly string[];
  /** The files of users; `file` is their name in diagnostics. */
  users: readonly { file: string; path: string }[];
}

/** Bytes that are asked for at once: measured, half as many take a tenth longer. */
const READ = 1024 * 1024;

/** Opens a file of the themes folder, if it is one; no link is followed. It is closed when it has been read. */
export async function openUsersFile(
  { file, path: name }: UsersFolder['users'][number],
  themesDir: string,
  report: Report,
): Promise<AsyncIterable<Buffer> | undefined> {
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await openFile(name, flags).catch(problemOf);
  if ('problem' in handle) {
    reportFileProblem(handle, file, Infinity, report);
    return undefined;
  }
  let isRead = false;
  try {
    const stat = await handle.stat();
    const isFile = stat.isFile();
    const [real, root] = await Promise.all([realpath(path.dirname(name)), realpath(themesDir)]);
    const isOurs = isFile && isInside(real, root);
    isRead = isOurs && stat.size <= MAX_USERS_BYTES;
    if (isRead) return named(file, reading(handle));
    if (isOurs) report('mapping/too-large', { file }, { limit: MAX_USERS_BYTES });
    else report('file/not-a-file', { file }, { name: path.basename(name), kind: isFile ? 'link' : 'special' });
  } catch (error) {
    reportFileProblem(problemOf(error), file, Infinity, report);
  } finally {
    if (!isRead) await handle.close();
  }
  return undefined;
}

/** The bytes of what `--users` names: a file, or `-` for standard input. */
export function namedUsers(name: string): AsyncGenerator<Buffer> {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield* name === '-' ? (process.stdin as AsyncIterable<Buffer>) : reading(await openFile(name));
  };
  return named(`--users ${name}`, bytes(), ' Name a file of CSV, or - for standard input.');
}

/** The bytes of a file, whose name a failing disk does not say. @throws {ThemecastError} `users-file`, */
async function* named(file: string, bytes: AsyncIterable<Buffer>, hint = ''): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new ThemecastError('users-file', `${file} cannot be read: ${systemReason(error)}.${hint}`, { cause: error });
  }
}

/** What diagnostics name the file of `--users`. */
export function fileOf(name: string): string {
  return name === '-' ? 'standard input' : name;
}

async function* reading(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(READ), 0, READ);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

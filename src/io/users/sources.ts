import { constants } from 'node:fs';
import { type FileHandle, open as openFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { FoundFile } from '../themes/discover.ts';
import { errorCode, isInside, problemOf, reportFileProblem, systemReason } from '../disk/files.ts';
import { MAX_USERS_BYTES } from '../../users/source-rows.ts';
import { UsersFileError } from '../../users/users-file-error.ts';

/** Bytes that are asked for at once: measured, half as many take a tenth longer. */
const READ = 1024 * 1024;

/** Opens a file of the themes folder, if it is one; no link is followed. It is closed when it has been read. */
export async function openUsersFile(
  { file, path: name }: FoundFile,
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
  const stat = await handle.stat();
  const isFile = stat.isFile();
  const [real, root] = await Promise.all([realpath(path.dirname(name)), realpath(themesDir)]);
  const isOurs = isFile && isInside(real, root);
  if (isOurs && stat.size <= MAX_USERS_BYTES) return reading(handle);
  await handle.close();
  if (isOurs) report('mapping/too-large', { file }, { limit: MAX_USERS_BYTES });
  else report('file/not-a-file', { file }, { name: path.basename(name), kind: isFile ? 'link' : 'special' });
  return undefined;
}

/** The bytes of what `--users` names: a file, or `-` for standard input. */
export async function* namedUsers(name: string): AsyncGenerator<Buffer> {
  try {
    yield* name === '-' ? (process.stdin as AsyncIterable<Buffer>) : reading(await openFile(name));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UsersFileError(
      `--users ${name} cannot be read: ${systemReason(error)}. Name a file of CSV, or - for standard input.`,
      { cause: error },
    );
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

import { randomUUID } from 'node:crypto';
import { readlink, rm, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { printable } from '../../core/diagnostics/quote.ts';
import { errorCode } from './files.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

interface Owner {
  id: string;
  pid: number;
  host: string;
  /** When it took the lock: ISO 8601. */
  since: string;
}

/**
 * Takes a lock, or throws a {@link ThemecastError} at once if another process has it. The lock of an ended process is taken over.
 *
 * A lock is a symbolic link whose target describes its owner (as in Emacs). One system call makes it, and fails if it exists, so a lock never
 * exists without its owner, even if a process is killed.
 * @param subject - the locked thing, for the message
 * @returns a function that releases the lock
 */
export async function takeLock(file: string, subject: string): Promise<() => Promise<void>> {
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const text = JSON.stringify(owner);
  if (!(await createLock(file, text))) {
    await clearDead(file, subject);
    if (!(await createLock(file, text))) throw new ThemecastError('locked', await lockedMessage(file, subject));
  }
  return () => rm(file, { force: true });
}

async function createLock(file: string, text: string): Promise<boolean> {
  try {
    await symlink(text, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of an ended process. Processes that compete for it take a second lock, so that none removes a new lock by mistake. */
async function clearDead(file: string, subject: string): Promise<void> {
  const owner = await readLock(file);
  if (owner === undefined) return;
  if (!hasEnded(parseOwner(owner))) throw new ThemecastError('locked', await lockedMessage(file, subject));
  const release = await takeLock(`${file}.takeover`, subject);
  try {
    if ((await readLock(file)) === owner) await unlink(file);
  } finally {
    await release();
  }
}

/** Returns the text of a lock: undefined if it was released meanwhile, empty if it is no lock. */
async function readLock(file: string): Promise<string | undefined> {
  return readlink(file).catch((error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : ''));
}

/** Parses the owner of a lock; the result is empty if the text has another form. */
function parseOwner(text: string): Partial<Owner> {
  try {
    const owner = JSON.parse(text) as Owner;
    const isProcess = Number.isSafeInteger(owner.pid) && owner.pid > 0;
    return isProcess && [owner.host, owner.since].every((part) => typeof part === 'string') ? owner : {};
  } catch {
    return {};
  }
}

async function lockedMessage(file: string, subject: string): Promise<string> {
  const { pid, host, since } = parseOwner((await readLock(file)) ?? '');
  if (pid === undefined) return `${file} locks ${subject}, but names no build. Remove it, unless a build is running.`;
  const isLocal = host === hostname();
  // A lock that came with the folder may contain any text.
  const [lockHost, time] = [host, since].map((part) => printable(String(part)));
  const lockOwner = `process ${pid}${isLocal ? '' : ` on ${lockHost}`}, since ${time}`;
  return `Another build is writing ${subject}: ${lockOwner}. Wait until it ends; if it already has, remove ${file}.`;
}

/** Whether a process has certainly ended; false for a process of another host, and if another process has its id now. */
function hasEnded({ pid, host }: Partial<Owner>): boolean {
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

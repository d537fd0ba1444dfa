import { randomUUID } from 'node:crypto';
import { readFile, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { printable } from '../diagnostics/quote.ts';
import { errorCode } from './files.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/** Who holds a lock. */
interface Owner {
  /** No two locks are equal. */
  id: string;
  pid: number;
  host: string;
  /** Process ids mean something within it alone: containers may share a folder and the name of their host. */
  pidNamespace?: string | undefined;
  /** When the process started, in clock ticks since the machine did: process ids are used again. Only where there is /proc. */
  started?: string | undefined;
  /** When it took the lock: ISO 8601. */
  since: string;
}

/**
 * Takes a lock, or throws a {@link ThemecastError} at once if another process has it; that of a process that has ended is taken over.
 *
 * A lock is a symbolic link whose target is its owner (as in Emacs): made by one system call that fails if there is one, it is
 * never there without its owner, whenever a process is killed.
 * @param subject - what is locked, for the message
 * @returns what gives it back
 */
export async function takeLock(file: string, subject: string): Promise<() => Promise<void>> {
  const owner: Owner = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    pidNamespace: await pidNamespace(),
    started: await startOf(process.pid),
    since: new Date().toISOString(),
  };
  const text = JSON.stringify(owner);
  if (!(await make(file, text))) {
    await clearDead(file, subject);
    if (!(await make(file, text))) throw new ThemecastError('locked', await held(file, subject));
  }
  return () => rm(file, { force: true });
}

async function make(file: string, text: string): Promise<boolean> {
  try {
    await symlink(text, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that has ended. Of several that want to, the one that holds a second lock does: a new lock is never taken for the dead one. */
async function clearDead(file: string, subject: string): Promise<void> {
  const owner = await readLock(file);
  if (owner === undefined) return;
  if (!(await hasEnded(parsed(owner)))) throw new ThemecastError('locked', await held(file, subject));
  const giveBack = await takeLock(`${file}.takeover`, subject);
  try {
    if ((await readLock(file)) === owner) await unlink(file);
  } finally {
    await giveBack();
  }
}

/** Whether a lock is of a process that is certain to have ended. */
export async function isAbandoned(file: string): Promise<boolean> {
  const owner = await readLock(file);
  return owner !== undefined && hasEnded(parsed(owner));
}

/** The text of a lock; nothing if it was given back meanwhile, and an empty one if it is no lock. */
async function readLock(file: string): Promise<string | undefined> {
  return readlink(file).catch((error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : ''));
}

/** The owner that a lock names; nothing of it if it is not as this module writes it. */
function parsed(text: string): Partial<Owner> {
  try {
    const owner = JSON.parse(text) as Owner;
    const isProcess = Number.isSafeInteger(owner.pid) && owner.pid > 0;
    return isProcess && [owner.host, owner.since].every((part) => typeof part === 'string') ? owner : {};
  } catch {
    return {};
  }
}

async function held(file: string, subject: string): Promise<string> {
  const { pid, host, since } = parsed((await readLock(file)) ?? '');
  if (pid === undefined) return `${file} locks ${subject}, but names no build. Remove it, unless a build is running.`;
  const isHere = host === hostname();
  // A lock that has come with the folder may say anything.
  const [place, time] = [host, since].map((part) => printable(String(part)));
  const who = `process ${pid}${isHere ? '' : ` on ${place}`}, since ${time}`;
  return `Another build is writing ${subject}: ${who}. Wait until it ends; if it already has, remove ${file}.`;
}

/** Whether a process is certain to have ended; of another host, nothing is certain. */
async function hasEnded({ pid, host, pidNamespace: namespace, started }: Partial<Owner>): Promise<boolean> {
  if (pid === undefined || host !== hostname() || namespace !== (await pidNamespace())) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return true;
  }
  const found = await startOf(pid);
  return started !== undefined && found !== undefined && found !== started;
}

/** When a process started, and `ended` for one that only waits to be reaped (proc(5), /proc/pid/stat, fields 3 and 22). */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The second field is the name of the program, in parentheses, and may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? 'ended' : fields?.[19];
}

async function pidNamespace(): Promise<string | undefined> {
  return readlink('/proc/self/ns/pid').catch(() => undefined);
}

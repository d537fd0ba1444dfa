import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode, isInside } from './files.ts';

/** A key in hexadecimal: 32 random bytes. */
const KEY = /^[0-9a-f]{64}$/;

/**
 * The key that proves that this user wrote something on this machine: `themecast/key` in the state folder of the user
 * (`$XDG_STATE_HOME`, `~/.local/state` by default: XDG Base Directory Specification), made when it is first needed.
 * @param checkout - a key in it could have come with it, and is not used
 * @returns nothing where there is no such folder, or where the key is not this user's alone: then nothing is believed
 */
export async function stateKey(checkout: string): Promise<string | undefined> {
  try {
    const folder = path.join(stateFolder(), 'themecast');
    await makeFolder(folder);
    if (isInside(await realpath(folder), await realpath(checkout))) return undefined;
    const file = path.join(folder, 'key');
    return (await readKey(file)) ?? (await makeKey(file));
  } catch {
    return undefined; // no home, or one that cannot be written: a container, or the user `nobody`
  }
}

function stateFolder(): string {
  const { XDG_STATE_HOME: given = '' } = process.env;
  if (path.isAbsolute(given)) return given;
  if (!path.isAbsolute(homedir())) throw new Error('There is no home.'); // `HOME=` is set, but empty
  return path.join(homedir(), '.local', 'state');
}

/** Makes a private folder and those around it. Not with `recursive`, which never ends in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder, 0o700).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  await make().catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder));
    await make();
  });
}

/** The key, if the file is this user's and closed to all others. Nothing if there is none; throws if it is not to be used. */
async function readKey(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    const isOwn = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    if (!stat.isFile() || !isOwn || stat.size > 1024) throw new Error(`${file} is not a private file of this user.`);
    const text = (await handle.readFile('utf8')).trim();
    if (!KEY.test(text)) throw new Error(`${file} holds no key.`);
    return text;
  } finally {
    await handle.close();
  }
}

/** Makes the key. It gets its name in one step and only if there is none: of two builds that start at once, one makes it. */
async function makeKey(file: string): Promise<string | undefined> {
  const partial = `${file}.${randomUUID()}`;
  try {
    await writeFile(partial, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await link(partial, file).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(partial, { force: true });
  }
  return readKey(file);
}

/** The seal of some values under a key: HMAC-SHA256 of their JSON, in hexadecimal. The first value says what they are for. */
export function sealOf(key: string, values: readonly unknown[]): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(JSON.stringify(values)).digest('hex');
}

/** Whether a seal is that of these values, compared in constant time. */
export function isSealed(key: string | undefined, values: readonly unknown[], seal: unknown): boolean {
  if (key === undefined || typeof seal !== 'string' || !KEY.test(seal)) return false;
  return timingSafeEqual(Buffer.from(seal, 'hex'), Buffer.from(sealOf(key, values), 'hex'));
}

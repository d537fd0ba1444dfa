import { randomUUID } from 'node:crypto';
import fs, { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, readRegularFile } from './files.ts';

/** A path below a contained folder that must not be used: a link, something else than a folder on the way, or a name that leads out. */
export class ContainmentError extends Error {}

/**
 * A folder whose contents are read and changed through here alone, so that nothing outside it ever is: a checkout may bring links in
 * any place. Every folder on the way to a name must be a folder and no link, and the last component is never followed, as
 * `openat2(2)` does with `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS`. Node has no `openat`, so this holds against whatever a checkout or
 * an archive brought, not against a process that swaps folders for links while the build runs.
 *
 * Names are relative, with `/`, and normalized; the empty name is the folder itself.
 */
export class ContainedFolder {
  readonly path: string;
  /** Names of folders that were checked. Retained for one build, in which only the owner of this object changes them. */
  readonly #checked = new Set<string>();

  /** @param folder - need not exist yet */
  constructor(folder: string) {
    this.path = path.resolve(folder);
  }

  /**
   * The absolute path of a name, once every existing folder on the way has been checked.
   * @throws {ContainmentError}
   */
  at(name: string): string {
    if (name === '') return this.path;
    if (!isPathBelow(name)) throw new ContainmentError(`${JSON.stringify(name)} is not a path below ${this.path}.`);
    this.#check(path.posix.dirname(name));
    return path.join(this.path, name);
  }

  /** Checks a folder and those around it; of several that do not exist, the outermost ends it. */
  #check(name: string): boolean {
    if (this.#checked.has(name)) return true;
    if (name !== '.' && !this.#check(path.posix.dirname(name))) return false;
    const folder = path.join(this.path, name);
    const stats = (name === '.' ? fs.statSync : fs.lstatSync)(folder, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isDirectory()) throw notAFolder(folder, stats.isSymbolicLink());
    this.#checked.add(name);
    return true;
  }

  /**
   * The bytes of a regular file; nothing if there is none.
   * @param maxBytes - a larger file is a {@link ContainmentError}
   */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const file = this.at(name);
    const content = await readRegularFile(file, maxBytes);
    if (Buffer.isBuffer(content)) return content;
    if (content.problem === 'missing') return undefined;
    if (content.problem === 'unreadable') throw content.error;
    if (content.problem === 'too-large')
      throw new ContainmentError(`${file} is larger than ${maxBytes.toLocaleString('en')} bytes. Remove it.`);
    throw new ContainmentError(`${file} is not a regular file. Remove it.`);
  }

  /** The first bytes of a regular file as text; nothing if there is none. */
  async readStart(name: string, bytes: number): Promise<string | undefined> {
    const handle = await this.open(name);
    if (handle === undefined) return undefined;
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(bytes));
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Opens a regular file to read it; nothing if there is none. */
  async open(name: string): Promise<FileHandle | undefined> {
    const file = this.at(name);
    if (!this.hasFile(name)) {
      if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
      throw new ContainmentError(`${file} is not a regular file. Remove it.`);
    }
    return open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  }

  /** Whether a regular file has this name, in folders that are no links. */
  hasFile(name: string): boolean {
    try {
      return fs.lstatSync(this.at(name)).isFile();
    } catch {
      return false;
    }
  }

  /** Size, time and permissions of a regular file; nothing if there is none. */
  fileStat(name: string): { bytes: number; modified: number; mode: number } | undefined {
    const stats = fs.lstatSync(this.at(name), { throwIfNoEntry: false });
    return stats?.isFile() ? { bytes: stats.size, modified: stats.mtimeMs, mode: stats.mode & 0o777 } : undefined;
  }

  /** Sets the time of a regular file to now if it is older than this. Nothing happens where that is not allowed. */
  touch(name: string, maxAge: number): void {
    try {
      const now = new Date();
      const stat = this.fileStat(name);
      if (stat !== undefined && now.getTime() - stat.modified > maxAge) fs.lutimesSync(this.at(name), now, now);
    } catch {
      // Only the order of removal depends on it.
    }
  }

  /** Names and kinds in a folder; none if there is no such folder. */
  async list(name = ''): Promise<{ name: string; kind: 'file' | 'folder' | 'other' }[]> {
    if (name !== '' && !this.#check(name)) return [];
    return entriesOf(path.join(this.path, name)).map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
    }));
  }

  /**
   * Writes a new file. Fails with `EEXIST` if anything has its name (`O_EXCL`, which follows no link). Synchronous: measured, half cheaper.
   * @param mode - less the umask
   * @param flush - whether it is flushed to the disk; otherwise the caller does that, for many files at once
   */
  async create(
    name: string,
    content: string | Uint8Array | Iterable<string>,
    mode: number,
    { flush = true } = {},
  ): Promise<void> {
    const file = this.at(name);
    const handle = fs.openSync(file, 'wx', mode);
    try {
      const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
      for (const part of parts) fs.writeFileSync(handle, part);
      if (flush) fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  }

  /**
   * Writes a file under a name of its own, then renames it: a reader gets all of it or nothing. Not flushed to the disk, so it has to
   * be known by its content after a power cut.
   */
  store(name: string, content: string | Uint8Array, mode: number): void {
    const [partial, target] = [`${this.at(name)}.${randomUUID()}`, this.at(name)];
    try {
      fs.writeFileSync(partial, content, { flag: 'wx', mode });
      fs.renameSync(partial, target);
    } catch (error) {
      fs.rmSync(partial, { force: true }); // a full disk is not to be filled further
      throw error;
    }
  }

  /** Replaces a file: a reader gets the old bytes or the new ones, complete. Only one process at a time may. */
  async replace(name: string, content: string | Uint8Array, mode: number): Promise<void> {
    const partial = `${name}.new`;
    await this.remove(partial); // of a build that was killed, or planted
    const replaced = this.create(partial, content, mode).then(() => this.rename(partial, name));
    await replaced.catch((error: unknown) => this.remove(partial).then(() => Promise.reject(error)));
    await this.sync(path.posix.dirname(name));
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.at(from), this.at(to));
  }

  /** Removes a file, or a link itself; nothing if there is none. */
  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true });
  }

  /** Removes an empty folder. */
  async removeFolder(name: string): Promise<void> {
    await rmdir(this.at(name));
    this.forget();
  }

  /** Removes a folder with all that is in it; of links, the link. */
  async removeTree(name: string): Promise<void> {
    await rm(this.at(name), { recursive: true, force: true });
    this.forget();
  }

  /**
   * Makes a folder in one that exists. Not with `recursive`, which reports ENOENT on a read-only file system.
   * @param mode - less the umask; a private folder gets it whatever the umask, also if it exists
   */
  async makeFolder(name: string, { isPrivate }: { isPrivate: boolean }): Promise<void> {
    try {
      fs.mkdirSync(this.at(name), isPrivate ? 0o700 : 0o755);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (!this.#check(name === '' ? '.' : name)) throw new ContainmentError(`${this.at(name)} has vanished.`);
    if (isPrivate) await this.chmod(name, 0o700);
  }

  /** Sets the permissions of a file or folder, never of what a link leads to. */
  async chmod(name: string, mode: number): Promise<void> {
    const file = this.at(name);
    const stats = fs.lstatSync(file);
    if (stats.isSymbolicLink()) throw new ContainmentError(`${file} is a link. Remove it.`);
    if ((stats.mode & 0o777) !== mode) fs.chmodSync(file, mode);
  }

  /** Flushes a file to the disk; of a folder, the names in it. */
  async sync(name: string): Promise<void> {
    // Not synchronous: a disk flushes several files in the time of one.
    const handle = await open(name === '.' ? this.path : this.at(name), 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Has all folders checked again: by the next build, they may be others. */
  forget(): void {
    this.#checked.clear();
  }
}

/** Whether a relative path with `/` is normalized and leads to something below the folder that it is for. */
export function isPathBelow(name: string): boolean {
  return BELOW.test(name) && !path.isAbsolute(name);
}

/** Steps that are neither empty nor `.` nor `..`, with `/` between them. */
const BELOW = /^(?!\.{1,2}(?:\/|$))[^/\0]+(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)*$/;

function notAFolder(folder: string, isLink: boolean): ContainmentError {
  const what = isLink ? 'a link, which is not followed,' : 'not a folder';
  return new ContainmentError(`${folder} is ${what} and a folder is needed there. Move it away.`);
}

/** Synchronous: measured, promises take four times as long for a folder of a few files. */
function entriesOf(folder: string): Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import fs, { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, readRegularFile } from './files.ts';

/** A path that must not be used: a link, a component that is no folder, or a name that leads outside. */
export class ContainmentError extends Error {}

/**
 * A folder whose files are read and changed only through this class, so that links in a checkout cannot lead outside it. Every component of a path
 * must be a folder and no link, and the last one is never followed, as in `openat2(2)` with `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS`. Node has no
 * `openat`: this protects against the contents of a checkout or archive, not against a process that swaps folders for links during a build.
 *
 * Names are relative, with `/`, and normalized; the empty name is the folder itself.
 */
export class ContainedFolder {
  readonly path: string;
  /** Names of folders already checked. Retained for one build, during which only the owner of this object changes them. */
  readonly #checked = new Set<string>();

  /** @param folder - need not exist yet */
  constructor(folder: string) {
    this.path = path.resolve(folder);
  }

  /** Returns the absolute path of a name, after checking every existing folder on the way. @throws {ContainmentError} */
  at(name: string): string {
    if (name === '') return this.path;
    if (!isPathBelow(name)) throw new ContainmentError(`${JSON.stringify(name)} is not a path below ${this.path}.`);
    this.#check(path.posix.dirname(name));
    return path.join(this.path, name);
  }

  /** Checks a folder and its parents. Returns false if one does not exist. */
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

  /** Reads a regular file; returns nothing if there is none. @param maxBytes - a larger file is a {@link ContainmentError} */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    const file = this.at(name);
    const content = await readRegularFile(file, maxBytes);
    if (Buffer.isBuffer(content)) return content;
    if (content.problem === 'missing') return undefined;
    if (content.problem === 'unreadable') throw content.error;
    if (content.problem === 'too-large')
      throw new ContainmentError(
        `${file} has more than ${maxBytes.toLocaleString('en')} bytes, the most that is read there. Remove it, or make it smaller.`,
      );
    throw new ContainmentError(`${file} is not a regular file. Remove it.`);
  }

  /** Opens a regular file to read it; returns nothing if there is none. */
  async open(name: string): Promise<FileHandle | undefined> {
    const file = this.at(name);
    if (!this.hasFile(name)) {
      if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
      throw new ContainmentError(`${file} is not a regular file. Remove it.`);
    }
    return open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  }

  /** Whether a regular file has this name, and no folder on the way is a link. */
  hasFile(name: string): boolean {
    try {
      return fs.lstatSync(this.at(name)).isFile();
    } catch {
      return false;
    }
  }

  /** Whether a folder has this name, and no folder on the way is a link. */
  hasFolder(name: string): boolean {
    try {
      return this.#check(name);
    } catch {
      return false;
    }
  }

  /** Returns size, time and permissions of a regular file; nothing if there is none. */
  fileStat(name: string): { bytes: number; modified: number; mode: number } | undefined {
    const stats = fs.lstatSync(this.at(name), { throwIfNoEntry: false });
    return stats?.isFile() ? { bytes: stats.size, modified: stats.mtimeMs, mode: stats.mode & 0o777 } : undefined;
  }

  /** Sets the time of a regular file to now if it is older than `maxAge`, in milliseconds. */
  touch(name: string, maxAge: number): void {
    try {
      const now = new Date();
      const stat = this.fileStat(name);
      if (stat !== undefined && now.getTime() - stat.modified > maxAge) fs.lutimesSync(this.at(name), now, now);
    } catch {
      // The time only decides which files are removed first.
    }
  }

  /** Lists names and kinds in a folder; nothing if there is no such folder. */
  async list(name = ''): Promise<{ name: string; kind: 'file' | 'folder' | 'other' }[]> {
    if (name !== '' && !this.#check(name)) return [];
    return entriesOf(path.join(this.path, name)).map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
    }));
  }

  /**
   * Writes a new file. Fails with `EEXIST` if the name exists (`O_EXCL`, which follows no link). Synchronous: measured, at half the cost.
   * @param mode - less the umask
   * @param flush - whether the file is flushed to the disk; otherwise the caller does that, for many files at once
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
   * Writes a file under a temporary name, then renames it: a reader gets all of it or nothing. It is not flushed to the disk, so readers must
   * verify its content: a power cut may damage it.
   */
  store(name: string, content: string | Uint8Array, mode: number): void {
    const [partial, target] = [`${this.at(name)}.${randomUUID()}`, this.at(name)];
    try {
      fs.writeFileSync(partial, content, { flag: 'wx', mode });
      fs.renameSync(partial, target);
    } catch (error) {
      fs.rmSync(partial, { force: true }); // do not fill a full disk further
      throw error;
    }
  }

  /** Stores a file that can be made again, and replaces a folder of its name. @returns whether it was stored */
  tryStore(name: string, content: string | Uint8Array): boolean {
    try {
      if (fs.lstatSync(this.at(name), { throwIfNoEntry: false })?.isDirectory())
        fs.rmSync(this.at(name), { recursive: true });
      this.store(name, content, 0o644);
      return true;
    } catch {
      return false;
    }
  }

  /** Replaces a file: a reader gets the old bytes or the new ones, complete. Only one process at a time may do so. */
  async replace(name: string, content: string | Uint8Array, mode: number): Promise<void> {
    const partial = `${name}.new`;
    await this.remove(partial); // left by a killed build, or planted
    const replaced = this.create(partial, content, mode).then(() => this.rename(partial, name));
    await replaced.catch((error: unknown) => this.remove(partial).then(() => Promise.reject(error)));
    await this.sync(path.posix.dirname(name));
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.at(from), this.at(to));
  }

  /** Removes a file, or a link itself, if it exists. */
  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true });
  }

  async removeFolder(name: string): Promise<void> {
    await rmdir(this.at(name));
    this.forget();
  }

  /** Removes a folder with its contents; of a link, the link itself. */
  async removeTree(name: string): Promise<void> {
    await rm(this.at(name), { recursive: true, force: true });
    this.forget();
  }

  /**
   * Makes a folder in an existing one. Not with `recursive`, which reports ENOENT on a read-only file system. A private folder gets its mode
   * whatever the umask, even if it exists.
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

  /** Sets the permissions of a file or folder, never through a link. */
  async chmod(name: string, mode: number): Promise<void> {
    const file = this.at(name);
    const stats = fs.lstatSync(file);
    if (stats.isSymbolicLink()) throw new ContainmentError(`${file} is a link. Remove it.`);
    if ((stats.mode & 0o777) !== mode) fs.chmodSync(file, mode);
  }

  /** Flushes a file to the disk, or the names in a folder. */
  async sync(name: string): Promise<void> {
    // Asynchronous: a disk flushes several files in the time of one.
    const handle = await open(name === '.' ? this.path : this.at(name), 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Forgets which folders were checked: they may differ in the next build. */
  forget(): void {
    this.#checked.clear();
  }
}

/** Whether a relative path with `/` is normalized and stays below its folder. */
export function isPathBelow(name: string): boolean {
  return PATH_BELOW.test(name) && !path.isAbsolute(name);
}

/** Components separated by `/`, none of them empty, `.` or `..`. */
const PATH_BELOW = /^(?!\.{1,2}(?:\/|$))[^/\0]+(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)*$/;

function notAFolder(folder: string, isLink: boolean): ContainmentError {
  const problem = isLink ? 'a link, which is not followed,' : 'not a folder';
  return new ContainmentError(`${folder} is ${problem} and a folder is needed there. Move it away.`);
}

/** Lists synchronously: measured, promises take four times as long for a folder of a few files. */
function entriesOf(folder: string): Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import { MAX_CONCURRENT_READS } from '../../disk/files.ts';
import { syncFolders } from './folders.ts';
import { stagingName, type OutputDirectory } from './output-directory.ts';
import { publishError, wrapError } from './publish-error.ts';

/** A request to stop a build, such as an `AbortSignal`. */
export interface StopSignal {
  /** Throws the reason if the build has to stop. */
  throwIfAborted(): void;
}

/** New files of an output directory. Each is written immediately, so that none stays in memory and only renaming is left. */
export class Staging {
  readonly folder = `${stagingName(randomUUID())}/files`;
  /** Paths of the staged files in that folder. */
  readonly files = new Set<string>();
  readonly #directory: OutputDirectory;
  /** Whether the directory did not exist before. */
  readonly #isNew: boolean;
  /** Whether a folder of the directory is new, by its path. */
  readonly #isNewFolder = new Map<string, boolean>();
  /** Folders made below {@link folder}. */
  readonly #madeFolders = new Set<string>();

  constructor(directory: OutputDirectory) {
    this.#directory = directory;
    this.#isNew = !existsSync(directory.dir.path);
  }

  /** Stages a file if its folder is new. In existing folders, most files are already in place from an earlier build. */
  async addNew(file: string, bytes: Uint8Array): Promise<void> {
    if (this.lacks(path.posix.dirname(file)) && !this.files.has(file))
      await this.add(file, bytes).catch(failsIn(this.#directory.dir.path));
  }

  async add(file: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
    const { dir, isPrivate } = this.#directory;
    const name = path.posix.join(this.folder, file);
    this.files.add(file);
    await this.#prepare(path.posix.dirname(file));
    await dir.create(name, content, isPrivate ? 0o600 : 0o644, { flush: false });
    if (isPrivate) await dir.chmod(name, 0o600);
  }

  /** Removes files that are not published after all: a new folder is moved with everything in it. */
  async retainOnly(published: ReadonlySet<string>): Promise<void> {
    for (const file of this.files) {
      if (published.has(file)) continue;
      this.files.delete(file);
      await this.#directory.dir.remove(path.posix.join(this.folder, file));
    }
  }

  /**
   * Flushes the files, so that they survive a power cut. Many are flushed by one `sync -f` (coreutils), which flushes the whole file system; a few,
   * or without that program, one by one.
   */
  async flush(): Promise<void> {
    const { dir } = this.#directory;
    if (this.files.size >= MANY_FILES && (await isSynced(dir.at(this.folder)))) return;
    const names = [...this.files].map((file) => path.posix.join(this.folder, file));
    await mapConcurrently(names, MAX_CONCURRENT_READS, (name) => dir.sync(name));
    await syncFolders(dir, names);
  }

  /** Removes staged files, and a directory that was made for them if nothing was published. If that fails, the next build removes them. */
  async discard(): Promise<void> {
    const { dir } = this.#directory;
    await dir.removeTree(path.posix.dirname(this.folder)).catch(() => undefined);
    if (this.#isNew) await dir.removeFolder('').catch(() => undefined);
  }

  /** Whether a folder of the directory is new. */
  lacks(folder: string): boolean {
    const cached = this.#isNewFolder.get(folder);
    if (cached !== undefined) return cached;
    let isNew = false;
    try {
      isNew = lstatSync(this.#directory.dir.at(folder), { throwIfNoEntry: false }) === undefined;
    } catch {
      // a link on the way, which is reported when all files are staged
    }
    this.#isNewFolder.set(folder, isNew);
    return isNew;
  }

  /** Makes a folder of staged files. Throws before anything is moved if the target is read-only or on another file system. */
  async #prepare(folder: string): Promise<void> {
    const { dir, isPrivate } = this.#directory;
    if (this.#madeFolders.size === 0) {
      await dir.makeFolder('', { isPrivate });
      await dir.makeFolder(path.posix.dirname(this.folder), { isPrivate: true });
    }
    if (this.#madeFolders.has(folder)) return;
    const target = folder === '.' ? dir.path : dir.at(folder);
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats !== undefined) accessSync(target, constants.W_OK);
    if (stats !== undefined && stats.dev !== statSync(dir.path).dev)
      throw publishError(
        `${target} is on a different file system from the folder that contains it. Keep the whole output on one.`,
      );
    await this.#make(folder);
  }

  async #make(folder: string): Promise<void> {
    if (this.#madeFolders.has(folder)) return;
    if (folder !== '.') await this.#make(path.posix.dirname(folder));
    await this.#directory.dir.makeFolder(path.posix.join(this.folder, folder), {
      isPrivate: this.#directory.isPrivate,
    });
    this.#madeFolders.add(folder);
  }
}

/** From this number of files, one `sync -f` is cheaper, although it also flushes files of other programs. */
const MANY_FILES = 100;

async function isSynced(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sync', ['-f', folder], (error) => resolve(error === null));
  });
}

/** Returns a handler for failed system calls that reports the folder that cannot be written. */
export function failsIn(folder: string): (error: unknown) => never {
  return (error) => {
    throw wrapError(error, folder);
  };
}

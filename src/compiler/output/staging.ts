import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { mapConcurrently } from '../../disk/concurrency.ts';
import { READERS } from '../../disk/files.ts';
import { syncFolders } from './folders.ts';
import { stagingOf, type Tree } from './places.ts';
import { publishError, wrapError } from './publish-error.ts';

/** A request to stop a build, such as an `AbortSignal`. */
export interface StopSignal {
  /** Throws the reason once the build is to stop. */
  throwIfAborted(): void;
}

/**
 * The files that are to appear in a tree, written as soon as they are made, so that none is retained and all that is left to do is to
 * rename them.
 */
export class Staging {
  /** The folder below the tree. */
  readonly folder = `${stagingOf(randomUUID())}/files`;
  /** Paths of the files below it. */
  readonly files = new Set<string>();
  readonly #tree: Tree;
  /** Whether the tree is made for them. */
  readonly #isNew: boolean;
  /** Whether folders of the tree are new. */
  readonly #folders = new Map<string, boolean>();
  /** The folders below {@link folder} that are made. */
  readonly #made = new Set<string>();

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#isNew = !existsSync(tree.dir.path);
  }

  /** Stages a file of a new folder. In others, where an earlier build is published, most are in their places. */
  async addNew(file: string, bytes: Uint8Array): Promise<void> {
    if (this.lacks(path.posix.dirname(file)) && !this.files.has(file))
      await this.add(file, bytes).catch(failsIn(this.#tree.dir.path));
  }

  async add(file: string, content: string | Uint8Array | Iterable<string>): Promise<void> {
    const { dir, isPrivate } = this.#tree;
    const name = path.posix.join(this.folder, file);
    this.files.add(file);
    await this.#prepare(path.posix.dirname(file));
    await dir.create(name, content, isPrivate ? 0o600 : 0o644, { flush: false });
    if (isPrivate) await dir.chmod(name, 0o600);
  }

  /** Removes the files that are not published after all: a new folder is moved into its place with all that is in it. */
  async keepOnly(published: ReadonlySet<string>): Promise<void> {
    for (const file of this.files) {
      if (published.has(file)) continue;
      this.files.delete(file);
      await this.#tree.dir.remove(path.posix.join(this.folder, file));
    }
  }

  /**
   * Has the files survive a power cut: many by one `sync -f` (coreutils), which flushes their whole file system; a few, or where that
   * program is missing or fails, one by one.
   */
  async flush(): Promise<void> {
    const { dir } = this.#tree;
    if (this.files.size >= MANY_FILES && (await isSynced(dir.at(this.folder)))) return;
    const names = [...this.files].map((file) => path.posix.join(this.folder, file));
    await mapConcurrently(names, READERS, (name) => dir.sync(name));
    await syncFolders(dir, names);
  }

  /** Removes what is left of it, and a tree that was made for it if nothing was published. What cannot be removed, the next build removes. */
  async discard(): Promise<void> {
    const { dir } = this.#tree;
    await dir.removeTree(path.posix.dirname(this.folder)).catch(() => undefined);
    if (this.#isNew) await dir.removeFolder('').catch(() => undefined);
  }

  /** Whether a folder of the tree is new. */
  lacks(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    let isNew = false;
    try {
      isNew = lstatSync(this.#tree.dir.at(folder), { throwIfNoEntry: false }) === undefined;
    } catch {
      // a link on the way, which is reported when all are staged
    }
    this.#folders.set(folder, isNew);
    return isNew;
  }

  /** Makes a folder of staged files; reports one that is closed, or that nothing can be renamed into, before anything is moved. */
  async #prepare(folder: string): Promise<void> {
    const { dir, isPrivate } = this.#tree;
    if (this.#made.size === 0) {
      await dir.makeFolder('', { isPrivate });
      await dir.makeFolder(path.posix.dirname(this.folder), { isPrivate: true });
    }
    if (this.#made.has(folder)) return;
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
    if (this.#made.has(folder)) return;
    if (folder !== '.') await this.#make(path.posix.dirname(folder));
    await this.#tree.dir.makeFolder(path.posix.join(this.folder, folder), { isPrivate: this.#tree.isPrivate });
    this.#made.add(folder);
  }
}

/** Files from which on one `sync -f` is cheaper: it also flushes what other programs wrote. */
const MANY_FILES = 100;

async function isSynced(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sync', ['-f', folder], (error) => resolve(error === null));
  });
}

/** Has the failure of a system call name the folder that cannot be written. */
export function failsIn(folder: string): (error: unknown) => never {
  return (error) => {
    throw wrapError(error, folder);
  };
}

import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { prepare } from './folders.ts';
import { stagingOf, type Tree } from './places.ts';
import { wrapError } from './publish-error.ts';

/**
 * Files of new folders that are staged before it is known whether all is well, because their bytes are in memory just then. They are
 * published with the others, or removed.
 */
export class EarlyStaging {
  readonly #tree: Tree;
  /** The folder below the tree for staged files. */
  readonly staging = `${stagingOf(randomUUID())}/files`;
  /** Whether folders are new, by name. */
  readonly #folders = new Map<string, Promise<boolean>>();
  /** Whether the tree is made for them. */
  readonly #isNew: boolean;
  /** The SHA-256 of each file, by its path. */
  readonly files = new Map<string, string>();

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#isNew = !existsSync(tree.dir.path);
  }

  async add(file: string, sha256: string, bytes: Uint8Array): Promise<void> {
    const { dir } = this.#tree;
    const folder = path.posix.dirname(file);
    const isNew = this.#folders.get(folder) ?? this.#prepare(file, folder);
    this.#folders.set(folder, isNew);
    try {
      if (!(await isNew) || this.files.has(file)) return;
      this.files.set(file, sha256);
      await dir.create(path.posix.join(this.staging, file), bytes, 0o644, { flush: false });
    } catch (error) {
      throw wrapError(error, dir.path);
    }
  }

  /** Removes them, and the tree if it was made for them. */
  async discard(): Promise<void> {
    const { dir } = this.#tree;
    await dir.removeTree(path.posix.dirname(this.staging)).catch(() => undefined);
    if (this.#isNew) await dir.removeFolder('').catch(() => undefined);
  }

  async #prepare(file: string, folder: string): Promise<boolean> {
    const { dir } = this.#tree;
    try {
      if (lstatSync(dir.at(folder), { throwIfNoEntry: false }) !== undefined) return false;
    } catch {
      return false; // a link on the way, which is reported when all are staged
    }
    await prepare(this.#tree, this.staging, [file]);
    return true;
  }
}

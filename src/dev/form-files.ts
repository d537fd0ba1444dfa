import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, systemReason } from '../io/disk/files.ts';
import { type ContainedFolder, ContainmentError } from '../io/disk/contained-folder.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { rewrite, RewriteError } from '../io/themes/rewrite.ts';
import type { Rejection } from './payload.ts';

/** The files that a form writes, and can undo. What anyone else has changed meanwhile stays as it is. Names are below the themes folder. */
export class FormFiles {
  readonly #themesDir: string;
  readonly #dir: ContainedFolder;
  readonly #steps: { name: string; undo: () => Promise<void> }[] = [];

  /** @throws {ContainmentError} */
  constructor(themesDir: string) {
    this.#themesDir = themesDir;
    this.#dir = writableFolder(themesDir);
  }

  async makeFolder(name: string): Promise<void> {
    await mkdir(this.#dir.at(name));
    this.#steps.push({ name, undo: () => this.#dir.removeFolder(name) }); // fails if there is another file in it
  }

  async create(name: string, content: string | Uint8Array): Promise<void> {
    try {
      await this.#dir.create(name, content, 0o666);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') await this.#dir.remove(name); // a part of it, if the disk is full
      throw error;
    }
    this.#steps.push({ name, undo: () => this.#removeIf(name, Buffer.from(content)) });
  }

  async remove(name: string, before: Buffer): Promise<void> {
    await this.#removeIf(name, before);
    this.#steps.push({ name, undo: () => this.#dir.create(name, before, 0o666) }); // fails if there is another
  }

  /** @throws {RewriteError} if it is not as it was before */
  async replace(name: string, before: Buffer, after: Buffer): Promise<void> {
    await rewrite(this.#dir, name, before, after);
    this.#steps.push({ name, undo: () => rewrite(this.#dir, name, after, before) });
  }

  /** Undoes everything, the last step first. @returns the paths that are as they were before */
  async undo(): Promise<string[]> {
    const restored: string[] = [];
    for (const { name, undo } of this.#steps.splice(0).toReversed())
      await undo().then(
        () => restored.push(path.join(this.#themesDir, name)),
        () => undefined,
      );
    return restored;
  }

  /** @throws {RewriteError} */
  async #removeIf(name: string, bytes: Buffer): Promise<void> {
    const present = await this.#dir.read(name, bytes.length);
    if (present?.equals(bytes) !== true) throw new RewriteError(`${name} has changed`);
    await this.#dir.remove(name);
  }
}

/** A form that cannot be written; any other error is thrown again. */
export function notWritten(error: unknown): Rejection {
  const isExpected =
    errorCode(error) !== undefined || error instanceof ContainmentError || error instanceof RewriteError;
  if (!isExpected) throw error;
  return { status: 500, detail: `The theme cannot be written: ${systemReason(error).replace(/\.$/, '')}.` };
}

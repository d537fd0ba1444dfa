import { constants } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile } from '../document/output-file.ts';
import { mapConcurrently } from '../io/concurrency.ts';
import { errorCode, READERS, sha256Of } from '../io/disk/files.ts';

/** The name of such a folder has the id of the process that made it. */
const NAME = /^dev-(\d+)-/;

/**
 * The images that are served while the server runs. They are copies: the last good build remains available after an
 * editor has overwritten one of them.
 */
export class MediaFolder {
  readonly folder: string;
  readonly #placed = new Set<string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes one inside a folder and removes those of servers that were killed. */
  static async create(inside: string): Promise<MediaFolder> {
    await mkdir(inside, { recursive: true });
    for (const name of await readdir(inside)) {
      const owner = NAME.exec(name)?.[1];
      if (owner !== undefined && !isRunning(Number(owner)))
        await rm(path.join(inside, name), { recursive: true, force: true });
    }
    return new MediaFolder(await mkdtemp(path.join(inside, `dev-${process.pid}-`)));
  }

  async read(name: string): Promise<Buffer | undefined> {
    return this.#placed.has(name) ? readFile(path.join(this.folder, name)) : undefined;
  }

  /**
   * Copies the files that are not there yet: a name contains the hash of the content.
   * @returns files that have changed since they were checked
   */
  async place(files: readonly OutputFile[]): Promise<string[]> {
    const missing = files.filter((file) => !this.#placed.has(file.path));
    const changed = await mapConcurrently(missing, READERS, async ({ path: name, content, sha256 }) => {
      if (!('copyOf' in content)) return [];
      const target = path.join(this.folder, name);
      await mkdir(path.dirname(target), { recursive: true });
      const partial = `${target}.partial`;
      await copyFile(content.copyOf, partial, constants.COPYFILE_FICLONE);
      if (sha256Of(await readFile(partial)) !== sha256) {
        await rm(partial);
        return [content.copyOf];
      }
      await rename(partial, target);
      this.#placed.add(name);
      return [];
    });
    return changed.flat();
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

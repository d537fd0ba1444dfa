import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile } from '../document/output-file.ts';
import { mapConcurrently } from '../io/concurrency.ts';
import { READERS, sha256Of } from '../io/disk/files.ts';
import { temporaryFolder } from '../io/disk/temporary-folder.ts';

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
    return new MediaFolder(await temporaryFolder('dev-', inside));
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

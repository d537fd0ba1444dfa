import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThemecastError } from '../../../core/diagnostics/themecast-error.ts';
import type { Cache } from '../../../compiler/store/cache.ts';
import { LostThumbnail, mediaContent } from '../../../compiler/store/media-content.ts';
import type { MediaFile } from '../../../compiler/model.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import { MAX_CONCURRENT_READS } from '../../../system/disk/files.ts';
import { temporaryFolder } from '../../../system/disk/temporary-folder.ts';

/**
 * Copies of the images, to serve while the server runs: the last successful build remains complete after an editor has overwritten an
 * image.
 */
export class MediaFolder {
  readonly folder: string;
  readonly #placed = new Set<string>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates a folder inside another, and removes the folders of killed servers. */
  static async create(inside: string): Promise<MediaFolder> {
    await mkdir(inside, { recursive: true });
    return new MediaFolder(await temporaryFolder('dev-', inside));
  }

  async read(name: string): Promise<Buffer | undefined> {
    return this.#placed.has(name) ? readFile(path.join(this.folder, name)) : undefined;
  }

  /**
   * Copies the missing files; names contain the digest of the content.
   * @returns the themes with a file that has changed since it was compiled
   */
  async place(files: readonly MediaFile[], themesDir: string, cache: Cache): Promise<ReadonlySet<string>> {
    const missing = files.filter((file) => !this.#placed.has(file.path));
    const changed = new Set<string>();
    await mapConcurrently(missing, MAX_CONCURRENT_READS, async (file) => {
      const bytes = await mediaContent(file, themesDir, cache).catch((error: unknown) => {
        const isChanged = error instanceof ThemecastError && error.code === 'publish';
        if (!isChanged && !(error instanceof LostThumbnail)) throw error;
        changed.add(file.slug);
      });
      if (bytes === undefined) return;
      const target = path.join(this.folder, file.path);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(`${target}.partial`, bytes);
      await rename(`${target}.partial`, target);
      this.#placed.add(file.path);
    });
    return changed;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

import { mkdirSync } from 'node:fs';
import type { Conflict } from '../../import/conflict.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { sha256Of } from '../files.ts';
import { ContainedFolder } from '../output/contained-folder.ts';
import type { ImportStore } from './store.ts';

/**
 * What became of a file. `edited`: it was changed here since, and the source has changed, too. `deleted`: it was deleted here.
 * `yours`: it was here before, with other bytes. These three stay as they are.
 */
export type FileOutcome = 'written' | 'updated' | 'unchanged' | 'edited' | 'deleted' | 'yours';

/** Greatest size of a file that is compared, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Writes themes, and never over what anyone else has written. */
export class ThemeWriter {
  readonly #dir: ContainedFolder;
  readonly #store: ImportStore;
  /** By file, relative to the themes folder. */
  readonly outcomes = new Map<string, FileOutcome>();
  /** Each `theme.yaml` that is `edited` or `yours`. */
  readonly conflicts = new Map<string, Conflict>();

  constructor(themesDir: string, store: ImportStore) {
    this.#dir = new ContainedFolder(themesDir);
    this.#store = store;
    mkdirSync(this.#dir.path, { recursive: true });
  }

  /** Writes the files of a theme that have changed, `theme.yaml` last, so that it names no file that is not there. */
  async writeTheme(
    { slug, id }: { slug: string; id: number },
    files: ReadonlyMap<string, string | Buffer>,
  ): Promise<void> {
    await this.#dir.makeFolder(slug, { isPrivate: false });
    const yaml = files.get(THEME_FILE);
    const isYours =
      yaml !== undefined && (await this.#outcomeOf(`${slug}/${THEME_FILE}`, Buffer.from(yaml))) === 'yours';
    for (const [name, content] of files) {
      const file = `${slug}/${name}`;
      const bytes = Buffer.from(content);
      const outcome = await this.#outcomeOf(file, bytes);
      // A theme.yaml that is not the import's own does not name its images.
      if (isYours && outcome === 'written') continue;
      this.outcomes.set(file, outcome);
      if (!['written', 'updated', 'unchanged'].includes(outcome)) continue;
      if (name === THEME_FILE) this.#store.addObject(bytes);
      this.#store.willWrite({ file, sha256: sha256Of(bytes), ...(name === THEME_FILE ? { id } : {}) });
      // Not flushed: measured, a flush takes ten times as long as the file, and an import can be run again.
      if (outcome !== 'unchanged') this.#dir.store(file, bytes, 0o644);
    }
    await this.#removeOld(slug, files);
  }

  /** Removes the folder of a theme that another one takes the place of. */
  async removeTheme(slug: string): Promise<void> {
    await this.#dir.removeTree(slug);
  }

  async #outcomeOf(file: string, bytes: Buffer): Promise<FileOutcome> {
    const sha256 = sha256Of(bytes);
    const found = await this.#dir.read(file, MAX_BYTES);
    const now = found === undefined ? undefined : sha256Of(found);
    if (now === sha256) return 'unchanged';
    const isSeen = this.#store.hasWritten(file, sha256);
    if (found === undefined || now === undefined) return isSeen && this.#store.wasComplete ? 'deleted' : 'written';
    if (this.#store.hasWritten(file, now)) return 'updated';
    // Edited here, and as before at the source.
    if (isSeen) return 'unchanged';
    if (file.endsWith(`/${THEME_FILE}`)) {
      const base = await this.#store.object(this.#store.lastWritten(file) ?? '', MAX_BYTES);
      this.conflicts.set(file, { base: base?.toString(), here: found.toString(), there: bytes.toString() });
    }
    return this.#store.knowsFile(file) ? 'edited' : 'yours';
  }

  /** Removes images that an earlier import wrote and this one does not name, unless they were changed. */
  async #removeOld(slug: string, files: ReadonlyMap<string, unknown>): Promise<void> {
    for (const { name, kind } of await this.#dir.list(slug)) {
      const file = `${slug}/${name}`;
      if (kind !== 'file' || files.has(name) || !this.#store.knowsFile(file)) continue;
      const found = await this.#dir.read(file, MAX_BYTES);
      if (found !== undefined && this.#store.hasWritten(file, sha256Of(found))) await this.#dir.remove(file);
    }
  }
}

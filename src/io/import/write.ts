import { mkdirSync } from 'node:fs';
import type { Conflict } from '../../import/conflict.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { sha256Of } from '../files.ts';
import type { ContainedFolder } from '../output/contained-folder.ts';
import { writableFolder } from '../output/tracked.ts';
import type { ImportStore } from './store.ts';

/**
 * What became of a file. `edited`: it was changed here since, and the source has changed, too. `deleted`: it was deleted here.
 * `yours`: it was here before, with other bytes. These three stay as they are.
 */
export type FileOutcome = 'written' | 'updated' | 'unchanged' | 'edited' | 'deleted' | 'yours';

/** Greatest size of a file that is compared, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A file that `ContainedFolder.store` has not renamed yet. */
const PARTIAL = /^(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The name that a file gets once it is written completely. */
export function wholeName(file: string): string {
  return PARTIAL.exec(file)?.[1] ?? file;
}

/** Writes themes, and never over what anyone else has written. */
export class ThemeWriter {
  readonly #dir: ContainedFolder;
  readonly #store: ImportStore;
  /** By file, relative to the themes folder. */
  readonly outcomes = new Map<string, FileOutcome>();
  /** Each `theme.yaml` that is `edited` or `yours`. */
  readonly conflicts = new Map<string, Conflict>();

  constructor(themesDir: string, store: ImportStore) {
    this.#dir = writableFolder(themesDir);
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
      if (name === THEME_FILE) this.#store.addObject(bytes);
      this.#put({ file, bytes, outcome, ...(name === THEME_FILE ? { id } : {}) });
    }
    await this.#removeOld(slug, files);
  }

  /** Removes the folder of a theme that another one takes the place of. */
  async removeTheme(slug: string): Promise<void> {
    await this.#dir.removeTree(slug);
  }

  /** Writes a file at the top of the themes folder. */
  async writeFile(name: string, content: string): Promise<void> {
    for (const { name: found, kind } of await this.#dir.list(''))
      if (kind === 'file' && found !== name && wholeName(found) === name) await this.#dir.remove(found);
    const bytes = Buffer.from(content);
    this.#put({ file: name, bytes, outcome: await this.#outcomeOf(name, bytes) });
  }

  #put({ file, bytes, outcome, id }: { file: string; bytes: Buffer; outcome: FileOutcome; id?: number }): void {
    this.outcomes.set(file, outcome);
    if (!['written', 'updated', 'unchanged'].includes(outcome)) return;
    this.#store.willWrite({ file, sha256: sha256Of(bytes), ...(id === undefined ? {} : { id }) });
    // Not flushed: measured, a flush takes ten times as long as the file, and an import can be run again.
    if (outcome !== 'unchanged') this.#dir.store(file, bytes, 0o644);
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

  /** Removes images that an earlier import wrote and this one does not name, unless they were changed, and what a killed one left. */
  async #removeOld(slug: string, files: ReadonlyMap<string, unknown>): Promise<void> {
    for (const { name, kind } of await this.#dir.list(slug)) {
      const file = `${slug}/${name}`;
      const whole = wholeName(file);
      if (kind === 'file' && whole !== file && this.#store.knowsFile(whole)) await this.#dir.remove(file);
      if (kind !== 'file' || files.has(name) || !this.#store.knowsFile(file)) continue;
      const found = await this.#dir.read(file, MAX_BYTES);
      if (found !== undefined && this.#store.hasWritten(file, sha256Of(found))) await this.#dir.remove(file);
    }
  }
}

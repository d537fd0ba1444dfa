import { mkdirSync } from 'node:fs';
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

  constructor(themesDir: string, store: ImportStore) {
    this.#dir = new ContainedFolder(themesDir);
    this.#store = store;
    mkdirSync(this.#dir.path, { recursive: true });
  }

  /** Writes the files of a theme that have changed, `theme.yaml` last, so that it names no file that is not there. */
  async writeTheme(slug: string, files: ReadonlyMap<string, string | Buffer>): Promise<void> {
    await this.#dir.makeFolder(slug, { isPrivate: false });
    for (const [name, content] of files)
      this.outcomes.set(`${slug}/${name}`, await this.#write(`${slug}/${name}`, content));
    await this.#removeOld(slug, files);
  }

  /** Writes a file at the top of the themes folder. */
  async writeFile(name: string, content: string): Promise<void> {
    for (const { name: found, kind } of await this.#dir.list(''))
      if (kind === 'file' && found !== name && wholeName(found) === name) await this.#dir.remove(found);
    this.outcomes.set(name, await this.#write(name, content));
  }

  async #write(file: string, content: string | Buffer): Promise<FileOutcome> {
    const bytes = Buffer.from(content);
    const sha256 = sha256Of(bytes);
    const found = await this.#dir.read(file, MAX_BYTES);
    const now = found === undefined ? undefined : sha256Of(found);
    if (now === sha256) {
      this.#store.willWrite(file, sha256);
      return 'unchanged';
    }
    const isSeen = this.#store.hasWritten(file, sha256);
    if (now === undefined) {
      if (isSeen && this.#store.wasComplete) return 'deleted';
    } else if (!this.#store.hasWritten(file, now)) {
      if (!this.#store.knowsFile(file)) return 'yours';
      return isSeen ? 'unchanged' : 'edited';
    }
    this.#store.willWrite(file, sha256);
    // Not flushed: measured, a flush takes ten times as long as the file, and an import can be run again.
    this.#dir.store(file, bytes, 0o644);
    return now === undefined ? 'written' : 'updated';
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

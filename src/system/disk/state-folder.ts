import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ContainedFolder } from './contained-folder.ts';
import { readIfFile, sha256Of } from './files.ts';
import { sealed, unsealed } from './sealed.ts';

/** Larger values are not read, in bytes: of 10,000 themes, one has some 40 million. */
const MAX_VALUE_BYTES = 1024 * 1024 * 1024;
/** A value is removed if no run has stored it for so long: its checkout no longer exists, or every run finds it unchanged. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** The folder of this machine for what makes the next run faster and is never copied: values by a key, such as the path of their checkout. */
export class StateFolder {
  readonly #dir: ContainedFolder;

  constructor(folder: string) {
    this.#dir = new ContainedFolder(folder);
  }

  /** Returns the value of a key; nothing if there is none, or if it is damaged. */
  recall(key: string): unknown {
    const json = unsealed(readIfFile(path.join(this.#dir.path, nameOf(key)), MAX_VALUE_BYTES));
    return json && JSON.parse(json);
  }

  /** Stores a value, and removes old ones. If that fails, the next run is slower. */
  keep(key: string, value: unknown): void {
    if (!this.#dir.tryStore(nameOf(key), sealed(value))) return;
    for (const name of readdirSync(this.#dir.path)) {
      const { modified = Infinity } = this.#dir.fileStat(name) ?? {};
      if (modified < Date.now() - MAX_AGE_MS) rmSync(this.#dir.at(name), { force: true });
    }
  }

  /** Returns the time of a file that is written now, by the clock of its file system, in milliseconds; 0 if that fails. */
  now(): number {
    return this.#dir.tryStore('now', '') ? (this.#dir.fileStat('now')?.modified ?? 0) : 0;
  }
}

function nameOf(key: string): string {
  return sha256Of(key).slice(0, 32);
}

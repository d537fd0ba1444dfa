import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type FileProblem, hashFile, readBytes, sha256Of } from './files.ts';
import type { StateFolder } from './state-folder.ts';

/** Two changes of a file within this time may get the same times: FAT stores every other second. In milliseconds. */
const TICK_MS = 2100;

type Digest = readonly [stamp: string, sha256: string];

/**
 * The digests of the files in a folder by size, times and inode, so that unchanged files are not read again. A digest is kept only if the times of
 * its file are older by {@link TICK_MS} than the run that read it: then the next change gives it other times. The time of the run is that of a
 * file, not of the clock.
 */
export class FileTable {
  readonly root: string;
  readonly #state: StateFolder | undefined;
  #kept: Map<string, Digest> | undefined;
  /** What this run has seen: every file is examined once. */
  #seen = new Map<string, { stats: Stats; sha256?: string | undefined }>();
  #started: number | undefined;
  #hasChanged = false;

  /** @param state - keeps the table. Default: every file is read once in each run */
  constructor(root: string, state?: StateFolder) {
    this.root = path.resolve(root);
    this.#state = state;
  }

  /** Starts another run, in which every file is examined again. */
  begin(): void {
    this.#seen = new Map();
    this.#started = undefined;
  }

  /** Returns the digest of a file that has not changed since it was read; nothing otherwise. */
  known(name: string): { stats: Stats; sha256: string } | undefined {
    const stats = this.#seen.get(name)?.stats ?? statsOf(path.join(this.root, name));
    const [stamp, kept] = this.#entries.get(name) ?? [];
    const sha256 = this.#seen.get(name)?.sha256 ?? (stats?.isFile() && stamp === stampOf(stats) ? kept : undefined);
    if (stats !== undefined) this.#seen.set(name, { stats, sha256 });
    return stats && sha256 !== undefined ? { stats, sha256 } : undefined;
  }

  /** Returns the digest of a file, and its bytes if it had to be read. @param limit - of a larger file, in bytes, only the digest is returned */
  digest(name: string, limit = 0): { stats: Stats; sha256: string; bytes?: Buffer } | FileProblem {
    const known = this.known(name);
    if (known !== undefined) return known;
    this.#started ??= this.#state?.now() ?? 0;
    const file = path.join(this.root, name);
    const read = readBytes(file, limit);
    const isLarge = 'problem' in read && read.problem === 'too-large';
    const hashed = isLarge ? hashFile(file) : 'problem' in read ? read : { ...read, sha256: sha256Of(read.bytes) };
    if ('problem' in hashed) return hashed;
    const { stats, sha256 } = hashed;
    this.#seen.set(name, { stats, sha256 });
    if (Math.max(stats.mtimeMs, stats.ctimeMs) < this.#started - TICK_MS) {
      this.#entries.set(name, [stampOf(stats), sha256]);
      this.#hasChanged = true;
    }
    return hashed;
  }

  /** Keeps the digests of the files that this run has seen. */
  save(): void {
    if (this.#hasChanged)
      this.#state?.keep(
        `files ${this.root}`,
        [...this.#entries].filter(([name]) => this.#seen.has(name)),
      );
    this.#hasChanged = false;
  }

  get #entries(): Map<string, Digest> {
    return (this.#kept ??= new Map((this.#state?.recall(`files ${this.root}`) ?? []) as [string, Digest][]));
  }
}

function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

/** Returns nothing for a folder that may not be entered, too: that is reported when the file is read. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { ContainedFolder } from './contained-folder.ts';
import { type FileProblem, hashFile, readBytes, readIfFile, sha256Of } from './files.ts';
import { sealed, unsealed } from './sealed.ts';

/** Two changes of a file within this time may get the same times: FAT stores every other second. In milliseconds. */
const TICK_MS = 2100;
/** Larger tables are not read, in bytes: with 10,000 themes, one has some 40 million. */
const MAX_TABLE_BYTES = 1024 * 1024 * 1024;

type Digest = readonly [stamp: string, sha256: string];

/**
 * The digests of the files in a folder by size, times and inode, so that unchanged files are not read again. A digest is kept only if the times of
 * its file are older by {@link TICK_MS} than the run that read it: then the next change gives it other times. The time of the run is that of a
 * file, not of the clock.
 */
export class FileTable {
  readonly root: string;
  readonly #place: { folder: ContainedFolder; name: string } | undefined;
  #kept: Map<string, Digest> | undefined;
  /** What this run has seen: every file is examined once. */
  #seen = new Map<string, { stats: Stats; sha256?: string | undefined }>();
  #started: number | undefined;
  #hasChanged = false;

  /** @param state - the folder of this machine that keeps the table. Default: it is not kept, and every file is read once in each run */
  constructor(root: string, state?: ContainedFolder) {
    this.root = path.resolve(root);
    this.#place = state && { folder: state, name: sha256Of(this.root).slice(0, 32) };
  }

  /** Starts another run, in which every file is examined again. */
  begin(): void {
    this.#seen = new Map();
    this.#started = undefined;
  }

  /** Returns what `lstat` says about a file; nothing if it cannot be examined. */
  stats(name: string): Stats | undefined {
    return this.#examine(name)?.stats;
  }

  /** Returns the digest of a file that has not changed since it was read; nothing otherwise. */
  known(name: string): string | undefined {
    return this.#examine(name)?.sha256;
  }

  /** Returns the digest of a file, and its bytes if it had to be read. @param limit - of a larger file, in bytes, only the digest is returned */
  digest(name: string, limit = 0): { sha256: string; bytes?: Buffer } | FileProblem {
    const known = this.known(name);
    if (known !== undefined) return { sha256: known };
    this.#started ??= this.#now();
    const file = path.join(this.root, name);
    const read = readBytes(file, limit);
    const hashed = !('problem' in read)
      ? { ...read, sha256: sha256Of(read.bytes) }
      : read.problem === 'too-large'
        ? hashFile(file)
        : read;
    if ('problem' in hashed) return hashed;
    const { stats, sha256 } = hashed;
    this.#seen.set(name, { stats, sha256 });
    if (Math.max(stats.mtimeMs, stats.ctimeMs) < this.#started - TICK_MS) {
      this.#entries.set(name, [stampOf(stats), sha256]);
      this.#hasChanged = true;
    }
    return hashed;
  }

  /** Keeps the digests of the files that this run has seen. If that fails, the next run reads them again. */
  save(): void {
    if (this.#place === undefined || !this.#hasChanged) return;
    const entries = [...this.#entries].filter(([name]) => this.#seen.has(name));
    this.#place.folder.tryStore(this.#place.name, sealed(entries));
    this.#hasChanged = false;
  }

  #examine(name: string): { stats: Stats; sha256?: string | undefined } | undefined {
    const seen = this.#seen.get(name);
    if (seen !== undefined) return seen;
    const stats = statsOf(path.join(this.root, name));
    if (stats === undefined) return undefined;
    const [stamp, sha256] = this.#entries.get(name) ?? [];
    const examined = { stats, sha256: stats.isFile() && stamp === stampOf(stats) ? sha256 : undefined };
    this.#seen.set(name, examined);
    return examined;
  }

  get #entries(): Map<string, Digest> {
    if (this.#kept !== undefined) return this.#kept;
    const file = this.#place && path.join(this.#place.folder.path, this.#place.name);
    const json = file && unsealed(readIfFile(file, MAX_TABLE_BYTES));
    return (this.#kept = new Map(json === undefined ? [] : (JSON.parse(json) as [string, Digest][])));
  }

  /** Returns the time of a file that is written now; without a place for it, the start of all times: nothing is kept. */
  #now(): number {
    const folder = this.#place?.folder;
    return folder?.tryStore('now', '') === true ? (folder.fileStat('now')?.modified ?? 0) : 0;
  }
}

function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder that may not be entered: reported when the file is read
  }
}

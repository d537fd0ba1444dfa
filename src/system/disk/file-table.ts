import { createHash } from 'node:crypto';
import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type FileProblem, hashFile, readBytes, sha256Of } from './files.ts';
import type { Kind } from './list-tree.ts';
import type { StateFolder } from './state-folder.ts';

/** Two changes of a file within this time may get the same times: FAT stores every other second. In milliseconds. */
const TICK_MS = 2100;

type Digest = readonly [stamp: string, sha256: string];

/**
 * The digests of the files in a folder by size, times and inode, so that unchanged files are not read again. A digest is kept only if its file was
 * last changed at least {@link TICK_MS} before the run began: then the next change gives it other times. The beginning is the time of a file that
 * the run writes, since a file server may have another clock.
 */
export class FileTable {
  readonly root: string;
  readonly #state: StateFolder | undefined;
  #kept: Map<string, Digest> | undefined;
  /** What this run has seen: every file is examined once. */
  #seen = new Map<string, { stamp: string; sha256?: string }>();
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

  /** Returns the digest of a file, and its bytes if it had to be read. @param limit - in bytes; of a larger file, only the digest is returned */
  digest(name: string, limit = 0): { sha256: string; bytes?: Buffer } | FileProblem {
    const stamp = this.#stampOf(name);
    const [keptStamp, kept] = this.#entries.get(name) ?? [];
    const known = this.#seen.get(name)?.sha256 ?? (stamp === keptStamp ? kept : undefined);
    if (known !== undefined) return { sha256: known };
    this.#started ??= this.#state?.now() ?? 0;
    const file = path.join(this.root, name);
    const read = readBytes(file, limit);
    const isLarge = 'problem' in read && read.problem === 'too-large';
    const hashed = isLarge ? hashFile(file) : 'problem' in read ? read : { ...read, sha256: sha256Of(read.bytes) };
    if ('problem' in hashed) return hashed;
    const { stats, sha256 } = hashed;
    this.#seen.set(name, { stamp: stampOf(stats), sha256 });
    if (Math.max(stats.mtimeMs, stats.ctimeMs) >= this.#started - TICK_MS) return hashed;
    this.#entries.set(name, [stampOf(stats), sha256]);
    this.#hasChanged = true;
    return hashed;
  }

  /** Returns a digest of a listing, and of the sizes and times of its files. */
  stamps(listing: Iterable<readonly [name: string, kind: Kind]>): string {
    const hash = createHash('sha256');
    for (const [name, kind] of listing) hash.update(`${name}\0${kind}${kind === 'file' ? this.#stampOf(name) : ''}\n`);
    return hash.digest('hex');
  }

  /** Reads the other files of a listing. @returns whether all digests are kept, so that every later change alters {@link stamps} */
  keepsAll(listing: Iterable<readonly [name: string, kind: Kind]>): boolean {
    for (const [name, kind] of listing)
      if (kind === 'file' && ('problem' in this.digest(name) || this.#entries.get(name)?.[0] !== this.#stampOf(name)))
        return false;
    return true;
  }

  /** Keeps the digests of the files that this run has seen. */
  save(): void {
    const seen = (): Iterable<unknown> => [...this.#entries].filter(([name]) => this.#seen.has(name));
    if (this.#hasChanged) this.#state?.keep(`files ${this.root}`, seen());
    this.#hasChanged = false;
  }

  /** Returns the size and times of a file as a text; an empty text if it is no file, or cannot be examined, which is reported when it is read. */
  #stampOf(name: string): string {
    const seen = this.#seen.get(name);
    if (seen !== undefined) return seen.stamp;
    let stamp = '';
    try {
      const stats = lstatSync(`${this.root}/${name}`); // measured: `path.join` takes half as long as the call
      if (stats.isFile()) stamp = stampOf(stats);
    } catch {
      return ''; // missing, or in a folder that may not be entered
    }
    this.#seen.set(name, { stamp });
    return stamp;
  }

  get #entries(): Map<string, Digest> {
    return (this.#kept ??= new Map((this.#state?.recall(`files ${this.root}`) ?? []) as [string, Digest][]));
  }
}

/** Not the object, of which a large site has many: measured, retaining them takes a quarter of a run that finds nothing changed. */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

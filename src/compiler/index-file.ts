import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContainedFolder } from '../disk/contained-folder.ts';
import { readIfFile } from '../disk/files.ts';

/** Raised when what is stored has another form or meaning. */
const VERSION = 3;
/** Maximum size of an index, in bytes: that of 100,000 themes has some 700 million. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** An entry that was not used for this many days is of a theme that is gone. Not of builds: `check`, `dev` and `build` use other entries. */
const MAX_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;
/** An index that was not written for so long, in milliseconds, is of a checkout that is gone: half a year. */
const MAX_FILE_AGE = 180 * DAY;

interface Line {
  /** Days since 1970. */
  lastUsed: number;
  isUsed: boolean;
  /** Where its JSON is, until it is read or replaced. */
  range?: readonly [bytes: Buffer, start: number, end: number];
  value?: unknown;
}

/** Where an index is. */
export interface IndexPlace {
  dir: ContainedFolder;
  /** The folder of all indexes below that one; empty for itself. */
  folder: string;
  /** Hexadecimal. */
  id: string;
  /** The share that this process renders: its results go to a file of their own, so that caches are merged by copying them. */
  shard?: string | undefined;
}

/**
 * An index: a file of JSON values by key, one to a line, of which only those are parsed that are asked for. It is read when the first is.
 * Its last line is its checksum: what was cut off or corrupted is not read. Files of shards are read with it, and are part of it once it
 * is stored.
 */
export class IndexFile {
  readonly #place: IndexPlace | undefined;
  #read: Map<string, Line> | undefined;
  #shards: string[] = [];
  #isChanged = false;
  readonly #today = Math.floor(Date.now() / DAY);

  /** @param place - without it, nothing is stored */
  constructor(place?: IndexPlace) {
    this.#place = place;
  }

  get #lines(): Map<string, Line> {
    if (this.#read !== undefined) return this.#read;
    this.#read = new Map();
    if (this.#place === undefined) return this.#read;
    const { id } = this.#place;
    const names = namesIn(this.#place);
    this.#shards = names.filter((name) => name.startsWith(`${id}.`) && SHARD.test(name)).toSorted();
    for (const name of [id, ...this.#shards]) this.#add(this.#place, name, this.#read);
    return this.#read;
  }

  /** The value of a key; it is used, so it is retained. */
  get(key: string): unknown {
    const line = this.#lines.get(key);
    if (line === undefined) return undefined;
    Object.assign(line, { lastUsed: this.#today, isUsed: true });
    if (line.range !== undefined) line.value ??= parsed(line.range);
    return line.value;
  }

  /** Whether files of shards were read with it. */
  get hasShards(): boolean {
    return this.#lines.size > 0 && this.#shards.length > 0;
  }

  /** Every key. */
  keys(): IterableIterator<string> {
    return this.#lines.keys();
  }

  set(key: string, value: unknown): void {
    this.#lines.set(key, { lastUsed: this.#today, isUsed: true, value });
    this.#isChanged = true;
  }

  /** Stores what has changed. What cannot be stored is made again by the next build. */
  async save(): Promise<void> {
    const place = this.#place;
    if (place === undefined || !(this.#isChanged || (place.shard === undefined && this.#shards.length > 0))) return;
    const { dir, folder, id, shard } = place;
    const name = path.posix.join(folder, shard === undefined ? id : `${id}.${shard}`);
    const partial = `${name}.${randomUUID()}`;
    dir.forget();
    try {
      if (folder !== '') await dir.makeFolder(folder, { isPrivate: false });
      // Not flushed to the disk: half an index has no checksum.
      const handle = openSync(dir.at(partial), 'wx', 0o600);
      try {
        this.#write(handle, shard !== undefined);
      } finally {
        closeSync(handle);
      }
      await dir.rename(partial, name);
      this.#isChanged = false;
      if (shard === undefined) for (const one of this.#shards.splice(0)) await dir.remove(path.posix.join(folder, one));
      await removeOld(place);
    } catch {
      await dir.remove(partial).catch(() => undefined);
    }
  }

  /** Forgets everything, and removes what is stored. @returns whether there was anything */
  async discard(): Promise<boolean> {
    const names = this.#place === undefined || this.#lines.size === 0 ? [] : [this.#place.id, ...this.#shards];
    this.#read = new Map();
    for (const name of names) await this.#place?.dir.remove(path.posix.join(this.#place.folder, name));
    return names.length > 0;
  }

  #add(place: IndexPlace, name: string, lines: Map<string, Line>): void {
    const bytes = bytesOf(place, name);
    const end = bytes?.lastIndexOf('\n', -2) ?? -1;
    if (bytes === undefined || end === -1) return;
    const body = bytes.subarray(0, end + 1);
    if (bytes.toString('latin1', end + 1) !== `${begun().update(body).digest('hex')}\n`) return;
    for (let start = 0; start < body.length;) {
      const [stop, tab] = [body.indexOf(NEWLINE, start), body.indexOf(TAB, start)];
      const space = body.indexOf(SPACE, start);
      const key = parsed([body, space + 1, tab]);
      const lastUsed = Number(body.toString('latin1', start, space));
      if (typeof key === 'string') lines.set(key, { lastUsed, isUsed: false, range: [body, tab + 1, stop] });
      start = stop + 1;
    }
  }

  /** Writes the lines, each with the day of its last use, a space, its key, a tab and its value; and last the checksum. */
  #write(handle: number, onlyUsed: boolean): void {
    const checksum = begun();
    let parts: Buffer[] = [];
    let length = 0;
    const flush = (): void => {
      const chunk = Buffer.concat(parts);
      checksum.update(chunk);
      writeFileSync(handle, chunk);
      [parts, length] = [[], 0];
    };
    for (const [key, { lastUsed, isUsed, range, value }] of this.#lines) {
      if (this.#today - lastUsed > MAX_DAYS || (onlyUsed && !isUsed)) continue;
      const json = range === undefined ? Buffer.from(JSON.stringify(value)) : range[0].subarray(range[1], range[2]);
      parts.push(Buffer.from(`${lastUsed} ${JSON.stringify(key)}\t`), json, END_OF_LINE);
      length += json.length;
      if (length > CHUNK) flush();
    }
    flush();
    writeFileSync(handle, `${checksum.digest('hex')}\n`);
  }
}

const SHARD = /^[0-9a-f]+\.\d+-of-\d+$/;
const [TAB, NEWLINE, SPACE] = [9, 10, 32];
const END_OF_LINE = Buffer.of(NEWLINE);
/** Bytes that are written at once: the index of 10,000 themes has some 100 million. */
const CHUNK = 1024 * 1024;

/** The checksum covers the version: an index of an earlier form does not count. */
function begun(): ReturnType<typeof createHash> {
  return createHash('sha256').update(`${VERSION}\n`);
}

function parsed([bytes, start, end]: NonNullable<Line['range']>): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as unknown;
  } catch {
    return undefined; // written by another program
  }
}

/** The files in the folder of an index; none in one that cannot be read, or is a link. */
function namesIn({ dir, folder, id }: IndexPlace): string[] {
  try {
    const entries = readdirSync(path.dirname(dir.at(path.posix.join(folder, id))), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function bytesOf({ dir, folder }: IndexPlace, name: string): Buffer | undefined {
  try {
    return readIfFile(dir.at(path.posix.join(folder, name)), MAX_BYTES);
  } catch {
    return undefined; // a link on the way
  }
}

/** Removes the indexes of checkouts that are gone, and what was left by processes that were killed. */
async function removeOld(place: IndexPlace): Promise<void> {
  const { dir, folder } = place;
  for (const name of namesIn(place)) {
    const stat = /^[0-9a-f]{32}(?:\.|$)/.test(name) ? dir.fileStat(path.posix.join(folder, name)) : undefined;
    if (stat !== undefined && Date.now() - stat.modified > MAX_FILE_AGE)
      await dir.remove(path.posix.join(folder, name));
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ContainedFolder } from '../disk/contained-folder.ts';
import { readIfFile } from '../disk/files.ts';

/** Increase it when stored values get another form or meaning. */
const INDEX_VERSION = 3;
/** Maximum size of an index, in bytes: an index of 100,000 themes has some 700 million. */
const MAX_INDEX_BYTES = 1024 * 1024 * 1024;
/** Entries unused for this many days belong to removed themes. Not a number of builds: `check`, `dev` and `build` use different entries. */
const MAX_UNUSED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** An index not written for half a year, in milliseconds, belongs to a removed checkout. */
const MAX_FILE_AGE_MS = 180 * DAY_MS;

interface Line {
  /** Days since 1970. */
  lastUsed: number;
  isUsed: boolean;
  /** The position of its JSON, until the value is read or replaced. */
  range?: readonly [bytes: Buffer, start: number, end: number];
  value?: unknown;
}

export interface IndexPlace {
  dir: ContainedFolder;
  /** The folder of all indexes below `dir`; empty for `dir` itself. */
  folder: string;
  /** Hexadecimal. */
  id: string;
  /** The share that this process renders. Its results go to a separate file, so that caches are merged by copying them. */
  shard?: string | undefined;
}

/**
 * A file of JSON values by key, one per line. It is read on first use, and only requested values are parsed. The last line is a checksum: a
 * truncated or corrupted file is ignored. Files of shards are read too, and merged into it when it is saved.
 */
export class IndexFile {
  readonly #place: IndexPlace | undefined;
  #read: Map<string, Line> | undefined;
  #shards: string[] = [];
  #isChanged = false;
  readonly #today = Math.floor(Date.now() / DAY_MS);

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

  /** Returns the value of a key, and marks it as used so that it is retained. */
  get(key: string): unknown {
    const line = this.#lines.get(key);
    if (line === undefined) return undefined;
    Object.assign(line, { lastUsed: this.#today, isUsed: true });
    if (line.range !== undefined) line.value ??= parseRange(line.range);
    return line.value;
  }

  /** Whether files of shards were read too. */
  get hasShards(): boolean {
    return this.#lines.size > 0 && this.#shards.length > 0;
  }

  keys(): IterableIterator<string> {
    return this.#lines.keys();
  }

  set(key: string, value: unknown): void {
    this.#lines.set(key, { lastUsed: this.#today, isUsed: true, value });
    this.#isChanged = true;
  }

  /** Saves the index if it has changed. If that fails, the next build repeats the work. */
  async save(): Promise<void> {
    const place = this.#place;
    if (place === undefined || !(this.#isChanged || (place.shard === undefined && this.#shards.length > 0))) return;
    const { dir, folder, id, shard } = place;
    const name = path.posix.join(folder, shard === undefined ? id : `${id}.${shard}`);
    const partial = `${name}.${randomUUID()}`;
    dir.forget();
    try {
      if (folder !== '') await dir.makeFolder(folder, { isPrivate: false });
      // Not flushed to the disk: a truncated index has no valid checksum.
      const handle = openSync(dir.at(partial), 'wx', 0o600);
      try {
        this.#write(handle, shard !== undefined);
      } finally {
        closeSync(handle);
      }
      await dir.rename(partial, name);
      this.#isChanged = false;
      if (shard === undefined)
        for (const shardFile of this.#shards.splice(0)) await dir.remove(path.posix.join(folder, shardFile));
      await removeOld(place);
    } catch {
      await dir.remove(partial).catch(() => undefined);
    }
  }

  /** Forgets everything, and removes the stored files. @returns whether there were any */
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
    if (bytes.toString('latin1', end + 1) !== `${startChecksum().update(body).digest('hex')}\n`) return;
    for (let start = 0; start < body.length;) {
      const [stop, tab] = [body.indexOf(NEWLINE, start), body.indexOf(TAB, start)];
      const space = body.indexOf(SPACE, start);
      const key = parseRange([body, space + 1, tab]);
      const lastUsed = Number(body.toString('latin1', start, space));
      if (typeof key === 'string') lines.set(key, { lastUsed, isUsed: false, range: [body, tab + 1, stop] });
      start = stop + 1;
    }
  }

  /** Writes the lines: the day of last use, a space, the key, a tab and the value; then the checksum. */
  #write(handle: number, onlyUsed: boolean): void {
    const checksum = startChecksum();
    let parts: Buffer[] = [];
    let length = 0;
    const flush = (): void => {
      const chunk = Buffer.concat(parts);
      checksum.update(chunk);
      writeFileSync(handle, chunk);
      [parts, length] = [[], 0];
    };
    for (const [key, { lastUsed, isUsed, range, value }] of this.#lines) {
      if (this.#today - lastUsed > MAX_UNUSED_DAYS || (onlyUsed && !isUsed)) continue;
      const json = range === undefined ? Buffer.from(JSON.stringify(value)) : range[0].subarray(range[1], range[2]);
      parts.push(Buffer.from(`${lastUsed} ${JSON.stringify(key)}\t`), json, END_OF_LINE);
      length += json.length;
      if (length > CHUNK_BYTES) flush();
    }
    flush();
    writeFileSync(handle, `${checksum.digest('hex')}\n`);
  }
}

const SHARD = /^[0-9a-f]+\.\d+-of-\d+$/;
const [TAB, NEWLINE, SPACE] = [9, 10, 32];
const END_OF_LINE = Buffer.of(NEWLINE);
/** Bytes per write: the index of 10,000 themes has some 100 million. */
const CHUNK_BYTES = 1024 * 1024;

/** Starts a checksum with the version, so that an index in an earlier form is ignored. */
function startChecksum(): ReturnType<typeof createHash> {
  return createHash('sha256').update(`${INDEX_VERSION}\n`);
}

function parseRange([bytes, start, end]: NonNullable<Line['range']>): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as unknown;
  } catch {
    return undefined; // written by another program
  }
}

/** Returns the files in the folder of an index; none if it cannot be read, or is a link. */
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
    return readIfFile(dir.at(path.posix.join(folder, name)), MAX_INDEX_BYTES);
  } catch {
    return undefined; // a link on the way
  }
}

/** Removes old files: the checkout of an index is probably removed, and the process of a temporary file was killed. */
async function removeOld(place: IndexPlace): Promise<void> {
  const { dir, folder } = place;
  for (const name of namesIn(place)) {
    const stat = /^[0-9a-f]{32}(?:\.|$)/.test(name) ? dir.fileStat(path.posix.join(folder, name)) : undefined;
    if (stat !== undefined && Date.now() - stat.modified > MAX_FILE_AGE_MS)
      await dir.remove(path.posix.join(folder, name));
  }
}

import { createHmac, type Hmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { CacheKeys } from '../images/cache-keys.ts';
import type { ContainedFolder } from '../output/contained-folder.ts';

/** Raised when what is stored has another form or meaning. */
const VERSION = 1;
const FOLDER = 'index';
/** Maximum size of an index, in bytes: that of 100,000 themes has some 700 million. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** An entry that this many builds did not use is of a theme that is gone. */
const MAX_AGE = 8;

interface Line {
  age: number;
  /** Where its JSON is in the file, until it is read or replaced. */
  range?: readonly [start: number, end: number];
  value?: unknown;
}

/**
 * The index of a cache: one file of JSON values by key, one to a line, of which only those are parsed that are asked for. It is sealed
 * with an HMAC: a file that neither this user on this machine nor anyone with the shared secret wrote is not believed.
 */
export class IndexFile {
  readonly #dir: ContainedFolder | undefined;
  readonly #name: string;
  readonly #keys: CacheKeys;
  readonly #lines = new Map<string, Line>();
  #bytes: Buffer = Buffer.alloc(0);
  #isChanged = false;

  private constructor(dir: ContainedFolder | undefined, name: string, keys: CacheKeys) {
    this.#dir = dir;
    this.#name = name;
    this.#keys = keys;
  }

  /**
   * Reads an index; an empty one if there is none that is believed.
   * @param dir - the folder of the cache; without one, nothing is stored
   * @param isPortable - which keys hold on another machine: of an index that only the shared secret proves, the others are left out
   */
  static async open(
    dir: ContainedFolder | undefined,
    id: string,
    keys: CacheKeys,
    isPortable: (key: string) => boolean,
  ): Promise<IndexFile> {
    const index = new IndexFile(dir, `${FOLDER}/${id}`, keys);
    if (dir !== undefined) await index.#read(dir, isPortable);
    return index;
  }

  /** The value of a key; it is used, so it is retained. */
  get(key: string): unknown {
    const line = this.#lines.get(key);
    if (line === undefined) return undefined;
    line.age = 0;
    if (line.range !== undefined) line.value ??= JSON.parse(this.#bytes.toString('utf8', ...line.range)) as unknown;
    return line.value;
  }

  set(key: string, value: unknown): void {
    this.#lines.set(key, { age: 0, value });
    this.#isChanged = true;
  }

  delete(key: string): void {
    if (this.#lines.delete(key)) this.#isChanged = true;
  }

  clear(): void {
    this.#lines.clear();
    this.#isChanged = true;
  }

  /** Stores what has changed. What cannot be stored is made again by the next build. */
  async save(): Promise<void> {
    const { machine, shared } = this.#keys;
    if (this.#dir === undefined || !this.#isChanged || (machine ?? shared) === undefined) return;
    const partial = `${this.#name}.${randomUUID()}`;
    this.#dir.forget();
    try {
      await this.#dir.makeFolder(FOLDER, { isPrivate: false });
      // Not flushed to the disk: half an index has no seal.
      const handle = openSync(this.#dir.at(partial), 'wx', 0o600);
      try {
        this.#write(handle);
      } finally {
        closeSync(handle);
      }
      await this.#dir.rename(partial, this.#name);
      this.#isChanged = false;
    } catch {
      await this.#dir.remove(partial).catch(() => undefined);
    }
  }

  async #read(dir: ContainedFolder, isPortable: (key: string) => boolean): Promise<void> {
    const bytes = await dir.read(this.#name, MAX_BYTES).catch(() => undefined);
    const end = bytes?.lastIndexOf('\n', -2) ?? -1;
    if (bytes === undefined || end === -1) return;
    const [machineSeal, sharedSeal] = bytes
      .toString('latin1', end + 1)
      .trimEnd()
      .split(' ');
    const body = bytes.subarray(0, end + 1);
    const isOwn = isSeal(machineSeal, this.#keys.machine, this.#name, body);
    if (!isOwn && !isSeal(sharedSeal, this.#keys.shared, this.#name, body)) return;
    this.#bytes = body;
    for (let start = 0; start < body.length;) {
      const stop = body.indexOf(NEWLINE, start);
      const tab = body.indexOf(TAB, start);
      const key = JSON.parse(body.toString('utf8', start + 1, tab)) as string;
      if (isOwn || isPortable(key)) this.#lines.set(key, { age: Number(body[start]) - 48, range: [tab + 1, stop] });
      start = stop + 1;
    }
  }

  /** Writes the lines, each with a digit for its age, its key, a tab and its value; and last the seals of all of them. */
  #write(handle: number): void {
    const { machine, shared } = this.#keys;
    const seals = [machine, shared].map((key) => (key === undefined ? undefined : sealing(key, this.#name)));
    let parts: Buffer[] = [];
    let length = 0;
    const flush = (): void => {
      const chunk = Buffer.concat(parts);
      for (const seal of seals) seal?.update(chunk);
      writeFileSync(handle, chunk);
      [parts, length] = [[], 0];
    };
    for (const [key, { age, range, value }] of this.#lines) {
      if (age >= MAX_AGE) continue;
      const json = range === undefined ? Buffer.from(JSON.stringify(value)) : this.#bytes.subarray(...range);
      parts.push(Buffer.from(`${age + 1}${JSON.stringify(key)}\t`), json, END_OF_LINE);
      length += json.length;
      if (length > CHUNK) flush();
    }
    flush();
    writeFileSync(handle, `${seals.map((seal) => seal?.digest('hex') ?? '-').join(' ')}\n`);
  }
}

const [TAB, NEWLINE] = [9, 10];
const END_OF_LINE = Buffer.of(NEWLINE);
/** Bytes that are written at once: the index of 10,000 themes has some 100 million. */
const CHUNK = 1024 * 1024;

/** A seal covers the version and the name: an index of other themes, or of an earlier form, does not count. */
function sealing(key: string, name: string): Hmac {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`${VERSION} ${name}\n`);
}

function isSeal(seal: string | undefined, key: string | undefined, name: string, body: Buffer): boolean {
  if (key === undefined || seal === undefined || !/^[0-9a-f]{64}$/.test(seal)) return false;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealing(key, name).update(body).digest('hex')));
}

import type { Pointer, RuntimeRules } from './rules.ts';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Where keyed shards are kept: `users/shards.ts` says what they are. */
export interface ShardStore {
  /** A value by its name; nothing if there is none. */
  read(name: string): Promise<string | undefined>;
  /** The secret that the digests were made with, and while it is changed the one before. */
  secrets(): Promise<readonly (string | undefined)[]>;
}

/** For how long the pointer is believed, in milliseconds: so long a new build may take to show. */
const POINTER_MS = 60_000;
/** Bytes of index pages and shards that are kept in memory: all of two million users. A Cloudflare Worker has 128 MB. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Shortest secret, in bytes (RFC 2104, section 3: the length of the digest). */
const SECRET_BYTES = 32;
/** As in `users/shards.ts`. */
const PAGE_SHARDS = 64;
const HASH_LENGTH = 12;
const DIGEST_BYTES = 6;

const utf8 = new TextEncoder();

/** Looks keys up in keyed shards. What is read is kept in memory, for all requests that the object is used for. */
export class ShardedThemes {
  readonly #store: ShardStore;
  readonly #now: () => number;
  readonly #themes: ReadonlyMap<number, string>;
  /** Index pages and shards by name, the longest unused first. */
  readonly #values = new Map<string, Uint8Array>();
  #bytes = 0;
  /** The pointer, and the one before it. */
  #pointers: readonly Pointer[] = [];
  #pointerUntil = 0;
  readonly #keys = new Map<string, HmacKey>();
  readonly #complaints = new Set<string>();

  /** @param now - milliseconds since any moment */
  constructor({ themes, themeIds }: Pick<RuntimeRules, 'themes' | 'themeIds'>, store: ShardStore, now = Date.now) {
    this.#store = store;
    this.#now = now;
    this.#themes = new Map(themes.map((slug, at) => [themeIds[at] ?? 0, slug]));
  }

  /** The theme of a key; nothing for one that is in no shard. */
  async themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined> {
    // For a moment after a roll-out a store that is eventually consistent may have the pointer, and not yet what it leads to.
    for (const pointer of await this.#currentPointers()) {
      const id = await this.#idOf(pointer, `${kind.charAt(0)}:${key}`);
      if (id !== 'unknown') return id === 'nobody' ? undefined : this.#themes.get(id);
    }
    return undefined;
  }

  /** The id of the theme by the build that a pointer is to; `unknown` if not all that it takes is there. */
  async #idOf(pointer: Pointer, message: string): Promise<number | 'nobody' | 'unknown'> {
    const hmac = await this.#keyOf(pointer);
    if (hmac === undefined) return 'unknown';
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, utf8.encode(message)));
    const bits = Math.log2(pointer.shards);
    const shard = (((digest[0] ?? 0) << 8) | (digest[1] ?? 0)) >>> (16 - bits);
    const page = await this.#value(pageName(pointer, shard), (text) => utf8.encode(text));
    if (page === undefined) return 'unknown';
    const at = (shard % PAGE_SHARDS) * HASH_LENGTH;
    const hash = String.fromCharCode(...page.subarray(at, at + HASH_LENGTH));
    if (hash.startsWith('.')) return 'nobody';
    const records = await this.#value(`s:${hexNumber(shard, Math.ceil(bits / 4))}:${hash}`, fromBase64);
    if (records === undefined) return 'unknown';
    return find(records, digest.subarray(2, 2 + DIGEST_BYTES), pointer.theme_bytes) ?? 'nobody';
  }

  /** The pointer, then the one before it. While there is none to be read, or none that makes sense, the last one stands in. */
  async #currentPointers(): Promise<readonly Pointer[]> {
    const now = this.#now();
    if (now < this.#pointerUntil) return this.#pointers;
    const [known] = this.#pointers;
    const text = await this.#store.read('pointer').catch((error: unknown) => {
      if (known === undefined) throw error;
      return undefined;
    });
    const read = parsePointer(text);
    if (read === undefined)
      this.#complain(
        known === undefined
          ? 'There is no pointer to keyed shards: everybody gets the default theme.'
          : 'The pointer to keyed shards cannot be read: what it was goes on.',
      );
    else if (read.build !== known?.build) this.#pointers = [read, ...(known === undefined ? [] : [known])];
    // Without any, the next request asks again.
    if (this.#pointers.length > 0) this.#pointerUntil = now + POINTER_MS;
    return this.#pointers;
  }

  /** The secret that the pointer names, ready for use. */
  async #keyOf({ key_id: id }: Pointer): Promise<HmacKey | undefined> {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    for (const secret of await this.#store.secrets()) {
      const bytes = utf8.encode(secret ?? '');
      if (bytes.length < SECRET_BYTES) continue;
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      const check = await crypto.subtle.sign('HMAC', key, utf8.encode('themecast key id'));
      if (!hex(new Uint8Array(check)).startsWith(id)) continue;
      this.#keys.set(id, key);
      return key;
    }
    this.#complain(
      'THEMECAST_KEY_SECRET is not set, or not what the keyed shards were made with: whoever is in them gets the default theme.',
    );
    return undefined;
  }

  /** A value whose name is made of its content, or of the build: it never changes, so it is kept. */
  async #value(name: string, decode: (text: string) => Uint8Array): Promise<Uint8Array | undefined> {
    const known = this.#values.get(name);
    if (known !== undefined) {
      this.#values.delete(name);
      this.#values.set(name, known);
      return known;
    }
    const text = await this.#store.read(name);
    if (text === undefined) {
      this.#complain('Of the keyed shards that the pointer leads to, some are missing.');
      return undefined;
    }
    const value = decode(text);
    this.#keep(name, value);
    return value;
  }

  #keep(name: string, value: Uint8Array): void {
    // Another request may have read it meanwhile.
    if (this.#values.has(name)) return;
    this.#values.set(name, value);
    this.#bytes += value.length;
    for (const [oldest, { length }] of this.#values) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#values.delete(oldest);
      this.#bytes -= length;
    }
  }

  /** Says once in the log of the platform why nobody is found. Nothing in it tells who asked. */
  #complain(message: string): void {
    if (this.#complaints.has(message)) return;
    this.#complaints.add(message);
    // oxlint-disable-next-line no-console -- what every platform has for its log
    console.error(`themecast: ${message}`);
  }
}

/** The pointer, if it is one of the version that is read here. */
function parsePointer(text: string | undefined): Pointer | undefined {
  try {
    const pointer = JSON.parse(text ?? 'null') as Pointer | null;
    return pointer?.version === 1 ? pointer : undefined;
  } catch {
    return undefined;
  }
}

/** The name of the index page with the hash of a shard. */
function pageName({ build, shards }: Pointer, shard: number): string {
  const width = Math.max(1, Math.ceil(Math.log2(shards / PAGE_SHARDS) / 4));
  return `i:${build}:${hexNumber(Math.floor(shard / PAGE_SHARDS), width)}`;
}

/** The theme id of the record with this digest, by binary search. */
function find(records: Uint8Array, digest: Uint8Array, themeBytes: number): number | undefined {
  const width = DIGEST_BYTES + themeBytes;
  let low = 0;
  let high = records.length / width;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = compare(records, middle * width, digest);
    if (order === 0) {
      const id = records.subarray(middle * width + DIGEST_BYTES, (middle + 1) * width);
      return id.reduce((number, byte) => number * 256 + byte, 0);
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function compare(records: Uint8Array, start: number, digest: Uint8Array): number {
  for (let at = 0; at < DIGEST_BYTES; at++) {
    const difference = (records[start + at] ?? 0) - (digest[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Measured for 17 kB, a shard of ten million users: 60 µs, and 1.3 ms by `Uint8Array.from`. */
function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexNumber(byte, 2)).join('');
}

function hexNumber(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

import type { EdgeRules } from '../../mapping/edge-rules.ts';
import type { Pointer } from '../../mapping/shards.ts';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Where keyed shards are kept: `mapping/shards.ts` says what they are. */
export interface ShardStore {
  /** A value by its name; nothing if there is none. */
  read(name: string): Promise<string | undefined>;
  /** The secret that the digests were made with, and while it is changed the one before. */
  secrets(): Promise<readonly (string | undefined)[]>;
}

/** For how long the pointer is believed, in milliseconds: so long a new build may take to show. */
const POINTER_MS = 60_000;
/** Index pages and shards that are kept in memory: of ten million users, 512 shards take 9 MB. */
const KEPT = 512;
/** As in `mapping/shards.ts`. */
const PAGE_SHARDS = 64;
const HASH_LENGTH = 12;
const DIGEST_BYTES = 6;

/** Looks keys up in keyed shards. What is read is kept in memory, for all requests that the object is used for. */
export class ShardedThemes {
  readonly #store: ShardStore;
  readonly #themes: ReadonlyMap<number, string>;
  readonly #values = new Map<string, Uint8Array>();
  #pointer: { value: Pointer; read: number } | undefined;
  #key: { id: string; key: HmacKey } | undefined;
  readonly #complaints = new Set<string>();

  constructor({ themes, themeIds }: Pick<EdgeRules, 'themes' | 'themeIds'>, store: ShardStore) {
    this.#store = store;
    this.#themes = new Map(themes.map((slug, at) => [themeIds[at] ?? 0, slug]));
  }

  /** The theme of a key; nothing for one that is in no shard. */
  async themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined> {
    const pointer = await this.#currentPointer();
    const hmac = pointer && (await this.#keyOf(pointer));
    if (pointer === undefined || hmac === undefined) return undefined;
    const signature = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`${kind.charAt(0)}:${key}`));
    const digest = new Uint8Array(signature);
    const bits = Math.log2(pointer.shards);
    const shard = (((digest[0] ?? 0) << 8) | (digest[1] ?? 0)) >>> (16 - bits);
    const records = await this.#shard(pointer, shard, bits);
    const id = records && find(records, digest.subarray(2, 2 + DIGEST_BYTES), pointer.theme_bytes);
    return id === undefined ? undefined : this.#themes.get(id);
  }

  async #currentPointer(): Promise<Pointer | undefined> {
    const known = this.#pointer;
    if (known !== undefined && Date.now() - known.read < POINTER_MS) return known.value;
    const text = await this.#store.read('pointer');
    if (text === undefined)
      return this.#complain('There is no pointer to keyed shards: everybody gets the default theme.');
    this.#pointer = { value: JSON.parse(text) as Pointer, read: Date.now() };
    return this.#pointer.value;
  }

  /** The secret that the pointer names, ready for use. */
  async #keyOf({ key_id: id }: Pointer): Promise<HmacKey | undefined> {
    if (this.#key?.id === id) return this.#key.key;
    for (const secret of await this.#store.secrets()) {
      const bytes = new TextEncoder().encode(secret ?? '');
      if (bytes.length < 32) continue;
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      const check = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('themecast key id'));
      if (hex(new Uint8Array(check, 0, id.length / 2)) !== id) continue;
      this.#key = { id, key };
      return key;
    }
    return this.#complain('THEMECAST_KEY_SECRET is not that of the keyed shards: everybody gets the default theme.');
  }

  async #shard(pointer: Pointer, shard: number, bits: number): Promise<Uint8Array | undefined> {
    const pages = Math.ceil(pointer.shards / PAGE_SHARDS);
    const page = Math.floor(shard / PAGE_SHARDS);
    const pageWidth = Math.max(1, Math.ceil(Math.log2(pages) / 4));
    const index = await this.#value(`i:${pointer.build}:${hexNumber(page, pageWidth)}`, ascii);
    if (index === undefined) return undefined;
    const at = (shard % PAGE_SHARDS) * HASH_LENGTH;
    const hash = String.fromCharCode(...index.subarray(at, at + HASH_LENGTH));
    if (hash.startsWith('.')) return undefined;
    return this.#value(`s:${hexNumber(shard, Math.ceil(bits / 4))}:${hash}`, fromBase64);
  }

  /** A value whose name is made of its content, or of the build: it never changes, so it is kept. */
  async #value(name: string, decode: (text: string) => Uint8Array): Promise<Uint8Array | undefined> {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const text = await this.#store.read(name);
    // For a moment after a roll-out a store that is eventually consistent may have the pointer, and not yet what it leads to.
    if (text === undefined)
      return this.#complain(`There is no value ${name}: those whom it knows get the default theme.`);
    const value = decode(text);
    const [oldest] = this.#values.size < KEPT ? [] : this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(name, value);
    return value;
  }

  /** Says once in the log of the platform why nobody is found; nobody's key is in it. */
  #complain(message: string): undefined {
    if (this.#complaints.has(message) || this.#complaints.size === KEPT) return undefined;
    this.#complaints.add(message);
    // oxlint-disable-next-line no-console -- what every platform has for its log
    console.error(`themecast: ${message}`);
    return undefined;
  }
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

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexNumber(byte, 2)).join('');
}

function hexNumber(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

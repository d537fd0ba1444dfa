import type { Pointer, RuntimeRules } from './rules.ts';
import { MIN_SECRET_BYTES } from './token.ts';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The store of keyed shards; `core/users/shards.ts` describes the format. */
export interface ShardStore {
  /** Reads a value by its name; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Returns the secret of the digests, and during a rotation the previous secret. */
  secrets(): Promise<readonly (string | undefined)[]>;
}

/** How long the pointer is cached, in milliseconds. A new build is in effect after that time. */
const POINTER_MS = 60_000;
/** Maximum size of the cache of index pages and shards, in bytes: enough for two million users. A Cloudflare Worker has 128 MB. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
/** These three are the same in `core/users/shards.ts`. */
const PAGE_SHARDS = 64;
const HASH_LENGTH = 12;
const DIGEST_BYTES = 6;

const utf8 = new TextEncoder();

/** Looks keys up in keyed shards. Values are cached in memory for all requests that share the object. */
export class ShardedThemes {
  readonly #store: ShardStore;
  readonly #themes: ReadonlyMap<number, string>;
  /** Index pages, and decoded shards, by name. */
  readonly #values = new Map<string, string>();
  #bytes = 0;
  #pointer: Pointer | undefined;
  #pointerUntil = 0;
  readonly #keys = new Map<string, HmacKey>();
  readonly #logged = new Set<string>();

  constructor({ themes, themeIds }: Pick<RuntimeRules, 'themes' | 'themeIds'>, store: ShardStore) {
    this.#store = store;
    this.#themes = new Map(themes.map((slug, at) => [themeIds[at] ?? 0, slug]));
  }

  /** Returns the theme of a key; undefined if no shard contains it, or while the secret or a value is missing. */
  async themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined> {
    const pointer = await this.#currentPointer();
    const hmac = pointer && (await this.#keyOf(pointer));
    if (pointer === undefined || hmac === undefined) return undefined;
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, utf8.encode(`${kind.charAt(0)}:${key}`)));
    const bits = Math.log2(pointer.shards);
    const shard = (((digest[0] ?? 0) << 8) | (digest[1] ?? 0)) >>> (16 - bits);
    const page = (await this.#value(pageName(pointer, shard), (text) => text)) ?? '';
    const at = (shard % PAGE_SHARDS) * HASH_LENGTH;
    const hash = page.slice(at, at + HASH_LENGTH);
    if (hash === '' || hash.startsWith('.')) return undefined;
    const records = (await this.#value(`s:${hexNumber(shard, Math.ceil(bits / 4))}:${hash}`, atob)) ?? '';
    const id = find(records, String.fromCharCode(...digest.subarray(2, 2 + DIGEST_BYTES)), pointer.theme_bytes);
    return id === undefined ? undefined : this.#themes.get(id);
  }

  /** Returns the pointer. While it is missing or invalid, the last valid pointer stays in use. */
  async #currentPointer(): Promise<Pointer | undefined> {
    if (Date.now() < this.#pointerUntil) return this.#pointer;
    const read = parsePointer(await this.#store.read('pointer'));
    if (read === undefined) this.#logOnce('The pointer to the keyed shards is missing or invalid.');
    this.#pointer = read ?? this.#pointer;
    // Without a valid pointer so far, the next request reads it again.
    if (this.#pointer !== undefined) this.#pointerUntil = Date.now() + POINTER_MS;
    return this.#pointer;
  }

  /** Imports the secret that the pointer refers to. */
  async #keyOf({ key_id: id }: Pointer): Promise<HmacKey | undefined> {
    const cached = this.#keys.get(id);
    if (cached !== undefined) return cached;
    for (const secret of await this.#store.secrets()) {
      const bytes = utf8.encode(secret ?? '');
      if (bytes.length < MIN_SECRET_BYTES) continue;
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      const check = await crypto.subtle.sign('HMAC', key, utf8.encode('themecast key id'));
      if (!hex(new Uint8Array(check)).startsWith(id)) continue;
      this.#keys.set(id, key);
      return key;
    }
    this.#logOnce(
      'THEMECAST_KEY_SECRET is not set or does not match the keyed shards: every user in them gets the default theme.',
    );
    return undefined;
  }

  /** Reads a value and caches it: its name contains its hash or the build, so it never changes. */
  async #value(name: string, decode: (text: string) => string): Promise<string | undefined> {
    const cached = this.#values.get(name);
    if (cached !== undefined) return cached;
    const text = await this.#store.read(name);
    if (text === undefined) {
      this.#logOnce('Some of the keyed shards that the pointer refers to are missing.');
      return undefined;
    }
    const value = decode(text);
    if (this.#bytes > MAX_CACHE_BYTES) {
      this.#values.clear();
      this.#bytes = 0;
    }
    this.#values.set(name, value);
    this.#bytes += value.length;
    return value;
  }

  /** Logs once why lookups fail. The message contains no personal data. */
  #logOnce(message: string): void {
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    // oxlint-disable-next-line no-console -- the log of every platform
    console.error(`themecast: ${message}`);
  }
}

/** Parses the pointer; returns undefined if it is invalid or of another version. */
function parsePointer(text: string | undefined): Pointer | undefined {
  try {
    const pointer = JSON.parse(text ?? 'null') as Pointer | null;
    return pointer?.version === 1 ? pointer : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name of the index page that contains the hash of a shard. */
function pageName({ build, shards }: Pointer, shard: number): string {
  const width = Math.max(1, Math.ceil(Math.log2(shards / PAGE_SHARDS) / 4));
  return `i:${build}:${hexNumber(Math.floor(shard / PAGE_SHARDS), width)}`;
}

/** Returns the theme id of the record with this digest. Engines search a string faster than a binary search in bytes. */
function find(records: string, digest: string, themeBytes: number): number | undefined {
  const width = DIGEST_BYTES + themeBytes;
  let at = records.indexOf(digest);
  while (at >= 0 && at % width > 0) at = records.indexOf(digest, at + 1);
  if (at < 0) return undefined;
  const id = Array.from(records.slice(at + DIGEST_BYTES, at + width), (byte) => byte.charCodeAt(0));
  return id.reduce((number, byte) => number * 256 + byte, 0);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => hexNumber(byte, 2)).join('');
}

function hexNumber(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

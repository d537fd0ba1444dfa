import { createHash, createHmac } from 'node:crypto';
import { ThemecastError } from '../diagnostics/themecast-error.ts';
import type { Pointer } from '../edge-runtime/rules.ts';

/** Length of the digest in a record, in bytes: the third byte and later ones, because the first two select the shard. */
export const DIGEST_BYTES = 6;

/** Number of shards per index page: their hashes have 768 characters, so a page and its name fit the 1 kB of CloudFront. */
export const PAGE_SHARDS = 64;

/** Length of the hash in the name of a shard, in bytes. */
const HASH_BYTES = 6;
/** The place of an empty shard in an index page. */
const EMPTY = '.'.repeat(2 * HASH_BYTES);

/** The only value whose name never changes. Writing it last makes a build live. */
export const POINTER = 'pointer';

/** Number of bits of the digest that select a shard: there are 4,096 shards. */
export const SHARD_BITS = 12;

export interface ShardShape {
  /** Number of bits of the digest that select a shard: fewer than 16. */
  bits: number;
  /** Length of a theme id in a record, in bytes. */
  themeBytes: number;
}

/** Keyed shards as named text values, for files and for key-value stores. */
export interface Shards {
  pointer: Pointer;
  /** Yields index pages and shards, without the pointer; equal at every call. */
  values(): Iterable<StoredValue>;
}

/** A named text value; the text is made on demand. */
export interface StoredValue {
  name: string;
  text: () => string;
}

/** The hash of each shard's records; undefined for an empty shard. */
export type ShardHashes = readonly (string | undefined)[];

/** Hashes the records of a shard for its name, so that an unchanged shard keeps its name. */
export function shardHash(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);
}

/** Returns the number of bytes that the greatest theme id needs. */
export function themeBytes(ids: readonly number[]): number {
  return Math.max(1, Math.ceil(Math.log2(Math.max(0, ...ids) + 1) / 8));
}

/** Returns an id of a secret that reveals nothing about it. */
export function keyId(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('themecast key id').digest('hex').slice(0, 16);
}

export function pointerOf({ bits, themeBytes: width }: ShardShape, hashes: ShardHashes, secret: Uint8Array): Pointer {
  const shape = { key_id: keyId(secret), shards: 2 ** bits, theme_bytes: width };
  const digest = createHash('sha256').update(JSON.stringify([shape, hashes.map((hash) => hash ?? '')]));
  return { version: 1, build: digest.digest('hex').slice(0, 16), ...shape };
}

/** Returns the name of a shard: `s:3fa:5b1c09d2e4f7`. */
export function shardName(shard: number, hash: string, bits: number): string {
  return `s:${shard.toString(16).padStart(Math.ceil(bits / 4), '0')}:${hash}`;
}

/** Returns the name of a page of a build's index: `i:0c5e…:3f`. */
function pageName({ build, shards }: Pointer, page: number): string {
  const width = Math.max(1, Math.ceil(Math.log2(shards / PAGE_SHARDS) / 4));
  return `i:${build}:${page.toString(16).padStart(width, '0')}`;
}

function pageNames(pointer: Pointer): string[] {
  return Array.from({ length: Math.ceil(pointer.shards / PAGE_SHARDS) }, (_, page) => pageName(pointer, page));
}

/** Returns the index pages, each with the hashes of its shards in sequence. */
export function indexPages(pointer: Pointer, hashes: ShardHashes): StoredValue[] {
  return pageNames(pointer).map((name, page) => {
    const some = hashes.slice(page * PAGE_SHARDS, (page + 1) * PAGE_SHARDS);
    const text = Array.from({ length: Math.min(PAGE_SHARDS, pointer.shards) }, (_, at) => some[at] ?? EMPTY).join('');
    return { name, text: () => text };
  });
}

/** 64 bits of the digest of a key: those of its shard, the 48 bits of its record, and more. So digests sort as shards and records do. */
export type Digest = readonly [high: number, low: number];

/** Collects the records of shards: 48 bits of a digest, and the id of the theme. */
export class ShardRecords {
  /** The complete shards that are not empty, by number. */
  readonly #shards: [number: number, bytes: Buffer][] = [];
  readonly #shape: ShardShape;
  /** The shard of the keys that are being added, and its records. */
  #number = -1;
  #records = Buffer.alloc(1024);
  #end = 0;
  #last: Digest = [-1, -1];

  constructor(shape: ShardShape) {
    this.#shape = shape;
  }

  /**
   * Adds a key; keys come in the order of their digests.
   * @param id - of the theme; undefined if hosts do not need the key
   * @throws {ThemecastError} `digest-collision`
   */
  add(digest: Digest, id: number | undefined): void {
    const { bits, themeBytes: width } = this.#shape;
    const rest = 16 - bits;
    const [high, low] = digest;
    if (high === this.#last[0] && low >>> rest === this.#last[1] >>> rest)
      throw new ThemecastError(
        'digest-collision',
        'Two keys have the same digest with this THEMECAST_KEY_SECRET, by chance: use another secret.',
      );
    this.#last = digest;
    if (id === undefined) return;
    const number = high >>> (32 - bits);
    if (number !== this.#number) this.#finish(number);
    const end = this.#end + DIGEST_BYTES + width;
    if (end > this.#records.length) this.#records = Buffer.concat([this.#records, this.#records]);
    this.#records.writeUInt16BE((high >>> rest) & 0xffff, this.#end);
    this.#records.writeUInt32BE(((high << (32 - rest)) | (low >>> rest)) >>> 0, this.#end + 2);
    this.#records.writeUIntBE(id, this.#end + DIGEST_BYTES, width);
    this.#end = end;
  }

  /** Returns the shards that are not empty; no key can be added afterwards. */
  take(): readonly (readonly [number: number, bytes: Buffer])[] {
    this.#finish(-1);
    return this.#shards;
  }

  #finish(next: number): void {
    if (this.#end > 0) this.#shards.push([this.#number, Buffer.from(this.#records.subarray(0, this.#end))]);
    [this.#number, this.#end] = [next, 0];
  }
}

/** Returns the shards of a build as values, in the order of their numbers. */
export function keyedShards(
  shards: readonly (readonly [number: number, bytes: Buffer])[],
  shape: ShardShape,
  secret: Uint8Array,
): Shards {
  const hashes: (string | undefined)[] = Array.from({ length: 2 ** shape.bits });
  for (const [shard, bytes] of shards) hashes[shard] = shardHash(bytes);
  const pointer = pointerOf(shape, hashes, secret);
  return {
    pointer,
    *values(): Generator<StoredValue> {
      yield* indexPages(pointer, hashes);
      for (const [shard, bytes] of shards)
        yield { name: shardName(shard, hashes[shard] ?? '', shape.bits), text: () => bytes.toString('base64') };
    },
  };
}

/** Returns the pointer as a value; writing it last makes the build live. */
export function pointerValue({ pointer }: Shards): StoredValue {
  const text = JSON.stringify(pointer);
  return { name: POINTER, text: () => text };
}

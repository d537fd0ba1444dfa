import { createHash, createHmac } from 'node:crypto';
import type { Pointer } from '../edge-runtime/rules.ts';

/** Bytes of the digest in a record, from the third: the first two number the shard. */
export const DIGEST_BYTES = 6;

/** Shards of one index page: their hashes are 768 characters, which with its name keeps a page below the kilobyte of CloudFront. */
export const PAGE_SHARDS = 64;

/** Bytes of the hash in the name of a shard. */
const HASH_BYTES = 6;
/** In an index page, the hash of a shard without records. */
const EMPTY = '.'.repeat(2 * HASH_BYTES);

/** The name of the only value whose name never changes. Writing it, last of all, makes a build live. */
export const POINTER = 'pointer';

/** Bits of the digest that number a shard: 4,096 shards. */
export const SHARD_BITS = 12;

/** How shards are laid out. */
export interface ShardShape {
  /** Bits of the digest that number a shard. */
  bits: number;
  /** Bytes of a theme id in a record. */
  themeBytes: number;
}

/** Keyed shards, written as named text values: for files and key-value stores alike. */
export interface Shards {
  pointer: Pointer;
  /** Index pages and shards, without the pointer. The same at every call. */
  values(): Iterable<StoredValue>;
}

/** A named text value, whose text is made on demand. */
export interface StoredValue {
  name: string;
  text: () => string;
}

/** The hash of the records of each shard; nothing for an empty shard. */
export type ShardHashes = readonly (string | undefined)[];

/** Hashes the records of a shard for its name, so that an unchanged shard keeps its name. */
export function shardHash(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);
}

/** Returns how many bytes the greatest id of a theme needs. */
export function themeBytes(ids: readonly number[]): number {
  return Math.max(1, Math.ceil(Math.log2(Math.max(0, ...ids) + 1) / 8));
}

/** Identifies a secret without revealing anything about it. */
export function keyId(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('themecast key id').digest('hex').slice(0, 16);
}

export function pointerOf({ bits, themeBytes: width }: ShardShape, hashes: ShardHashes, secret: Uint8Array): Pointer {
  const shape = { key_id: keyId(secret), shards: 2 ** bits, theme_bytes: width };
  const digest = createHash('sha256').update(JSON.stringify([shape, hashes.map((hash) => hash ?? '')]));
  return { version: 1, build: digest.digest('hex').slice(0, 16), ...shape };
}

/** `s:3fa:5b1c09d2e4f7` */
export function shardName(shard: number, hash: string, bits: number): string {
  return `s:${shard.toString(16).padStart(Math.ceil(bits / 4), '0')}:${hash}`;
}

/** `i:0c5e…:3f`: one page of the index of a build. */
function pageName({ build, shards }: Pointer, page: number): string {
  const width = Math.max(1, Math.ceil(Math.log2(shards / PAGE_SHARDS) / 4));
  return `i:${build}:${page.toString(16).padStart(width, '0')}`;
}

/** Returns the names of all index pages. */
function pageNames(pointer: Pointer): string[] {
  return Array.from({ length: Math.ceil(pointer.shards / PAGE_SHARDS) }, (_, page) => pageName(pointer, page));
}

/** Returns the index pages, each with the hashes of its shards one after the other. */
export function indexPages(pointer: Pointer, hashes: ShardHashes): StoredValue[] {
  return pageNames(pointer).map((name, page) => {
    const some = hashes.slice(page * PAGE_SHARDS, (page + 1) * PAGE_SHARDS);
    const text = Array.from({ length: Math.min(PAGE_SHARDS, pointer.shards) }, (_, at) => some[at] ?? EMPTY).join('');
    return { name, text: () => text };
  });
}

/** Returns the value to write last, which makes the build live. */
export function pointerValue({ pointer }: Shards): StoredValue {
  const text = JSON.stringify(pointer);
  return { name: POINTER, text: () => text };
}

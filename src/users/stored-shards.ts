import { indexPages, pointerOf, shardName, type Shards, type StoredValue } from './shards.ts';
import type { StoredBytes } from './spill-store.ts';
import type { StoredShard } from './tasks.ts';

export interface ShardsOptions {
  bits: number;
  themeBytes: number;
  secret: Uint8Array;
}

/** Returns the shards of a build as values; each is read back only when it is written. */
export function storedShards(
  shards: readonly StoredShard[],
  { bits, themeBytes, secret }: ShardsOptions,
  read: (stored: StoredBytes) => Buffer,
): Shards {
  const sorted = shards.toSorted((a, b) => a.shard - b.shard);
  const hashes: (string | undefined)[] = Array.from({ length: 2 ** bits });
  for (const { shard, hash } of sorted) hashes[shard] = hash;
  const pointer = pointerOf({ bits, themeBytes }, hashes, secret);
  const pages = indexPages(pointer, hashes);
  return {
    pointer,
    *values(): Generator<StoredValue> {
      yield* pages;
      for (const { shard, hash, stored } of sorted)
        yield { name: shardName(shard, hash, bits), text: () => read(stored).toString('base64') };
    },
  };
}

import type { EdgeRules } from '../../mapping/edge-rules.ts';
import { keyCount, type Mapping } from '../../mapping/mapping.ts';
import { pointerValue, type Shards } from '../../mapping/shards.ts';
import { Inexpressible, TooManyKeys } from '../inexpressible.ts';

/** Greatest size of a store and of the file that it is imported from (AWS, "File format for key-value pairs"). */
const STORE_BYTES = 5_000_000;

/** Where the number of keys ends: {@link STORE_BYTES} in entries of 50 bytes, for instance a key of 12 and a slug of 8. */
export const STORE_KEYS = 100_000;
export const STORE_LIMIT = '5 MB in a key value store';

/** The key of the store for a user, a group, a slug that may be asked for, or a secret that an administrator puts there. */
export function storeKey(kind: 'user' | 'group' | 'theme' | 'secret', name: string): string {
  return `${kind}:${name}`;
}

/** Greatest length of a key and its value together, in bytes (AWS, "Quotas on key value stores"). */
const PAIR_BYTES = 1024;

/** `kvs.json`, which a key value store is imported from: one entry a key, or the values of keyed shards. */
export function keyValueStore({ identity, themes }: EdgeRules, mapping: Mapping): string {
  const asked = identity.some(({ names }) => names === 'theme') ? themes : [];
  const entries = asked.map((slug) => entry(storeKey('theme', slug), slug));
  for (const line of mapping.shards === undefined ? keyEntries(mapping) : valueEntries(mapping.shards))
    entries.push(line);
  const text = `{"data":[\n${entries.join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= STORE_BYTES) return text;
  throw new TooManyKeys(Math.floor((keyCount(mapping) * STORE_BYTES) / bytes), STORE_LIMIT);
}

function* keyEntries(mapping: Mapping): Generator<string> {
  for (const kind of ['user', 'group'] as const)
    for (const [key, theme] of mapping.pairs(kind)) yield entry(storeKey(kind, key), theme);
}

function* valueEntries(shards: Shards): Generator<string> {
  for (const { name, length, text } of [...shards.values(), pointerValue(shards)]) {
    if (name.length + length > PAIR_BYTES)
      throw new Inexpressible(
        `CloudFront holds values of up to 1 kB, and a shard takes ${length} bytes: raise \`mapping.shards\` in site.yaml`,
      );
    yield entry(name, text());
  }
}

/** `kvs-delta.json`, for `aws cloudfront-keyvaluestore update-keys`: what has changed since the build before; nothing if it is not known. */
export function storeDelta({ shards }: Mapping): string | undefined {
  if (shards?.delta === undefined) return undefined;
  const { put, delete: gone } = shards.delta;
  const puts = [...shards.values()].flatMap(({ name, text }) => (put.has(name) ? [{ Key: name, Value: text() }] : []));
  const { name, text } = pointerValue(shards);
  const pointer = [{ Key: name, Value: text() }];
  return `${JSON.stringify({ Puts: puts, Pointer: pointer, Deletes: gone.map((Key) => ({ Key })) })}\n`;
}

function entry(key: string, value: string): string {
  return JSON.stringify({ key, value });
}

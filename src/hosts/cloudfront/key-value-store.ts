import { linesFile, type PrivateFile } from '../../document/output-file.ts';
import type { EdgeRules } from '../contract.ts';
import { keyCount, type Mapping } from '../../users/mapping.ts';
import { pointerValue, type Shards } from '../../users/shards.ts';
import { Inexpressible, TooManyKeys } from '../inexpressible.ts';

/** Greatest size of a store and of the file that it is imported from (AWS, "File format for key-value pairs"). */
const STORE_BYTES = 5_000_000;

/** Where the number of keys ends: {@link STORE_BYTES} in entries of 50 bytes, for instance a key of 12 and a slug of 8. */
export const STORE_KEYS = 100_000;
export const STORE_LIMIT = '5 MB in a key value store';

/**
 * The key of the store for a user, a group, a slug that may be asked for, the id of a theme in shards, or a secret that an administrator
 * puts there. That of shards goes by the id that the pointer names it with, so that two of them can be there while one takes the
 * place of the other.
 */
export function storeKey(kind: 'user' | 'group' | 'theme' | 'id' | 'secret', name: string): string {
  return `${kind}:${name}`;
}

/** Greatest length of a key and its value together, in bytes (AWS, "Quotas on key value stores"). */
const PAIR_BYTES = 1024;

/** `kvs.json`, which a key value store is imported from: one entry a key, or the values of keyed shards. */
export function keyValueStore(rules: EdgeRules, mapping: Mapping): string {
  const entries = themeEntries(rules).map(([key, slug]) => entry(key, slug));
  for (const line of mapping.shards === undefined ? keyEntries(mapping) : valueEntries(mapping.shards))
    entries.push(line);
  const text = `{"data":[\n${entries.join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= STORE_BYTES) return text;
  throw new TooManyKeys(Math.floor((keyCount(mapping) * STORE_BYTES) / bytes), STORE_LIMIT);
}

/** Slugs, by themselves where they may be asked for, and by their ids where shards hold these. */
function themeEntries({ identity, themes, themeIds, keyed }: EdgeRules): [key: string, slug: string][] {
  const asked = identity.some(({ names }) => names === 'theme') ? themes : [];
  return [
    ...asked.map((slug): [string, string] => [storeKey('theme', slug), slug]),
    ...(keyed ? themes : []).map((slug, at): [string, string] => [storeKey('id', String(themeIds[at])), slug]),
  ];
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

/** What one request of `update-keys` takes: 50 keys or 3 MB, of which 50 pairs of a kilobyte are far (AWS, "Quotas on key value stores"). */
const UPDATE_KEYS = 50;

/**
 * `kvs-delta/`: what has changed since the build before, for `aws cloudfront-keyvaluestore update-keys`, in parts that it takes. Nothing
 * if that build is not known.
 */
export function storeDelta(rules: EdgeRules, { shards }: Mapping): PrivateFile[] {
  if (shards?.delta === undefined) return [];
  const { put, delete: gone } = shards.delta;
  const puts = [
    ...themeEntries(rules).map(([Key, slug]) => ({ Key, text: () => slug })),
    ...[...shards.values()].flatMap(({ name, text }) => (put.has(name) ? [{ Key: name, text }] : [])),
  ];
  const pointer = pointerValue(shards);
  return [
    ...updates('put', puts, ({ Key, text }) => ({ Key, Value: text() })),
    updateFile('pointer', () => [{ Key: pointer.name, Value: pointer.text() }]),
    ...updates('delete', gone, (Key) => ({ Key })),
  ];
}

/** `kvs-delta/put-000.json` and so on. */
function updates<T>(name: string, all: readonly T[], write: (one: T) => object): PrivateFile[] {
  return Array.from({ length: Math.ceil(all.length / UPDATE_KEYS) }, (_, index) =>
    updateFile(`${name}-${String(index).padStart(3, '0')}`, () =>
      all.slice(index * UPDATE_KEYS, (index + 1) * UPDATE_KEYS).map(write),
    ),
  );
}

function updateFile(name: string, entries: () => readonly object[]): PrivateFile {
  return linesFile(`kvs-delta/${name}.json`, () => [`${JSON.stringify(entries())}\n`]);
}

function entry(key: string, value: string): string {
  return JSON.stringify({ key, value });
}

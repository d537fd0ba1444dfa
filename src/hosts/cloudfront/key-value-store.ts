import { linesFile, type PrivateFile } from '../../document/output-file.ts';
import type { EdgeRules } from '../contract.ts';
import { keyCount, type Mapping } from '../../users/mapping.ts';
import { pointerValue, type Shards } from '../../users/shards.ts';
import { hostThemeRules } from '../hostnames.ts';
import { redirectPairs } from '../redirects.ts';
import { Inexpressible, TooManyKeys } from '../inexpressible.ts';

/** Maximum size of a store and of the file that it imports (AWS, "File format for key-value pairs"). */
const MAX_STORE_BYTES = 5_000_000;

/** The number of keys that fit: {@link MAX_STORE_BYTES} in entries of 50 bytes, for instance a key of 12 and a slug of 8. */
export const MAX_STORE_KEYS = 100_000;
export const STORE_LIMIT = '5 MB in a key value store';

/**
 * The key in the store of a user, a group, a slug that a request may name, a hostname that a rule maps, the id of a theme in shards, or a secret that the administrator
 * adds. The secret of shards is named by the id in the pointer, so that two secrets can coexist during a rotation.
 */
export function storeKey(kind: 'user' | 'group' | 'theme' | 'host' | 'id' | 'secret', name: string): string {
  return `${kind}:${name}`;
}

/** Maximum length of a key and its value together, in bytes (AWS, "Quotas on key value stores"). */
const MAX_PAIR_BYTES = 1024;

/** `kvs.json`, the import file of a key value store: one entry per key, or the values of keyed shards. */
export function keyValueStore(rules: EdgeRules, mapping: Mapping): string {
  const entries = namedEntries(rules).map(([key, value]) => entry(key, value));
  for (const line of mapping.shards === undefined ? keyEntries(mapping) : valueEntries(mapping.shards))
    entries.push(line);
  const text = `{"data":[\n${entries.join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_STORE_BYTES) return text;
  throw new TooManyKeys(Math.floor((keyCount(mapping) * MAX_STORE_BYTES) / bytes), STORE_LIMIT);
}

/** What the functions look up besides users. */
function namedEntries(rules: EdgeRules): [key: string, value: string][] {
  const moved = redirectPairs(rules).map(([from, to]): [string, string] => [`moved:${from}`, to]);
  for (const [key, to] of moved)
    if (Buffer.byteLength(key + to) > MAX_PAIR_BYTES)
      throw new Inexpressible(
        `CloudFront stores keys and values of at most ${MAX_PAIR_BYTES} bytes, and a redirect has more: shorten \`media_url\``,
      );
  return [...themeEntries(rules), ...moved];
}

/** Slugs by themselves if a request may name them, and by their ids if shards contain these. */
function themeEntries({ identity, themes, themeIds, keyed }: EdgeRules): [key: string, slug: string][] {
  const asked = identity.some(({ names }) => names === 'theme') ? themes : [];
  return [
    ...hostThemeRules(identity).flatMap(({ rule, themes: hosts }) =>
      hosts.map(([name, slug]): [string, string] => [storeKey('host', `${rule}:${name}`), slug]),
    ),
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
    if (name.length + length > MAX_PAIR_BYTES)
      throw new Inexpressible(
        `CloudFront stores values of at most 1 kB, and a shard has ${length} bytes: increase \`mapping.shards\` in site.yaml`,
      );
    yield entry(name, text());
  }
}

/** Limit of one `update-keys` request: 50 keys or 3 MB, far more than 50 pairs of a kilobyte (AWS, "Quotas on key value stores"). */
const UPDATE_KEYS = 50;

/**
 * `kvs-delta/`: the changes since the previous build for `aws cloudfront-keyvaluestore update-keys`, one file per request. No files if
 * that build is unknown.
 */
export function storeDelta(rules: EdgeRules, { shards }: Mapping): PrivateFile[] {
  if (shards?.delta === undefined) return [];
  const { put, delete: gone } = shards.delta;
  const puts = [
    ...namedEntries(rules).map(([Key, value]) => ({ Key, text: () => value })),
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
function updates<T>(name: string, all: readonly T[], write: (item: T) => object): PrivateFile[] {
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

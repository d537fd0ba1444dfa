import { linesFile, type PrivateFile } from '../../core/document/files/output-file.ts';
import type { KeyKind } from '../../core/users/key.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import { POINTER, pointerValue, type StoredValue } from '../../core/users/shards.ts';

/** A value of a key-value store, with its name. */
type KeyValue = readonly [name: string, value: string];

/** Returns the name of a key in a store. */
type KeyName = (kind: KeyKind, key: string) => string;

/**
 * Returns the mapping as arrays of `{key, value}`, a value per line: `users.json`, or with keyed shards `shards.json` (upload first) and
 * `pointer.json` (upload last).
 */
export function storeFiles(mapping: Mapping, folder: string, nameOf: KeyName): PrivateFile[] {
  const { shards } = mapping;
  const file = (name: string, entries: () => Iterable<KeyValue>): PrivateFile =>
    linesFile(`${folder}/${name}.json`, () => lines(entries()));
  if (shards === undefined) return [file('users', () => keyEntries(mapping, nameOf))];
  return [
    file('shards', () => valueEntries(shards.values())),
    file(POINTER, () => valueEntries([pointerValue(shards)])),
  ];
}

/** Yields an entry for each key, with its theme as the value. */
export function* keyEntries(mapping: Mapping, nameOf: KeyName): Generator<KeyValue> {
  for (const kind of ['user', 'group'] as const)
    for (const [key, theme] of mapping.pairs(kind)) yield [nameOf(kind, key), theme];
}

function* valueEntries(values: Iterable<StoredValue>): Generator<KeyValue> {
  for (const { name, text } of values) yield [name, text()];
}

function* lines(entries: Iterable<KeyValue>): Generator<string> {
  let before = '[\n';
  for (const [key, value] of entries) {
    yield before + JSON.stringify({ key, value });
    before = ',\n';
  }
  yield before === '[\n' ? '[\n\n]\n' : '\n]\n';
}

import { linesFile, type PrivateFile } from '../document/output-file.ts';
import type { KeyKind } from '../users/key.ts';
import type { Mapping } from '../users/mapping.ts';
import { POINTER, pointerValue, type StoredValue } from '../users/shards.ts';

/** A value of a key-value store, with its name. */
type Entry = readonly [name: string, value: string];

/** The format in which a key-value store imports values. */
interface StoreFormat {
  /** Returns a file's path: `users`, or with keyed shards `shards` (upload first) and `pointer` (upload last). */
  path: (name: string) => string;
  /** Returns the name of a key in the store. */
  key: (kind: KeyKind, key: string) => string;
  /** Returns the object for a value; each is written on one line. */
  entry: (...entry: Entry) => object;
  /** Whether the file is one array, rather than an object per line. */
  isArray: boolean;
}

/** Returns the mapping as files for a key-value store. */
export function storeFiles(mapping: Mapping, format: StoreFormat): PrivateFile[] {
  const { shards } = mapping;
  const file = (name: string, entries: () => Iterable<Entry>): PrivateFile =>
    linesFile(format.path(name), () => lines(entries(), format));
  if (shards === undefined) return [file('users', () => keyEntries(mapping, format.key))];
  return [
    file('shards', () => valueEntries(shards.values())),
    file(POINTER, () => valueEntries([pointerValue(shards)])),
  ];
}

/** Yields an entry for each key, with its theme as the value. */
export function* keyEntries(mapping: Mapping, nameOf: StoreFormat['key']): Generator<Entry> {
  for (const kind of ['user', 'group'] as const)
    for (const [key, theme] of mapping.pairs(kind)) yield [nameOf(kind, key), theme];
}

function* valueEntries(values: Iterable<StoredValue>): Generator<Entry> {
  for (const { name, text } of values) yield [name, text()];
}

function* lines(entries: Iterable<Entry>, { entry, isArray }: StoreFormat): Generator<string> {
  let before = '';
  if (isArray) yield '[\n';
  for (const pair of entries) {
    yield before + JSON.stringify(entry(...pair));
    before = isArray ? ',\n' : '\n';
  }
  yield isArray ? '\n]\n' : before;
}

import { linesFile, type PrivateFile } from '../document/output-file.ts';
import type { KeyKind } from '../users/key.ts';
import type { Mapping } from '../users/mapping.ts';
import { POINTER, pointerValue, type StoredValue } from '../users/shards.ts';

/** A value of a key-value store, by its name. */
type Entry = readonly [name: string, value: string];

/** How a key-value store is filled. */
interface StoreFormat {
  /** The path of a file: of `users`; with keyed shards of `shards`, to be uploaded first, and `pointer`, to be uploaded last. */
  path: (name: string) => string;
  /** The name of a key. */
  key: (kind: KeyKind, key: string) => string;
  /** The object for a value, one per line. */
  entry: (...entry: Entry) => object;
  /** Whether the objects are those of one array. */
  isArray: boolean;
}

/** The mapping as files for a key-value store. */
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

/** One entry per key: its theme. */
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
  for (const one of entries) {
    yield before + JSON.stringify(entry(...one));
    before = isArray ? ',\n' : '\n';
  }
  yield isArray ? '\n]\n' : before;
}

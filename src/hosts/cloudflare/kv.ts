import { linesFile, type PrivateFile } from '../../document/output-file.ts';
import { keyCount, type Mapping } from '../../users/mapping.ts';
import { pointerValue, type Shards, type StoredValue } from '../../users/shards.ts';

/** The name of a key in KV: `u:tom`, `g:staff`. */
export const KEY_PREFIX = { user: 'u:', group: 'g:' } as const;

/** Limits of one KV request: the number of pairs, and less than 100 MB (https://developers.cloudflare.com/kv/reference/kv-commands/#kv-bulk). */
const MAX_BULK_PAIRS = 10_000;
const MAX_BULK_BYTES = 95_000_000;
/** Upper bound of the bytes of a pair besides its name and value. */
const PAIR_BYTES = 32;

/** `kv/users-000.json` and so on, for `wrangler kv bulk put`: one pair per key. */
export function keyFiles(mapping: Mapping): PrivateFile[] {
  return Array.from({ length: Math.ceil(keyCount(mapping) / MAX_BULK_PAIRS) }, (_, index) =>
    linesFile(`kv/users-${numbered(index)}.json`, () => arrayLines(keyPairs(mapping, index * MAX_BULK_PAIRS))),
  );
}

function* keyPairs(mapping: Mapping, from: number): Generator<string> {
  let [left, skipped] = [MAX_BULK_PAIRS, from];
  for (const kind of ['user', 'group'] as const) {
    for (const [key, theme] of mapping.pairs(kind, skipped)) {
      if (left-- === 0) return;
      yield JSON.stringify({ key: KEY_PREFIX[kind] + key, value: theme });
    }
    skipped = Math.max(0, skipped - mapping.counts[kind]);
  }
}

/**
 * `kv/shards-000.json` and so on, to be uploaded first; `kv/pointer.json`, to be uploaded last; and in `kv-delta/` the changes since the
 * previous build, with the names to delete afterwards.
 */
export function shardFiles(shards: Shards): PrivateFile[] {
  const { delta } = shards;
  const values = [...shards.values()];
  return [
    ...bulkFiles('kv/shards', values),
    bulkFile('kv/pointer.json', [pointerValue(shards)]),
    ...(delta === undefined
      ? []
      : [
          ...bulkFiles(
            'kv-delta/shards',
            values.filter(({ name }) => delta.put.has(name)),
          ),
          linesFile('kv-delta/delete.json', () => arrayLines(delta.delete.map((name) => JSON.stringify(name)))),
        ]),
  ];
}

function bulkFiles(path: string, values: readonly StoredValue[]): PrivateFile[] {
  const files: StoredValue[][] = [];
  let bytes = Infinity;
  for (const value of values) {
    const length = value.length + value.name.length + PAIR_BYTES;
    if (bytes + length > MAX_BULK_BYTES || files.at(-1)?.length === MAX_BULK_PAIRS) {
      files.push([]);
      bytes = 0;
    }
    files.at(-1)?.push(value);
    bytes += length;
  }
  return files.map((some, index) => bulkFile(`${path}-${numbered(index)}.json`, some));
}

function bulkFile(path: string, values: readonly StoredValue[]): PrivateFile {
  return linesFile(path, function* () {
    yield* arrayLines(pairLines(values));
  });
}

function* pairLines(values: readonly StoredValue[]): Generator<string> {
  for (const { name, text } of values) yield JSON.stringify({ key: name, value: text() });
}

/** A JSON array, one entry per line. */
function* arrayLines(entries: Iterable<string>): Generator<string> {
  let before = '[\n';
  for (const entry of entries) {
    yield before + entry;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function numbered(index: number): string {
  return String(index).padStart(3, '0');
}

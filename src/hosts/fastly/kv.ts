import { linesFile, type PrivateFile } from '../../document/output-file.ts';
import type { Mapping } from '../../users/mapping.ts';
import { pointerValue, type Shards, type StoredValue } from '../../users/shards.ts';

/** The name of a key in the store: `user/tom`, `group/staff`; percent-encoded, because names must not contain `|`. */
export const STORE_KEY = '`${kind}/${encodeURIComponent(key)}`';

/** `users.ndjson`, for `fastly kv-store-entry create --file`: one object per line, with its value in base64. */
export function keyLines(mapping: Mapping): PrivateFile {
  return linesFile('users.ndjson', function* () {
    for (const kind of ['user', 'group'] as const)
      for (const [key, theme] of mapping.pairs(kind)) yield line(`${kind}/${encodeURIComponent(key)}`, theme);
  });
}

/** `shards.ndjson`, to be uploaded first; `pointer.ndjson`, to be uploaded last; and the changes since the previous build, if it is known. */
export function shardLines(shards: Shards): PrivateFile[] {
  const { delta } = shards;
  const file = (path: string, values: () => Iterable<StoredValue>): PrivateFile =>
    linesFile(path, function* () {
      for (const { name, text } of values()) yield line(name, text());
    });
  const changed = function* (put: ReadonlySet<string>): Generator<StoredValue> {
    for (const value of shards.values()) if (put.has(value.name)) yield value;
  };
  return [
    file('shards.ndjson', () => shards.values()),
    file('pointer.ndjson', () => [pointerValue(shards)]),
    ...(delta === undefined
      ? []
      : [
          file('shards-delta.ndjson', () => changed(delta.put)),
          linesFile('shards-delete.txt', () => delta.delete.map((name) => `${name}\n`)),
        ]),
  ];
}

function line(key: string, value: string): string {
  return `${JSON.stringify({ key, value: Buffer.from(value).toString('base64') })}\n`;
}

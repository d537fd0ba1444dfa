import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Assignment } from '../../mapping/assignments.ts';
import type { EdgeRules } from '../../mapping/edge-rules.ts';

/** Greatest size of a store and of the file that it is imported from (AWS, "File format for key-value pairs"). */
const STORE_BYTES = 5_000_000;

/** Where the number of keys ends: {@link STORE_BYTES} in entries of 50 bytes, for instance a key of 12 and a slug of 8. */
export const STORE_KEYS = 100_000;
export const STORE_LIMIT = '5 MB in a key value store';

/** The key of the store for a user, a group, a slug that may be asked for, or a secret that an administrator puts there. */
export function storeKey(kind: 'user' | 'group' | 'theme' | 'secret', name: string): string {
  return `${kind}:${name}`;
}

/** `kvs.json`, which a key value store is imported from. Reports keys that are too long, all together, for the store. */
export function keyValueStore(
  { identity, themes }: EdgeRules,
  assignments: readonly Assignment[],
  host: string,
  report: Report,
): string {
  const asked = identity.some(({ names }) => names === 'theme') ? themes : [];
  const entries = [
    ...asked.map((slug) => entry(storeKey('theme', slug), slug)),
    ...assignments.map(({ kind, key, theme }) => entry(storeKey(kind, key), theme)),
  ];
  const text = `{"data":[\n${entries.join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  const [first] = assignments;
  if (bytes > STORE_BYTES && first !== undefined) {
    report('edge/too-many-users', first.location, {
      host,
      users: assignments.length,
      limit: Math.floor((assignments.length * STORE_BYTES) / bytes),
      because: STORE_LIMIT,
    });
  }
  return text;
}

function entry(key: string, value: string): string {
  return JSON.stringify({ key, value });
}

import type { EdgeRules } from '../contract.ts';
import { keyCount, type Mapping } from '../../users/mapping.ts';
import { hostThemeRules } from '../hostnames.ts';
import { redirectPairs } from '../redirects.ts';
import { Inexpressible, TooManyKeys } from '../inexpressible.ts';
import { keyEntries } from '../store-files.ts';

/** Maximum size of a store and of the file that it imports (AWS, "File format for key-value pairs"). */
const MAX_STORE_BYTES = 5_000_000;

/** The number of keys that fit: {@link MAX_STORE_BYTES} in entries of 50 bytes, for instance a key of 12 and a slug of 8. */
export const MAX_STORE_KEYS = 100_000;
export const STORE_LIMIT = '5 MB in a key value store';

/**
 * The key in the store of a user, a group, a slug that a request may name, a hostname that a rule maps, or a secret that the administrator
 * adds.
 */
export function storeKey(kind: 'user' | 'group' | 'theme' | 'host' | 'secret', name: string): string {
  return `${kind}:${name}`;
}

/** Maximum length of a key and its value together, in bytes (AWS, "Quotas on key value stores"). */
const MAX_PAIR_BYTES = 1024;

/** `kvs.json`, the import file of a key value store. */
export function keyValueStore(rules: EdgeRules, mapping: Mapping): string {
  const all = [...ruleEntries(rules), ...redirectEntries(rules), ...keyEntries(mapping, storeKey)];
  const entries = all.map(([key, value]) => JSON.stringify({ key, value }));
  const text = `{"data":[\n${entries.join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_STORE_BYTES) return text;
  throw new TooManyKeys(Math.floor((keyCount(mapping) * MAX_STORE_BYTES) / bytes), STORE_LIMIT);
}

type Entries = Generator<[key: string, value: string]>;

/** Hostnames, and slugs if a request may name them. */
function* ruleEntries({ identity, themes }: EdgeRules): Entries {
  for (const { rule, themes: hosts } of hostThemeRules(identity))
    for (const [name, slug] of hosts) yield [storeKey('host', `${rule}:${name}`), slug];
  if (identity.some(({ names }) => names === 'theme')) for (const slug of themes) yield [storeKey('theme', slug), slug];
}

function* redirectEntries(rules: EdgeRules): Entries {
  for (const [from, to] of redirectPairs(rules)) {
    const key = `moved:${from}`;
    if (Buffer.byteLength(key + to) > MAX_PAIR_BYTES)
      throw new Inexpressible(
        `CloudFront stores keys and values of at most ${MAX_PAIR_BYTES} bytes, and a redirect has more: shorten \`media_url\``,
      );
    yield [key, to];
  }
}

import type { EdgeRules } from '../contract/contract.ts';
import { ENDPOINTS, optionsDocument } from '../../core/document/endpoint.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import { hostThemeRules } from '../contract/hostnames.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { Inexpressible } from '../contract/inexpressible.ts';
import { keyEntries } from '../adapter/store-files.ts';

/** Maximum size of a key and its value together, in bytes (AWS, "Quotas on key value stores"). */
const MAX_PAIR_BYTES = 1024;
/** Maximum size of a store and of the file that it imports (AWS, "File format for key-value pairs"). */
const MAX_STORE_BYTES = 5_000_000;
export const STORE_LIMIT = '5 MB in a key value store';

/**
 * Returns `kvs.json`, the import file of a key value store: the documents of OPTIONS, ids of themes, keys of users and groups, slugs that a request may contain, hostnames by
 * the number of their rule, and old paths. The administrator adds the secrets, as `secret:NAME`.
 */
export function keyValueStore(rules: EdgeRules, mapping: Mapping): string {
  const { identity, themes, themeIds } = rules;
  const all = [
    ...Object.values(rules.endpoints).map(({ kind, renderings }) => [
      `options:${kind}`,
      JSON.stringify(optionsDocument(ENDPOINTS[kind], renderings)),
    ]),
    ...themeIds.map((id) => [`id:${id}`, 'index'] as const),
    ...hostThemeRules(identity).flatMap(({ rule, themes: hosts }) =>
      hosts.map(([name, slug]) => [`host:${rule}:${name}`, slug]),
    ),
    ...(identity.some(({ names }) => names === 'theme') ? themes.map((slug) => [`theme:${slug}`, slug]) : []),
    ...redirectPairs(rules).map(([from, to]) => [`moved:${from}`, to]),
    ...keyEntries(mapping, (kind, key) => `${kind}:${key}`),
  ];
  if (all.some((pair) => Buffer.byteLength(pair.join('')) > MAX_PAIR_BYTES))
    throw new Inexpressible('CloudFront stores redirects of at most 1,024 bytes: shorten `media_url`');
  const text = `{"data":[\n${all.map(([key, value]) => JSON.stringify({ key, value })).join(',\n')}\n]}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_STORE_BYTES) return text;
  throw new Inexpressible(
    `the mapping has ${bytes} bytes, and CloudFront holds at most ${STORE_LIMIT}: map groups instead of users`,
  );
}

import type { IdentityRule } from '../edge-runtime/rules.ts';
import { headersOf, type Secret } from '../hosts/credentials.ts';
import type { Headers, Requester } from '../probe/table.ts';

/**
 * A user of the site: NEW gets the key by the first rule of identity that names users.
 * @param old - what OLD recognises the user by; without it, OLD gets the same as NEW
 * @returns undefined if no client can send the key
 */
export function requesterOf(
  name: string,
  key: string,
  old: Headers | undefined,
  identity: readonly IdentityRule[],
  secret: Secret,
): Requester | undefined {
  const rule = identity.find(({ names }) => names === 'user');
  const own = rule && (headersOf(rule.credential, key, secret) ?? plainHeader(rule, key));
  if (own === undefined) return undefined;
  return { name, old: old ?? own, headers: { ...old, ...own, ...mergedCookies(old, own) } };
}

/** A header that only trusted proxies may send: compare may run behind one. */
function plainHeader({ credential }: IdentityRule, key: string): Headers | undefined {
  return credential.from === 'header' && 'proxies' in credential ? { [credential.name]: key } : undefined;
}

function mergedCookies(one: Headers | undefined, other: Headers): Headers {
  const cookies = [one?.['Cookie'], other['Cookie']].filter((value) => value !== undefined);
  return cookies.length === 0 ? {} : { Cookie: cookies.join('; ') };
}

/** A row of a users file: the key, and the headers by which the old service recognises the user. */
export interface SampledUser {
  line: number;
  key: string;
  headers: Headers | undefined;
}

const OWN_COLUMNS = new Set(['user', 'group', 'theme', 'theme_id']);

/**
 * Reads a row of a users file by the names of its columns. A further column is a header: `user,theme_id,Authorization`.
 * @returns nothing if it names no user
 */
export function sampledUser(line: number, names: readonly string[], cells: readonly string[]): SampledUser | undefined {
  const key = cells[names.indexOf('user')];
  if (key === undefined || key === '') return undefined;
  const headers = names.flatMap((name, at): [string, string][] => {
    const value = cells[at];
    const isHeader = !OWN_COLUMNS.has(name) && value !== undefined && value !== '';
    return isHeader ? [[/^cookie$/i.test(name) ? 'Cookie' : name, value]] : [];
  });
  return { line, key, headers: headers.length === 0 ? undefined : Object.fromEntries(headers) };
}

/** Whether text can be the name and the value of a header (RFC 9110, §5.1 and §5.5). */
export function isHeader(name: string, value: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

import type { IdentityRule } from '../../../core/edge-runtime/rules.ts';
import { splitRow } from '../../../core/users/csv.ts';
import { keyProblem } from '../../../core/users/key.ts';
import { headersOf, type Secret } from '../../../hosts/contract/credentials.ts';
import type { Headers } from '../build.ts';
import { alteredCredentials } from '../requesters.ts';

/** A client of both services. */
export interface OldRequester {
  /** Its name in reports, which never contains its key. */
  name: string;
  /** Its credentials at NEW, and at OLD. */
  headers: Headers;
  old: Headers;
  /** Whether its credentials are wrong. */
  isWrong: boolean;
}

const USERS_COLUMNS = new Set(['user', 'group', 'theme', 'theme_id']);

/**
 * Makes requesters of a sample of the users in a CSV file, except users with an invalid key: no mapping contains them. A further column is a
 * header that identifies the user at OLD: `user,theme_id,Authorization`. NEW gets the key by the first identity rule for users.
 * @param name - the name of the file, for reports
 * @returns what is wrong with the file, if there are none
 */
export function requestersOf(
  text: string,
  name: string,
  size: number,
  identity: readonly IdentityRule[],
  secret: Secret,
): OldRequester[] | string {
  const [names = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => splitRow(line)?.map((cell) => cell.text) ?? []);
  const columns = names.map((cell) => cell.trim());
  if (!columns.includes('user')) return 'it must start with the names of its columns, one of them `user`.';
  const users = rows.flatMap((cells, at) => {
    const key = cells[columns.indexOf('user')];
    const headers = headersIn(columns, cells);
    return !key || keyProblem(key) !== undefined || !isSendable(headers)
      ? []
      : [{ name: `user ${name}:${at + 2}`, key, old: Object.keys(headers).length === 0 ? undefined : headers }];
  });
  const requesters = sampleOf(users, size).flatMap((user) => requesterOf(user, identity, secret) ?? []);
  if (users.length === 0) return 'it contains no user.';
  return requesters.length > 0
    ? requesters
    : 'no client can send the key of a user by the identity rules of this site. Leave out `--sample`.';
}

/** Returns the headers in the further columns of a row. */
function headersIn(columns: readonly string[], cells: readonly string[]): Headers {
  const headers = columns.flatMap((name, at): [string, string][] => {
    const value = cells[at];
    const isHeader = !USERS_COLUMNS.has(name) && value !== undefined && value !== '';
    return isHeader ? [[/^cookie$/i.test(name) ? 'Cookie' : name, value]] : [];
  });
  return Object.fromEntries(headers);
}

/** Whether headers have no text that no header can have (RFC 9110, §5.1 and §5.5). */
function isSendable(headers: Headers): boolean {
  return Object.entries(headers).every(
    ([name, value]) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
}

/** Returns a deterministic sample, spread evenly: users of a theme often follow each other. */
export function sampleOf<T>(all: readonly T[], size: number): T[] {
  if (all.length <= size) return [...all];
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as T);
}

/** @returns undefined if no client can send the key */
function requesterOf(
  { name, key, old }: { name: string; key: string; old: Headers | undefined },
  identity: readonly IdentityRule[],
  secret: Secret,
): OldRequester | undefined {
  const { credential } = identity.find(({ names }) => names === 'user') ?? {};
  // This machine may be a trusted proxy.
  const isOfProxy = credential?.from === 'header' && 'proxies' in credential;
  const headers = isOfProxy ? { [credential.name]: key } : credential && headersOf(credential, key, secret);
  if (headers === undefined) return undefined;
  const cookies = [old?.['Cookie'], headers['Cookie']].filter((value) => value !== undefined).join('; ');
  return {
    name,
    isWrong: false,
    old: old ?? headers,
    headers: { ...old, ...headers, ...(cookies !== '' && { Cookie: cookies }) },
  };
}

/** Returns a requester for each header, with its last characters changed: services may reject that, or treat it as anonymous. */
export function wrongRequesters(requesters: readonly OldRequester[]): OldRequester[] {
  const names = new Set<string>();
  return requesters.flatMap(({ headers, old }) =>
    alteredCredentials(old).flatMap(({ name, headers: altered }): OldRequester[] => {
      if (names.size === names.add(name.toLowerCase()).size) return [];
      const now = alteredCredentials(headers).find((each) => each.name.toLowerCase() === name.toLowerCase());
      return [{ name: `a wrong ${name}`, old: altered, headers: now?.headers ?? headers, isWrong: true }];
    }),
  );
}

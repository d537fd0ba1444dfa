import type { IdentityRule } from '../../../core/edge-runtime/rules.ts';
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

/**
 * Makes a requester of a user. NEW gets the key by the first identity rule for users.
 * @param old - headers that identify the user at OLD. Default: the headers for NEW
 * @returns undefined if no client can send the key
 */
export function requesterOf(
  name: string,
  key: string,
  old: Headers | undefined,
  identity: readonly IdentityRule[],
  secret: Secret,
): OldRequester | undefined {
  const rule = identity.find(({ names }) => names === 'user');
  const headers = rule && (headersOf(rule.credential, key, secret) ?? proxyHeader(rule, key));
  if (headers === undefined) return undefined;
  const cookies = [old?.['Cookie'], headers['Cookie']].filter((value) => value !== undefined);
  const Cookie = cookies.join('; ');
  return {
    name,
    isWrong: false,
    old: old ?? headers,
    headers: { ...old, ...headers, ...(cookies.length > 0 && { Cookie }) },
  };
}

/** Returns the header of a trusted proxy: this machine may be one. */
function proxyHeader({ credential }: IdentityRule, key: string): Headers | undefined {
  return credential.from === 'header' && 'proxies' in credential ? { [credential.name]: key } : undefined;
}

/** An assignment in a users file: the key, and the headers that identify the user at the old service. */
export interface SampledUser {
  line: number;
  key: string;
  headers: Headers | undefined;
}

const USERS_COLUMNS = new Set(['user', 'group', 'theme', 'theme_id']);

/**
 * Parses a line of a users file. A further column is a header: `user,theme_id,Authorization`.
 * @returns undefined if the line has no valid user, or text that no header can have (RFC 9110, §5.1 and §5.5)
 */
export function sampledUser(line: number, names: readonly string[], cells: readonly string[]): SampledUser | undefined {
  const key = cells[names.indexOf('user')];
  if (key === undefined || keyProblem(key) !== undefined) return undefined;
  const headers = names.flatMap((name, at): [string, string][] => {
    const value = cells[at];
    const isHeader = !USERS_COLUMNS.has(name) && value !== undefined && value !== '';
    return isHeader ? [[/^cookie$/i.test(name) ? 'Cookie' : name, value]] : [];
  });
  const isSent = ([name, value]: [string, string]): boolean =>
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (!headers.every(isSent)) return undefined;
  return { line, key, headers: headers.length === 0 ? undefined : Object.fromEntries(headers) };
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

import { visible } from '../../../core/diagnostics/quote.ts';
import type { IdentityRule } from '../../../core/edge-runtime/rules.ts';
import { parsePlainYaml } from '../../../core/source/plain-yaml.ts';
import { splitRow } from '../../../core/users/csv.ts';
import { keyProblem } from '../../../core/users/key.ts';
import { escapeRegExp } from '../../../hosts/adapter/regexp.ts';
import type { Secret } from '../../../hosts/contract/credentials.ts';
import type { Headers } from '../build.ts';
import { alteredCredentials, credentialsOf } from '../requesters.ts';
import type { Result } from '../result.ts';

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
  const rule = identity.find(({ names }) => names === 'user');
  const headers = rule && credentialsOf(rule, key, secret);
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

/** An entry of an accept file: a difference, and why it does not matter. */
export interface AcceptedDifference {
  /** Its name in the report; `*` matches any characters. */
  what: string;
  reason: string;
}

/** Reads an accept file. @returns its entries, or what is wrong with the file */
export function readAccepted(text: string): AcceptedDifference[] | string {
  let entries: unknown;
  try {
    entries = parsePlainYaml(text);
  } catch (error) {
    // The parser appends an excerpt of the file to its message.
    return `it is not valid YAML. ${visible((error as Error).message.replace(/:?\n[^]*/, ''))}.`;
  }
  if (!Array.isArray(entries)) return 'it must be a YAML list of entries with `what` and `reason`.';
  const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
  const isEntry = (entry: unknown): entry is AcceptedDifference => {
    const { what, reason, ...unknown } = { ...(entry as Partial<AcceptedDifference> | null) };
    return isText(what) && isText(reason) && Object.keys(unknown).length === 0;
  };
  const wrong = entries.findIndex((entry) => !isEntry(entry));
  return wrong === -1
    ? (entries as AcceptedDifference[])
    : `entry ${wrong + 1} must have \`what\` and \`reason\`, both text, and nothing else.`;
}

/** Names alike differences with a pattern that accepts all of them, and marks the accepted ones with the reason; not what was not compared. */
export function accept(results: readonly Result[], entries: readonly AcceptedDifference[]): Result[] {
  const patterns = entries.map(({ what, reason }) => {
    return { reason, pattern: new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's') };
  });
  return results.map((result) => {
    const { ok, message, hint } = result;
    const accepted = hint === undefined ? patterns.find(({ pattern }) => pattern.test(message))?.reason : undefined;
    return ok ? result : { ...result, alike: patternOf(message), accepted };
  });
}

/** Returns `LIST * Vary` for `LIST GET Vary`. */
function patternOf(what: string): string {
  const words = what.split(' ');
  return words.length < 3 ? what : `${words[0]} * ${words.at(-1)}`;
}

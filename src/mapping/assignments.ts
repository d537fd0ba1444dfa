import { compareText, type Location, type Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { IdentityRule } from '../theme/identity.ts';

/** Which theme a user or a group gets, as authored. */
export interface Assignment {
  kind: 'user' | 'group';
  key: string;
  theme: string;
  /** Of the key. */
  location: Location;
  themeLocation: Location;
}

/** Longest user key, in bytes (all of them ASCII). */
const KEY_LENGTH = 128;

/** Why a key cannot be told safely to every host, or nothing. */
export function keyProblem(key: string): string | undefined {
  if (key.length > KEY_LENGTH) return `is ${key.length} characters long, more than ${KEY_LENGTH}`;
  if (key.startsWith('~')) return 'starts with `~`';
  const at = key.search(/[^A-Za-z0-9._@+:|=/~-]/);
  if (at === -1) return undefined;
  const character = key.charAt(at);
  const code = (key.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const name = character === ' ' ? 'a space' : /[!-~]/.test(character) ? quote(character) : `the character U+${code}`;
  return `holds ${name} at position ${at + 1}`;
}

/**
 * Checks the assignments of all sources together.
 * @param folders - the slugs that there are
 * @returns those that are right, by kind and key
 */
export function checkAssignments(
  assignments: readonly Assignment[],
  folders: ReadonlySet<string>,
  report: Report,
): Assignment[] {
  const seen = new Map<string, Assignment>();
  const unknown = new Map<string, Location[]>();
  for (const assignment of assignments) {
    const { kind, key, theme, location, themeLocation } = assignment;
    const problem = keyProblem(key);
    const first = seen.get(`${kind} ${key}`);
    if (key === '') report('mapping/empty-key', location, {});
    else if (problem !== undefined) report('mapping/user-key', location, { reason: problem });
    else if (first !== undefined) report('mapping/duplicate-user', location, { first: place(first.location) });
    else seen.set(`${kind} ${key}`, assignment);
    if (folders.has(theme)) continue;
    const places = unknown.get(theme);
    if (places === undefined) unknown.set(theme, [themeLocation]);
    else places.push(themeLocation);
  }
  for (const [theme, [first, ...others]] of unknown) {
    const args = { theme, suggestion: suggest(theme, [...folders]), users: others.length + 1 };
    if (first !== undefined) report('mapping/unknown-theme', first, args);
  }
  return [...seen.values()].toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key));
}

/** The assignments that hosts must know. One of the default theme says nothing, unless a later identity rule would then decide. */
export function neededAssignments(
  assignments: readonly Assignment[],
  identity: readonly IdentityRule[],
  defaultTheme: string | undefined,
): Assignment[] {
  const last = identity.at(-1)?.names;
  return assignments.filter(
    ({ kind, theme }) => identity.some(({ names }) => names === kind) && (theme !== defaultTheme || kind !== last),
  );
}

/** `themes/users.csv:12` */
export function place({ file, start }: Location): string {
  return start === undefined ? file : `${file}:${start.line}`;
}

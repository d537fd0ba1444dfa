import { compareText, type Location, type Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** Who gets which theme, as authored. */
export interface Assignment {
  user: string;
  theme: string;
  /** Of the user key. */
  location: Location;
  themeLocation: Location;
}

/** Longest user key, in bytes (all of them ASCII). */
const KEY_LENGTH = 128;

/** Why a key cannot be told safely to every host, or nothing. */
export function userKeyProblem(key: string): string | undefined {
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
 * @returns those that hosts must know, by user key: the users of the default theme need no entry
 */
export function checkAssignments(
  assignments: readonly Assignment[],
  themes: ReadonlySet<string>,
  defaultTheme: string | undefined,
  report: Report,
): Assignment[] {
  const seen = new Map<string, Assignment>();
  const unknown = new Map<string, Location[]>();
  for (const assignment of assignments) {
    const { user, theme, location, themeLocation } = assignment;
    const problem = userKeyProblem(user);
    const first = seen.get(user);
    if (user === '') report('mapping/empty-key', location, {});
    else if (problem !== undefined) report('mapping/user-key', location, { reason: problem });
    else if (first !== undefined) report('mapping/duplicate-user', location, { first: place(first.location) });
    else seen.set(user, assignment);
    if (!themes.has(theme)) unknown.set(theme, [...(unknown.get(theme) ?? []), themeLocation]);
  }
  for (const [theme, [first, ...others]] of unknown) {
    const args = { theme, suggestion: suggest(theme, [...themes]), users: others.length + 1 };
    if (first !== undefined) report('mapping/unknown-theme', first, args);
  }
  return [...seen.values()]
    .filter(({ theme }) => theme !== defaultTheme)
    .toSorted((a, b) => compareText(a.user, b.user));
}

/** `themes/users.csv:12` */
export function place({ file, start }: Location): string {
  return start === undefined ? file : `${file}:${start.line}`;
}

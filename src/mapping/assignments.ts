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

/** Unknown themes that a suggestion is looked for: who has more of them has made another mistake than misspelling. */
const MOST_SUGGESTIONS = 100;

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
  const swapped = new Map<string, Location[]>();
  for (const assignment of assignments) {
    const { kind, key, theme, location, themeLocation } = assignment;
    if (folders.has(key) && theme !== '' && !folders.has(theme)) {
      add(swapped, location.file, location);
      continue;
    }
    const problem = keyProblem(key);
    const first = seen.get(`${kind} ${key}`);
    if (key === '') report('mapping/empty-key', location, {});
    else if (problem !== undefined) report('mapping/user-key', location, { reason: problem });
    else if (first !== undefined) report('mapping/duplicate-user', location, { first: place(first.location) });
    else seen.set(`${kind} ${key}`, assignment);
    if (!folders.has(theme)) add(unknown, theme, themeLocation);
  }
  for (const [first, ...others] of swapped.values()) {
    const args = { theme: undefined, suggestion: undefined, users: 0, swapped: others.length + 1 };
    if (first !== undefined) report('mapping/unknown-theme', first, args);
  }
  reportUnknown(unknown, assignments, folders, swapped, report);
  return [...seen.values()].toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key));
}

/** What stands in the place of a theme may be a user key: it is named only if it is made of letters and hyphens, is no key itself, and its file swaps the two nowhere. */
function reportUnknown(
  unknown: ReadonlyMap<string, readonly Location[]>,
  assignments: readonly Assignment[],
  folders: ReadonlySet<string>,
  swapped: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  if (unknown.size === 0) return;
  const keys = new Set(assignments.map(({ key }) => key.trim()));
  const slugs = [...folders];
  for (const [index, [theme, places]] of [...unknown].entries()) {
    const [first] = places;
    if (first === undefined) continue;
    const isNamed =
      theme === '' ||
      (/^ *[a-z][a-z-]* *$/i.test(theme) && !keys.has(theme.trim()) && !places.some(({ file }) => swapped.has(file)));
    report('mapping/unknown-theme', first, {
      theme: isNamed ? theme : undefined,
      suggestion: index < MOST_SUGGESTIONS ? suggest(theme, slugs) : undefined,
      users: places.length,
      swapped: 0,
    });
  }
}

function add(places: Map<string, Location[]>, name: string, location: Location): void {
  const found = places.get(name);
  if (found === undefined) places.set(name, [location]);
  else found.push(location);
}

/** The assignments that hosts must know. One of the default theme says nothing, unless a later identity rule would then decide. */
export function neededAssignments(
  assignments: readonly Assignment[],
  identity: readonly IdentityRule[],
  defaultTheme: string | undefined,
): Assignment[] {
  const decidesLast = (kind: Assignment['kind']): boolean =>
    identity.findIndex(({ names }) => names === kind) === identity.length - 1;
  return assignments.filter(
    ({ kind, theme }) => identity.some(({ names }) => names === kind) && (theme !== defaultTheme || !decidesLast(kind)),
  );
}

/** `themes/users.csv:12` */
export function place({ file, start }: Location): string {
  return start === undefined ? file : `${file}:${start.line}`;
}

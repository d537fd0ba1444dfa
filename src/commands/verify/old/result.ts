import { visible } from '../../../core/diagnostics/quote.ts';
import { escapeRegExp } from '../../../hosts/regexp.ts';

export const GROUPS = ['themes', 'responses', 'users'] as const;
export type Group = (typeof GROUPS)[number];

/** The result of comparing a field, an image, a header or a response of both services. */
export interface CompareResult {
  group: Group;
  /** Its permanent name for accept files: `theme 3 logo_height`, `CONFIG OPTIONS Vary`, `user users.csv:17`. */
  what: string;
  /**
   * `same`: equal apart from base URLs; `equal`: an image with other bytes, and equal pixels within the tolerance; `not compared`: a service
   * rejected the request, however often it was repeated.
   */
  class: 'same' | 'equal' | 'differs' | 'not compared';
  /** The differing values. */
  old?: string;
  new?: string;
  /** The reason of the accept file. */
  accepted?: string;
  /** A further comparison that is needed before the difference may be accepted. */
  needs?: string;
}

/** An entry of an accept file: a difference, and why it does not matter. */
export interface AcceptedDifference {
  /** Its name in the report; `*` matches any characters. */
  what: string;
  reason: string;
}

/** A comparison of two services. */
export interface Comparison {
  themes: number;
  compared: readonly CompareResult[];
  /** Omitted comparisons, and how to add them. */
  notes: readonly string[];
}

export function same(group: Group, what: string): CompareResult {
  return { group, what, class: 'same' };
}

export function differs(group: Group, what: string, old: string, now: string): CompareResult {
  return { group, what, class: 'differs', old, new: now };
}

/** Compares two texts; a missing text is reported as `none`. */
export function compareTexts(
  group: Group,
  what: string,
  old: string | undefined,
  now: string | undefined,
): CompareResult {
  return old === now ? same(group, what) : differs(group, what, ...formatPair(old ?? 'none', now ?? 'none'));
}

/** Returns the differences that no entry accepts, and what could not be compared. */
export function openDifferences({ compared }: Pick<Comparison, 'compared'>): CompareResult[] {
  return compared.filter(
    (result) => ['differs', 'not compared'].includes(result.class) && result.accepted === undefined,
  );
}

/** Reads the entries of an accept file. @returns undefined if it is no list; the index of the first invalid entry, if any */
export function readAccepted(data: unknown): AcceptedDifference[] | number | undefined {
  if (!Array.isArray(data)) return undefined;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  const entries: AcceptedDifference[] = [];
  for (const [index, entry] of data.entries()) {
    const { what, reason, ...unknown } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(what) || !isText(reason) || Object.keys(unknown).length > 0) return index;
    entries.push({ what, reason });
  }
  return entries;
}

/** Marks accepted differences with the reason of the first matching entry, unless they need another comparison first. */
export function accept(compared: readonly CompareResult[], entries: readonly AcceptedDifference[]): CompareResult[] {
  const patterns = entries.map(({ what, reason }) => {
    return { reason, pattern: new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's') };
  });
  return compared.map((result) => {
    const accepted = patterns.find(({ pattern }) => pattern.test(result.what))?.reason;
    const isOpen = result.class === 'differs' && result.needs === undefined;
    return isOpen && accepted !== undefined ? { ...result, accepted } : result;
  });
}

const MAX_CHARACTERS = 80;
/** Characters of a shortened text before the difference. */
const CONTEXT_CHARACTERS = 20;

/** Formats two texts that differ: without the queries of URLs, and shortened to the part that differs. */
export function formatPair(old: string, now: string): [old: string, new: string] {
  const [before, after] = [old, now].map(withoutQueries) as [string, string];
  if (before === after) return [part(before, 0), `${part(after, 0)} (another query)`];
  if (Math.max(before.length, after.length) <= MAX_CHARACTERS) return [visible(before), visible(after)];
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = at <= MAX_CHARACTERS / 2 ? 0 : at - CONTEXT_CHARACTERS;
  return [part(before, from), part(after, from)];
}

function part(text: string, from: number): string {
  const end = from + MAX_CHARACTERS;
  return visible(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
}

/** Removes the queries of URLs: a query may be personal, or a signature. */
function withoutQueries(text: string): string {
  return text.replaceAll(/[^\s"]+/g, (word) => {
    const end = word.indexOf('?') + 1;
    return word.slice(0, end).includes('/') ? `${word.slice(0, end)}…` : word;
  });
}

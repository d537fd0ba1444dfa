import { visible } from '../diagnostics/quote.ts';
import { escapeRegExp } from '../hosts/regexp.ts';

/** What belongs together in a report. */
export const GROUPS = ['themes', 'responses', 'users'] as const;
export type Group = (typeof GROUPS)[number];

/** One thing that both services were asked for. */
export interface Compared {
  group: Group;
  /** What was compared, permanently: `theme 3 logo_height`, `CONFIG OPTIONS Vary`, `user users.csv:17`. `--accept` names it. */
  what: string;
  /** `same`: equal after the base URLs are swapped; `equal`: an image of other bytes and the same pixels within the tolerance. */
  class: 'same' | 'equal' | 'differs';
  /** What either service has, if they are not the same. */
  old?: string;
  new?: string;
  /** Why a difference is accepted. */
  accepted?: string;
  /** A comparison that is missing before the difference may be accepted. */
  needs?: string;
}

/** A difference that is known, and why it does not matter. */
export interface AcceptedDifference {
  /** As the report names it; `*` stands for any characters. */
  what: string;
  reason: string;
}

/** A comparison of two services. */
export interface Comparison {
  themes: number;
  compared: readonly Compared[];
  /** What was not compared, and what is to be known about it. */
  notes: readonly string[];
}

export function same(group: Group, what: string): Compared {
  return { group, what, class: 'same' };
}

export function differs(group: Group, what: string, old: string, now: string): Compared {
  return { group, what, class: 'differs', old, new: now };
}

/** `same`, or the difference of two texts; a text that is missing is `none`. */
export function compareTexts(group: Group, what: string, old: string | undefined, now: string | undefined): Compared {
  return old === now ? same(group, what) : differs(group, what, ...shownPair(old ?? 'none', now ?? 'none'));
}

/** The differences that nothing accepts. */
export function unaccepted({ compared }: Pick<Comparison, 'compared'>): Compared[] {
  return compared.filter((result) => result.class === 'differs' && result.accepted === undefined);
}

/** Reads the entries of an accept file. @returns nothing if it is no list; the index of the first entry that has another form */
export function readAccepted(data: unknown): AcceptedDifference[] | number | undefined {
  if (!Array.isArray(data)) return undefined;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  const entries: AcceptedDifference[] = [];
  for (const [index, entry] of data.entries()) {
    const { what, reason, ...rest } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(what) || !isText(reason) || Object.keys(rest).length > 0) return index;
    entries.push({ what, reason });
  }
  return entries;
}

/** Marks the differences that an entry accepts, but for those that need another comparison first. The first entry that fits counts. */
export function accept(compared: readonly Compared[], entries: readonly AcceptedDifference[]): Compared[] {
  const patterns = entries.map(({ what, reason }) => {
    return { reason, pattern: new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's') };
  });
  return compared.map((result) => {
    const accepted = patterns.find(({ pattern }) => pattern.test(result.what))?.reason;
    const isOpen = result.class === 'differs' && result.needs === undefined;
    return isOpen && accepted !== undefined ? { ...result, accepted } : result;
  });
}

/** Maximum length of a text in a report, in characters, and how much of it comes before the difference. */
const MAX_LENGTH = 80;
const MAX_BEFORE = 20;

/** Two texts that differ, as a report has them: without the queries of URLs, and of long ones the part that differs. */
export function shownPair(old: string, now: string): [old: string, new: string] {
  const [before, after] = [old, now].map(withoutQueries) as [string, string];
  if (before === after) return [part(before, 0), `${part(after, 0)} (another query)`];
  if (Math.max(before.length, after.length) <= MAX_LENGTH) return [visible(before), visible(after)];
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = at <= MAX_LENGTH / 2 ? 0 : at - MAX_BEFORE;
  return [part(before, from), part(after, from)];
}

function part(text: string, from: number): string {
  const end = from + MAX_LENGTH;
  return visible(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
}

/** A query may be personal, or the signature of a URL. */
function withoutQueries(text: string): string {
  return text.replaceAll(/[^\s"]+/g, (word) => {
    const end = word.indexOf('?') + 1;
    return word.slice(0, end).includes('/') ? `${word.slice(0, end)}…` : word;
  });
}

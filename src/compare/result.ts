import { visible } from '../diagnostics/quote.ts';

/** `same`: equal after the base URLs are swapped; `equal`: an image of other bytes and the same pixels within the tolerance. */
type Class = 'same' | 'equal' | 'differs';

/** What belongs together in a report. */
export const GROUPS = ['themes', 'responses', 'users'] as const;
export type Group = (typeof GROUPS)[number];

/** One thing that both services were asked for. */
export interface Compared {
  group: Group;
  /** What was compared, permanently: `theme 3 logo_height`, `CONFIG OPTIONS Vary`, `user users.csv:17`. `--accept` names it. */
  what: string;
  class: Class;
  /** What either service has, if they are not the same. */
  old?: string;
  new?: string;
  /** Why a difference is accepted. */
  accepted?: string;
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

/** Rows of one kind in a report: a service may have any number of themes. */
export const MAX_ROWS = 100;

/** The differences that nothing accepts. */
export function unaccepted({ compared }: Pick<Comparison, 'compared'>): Compared[] {
  return compared.filter((result) => result.class === 'differs' && result.accepted === undefined);
}

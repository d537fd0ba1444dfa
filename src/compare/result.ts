import type { AcceptedDifference } from './accept.ts';

/** `same`: equal after the base URLs are swapped; `equal`: an image of other bytes and the same pixels within the tolerance. */
type Class = 'same' | 'equal' | 'differs';

/** What belongs together in a report. */
export const GROUPS = ['themes', 'responses', 'users', 'requests'] as const;
export type Group = (typeof GROUPS)[number];

/** One thing that both services were asked for. */
export interface Compared {
  group: Group;
  /** What was compared, permanently: `theme 3 logo_height`, `CONFIG OPTIONS Vary`, `user users.csv:17`. `--accept` names it. */
  what: string;
  /** The kind of a request of an access log, as the probes are named: `LIST GET Vary`. `--accept` may name that, too. */
  like?: string;
  class: Class;
  /** What either service has, if they are not the same. */
  old?: string;
  new?: string;
  /** Why a difference is accepted. */
  accepted?: string;
}

/** A comparison of two services. */
export interface Comparison {
  themes: number;
  /** Names of themes by id. */
  names: ReadonlyMap<string, string>;
  compared: readonly Compared[];
  /** Images that could not be requested. */
  notCompared: number;
  /** What may be wrong with how the services were named: known before they are asked. */
  warnings: readonly string[];
  /** What may be the cause of differences. */
  hints: readonly string[];
  /** What was not compared, and what is to be known about it. */
  notes: readonly string[];
  /** Accepted differences that there are not. */
  unused: readonly AcceptedDifference[];
}

export function same(group: Group, what: string): Compared {
  return { group, what, class: 'same' };
}

export function differs(group: Group, what: string, old: string, now: string): Compared {
  return { group, what, class: 'differs', old, new: now };
}

/** `same`, or the difference of two texts; a text that is missing is `none`. */
export function compareTexts(group: Group, what: string, old: string | undefined, now: string | undefined): Compared {
  return old === now ? same(group, what) : differs(group, what, old ?? 'none', now ?? 'none');
}

/** The differences that nothing accepts. */
export function unaccepted({ compared }: Pick<Comparison, 'compared'>): Compared[] {
  return compared.filter((one) => one.class === 'differs' && one.accepted === undefined);
}

import type { Location } from '../diagnostics/diagnostic.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import type { KeyKind } from './key.ts';
import type { Shards } from './shards.ts';

/** The assignments that hosts need. They are read in parts, because all of them may not fit in memory. */
export interface Mapping {
  counts: Readonly<Record<KeyKind, number>>;
  /** Yields keys and their themes in the order of the files; can be called again. */
  pairs(kind: KeyKind): Iterable<readonly [key: string, theme: string]>;
  /** The assignments as digests, if the site uses keyed shards. */
  shards: Shards | undefined;
}

/** A summary of all assignments in the users files, whether hosts need them or not. */
export interface AssignmentSummary {
  /** The number of keys of each kind, including the default theme. */
  counts: Readonly<Record<KeyKind, number>>;
  /** The location of the first key of each kind. */
  first: Readonly<Record<KeyKind, Location | undefined>>;
}

export interface SearchedKey {
  kind: KeyKind;
  key: string;
}

export interface FoundAssignment extends SearchedKey {
  /** Whether the key is written in another case there. */
  isCaseIgnored: boolean;
  /** Undefined if the theme does not exist. */
  theme: string | undefined;
  location: Location;
  /** The location of a second assignment in the same spelling, which is an error in a build. */
  again: Location | undefined;
}

export function keyCount({ counts }: Pick<Mapping, 'counts'>): number {
  return counts.user + counts.group;
}

/**
 * Returns whether hosts need a key. They do not if no rule reads it. They do not need keys of the default theme either, unless a later
 * identity rule would then decide, or the key is a hostname, which generated servers respond to.
 */
export function isNeeded(kind: KeyKind, isDefault: boolean, identity: readonly IdentityRule[]): boolean {
  const first = identity.findIndex(({ names }) => names === kind);
  const isLast = first === identity.length - 1 && identity[first]?.credential.from !== 'host';
  return first !== -1 && !(isDefault && isLast);
}

import type { Location } from '../diagnostics/diagnostic.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import type { KeyKind } from './key.ts';
import type { Shards } from './shards.ts';

/** Who gets which theme, as hosts must know it. However many keys there are, they are not held in memory. */
export interface Mapping {
  /** Keys that hosts must know, by kind. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Keys and their themes from some place on, in the order in which they were written. The same at every call. */
  pairs(kind: KeyKind, from?: number): Iterable<readonly [key: string, theme: string]>;
  /** The same as digests, if the site asks for them. */
  shards: Shards | undefined;
}

/** What the files of users say, whether hosts must know it or not. */
export interface Assigned {
  /** Keys of each kind that are given a theme, that of the default theme too. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Where the first of each kind stands. */
  first: Readonly<Record<KeyKind, Location | undefined>>;
  /** Keys that differ only by case, each with the place of the first; looked for only if a host does not mind case. */
  collisions: readonly (readonly [Location, Location])[];
  /** Collisions that are not listed. */
  moreCollisions: number;
}

/** A key that is looked for. */
export interface Wanted {
  kind: KeyKind;
  key: string;
}

/** Where a key is given a theme. */
export interface Found extends Wanted {
  /** Whether it is written otherwise there, in capital or small letters. */
  isCaseIgnored: boolean;
  /** Nothing if there is no such theme. */
  theme: string | undefined;
  location: Location;
  /** Where it stands once more, written the same way: a mistake, which a build refuses. */
  again: Location | undefined;
}

/** Keys of users and groups together. */
export function keyCount({ counts }: Pick<Mapping, 'counts'>): number {
  return counts.user + counts.group;
}

/**
 * Whether hosts must know of a key. One with the default theme says nothing, unless a later identity rule would then decide; and
 * nothing is known by a key that no rule reads.
 */
export function isNeeded(kind: KeyKind, isDefault: boolean, identity: readonly IdentityRule[]): boolean {
  const first = identity.findIndex(({ names }) => names === kind);
  return first !== -1 && !(isDefault && first === identity.length - 1);
}

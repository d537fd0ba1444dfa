import type { Location } from '../diagnostics/diagnostic.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import type { KeyKind } from './key.ts';
import type { Shards } from './shards.ts';

/** The assignments that hosts must know. They are read in parts, because all of them may not fit in memory. */
export interface Mapping {
  /** The number of keys, by kind. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Yields keys and their themes, in the order of the files, anew at every call. */
  pairs(kind: KeyKind): Iterable<readonly [key: string, theme: string]>;
  /** The assignments as digests, if the site asks for keyed shards. */
  shards: Shards | undefined;
}

/** All assignments of the user files, whether hosts must know them or not. */
export interface Assigned {
  /** Keys of each kind with a theme, including the default theme. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Where the first of each kind is. */
  first: Readonly<Record<KeyKind, Location | undefined>>;
  /** Keys that differ only in case, each with the place of the first; empty without a case-insensitive host. */
  collisions: readonly (readonly [Location, Location])[];
  /** Collisions that are not listed. */
  moreCollisions: number;
}

/** A key to search for. */
export interface Wanted {
  kind: KeyKind;
  key: string;
}

/** Where a key is assigned a theme. */
export interface Found extends Wanted {
  /** Whether it is written in another case there. */
  isCaseIgnored: boolean;
  /** Absent if the theme does not exist. */
  theme: string | undefined;
  location: Location;
  /** Where it is listed again, written the same way: an error in a build. */
  again: Location | undefined;
}

/** Counts keys of users and groups together. */
export function keyCount({ counts }: Pick<Mapping, 'counts'>): number {
  return counts.user + counts.group;
}

/**
 * Returns whether hosts must know a key. No host needs a key that no rule reads, or one with the default theme; unless a later identity rule
 * would then decide, or the key is a hostname, which generated servers respond to.
 */
export function isNeeded(kind: KeyKind, isDefault: boolean, identity: readonly IdentityRule[]): boolean {
  const first = identity.findIndex(({ names }) => names === kind);
  const isLast = first === identity.length - 1 && identity[first]?.credential.from !== 'host';
  return first !== -1 && !(isDefault && isLast);
}

/** Returns whether the hostname of the request is all that rules look groups up by. */
export function hasOnlyHostGroups(identity: readonly IdentityRule[]): boolean {
  const rules = identity.filter(({ names }) => names === 'group');
  return rules.length > 0 && rules.every(({ credential }) => credential.from === 'host');
}

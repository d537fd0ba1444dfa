import type { Location } from '../diagnostics/diagnostic.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import type { KeyKind } from './key.ts';
import type { Shards } from './shards.ts';

/** Which key gets which theme, as far as hosts must know. However many keys there are, they are not held in memory. */
export interface Mapping {
  /** Keys that hosts must know, by kind. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Keys and their themes, in the order in which they were written. The same at every call. */
  pairs(kind: KeyKind): Iterable<readonly [key: string, theme: string]>;
  /** The same as digests, if the site asks for them. */
  shards: Shards | undefined;
}

/** All assignments of the user files, whether hosts must know them or not. */
export interface Assigned {
  /** Keys of each kind with a theme, including the default theme. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Where the first of each kind is. */
  first: Readonly<Record<KeyKind, Location | undefined>>;
  /** Keys that differ only in case, each with the place of the first; found only for case-insensitive hosts. */
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

/** Keys of users and groups together. */
export function keyCount({ counts }: Pick<Mapping, 'counts'>): number {
  return counts.user + counts.group;
}

/**
 * Whether hosts must know a key. One with the default theme is not needed, unless a later identity rule would then decide, or it is a
 * hostname, which generated servers respond to; nor is a key that no rule reads.
 */
export function isNeeded(kind: KeyKind, isDefault: boolean, identity: readonly IdentityRule[]): boolean {
  const first = identity.findIndex(({ names }) => names === kind);
  const isLast = first === identity.length - 1 && identity[first]?.credential.from !== 'host';
  return first !== -1 && !(isDefault && isLast);
}

/** Whether rules look groups up by nothing but the hostname of the request. */
export function hasOnlyHostGroups(identity: readonly IdentityRule[]): boolean {
  const rules = identity.filter(({ names }) => names === 'group');
  return rules.length > 0 && rules.every(({ credential }) => credential.from === 'host');
}

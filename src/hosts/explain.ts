import type { Location } from '../diagnostics/diagnostic.ts';
import type { KeyKind } from '../users/key.ts';
import type { EdgeRules } from './contract.ts';
import { type Found, isNeeded, type Wanted } from '../users/mapping.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import { decide } from '../edge-runtime/handler.ts';
import { keyOfHostname } from '../edge-runtime/hostname.ts';
import { readsHostGroups } from './hostnames.ts';
import { groupHostnameProblem } from '../theme/hostnames.ts';
import { keyProblem } from '../users/key.ts';

/** A key of a user, and its assignment in the users files. */
export interface KnownKey {
  key: string;
  /** Undefined if no theme is assigned, or one that does not exist. */
  theme: string | undefined;
  /** Where the theme is assigned. */
  location: Location | undefined;
  /** Where the key is listed again, which is an error. */
  again: Location | undefined;
  /** Whether hosts know the key: see `isNeeded`. */
  isNeeded: boolean;
}

/** An identity rule that matches. */
export interface Match {
  rule: IdentityRule;
  /** Number of the rule, from 1. */
  number: number;
  key: string;
  theme: string;
}

/** Why a user gets a theme. */
export interface Explanation {
  /** The theme that is served; without a match, the default theme. */
  theme: string | undefined;
  /** The rule that decides, and the later rules that match too; empty for the default theme. */
  matches: readonly Match[];
}

/** The decision for the keys of a user. */
export interface Decided {
  /** The hostname of the request, normalised; undefined if no rule reads it, or none was named. */
  hostname?: string | undefined;
  keys: Readonly<Partial<Record<KeyKind, KnownKey>>>;
  explanation: Explanation;
}

/** Decides for the keys of a user, for hosts with case-sensitive keys and for those with case-insensitive ones. */
export async function decideWho(
  keys: readonly Wanted[],
  found: readonly Found[],
  rules: EdgeRules,
  defaultTheme: string | undefined,
  hostname?: string,
): Promise<Decided & { ignoringCase: Decided }> {
  const decided = async (placeOf: (kind: KeyKind) => Found | undefined): Promise<Decided> => {
    const known = Object.fromEntries(
      keys.map(({ kind, key }) => {
        const { theme, location, again } = placeOf(kind) ?? {};
        return [
          kind,
          { key, theme, location, again, isNeeded: isNeeded(kind, theme === defaultTheme, rules.identity) },
        ];
      }),
    );
    return { hostname, keys: known, explanation: await explain(rules, known, defaultTheme, hostname) };
  };
  const asWritten = (kind: KeyKind): Found | undefined => found.find((one) => one.kind === kind && !one.isCaseIgnored);
  const ignoringCase = await decided((kind) => asWritten(kind) ?? found.find((one) => one.kind === kind));
  return { ...(await decided(asWritten)), ignoringCase };
}

/**
 * Explains which theme a user with these keys gets, with the code of the handler that hosts run.
 * @param defaultTheme - its slug, if there is one
 */
export async function explain(
  rules: Pick<EdgeRules, 'identity' | 'themes'>,
  keys: Readonly<Partial<Record<KeyKind, KnownKey>>>,
  defaultTheme: string | undefined,
  hostname?: string,
): Promise<Explanation> {
  const lookups = {
    keyOf: async (rule: IdentityRule) => keyFor(rule, keys, hostname),
    themeOf: async (kind: KeyKind) => (keys[kind]?.isNeeded === true ? keys[kind].theme : undefined),
  };
  const matches: Match[] = [];
  let remaining = rules.identity;
  for (;;) {
    const decision = await decide(rules, remaining, lookups);
    if (decision === undefined) return { theme: matches[0]?.theme ?? defaultTheme, matches };
    const { rule, key, theme } = decision;
    const number = rules.identity.indexOf(rule) + 1;
    matches.push({ rule, number, key, theme });
    remaining = rules.identity.slice(number);
  }
}

/** The key that a rule reads. Of a named hostname, the group is the hostname. */
function keyFor(
  { names, credential }: IdentityRule,
  keys: Readonly<Partial<Record<KeyKind, KnownKey>>>,
  hostname: string | undefined,
): string | undefined {
  if (credential.from === 'host')
    return keyOfHostname(credential, hostname ?? (names === 'group' ? keys.group?.key : undefined));
  // The hostname is a group of the rules that read it, and of no others.
  const key = names === 'theme' ? undefined : keys[names]?.key;
  return names === 'group' && key === hostname ? undefined : key;
}

/** The keys to look up: those of the caller, and the hostname as a group if a rule reads it so. */
export function keysAt(
  keys: readonly Wanted[],
  { identity }: Pick<EdgeRules, 'identity'>,
  hostname: string | undefined,
): Wanted[] {
  const isGroup =
    hostname !== undefined &&
    readsHostGroups(identity) &&
    (groupHostnameProblem(hostname)?.reason ?? keyProblem(hostname)) === undefined;
  return isGroup ? [...keys, { kind: 'group', key: hostname }] : [...keys];
}

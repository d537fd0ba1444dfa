import type { Location } from '../../core/diagnostics/diagnostic.ts';
import type { KeyKind } from '../../core/users/key.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { type FoundAssignment, isNeeded, type SearchedKey } from '../../core/users/mapping.ts';
import type { IdentityRule } from '../../core/edge-runtime/rules.ts';
import { decide } from '../../core/edge-runtime/handler.ts';
import { keyOfHostname } from '../../core/edge-runtime/hostname.ts';
import { readsHostGroups } from '../contract/hostnames.ts';
import { isGroupHostname } from '../../core/theme/site/hostnames.ts';
import { keyProblem } from '../../core/users/key.ts';

/** A key of a user, with its assignment in the users files. */
export interface AssignedKey {
  key: string;
  /** Undefined if no theme is assigned, or if the assigned theme does not exist. */
  theme: string | undefined;
  location: Location | undefined;
  /** The location of a second assignment of the same key, which is an error. */
  again: Location | undefined;
  /** Whether hosts store the key: see `isNeeded`. */
  isNeeded: boolean;
}

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
  /** The rule that decides, then later rules that match too; empty for the default theme. */
  matches: readonly Match[];
}

export interface Decision {
  /** The hostname of the request, normalised; undefined if the caller gave none or no rule reads it. */
  hostname?: string | undefined;
  keys: Readonly<Partial<Record<KeyKind, AssignedKey>>>;
  explanation: Explanation;
}

/** Decides which theme these keys get, on hosts with case-sensitive and with case-insensitive keys. */
export async function decideWho(
  keys: readonly SearchedKey[],
  found: readonly FoundAssignment[],
  rules: EdgeRules,
  defaultTheme: string | undefined,
  hostname?: string,
): Promise<Decision & { ignoringCase: Decision }> {
  const decided = async (placeOf: (kind: KeyKind) => FoundAssignment | undefined): Promise<Decision> => {
    const assigned = Object.fromEntries(
      keys.map(({ kind, key }) => {
        const { theme, location, again } = placeOf(kind) ?? {};
        return [
          kind,
          { key, theme, location, again, isNeeded: isNeeded(kind, theme === defaultTheme, rules.identity) },
        ];
      }),
    );
    return { hostname, keys: assigned, explanation: await explain(rules, assigned, defaultTheme, hostname) };
  };
  const asWritten = (kind: KeyKind): FoundAssignment | undefined =>
    found.find((one) => one.kind === kind && !one.isCaseIgnored);
  const ignoringCase = await decided((kind) => asWritten(kind) ?? found.find((one) => one.kind === kind));
  return { ...(await decided(asWritten)), ignoringCase };
}

/**
 * Explains which theme a user with these keys gets, with the code of the handler that hosts run.
 * @param defaultTheme - its slug, if there is one
 */
export async function explain(
  rules: Pick<EdgeRules, 'identity' | 'themes'>,
  keys: Readonly<Partial<Record<KeyKind, AssignedKey>>>,
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

/** Returns the key that a rule reads. If the caller gives a hostname, that is also the group of rules that read it. */
function keyFor(
  { names, credential }: IdentityRule,
  keys: Readonly<Partial<Record<KeyKind, AssignedKey>>>,
  hostname: string | undefined,
): string | undefined {
  if (credential.from === 'host')
    return keyOfHostname(credential, hostname ?? (names === 'group' ? keys.group?.key : undefined));
  // Rules that read the group from elsewhere must not see the hostname.
  const key = names === 'theme' ? undefined : keys[names]?.key;
  return names === 'group' && key === hostname ? undefined : key;
}

/** Returns the keys to look up; the hostname is also a group if a rule looks groups up by hostname. */
export function keysAt(
  keys: readonly SearchedKey[],
  { identity }: Pick<EdgeRules, 'identity'>,
  hostname: string | undefined,
): SearchedKey[] {
  const isGroup =
    hostname !== undefined &&
    readsHostGroups(identity) &&
    isGroupHostname(hostname) &&
    keyProblem(hostname) === undefined;
  return isGroup ? [...keys, { kind: 'group', key: hostname }] : [...keys];
}

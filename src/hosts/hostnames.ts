import type { Credential, IdentityRule } from '../edge-runtime/rules.ts';
import { groupHostnameProblem } from '../theme/hostnames.ts';
import type { Mapping } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import { rulesFrom } from './identity-rules.ts';
import { escapeRegExp } from './regexp.ts';

export type HostCredential = Extract<Credential, { from: 'host' }>;

/** What may follow a name in a `Host` header, as `hostnameOf` has it: a dot, and a port. */
export const AFTER_HOSTNAME = '\\.?(?::[0-9]*)?$';

/** A `Host` header with one hostname, which it captures. No key of a group is longer. */
export const HOST_HEADER = `^([A-Za-z0-9.-]{0,252}[A-Za-z0-9])${AFTER_HOSTNAME}`;

/** The same with a dot in the hostname, which the key of a group must have. */
export const GROUP_HOST_HEADER = HOST_HEADER.replace('^', '^(?=[^:]*\\.[A-Za-z0-9-])');

/**
 * Maximum length of a regular expression of names, in characters. The limit of PCRE is 65,536 code units.
 */
const MAX_PATTERN_LENGTH = 8000;

/** Themes with alternatives of a regular expression for their hostnames: `sea\.example\.org|ocean\.example\.org`. */
export function hostnameAlternatives({ themes = {} }: HostCredential): [slug: string, alternatives: string][] {
  const byTheme = new Map<string, string[]>();
  for (const [name, slug] of Object.entries(themes)) {
    const known = byTheme.get(slug);
    if (known === undefined) byTheme.set(slug, [escapeRegExp(name)]);
    else known.push(escapeRegExp(name));
  }
  return [...byTheme].flatMap(([slug, names]) => chunks(names).map((some): [string, string] => [slug, some.join('|')]));
}

/** Lists of patterns, each no longer than one regular expression may be. */
export function chunks(patterns: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Infinity;
  for (const pattern of patterns) {
    length += pattern.length + 1;
    if (length > MAX_PATTERN_LENGTH) {
      all.push([]);
      length = pattern.length + 1;
    }
    all.at(-1)?.push(pattern);
  }
  return all;
}

/** The rules that map hostnames to themes, with their numbers from 1. */
export function hostThemeRules(
  identity: readonly IdentityRule[],
): { rule: number; themes: [name: string, slug: string][] }[] {
  return rulesFrom(identity, 'host').flatMap(({ rule, credential: { themes } }) =>
    themes === undefined ? [] : [{ rule, themes: Object.entries(themes) }],
  );
}

/** Whether groups are looked up by hostname. */
export function readsHostGroups(identity: readonly IdentityRule[]): boolean {
  return rulesFrom(identity, 'host').some(({ names }) => names === 'group');
}

/** The hostnames that a dedicated server responds to: that of `base_url`, then those that rules of identity read. */
export function serverNames({ baseUrl, identity }: EdgeRules, mapping: Mapping): string[] {
  const names = new Set([new URL(baseUrl).hostname]);
  for (const { themes } of hostThemeRules(identity)) for (const [name] of themes) names.add(name);
  if (readsHostGroups(identity))
    for (const [key] of mapping.pairs('group')) if (groupHostnameProblem(key) === undefined) names.add(key);
  return [...names];
}

/** A hostname that identity gives a theme. */
export interface DeclaredHostname {
  name: string;
  theme: string;
  /** Index of the first rule that matches. */
  rule: number;
}

/** Hostnames that are requested, at most. */
export const MAX_HOSTNAMES = 100;

/** The hostnames that rules map to themes, and those that groups are, each with the theme of the first rule that matches. */
export function declaredHostnames(
  identity: readonly IdentityRule[],
  groups: ReadonlyMap<string, string>,
): DeclaredHostname[] {
  const declared = new Map<string, DeclaredHostname>();
  for (const { rule, credential } of rulesFrom(identity, 'host'))
    for (const [name, theme] of credential.themes === undefined ? groups : Object.entries(credential.themes))
      if (!declared.has(name)) declared.set(name, { name, theme, rule: rule - 1 });
  return [...declared.values()];
}

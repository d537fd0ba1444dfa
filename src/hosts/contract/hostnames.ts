import type { Credential, IdentityRule } from '../../core/edge-runtime/rules.ts';
import { isGroupHostname } from '../../core/theme/site/hostnames.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import { rulesFrom } from './identity-rules.ts';
import { escapeRegExp } from '../adapter/regexp.ts';

export type HostCredential = Extract<Credential, { from: 'host' }>;

/** Matches the end of a `Host` header after the name, as `hostnameOf` parses it: an optional dot and port. */
export const AFTER_HOSTNAME = '\\.?(?::[0-9]*)?$';

/** Matches a `Host` header with a hostname, and captures the name. No key of a group is longer. */
export const HOST_HEADER = `^([A-Za-z0-9.-]{0,252}[A-Za-z0-9])${AFTER_HOSTNAME}`;

/** Matches like {@link HOST_HEADER}, but requires a dot in the hostname, because every group key has one. */
export const GROUP_HOST_HEADER = HOST_HEADER.replace('^', '^(?=[^:]*\\.[A-Za-z0-9-])');

/** Maximum length of a regular expression of names, in characters. PCRE accepts 65,536 code units. */
const MAX_PATTERN_LENGTH = 8000;

/** Returns each theme with a regular expression for its hostnames: `sea\.example\.org|ocean\.example\.org`. */
export function hostnameAlternatives({ themes = {} }: HostCredential): [slug: string, alternatives: string][] {
  const byTheme = new Map<string, string[]>();
  for (const [name, slug] of Object.entries(themes)) {
    const alternatives = byTheme.get(slug);
    if (alternatives === undefined) byTheme.set(slug, [escapeRegExp(name)]);
    else alternatives.push(escapeRegExp(name));
  }
  return [...byTheme].flatMap(([slug, names]) =>
    chunks(names).map((chunk): [string, string] => [slug, chunk.join('|')]),
  );
}

/** Divides patterns into lists that each fit into one regular expression. */
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

/** Returns the rules that map hostnames to themes, with their numbers from 1. */
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

/** Returns the hostnames that a dedicated server responds to: first the host of `base_url`, then the hostnames of identity rules. */
export function serverNames({ baseUrl, identity }: EdgeRules, mapping: Mapping): string[] {
  const names = new Set([new URL(baseUrl).hostname]);
  for (const { themes } of hostThemeRules(identity)) for (const [name] of themes) names.add(name);
  if (readsHostGroups(identity)) for (const [key] of mapping.pairs('group')) if (isGroupHostname(key)) names.add(key);
  return [...names];
}

/** A hostname that an identity rule maps to a theme. */
export interface DeclaredHostname {
  name: string;
  theme: string;
  /** Index of the first rule that matches. */
  rule: number;
}

/** Maximum number of hostnames that `verify` requests. */
export const MAX_HOSTNAMES = 100;

/** Returns all hostnames that select a theme, mapped by a rule or listed as a group, with the first rule that matches. */
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

import { type Location, place } from '../../core/diagnostics/diagnostic.ts';
import { printable } from '../../core/diagnostics/quote.ts';
import { decide, fileName } from '../../core/edge-runtime/handler.ts';
import { keyOfHostname } from '../../core/edge-runtime/hostname.ts';
import type { EdgeEndpoint, IdentityRule } from '../../core/edge-runtime/rules.ts';
import { isGroupHostname } from '../../core/theme/site/hostnames.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';
import { type KeyKind, keyProblem } from '../../core/users/key.ts';
import { type FoundAssignment, isNeeded, type SearchedKey } from '../../core/users/mapping.ts';
import { adapters } from '../adapter/adapters.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { credentialName } from '../contract/credentials.ts';
import { readsHostGroups } from '../contract/hostnames.ts';

/** A key of a user, with its assignment in the users files. */
interface AssignedKey {
  key: string;
  /** Undefined if no users file has the key. */
  found: FoundAssignment | undefined;
  /** The assignment of the key in another case, for hosts that ignore case. */
  otherCase: FoundAssignment | undefined;
}

interface Match {
  rule: IdentityRule;
  /** Number of the rule, from 1. */
  number: number;
  theme: string;
}

/** What decides which theme a user gets. */
export interface ExplainedSite {
  rules: EdgeRules;
  /** Its slug, if there is one. */
  defaultTheme: string | undefined;
  hosts: readonly EdgeHost[];
  /** Returns the location of an identity rule by its index; undefined for the default rule, which is not in site.yaml. */
  ruleAt: (rule: number) => Location | undefined;
}

/** Which theme a user gets, and why. */
export interface WhoIs extends ExplainedSite {
  keys: Readonly<Partial<Record<KeyKind, AssignedKey>>>;
  /** The hostname of the request, normalised; undefined if the caller gave none. */
  hostname: string | undefined;
  /** The theme that is served; without a match, the default theme. */
  theme: string | undefined;
  /** The rule that decides, then later rules that match too; empty for the default theme. */
  matches: readonly Match[];
}

/** Decides which theme a user with these keys gets, with the code of the handler that hosts run. */
export async function whoIs(
  named: readonly SearchedKey[],
  found: readonly FoundAssignment[],
  site: ExplainedSite,
  hostname?: string,
): Promise<WhoIs> {
  const { rules, defaultTheme } = site;
  const keys: WhoIs['keys'] = Object.fromEntries(
    named.map(({ kind, key }) => {
      const [exact, otherCase] = [false, true].map((isCaseIgnored) =>
        found.find((one) => one.kind === kind && one.isCaseIgnored === isCaseIgnored),
      );
      return [kind, { key, found: exact, otherCase }];
    }),
  );
  const lookups = {
    keyOf: async (rule: IdentityRule) => keyFor(rule, keys, hostname),
    themeOf: async (kind: KeyKind) => {
      const theme = keys[kind]?.found?.theme;
      // Hosts do not store the other keys.
      return isNeeded(kind, theme === defaultTheme, rules.identity) ? theme : undefined;
    },
  };
  const matches: Match[] = [];
  let remaining = rules.identity;
  for (;;) {
    const decision = await decide(rules, remaining, lookups);
    if (decision === undefined) return { ...site, keys, hostname, theme: matches[0]?.theme ?? defaultTheme, matches };
    const { rule, theme } = decision;
    const number = rules.identity.indexOf(rule) + 1;
    matches.push({ rule, number, theme });
    remaining = rules.identity.slice(number);
  }
}

/** Returns the key that a rule reads. If the caller gives a hostname, that is also the group of rules that read it. */
function keyFor(
  { names, credential }: IdentityRule,
  keys: WhoIs['keys'],
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

/** Formats an explanation as text, for `themecast who`. Labels without texts are not shown. */
export function formatExplanation(who: WhoIs): string {
  const { theme, rules } = who;
  const rows: (readonly [label: string, texts: readonly string[]])[] = [
    ['why', reasons(who)],
    ['instead of', alternatives(who)],
    ['served', theme === undefined ? [] : [served(who, rules.endpoints.config)]],
    ...otherwise(who),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(width)}${text}`),
  );
  return [sentenceOf(who), '', ...lines, ''].join('\n');
}

/** Returns `ann gets meadow (theme 2).` */
export function sentenceOf(who: WhoIs): string {
  const { theme, matches, keys, hostname, rules } = who;
  const named = hostname === undefined ? Object.values(keys) : [keys.user].filter((key) => key !== undefined);
  const user = named.map(({ key }) => printable(key)).join(' in group ');
  const name = [user, hostname ?? ''].filter(Boolean).join(' at ');
  if (theme === undefined) return `${name} gets no theme: there is no default theme.`;
  const id = rules.themeIds[rules.themes.indexOf(theme)] ?? '?';
  return `${name} gets ${theme} (theme ${id})${matches.length === 0 ? ', the default theme' : ''}.`;
}

/** Returns the other matching themes in order, each with its first rule; the default theme comes last, without a rule. */
function alternatives(who: WhoIs): string[] {
  const { theme, matches, defaultTheme } = who;
  const texts = new Map<string, string>();
  for (const match of matches.slice(1))
    if (!texts.has(match.theme)) texts.set(match.theme, `${match.theme}: ${ruleName(match, who)}`);
  if (defaultTheme !== undefined && !texts.has(defaultTheme))
    texts.set(defaultTheme, `${defaultTheme}, the default theme`);
  return [...texts].flatMap(([other, text]) => (other === theme ? [] : [text]));
}

function reasons(who: WhoIs): string[] {
  const { keys, matches, rules, defaultTheme, hostname } = who;
  const assignments = (['user', 'group'] as const).flatMap((kind) => {
    if (keys[kind] === undefined) return [];
    const { found } = keys[kind];
    if (found === undefined)
      return kind === 'group' && hostname !== undefined ? [] : [`no users file assigns a theme to the ${kind}`];
    const { theme, location, again } = found;
    const isRead = rules.identity.some(({ names }) => names === kind);
    const assigned = isRead && theme === defaultTheme ? `${theme}, the default theme,` : theme;
    const remark = isRead ? '' : `, but no identity rule reads ${kind}s`;
    return [
      theme === undefined
        ? `${place(location)} assigns a theme that does not exist to the ${kind}`
        : `${place(location)} assigns ${assigned} to the ${kind}${remark}`,
      ...(again === undefined
        ? []
        : [`${place(again)} lists the same key again: builds fail until one of the two is removed`]),
    ];
  });
  const isDeclared = keys.group?.found !== undefined || matches.some(({ rule }) => rule.credential.from === 'host');
  const undeclared = hostname === undefined || isDeclared ? [] : ['no rule of `identity` gives this hostname a theme'];
  return [...assignments, ...undeclared, ...matches.slice(0, 1).map((match) => ruleName(match, who))];
}

function ruleName({ rule, number }: Match, { ruleAt }: WhoIs): string {
  const written = ruleAt(number - 1);
  const where = written === undefined ? 'the default: site.yaml has no `identity`' : place(written);
  return `identity rule ${number} reads the ${rule.names} from ${credentialName(rule.credential)} (${where})`;
}

function served({ theme, matches }: WhoIs, { folder, renderings }: EdgeEndpoint): string {
  const files = renderings.map((rendering) => fileName(rendering, matches.length === 0 ? undefined : theme));
  return folder.slice(1) + files.join(', ');
}

/** Names the hosts that find a key in another case. */
function otherwise({ keys, hosts }: WhoIs): [label: string, texts: string[]][] {
  const texts = Object.values(keys).flatMap(({ found, otherCase }) =>
    found !== undefined || otherCase?.theme === undefined
      ? []
      : [`is case-insensitive: it finds the key as written in ${place(otherCase.location)}, with ${otherCase.theme}`],
  );
  return hosts.flatMap((host) => (adapters[host].capabilities.caseSensitiveKeys ? [] : [[host, texts]]));
}

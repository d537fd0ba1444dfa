import { type Location, place } from '../../core/diagnostics/diagnostic.ts';
import { printedJson } from '../../core/diagnostics/format-json.ts';
import { printable } from '../../core/diagnostics/quote.ts';
import type { EdgeEndpoint } from '../../core/edge-runtime/rules.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { credentialName } from '../contract/credentials.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';
import type { Decision, Match, AssignedKey } from './explain.ts';
import { adapters } from '../adapter/adapters.ts';
import { fileName } from '../../core/edge-runtime/handler.ts';

/** The input of an explanation. */
export interface WhoIs extends Decision {
  /** The decision on hosts with case-insensitive keys. */
  ignoringCase: Decision;
  rules: EdgeRules;
  defaultTheme: string | undefined;
  hosts: readonly EdgeHost[];
  /** Returns the location of an identity rule by its index; undefined for the default rule, which is not in site.yaml. */
  ruleAt: (rule: number) => Location | undefined;
}

/** An explanation as sentences, before it is formatted. */
interface Description {
  sentence: string;
  /** Labels with their texts; labels without texts are not shown. */
  rows: readonly (readonly [name: string, texts: readonly string[]])[];
}

/** Formats an explanation as text, for `themecast who`. */
export function formatExplanation(who: WhoIs): string {
  const { sentence, rows } = describe(who);
  return [sentence, '', ...table(rows), ''].join('\n');
}

/** Describes which theme a user gets, and why. */
export function describe(who: WhoIs): Description {
  const { explanation, rules } = who;
  const { theme } = explanation;
  const name = nameOf(who);
  const isDefault = explanation.matches.length === 0;
  const sentence =
    theme === undefined
      ? `${name} gets no theme: there is no default theme.`
      : `${name} gets ${themeName(theme, rules)}${isDefault ? ', the default theme' : ''}.`;
  const alternatives = insteadOf(who).map((entry) =>
    'rule' in entry ? `${entry.theme}: ${ruleName(entry, who)}` : `${entry.theme}, the default theme`,
  );
  return {
    sentence,
    rows: [
      ['why', reasons(who)],
      ['instead of', alternatives],
      ['served', theme === undefined ? [] : [served(isDefault ? undefined : theme, rules.endpoints.config)]],
      ...otherwise(who),
    ],
  };
}

/** Returns the user in words: `tom in group staff`, `tom at sea.example.org`. */
function nameOf({ keys, hostname }: WhoIs): string {
  const named = hostname === undefined ? Object.values(keys) : [keys.user].filter((key) => key !== undefined);
  const name = named.map(({ key }) => printable(key)).join(' in group ');
  return [name, hostname ?? ''].filter(Boolean).join(' at ');
}

/** Formats an explanation as JSON, for `themecast who --json`. */
export function formatExplanationJson(who: WhoIs): string {
  const { keys, explanation, rules } = who;
  const { theme, matches } = explanation;
  const [match] = matches;
  return printedJson({
    version: 1,
    user: keys.user?.key ?? null,
    group: keys.group?.key ?? null,
    ...(who.hostname !== undefined && { hostname: who.hostname }),
    theme: theme ?? null,
    id: theme === undefined ? null : (rules.themeIds[rules.themes.indexOf(theme)] ?? null),
    is_default: matches.length === 0,
    because: match === undefined ? null : ruleJson(match, who),
    instead_of: insteadOf(who).map((entry) => ruleJson(entry, who)),
    listed_again_at: Object.values(keys).flatMap(({ again }) => (again === undefined ? [] : [place(again)])),
    file: theme === undefined ? null : jsonFile(matches.length === 0 ? undefined : theme, rules.endpoints.config),
    hosts: who.hosts.map((host) => ({ host, ...servedBy(host, who) })),
  });
}

/** Returns the other matching themes in order, each with its first rule; the default theme comes last, without a rule. */
function insteadOf({ explanation: { theme, matches }, defaultTheme }: WhoIs): (Match | { theme: string })[] {
  const all = [...matches.slice(1), ...(defaultTheme === undefined ? [] : [{ theme: defaultTheme }])];
  return all.filter(
    (entry, index) => entry.theme !== theme && all.findIndex((candidate) => candidate.theme === entry.theme) === index,
  );
}

function ruleJson(match: Match | { theme: string }, { keys, ruleAt }: WhoIs): object {
  const { rule, number, theme } = { rule: undefined, number: undefined, ...match };
  const written = number === undefined ? undefined : ruleAt(number - 1);
  const names = rule?.names;
  return {
    rule: number ?? null,
    names: names ?? null,
    theme,
    rule_at: written === undefined ? null : place(written),
    assigned_at: names === undefined || names === 'theme' ? null : at(keys[names]),
  };
}

/** Returns the theme that a host serves, and its file. */
function servedBy(host: EdgeHost, who: WhoIs): { theme: string | null; file: string | null } {
  const { theme, matches } = decidedBy(host, who).explanation;
  const isDefault = matches.length === 0 || adapters[host].capabilities.maxKeys === 0;
  const served = isDefault ? who.defaultTheme : theme;
  return {
    theme: served ?? null,
    file: served === undefined ? null : jsonFile(isDefault ? undefined : served, who.rules.endpoints.config),
  };
}

function decidedBy(host: EdgeHost, who: WhoIs): Decision {
  return adapters[host].capabilities.caseSensitiveKeys ? who : who.ignoringCase;
}

/** Returns a theme in words: `meadow (theme 2)`. */
function themeName(slug: string, { themes, themeIds }: EdgeRules): string {
  return `${slug} (theme ${themeIds[themes.indexOf(slug)] ?? '?'})`;
}

function reasons(who: WhoIs): string[] {
  const { keys, explanation, rules, defaultTheme, hostname } = who;
  const [match] = explanation.matches;
  const assignments = (['user', 'group'] as const).flatMap((kind) => {
    const assigned = keys[kind];
    if (assigned === undefined || (assigned.location === undefined && kind === 'group' && hostname !== undefined))
      return [];
    if (assigned.location === undefined) return [`no users file assigns a theme to the ${kind}`];
    if (assigned.theme === undefined) return [`${at(assigned)} assigns a theme that does not exist to the ${kind}`];
    const isRead = rules.identity.some(({ names }) => names === kind);
    const theme = isRead && assigned.theme === defaultTheme ? `${assigned.theme}, the default theme,` : assigned.theme;
    const remark = isRead ? '' : `, but no identity rule reads ${kind}s`;
    return [`${at(assigned)} assigns ${theme} to the ${kind}${remark}`];
  });
  const duplicates = Object.values(keys).flatMap(({ again }) =>
    again === undefined
      ? []
      : [`${place(again)} lists the same key again: builds fail until one of the two is removed`],
  );
  const isDeclared =
    keys.group?.location !== undefined || explanation.matches.some(({ rule }) => rule.credential.from === 'host');
  const undeclared = hostname === undefined || isDeclared ? [] : ['no rule of `identity` gives this hostname a theme'];
  return [...assignments, ...undeclared, ...duplicates, ...(match === undefined ? [] : [ruleName(match, who)])];
}

function ruleName({ rule, number }: Match, { ruleAt }: WhoIs): string {
  const written = ruleAt(number - 1);
  const where = written === undefined ? 'the default: site.yaml has no `identity`' : place(written);
  return `identity rule ${number} reads the ${rule.names} from ${credentialName(rule.credential)} (${where})`;
}

function served(theme: string | undefined, endpoint: EdgeEndpoint): string {
  const files = endpoint.renderings.slice(1).map((rendering) => fileName(rendering, theme));
  return [jsonFile(theme, endpoint), ...files].join(', ');
}

function jsonFile(theme: string | undefined, { folder, renderings: [json] }: EdgeEndpoint): string {
  return folder.slice(1) + (json === undefined ? '' : fileName(json, theme));
}

/** Describes each host that decides differently because it ignores the case of keys. */
function otherwise(who: WhoIs): [name: string, texts: string[]][] {
  return who.hosts.flatMap((host): [string, string[]][] => {
    const { keys, explanation } = decidedBy(host, who);
    const [match] = explanation.matches;
    if (match === undefined || match.rule.names === 'theme') return [];
    const assigned = keys[match.rule.names];
    if (assigned?.location === who.keys[match.rule.names]?.location) return [];
    return [[host, [`is case-insensitive: it finds the key as written in ${at(assigned)}, and serves ${match.theme}`]]];
  });
}

function at(assigned: AssignedKey | undefined): string | null {
  return assigned?.location === undefined ? null : place(assigned.location);
}

/** Aligns labels and their texts in two columns; labels without texts are omitted. */
function table(rows: Description['rows']): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? name : '').padEnd(width)}${text}`),
  );
}

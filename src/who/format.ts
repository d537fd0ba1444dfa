import { type Location, place } from '../diagnostics/diagnostic.ts';
import { printedJson } from '../diagnostics/format-json.ts';
import { printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { Credential } from '../edge-runtime/rules.ts';
import type { EdgeHost } from '../theme/site.ts';
import type { Decided, Hit, KnownKey } from './explain.ts';
import { adapters } from '../hosts/registry.ts';
import { fileName } from '../edge-runtime/handler.ts';

/** What is told of somebody. */
export interface WhoIs extends Decided {
  /** The same on hosts that do not tell capital letters of keys from small ones. */
  ignoringCase: Decided;
  rules: EdgeRules;
  defaultTheme: string | undefined;
  hosts: readonly EdgeHost[];
  /** Where a rule of identity is written, by its number from 0; nothing if it is the default, which is not written. */
  ruleAt: (rule: number) => Location | undefined;
  edgeOut: string;
}

/** What a deployment said to the same question. */
export interface LiveAnswer {
  url: string;
  /** Whether it gives the theme that this checkout says; not if it could not be asked. */
  agrees: boolean;
  /** Its answer, or why it was not asked, in words. */
  answer: string;
}

/** What is told of somebody, before it is laid out. */
export interface Told {
  sentence: string;
  /** Names with their texts; those without texts are left out when they are shown. */
  rows: readonly (readonly [name: string, texts: readonly string[]])[];
}

/** The answer to `themecast who`, for people. */
export function formatExplanation(who: WhoIs): string {
  const { sentence, rows } = tell(who);
  return [sentence, '', ...table(rows), ''].join('\n');
}

/** Which theme somebody gets, why, and what each host does for it. */
export function tell(who: WhoIs): Told {
  const { explanation, rules } = who;
  const { theme } = explanation;
  const name = Object.values(who.keys)
    .map(({ key }) => printable(key))
    .join(' in group ');
  const isDefault = explanation.hits.length === 0;
  const sentence =
    theme === undefined
      ? `${name} gets no theme: there is no default one.`
      : `${name} gets ${themeName(theme, rules)}${isDefault ? ', the default theme' : ''}.`;
  const others = insteadOf(who).map(({ theme: slug, hit }) =>
    hit === undefined ? `${slug}, the default theme` : `${slug}, by ${ruleName(hit, who)}`,
  );
  return {
    sentence,
    rows: [
      ['why', reasons(who)],
      ['instead of', others],
      ['served', theme === undefined ? [] : [served(isDefault ? undefined : theme)]],
      ...who.hosts.map((host): [string, string[]] => [host, [hostLine(host, who)]]),
    ],
  };
}

/** The same for programs. */
export function formatExplanationJson(who: WhoIs, live: LiveAnswer | undefined): string {
  const { keys, explanation, rules } = who;
  const { theme, hits } = explanation;
  const [hit] = hits;
  return printedJson({
    version: 1,
    user: keys.user?.key ?? null,
    group: keys.group?.key ?? null,
    theme: theme ?? null,
    id: theme === undefined ? null : (rules.themeIds[rules.themes.indexOf(theme)] ?? null),
    is_default: hits.length === 0,
    because: hit === undefined ? null : ruleJson(hit, who),
    instead_of: insteadOf(who).map((other) =>
      other.hit === undefined
        ? { rule: null, names: null, theme: other.theme, rule_at: null, assigned_at: null }
        : ruleJson(other.hit, who),
    ),
    listed_again_at: Object.values(keys).flatMap(({ again }) => (again === undefined ? [] : [place(again)])),
    file: theme === undefined ? null : fileOf(hits.length === 0 ? undefined : theme, 'json'),
    hosts: who.hosts.map((host) => ({ host, ...servedBy(host, who) })),
    ...(live && { live }),
  });
}

/** The themes that would be served if the rule that decides did not: of each the first rule, and last the default theme. */
function insteadOf({ explanation: { theme, hits }, defaultTheme }: WhoIs): { theme: string; hit: Hit | undefined }[] {
  const all = [
    ...hits.slice(1).map((hit) => ({ theme: hit.theme, hit })),
    ...(defaultTheme === undefined ? [] : [{ theme: defaultTheme, hit: undefined }]),
  ];
  return all.filter(
    (one, index) => one.theme !== theme && all.findIndex((other) => other.theme === one.theme) === index,
  );
}

function ruleJson({ rule, number, theme }: Hit, { keys, ruleAt }: WhoIs): object {
  const written = ruleAt(number - 1);
  return {
    rule: number,
    names: rule.names,
    theme,
    rule_at: written === undefined ? null : place(written),
    assigned_at: rule.names === 'theme' ? null : at(keys[rule.names]),
  };
}

/** The theme that a host gives somebody, and the file of it. */
function servedBy(host: EdgeHost, who: WhoIs): { theme: string | null; file: string | null } {
  const { theme, hits } = decidedBy(host, who).explanation;
  const isDefault = hits.length === 0 || adapters[host].capabilities.maxKeys === 0;
  const given = isDefault ? who.defaultTheme : theme;
  return {
    theme: given ?? null,
    file: given === undefined ? null : fileOf(isDefault ? undefined : given, 'json'),
  };
}

/** What the keys lead to on a host. */
export function decidedBy(host: EdgeHost, who: WhoIs): Decided {
  return adapters[host].capabilities.caseSensitiveKeys ? who : who.ignoringCase;
}

/** `meadow (theme 2)` */
export function themeName(slug: string, { themes, themeIds }: EdgeRules): string {
  return `${slug} (theme ${themeIds[themes.indexOf(slug)] ?? '?'})`;
}

function reasons(who: WhoIs): string[] {
  const { keys, explanation, rules, defaultTheme } = who;
  const [hit] = explanation.hits;
  const given = (['user', 'group'] as const).flatMap((kind) => {
    const known = keys[kind];
    if (known === undefined) return [];
    if (known.location === undefined) return [`no file of users gives the ${kind} a theme`];
    if (known.theme === undefined) return [`${at(known)} gives the ${kind} a theme that does not exist`];
    const isRead = rules.identity.some(({ names }) => names === kind);
    const remark = !isRead
      ? `, but no rule of identity reads ${kind}s`
      : known.theme === defaultTheme
        ? ', which is the default theme'
        : '';
    return [`the ${kind} is given ${known.theme} in ${at(known)}${remark}`];
  });
  const twice = Object.values(keys).flatMap(({ again }) =>
    again === undefined
      ? []
      : [`${place(again)} lists the same key again: nothing is published before one of the two goes`],
  );
  return [...given, ...twice, ...(hit === undefined ? [] : [ruleName(hit, who)])];
}

function ruleName({ rule, number }: Hit, { ruleAt }: WhoIs): string {
  const written = ruleAt(number - 1);
  const where = written === undefined ? 'the default: site.yaml has no `identity`' : place(written);
  return `rule ${number} of identity: the ${rule.names} is ${credentialName(rule.credential)} (${where})`;
}

/** Where a credential is, in words. */
export function credentialName(credential: Credential): string {
  if (credential.from === 'cookie') return `the cookie ${credential.name}`;
  if (credential.from === 'header') return `the header ${credential.name}, from a trusted proxy`;
  if (credential.from === 'auth_request') return `the header ${credential.header} of the login service`;
  return `the claim ${credential.claim} of the token in ${credential.cookie === undefined ? 'Authorization' : `the cookie ${credential.cookie}`}`;
}

function served(theme: string | undefined): string {
  return `${fileOf(theme, 'json')}, and ${fileName('html', theme)} beside it as a page`;
}

function fileOf(theme: string | undefined, rendering: 'json' | 'html'): string {
  return `${CONFIG.path.slice(1)}${fileName(rendering, theme)}`;
}

function hostLine(host: EdgeHost, who: WhoIs): string {
  const { rules, edgeOut } = who;
  const adapter = adapters[host];
  const { capabilities } = adapter;
  const { keys, explanation } = decidedBy(host, who);
  const [hit] = explanation.hits;
  if (capabilities.maxKeys === 0) return 'knows nobody: everyone gets the default theme there';
  if (hit === undefined) return 'has no entry that decides';
  if (hit.rule.names === 'theme') return 'knows all themes by their slugs';
  if (rules.keyed && capabilities.keyed !== undefined) return 'finds the digest of the key in the keyed shards';
  const known = keys[hit.rule.names];
  const kept = `finds the key in ${adapter.storedIn?.(hit.rule.names, hit.key, `${edgeOut}/${host}`) ?? ''}`;
  if (known?.location === who.keys[hit.rule.names]?.location) return kept;
  return `does not mind case: ${kept}, as ${at(known)} writes it, and gives ${hit.theme}`;
}

function at(known: KnownKey | undefined): string | null {
  return known?.location === undefined ? null : place(known.location);
}

/** Lines of a name and its texts, one below the other; names without texts are left out. */
function table(rows: Told['rows']): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? name : '').padEnd(width)}${text}`),
  );
}

import { count, jsonText, quote, quoteList } from '../diagnostics/quote.ts';
import { VALUE_LISTS, type ValueList } from '../theme/field-rows.ts';
import { CHOICE_FIELDS, FIELDS } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { pairsOf } from '../changes/differences.ts';
import { audienceOf, audienceText, defaultOf, type SiteState } from '../changes/site-state.ts';

/** A change that may break clients, or that takes the theme of users from them. */
export interface Breaking {
  /** The slug of a theme, `default`, `users`, or a setting of the site. */
  what: string;
  /** What happens to whom: a sentence. */
  reason: string;
  /** What to do instead: a sentence. */
  remedy: string;
}

/** How many users have another theme afterwards, of those that have one of their own before. */
export interface Moves {
  users: number;
  moved: number;
  /** Users that have a theme of their own now, and had none. */
  added: number;
}

/** From so many users, more than this share of them that move is a break. */
const MIN_USERS = 10;
const MAX_MOVED = 0.2;

/** The changes that break something. A base without themes has nothing to break. */
export function breakingChanges(before: SiteState, after: SiteState, moves: Moves | undefined): Breaking[] {
  if (before.themes.length === 0) return [];
  const pairs = pairsOf(before, after);
  const all = [
    ...defaultMoved(before, after),
    ...pairs.flatMap(([theme, now]) => (theme === undefined ? [] : identityChanged(theme, now, before, after))),
    ...unseenValues(before, after),
    ...siteBroken(before.site, after.site),
    ...(keepsRules(before, after, new Map(pairs.map(([theme, now]) => [theme?.slug, now?.slug]))) ? [] : [RULES]),
    ...manyMoved(moves),
  ];
  return all.map(([what, reason, remedy]) => ({ what, reason, remedy }));
}

type Sentences = readonly [what: string, reason: string, remedy: string];

const RULES: Sentences = [
  'identity',
  'A rule that identifies users is changed, removed or comes later: users that it identified lose their theme.',
  'Keep the rules in their order, and add new ones after them.',
];

function defaultMoved(before: SiteState, after: SiteState): Sentences[] {
  const [old, now] = [defaultOf(before), defaultOf(after)];
  if (old === undefined || now === undefined || old.slug === now.slug || old.id === now.id) return [];
  const reason = `The default moves from ${quote(old.name)} to ${quote(now.name)}: every visitor, and users without a theme of their own, see another one.`;
  return [['default', reason, `To keep it, write \`is_default: true\` in ${quote(old.slug)} alone.`]];
}

/** A theme whose id or folder is gone, or stands for another theme. */
function identityChanged(theme: Theme, now: Theme | undefined, before: SiteState, after: SiteState): Sentences[] {
  const { id, slug } = theme;
  const other = after.themes.find((one) => one.id === id && one !== now);
  const own = `\`id: ${id}\``;
  if (other !== undefined) {
    const reason = `Its id was ${id}, which is that of ${quote(other.slug)} now: clients that stored ${id} show another theme.`;
    const keep = now === undefined ? 'Keep it' : `Write ${own} in ${quote(slug)}`;
    return [[slug, reason, `${keep}, and give ${quote(other.slug)} an id that no theme has had.`]];
  }
  if (now === undefined) {
    const whose = audienceText(audienceOf(before, slug));
    const reason = `It is removed, with its id ${id}`;
    return whose === ''
      ? [[slug, `${reason}.`, 'Keep it for as long as clients may name it.']]
      : [[slug, `${reason}, so ${whose} will get the default.`, 'Give its users another theme first, or keep it.']];
  }
  if (now.id !== id)
    return [[slug, `Its id was ${id} and is ${now.id}: clients that stored ${id} find no theme.`, `Write ${own}.`]];
  if (now.slug === slug) return [];
  const reason = `Its folder is ${quote(now.slug)} now: users files outside this repository name it ${quote(slug)}, and so do URLs of its images.`;
  return [[slug, reason, 'Rename the folder back; what people see is `name`.']];
}

/** Values of enumerated fields that no theme had, and that are none of the defaults. */
function unseenValues(before: SiteState, after: SiteState): Sentences[] {
  const valuesOf = ({ settings, slug }: Theme): { slug: string; field: string; value: string; list: ValueList }[] =>
    CHOICE_FIELDS.map((field) => ({ slug, field, value: settings[field], list: FIELDS[field].values }));
  const known = Object.entries(VALUE_LISTS).flatMap(([list, values]) => values.map((value) => `${list} ${value}`));
  const seen = new Set([...known, ...before.themes.flatMap(valuesOf).map(({ list, value }) => `${list} ${value}`)]);
  return after.themes.flatMap(valuesOf).flatMap(({ slug, field, value, list }): Sentences[] => {
    if (seen.has(`${list} ${value}`)) return [];
    seen.add(`${list} ${value}`);
    const reason = `${quote(field)} is ${quote(value)}, which no theme had before: clients may not know it.`;
    return [[slug, reason, `Use ${quoteList(VALUE_LISTS[list])}, or let clients learn the value first.`]];
  });
}

function siteBroken(before: Site, after: Site): Sentences[] {
  const names = ['base_url', ...(before.base_url === after.base_url ? (['media_url'] as const) : [])] as const;
  const urls = names.flatMap((name): Sentences[] => {
    if (before[name] === after[name]) return [];
    const reason = `${quote(name)} moves from ${quote(before[name])} to ${quote(after[name])}: clients request the old one.`;
    return [
      [name, reason, `Serve the old one too, until no client requests it; or write \`${name}: ${before[name]}\`.`],
    ];
  });
  const origins = before.cors.allowed_origins.filter((origin) => !after.cors.allowed_origins.includes(origin));
  return [
    ...urls,
    ...origins.map((origin): Sentences => {
      const reason = `${quote(origin)} is no allowed origin any more: its pages cannot read the themes.`;
      return ['cors', reason, 'Keep it in `cors: {allowed_origins: […]}` until no page of it reads them.'];
    }),
  ];
}

/**
 * Whether the rules before are the first ones still; a hostname may be added to one. What happens to a theme is reported of the theme.
 * @param folders - of each theme that there is still, where it is now
 */
function keepsRules(
  before: SiteState,
  after: SiteState,
  folders: ReadonlyMap<string | undefined, string | undefined>,
): boolean {
  const now = rulesOf(after);
  const isKept = (old: string, slug?: string): boolean => (folders.get(old) ?? slug) === slug;
  let at = 0;
  return rulesOf(before).every(({ text, hosts }) => {
    if (now[at]?.text !== text) return hosts.length > 0 && hosts.every(([, slug]) => isKept(slug));
    const mapped = new Map(now[at++]?.hosts);
    return hosts.every(([host, slug]) => isKept(slug, mapped.get(host)));
  });
}

/** The rules of identity as texts, and the folder of the theme of each hostname. */
function rulesOf({ site }: SiteState): { text: string; hosts: [host: string, slug: string][] }[] {
  return site.identity.map(({ names, credential }) => ({
    text: jsonText([names, 'themes' in credential ? 'themes' : credential]),
    hosts: Object.entries(credential.from === 'host' ? (credential.themes ?? {}) : {}),
  }));
}

function manyMoved(moves: Moves | undefined): Sentences[] {
  if (moves === undefined || moves.users < MIN_USERS || moves.moved <= moves.users * MAX_MOVED) return [];
  const reason = `${moves.moved} of ${count(moves.users, 'user')} get another theme: more than a fifth.`;
  return [['users', reason, 'Check that the file of users is complete, and that its themes are the right ones.']];
}

import { count, jsonText, quote, quoteList } from '../diagnostics/quote.ts';
import { VALUE_LISTS, type ValueList } from '../theme/field-rows.ts';
import { ROWS, SETTING_FIELDS } from '../theme/fields.ts';
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
  return [
    ...defaultMoved(before, after),
    ...identitiesChanged(before, after),
    ...unseenValues(before, after),
    ...siteBroken(before, after),
    ...manyMoved(moves),
  ];
}

function defaultMoved(before: SiteState, after: SiteState): Breaking[] {
  const [old, now] = [defaultOf(before), defaultOf(after)];
  if (old === undefined || now === undefined || old.slug === now.slug || old.id === now.id) return [];
  return [
    {
      what: 'default',
      reason: `The default moves from ${quote(old.name)} to ${quote(now.name)}: every visitor, and users without a theme of their own, see another one.`,
      remedy: `To keep it, write \`is_default: true\` in ${quote(old.slug)} alone.`,
    },
  ];
}

/** Themes whose id or folder is gone, or stands for another theme. */
function identitiesChanged(before: SiteState, after: SiteState): Breaking[] {
  return pairsOf(before, after).flatMap(([theme, now]): Breaking[] => {
    if (theme === undefined) return [];
    const { id, slug } = theme;
    const other = after.themes.find((one) => one.id === id && one !== now);
    const whose = audienceText(audienceOf(before, slug));
    if (other !== undefined)
      return [
        {
          what: slug,
          reason: `Its id was ${id}, which is that of ${quote(other.slug)} now: clients that stored ${id} show another theme.`,
          remedy: `${now === undefined ? 'Keep it' : `Write \`id: ${id}\` in ${quote(slug)}`}, and give ${quote(other.slug)} an id that no theme has had.`,
        },
      ];
    if (now === undefined)
      return [
        {
          what: slug,
          reason: `It is removed, with its id ${id}${whose === '' ? '' : `, so ${whose} will get the default`}.`,
          remedy:
            whose === ''
              ? 'Keep it for as long as clients may name it.'
              : 'Give its users another theme first, or keep it.',
        },
      ];
    if (now.id !== id)
      return [
        {
          what: slug,
          reason: `Its id was ${id} and is ${now.id}: clients that stored ${id} find no theme.`,
          remedy: `Write \`id: ${id}\`.`,
        },
      ];
    if (now.slug === slug) return [];
    return [
      {
        what: slug,
        reason: `Its folder is ${quote(now.slug)} now: users files outside this repository name it ${quote(slug)}, and so do URLs of its images.`,
        remedy: `Rename the folder back; what people see is \`name\`.`,
      },
    ];
  });
}

/** Values of enumerated fields that no theme had, and that are none of the defaults. */
function unseenValues(before: SiteState, after: SiteState): Breaking[] {
  const seen: Record<ValueList, Set<string>> = {
    logo_types: new Set(VALUE_LISTS.logo_types),
    logo_alignments: new Set(VALUE_LISTS.logo_alignments),
  };
  const enumerated = SETTING_FIELDS.flatMap((field) => {
    const row = ROWS[field];
    return 'values' in row ? [{ field, list: row.values }] : [];
  });
  for (const { settings } of before.themes)
    for (const { field, list } of enumerated) seen[list].add(String(settings[field]));
  return after.themes.flatMap(({ slug, settings }) =>
    enumerated.flatMap(({ field, list }) => {
      const value = String(settings[field]);
      if (seen[list].has(value)) return [];
      seen[list].add(value);
      return [
        {
          what: slug,
          reason: `${quote(field)} is ${quote(value)}, which no theme had before: clients may not know it.`,
          remedy: `Use ${quoteList([...VALUE_LISTS[list]])}, or let clients learn the value first.`,
        },
      ];
    }),
  );
}

function siteBroken(old: SiteState, now: SiteState): Breaking[] {
  const [before, after] = [old.site, now.site];
  const urls = (['base_url', 'media_url'] as const).flatMap((name): Breaking[] => {
    const isDerived = name === 'media_url' && before.base_url !== after.base_url;
    if (before[name] === after[name] || isDerived) return [];
    return [
      {
        what: name,
        reason: `${quote(name)} moves from ${quote(before[name])} to ${quote(after[name])}: clients request the old one.`,
        remedy: `Serve the old one too, until no client requests it; or write \`${name}: ${before[name]}\`.`,
      },
    ];
  });
  const origins = before.cors.allowed_origins.filter((origin) => !after.cors.allowed_origins.includes(origin));
  return [
    ...urls,
    ...(keepsRules(old, now)
      ? []
      : [
          {
            what: 'identity',
            reason:
              'A rule that identifies users is changed, removed or comes later: users that it identified lose their theme.',
            remedy: 'Keep the rules in their order, and add new ones after them.',
          },
        ]),
    ...origins.map((origin) => ({
      what: 'cors',
      reason: `${quote(origin)} is no allowed origin any more: its pages cannot read the themes.`,
      remedy: 'Keep it in `cors: {allowed_origins: […]}` until no page of it reads them.',
    })),
  ];
}

/** The rules of identity as texts, and the folder of the theme of each hostname. */
function rulesOf({ site }: SiteState): { text: string; hosts: Map<string, string> }[] {
  return site.identity.map(({ names, credential }) => ({
    text: jsonText([names, 'themes' in credential ? 'themes' : credential]),
    hosts: new Map(Object.entries(credential.from === 'host' ? (credential.themes ?? {}) : {})),
  }));
}

/** Whether the rules before are the first ones still; a hostname may be added to one. What happens to a theme is reported of the theme. */
function keepsRules(before: SiteState, after: SiteState): boolean {
  const now = rulesOf(after);
  const themes = new Map(pairsOf(before, after).map(([one, other]) => [one?.slug, other?.slug]));
  const isKept = (old: string, slug?: string): boolean => (themes.get(old) ?? slug) === slug;
  let at = 0;
  return rulesOf(before).every(({ text, hosts }) => {
    if (now[at]?.text !== text) return hosts.size > 0 && [...hosts.values()].every((slug) => isKept(slug));
    const mapped = now[at++]?.hosts;
    return [...hosts].every(([host, slug]) => isKept(slug, mapped?.get(host)));
  });
}

function manyMoved(moves: Moves | undefined): Breaking[] {
  if (moves === undefined || moves.users < MIN_USERS || moves.moved <= moves.users * MAX_MOVED) return [];
  return [
    {
      what: 'users',
      reason: `${moves.moved} of ${count(moves.users, 'user')} get another theme: more than a fifth.`,
      remedy: 'Check that the file of users is complete, and that its themes are the right ones.',
    },
  ];
}

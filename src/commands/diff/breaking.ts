import { count, jsonText, quote, quoteList } from '../../core/diagnostics/quote.ts';
import { declaredHostnames } from '../../hosts/contract/hostnames.ts';
import { VALUE_LISTS } from '../../core/theme/fields/field-rows.ts';
import { CHOICE_FIELDS, FIELDS } from '../../core/theme/fields/fields.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { type Moves, pairsOf } from '../changes/differences.ts';
import { audienceOf, audienceText, defaultOf, type SiteState } from '../changes/site-state.ts';

/** A change that may break clients, or takes users' themes away. */
export interface Breaking {
  /** The slug of a theme, `default`, `users`, or a setting of the site. */
  what: string;
  /** A sentence about the consequence. */
  reason: string;
  /** A sentence that says what to do instead. */
  remedy: string;
}

/** With fewer users, moving them is not breaking. */
const MIN_USERS = 10;
/** Moving more than this share of the users is breaking. */
const MAX_MOVED_SHARE = 0.2;

/** Returns the breaking changes; a base without themes has none. */
export function breakingChanges(before: SiteState, after: SiteState, moves: Moves | undefined): Breaking[] {
  if (before.themes.length === 0) return [];
  const pairs = pairsOf(before, after);
  const all = [
    ...defaultMoved(before, after),
    ...pairs.flatMap(([theme, now]) => (theme === undefined ? [] : identityChanged(theme, now, before, after))),
    ...unseenValues(before, after),
    ...siteBroken(before.site, after.site),
    ...rulesChanged(before, after, new Map(pairs.map(([theme, now]) => [theme?.slug, now?.slug]))),
    ...manyMoved(moves),
  ];
  return all.map(([what, reason, remedy]) => ({ what, reason, remedy }));
}

type Sentences = readonly [what: string, reason: string, remedy: string];

function defaultMoved(before: SiteState, after: SiteState): Sentences[] {
  const [old, now] = [defaultOf(before), defaultOf(after)];
  if (old === undefined || now === undefined || old.slug === now.slug || old.id === now.id) return [];
  const reason = `The default moves from ${quote(old.name)} to ${quote(now.name)}: every visitor, and users without an assigned theme, see another one.`;
  return [['default', reason, `To keep it, write \`is_default: true\` in ${quote(old.slug)} alone.`]];
}

/** Reports a theme whose id or folder is removed, or belongs to another theme now. */
function identityChanged(theme: Theme, now: Theme | undefined, before: SiteState, after: SiteState): Sentences[] {
  const { id, slug } = theme;
  const successor = after.themes.find((theme) => theme.id === id && theme !== now);
  if (successor !== undefined) {
    const reason = `Its id was ${id}, which ${quote(successor.slug)} has now: clients that stored ${id} show another theme.`;
    return [[slug, reason, `Keep its id, and give ${quote(successor.slug)} one that no theme has had.`]];
  }
  if (now === undefined) {
    const whose = audienceText(audienceOf(before, slug));
    const reason = `It is removed, with its id ${id}${whose === '' ? '' : `; it is the theme of ${whose}`}.`;
    return [[slug, reason, 'Keep it as long as clients or users need it.']];
  }
  if (now.id !== id) {
    const reason = `Its id was ${id} and is ${now.id}: clients that stored ${id} find no theme.`;
    return [[slug, reason, `Write \`id: ${id}\`.`]];
  }
  if (now.slug === slug) return [];
  const reason = `Its folder is ${quote(now.slug)} now: users files outside this repository, and URLs of its images, contain ${quote(slug)}.`;
  return [[slug, reason, 'Rename the folder back; what people see is `name`.']];
}

/** Reports values of enumerated fields that no theme had before and that are no default. */
function unseenValues(before: SiteState, after: SiteState): Sentences[] {
  return after.themes.flatMap(({ slug, settings }) =>
    CHOICE_FIELDS.flatMap((field): Sentences[] => {
      const value = settings[field];
      const defaults: readonly string[] = VALUE_LISTS[FIELDS[field].values];
      if (defaults.includes(value) || before.themes.some((theme) => theme.settings[field] === value)) return [];
      const reason = `${quote(field)} is ${quote(value)}, which no theme had before: clients may not know it.`;
      return [[slug, reason, `Use ${quoteList(defaults)}, or first update the clients.`]];
    }),
  );
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
      const reason = `${quote(origin)} is no longer an allowed origin: its pages cannot read the themes.`;
      return ['cors', reason, 'Keep it in `cors: {allowed_origins: […]}` until its pages no longer read them.'];
    }),
  ];
}

/**
 * Reports identity rules that were removed, changed or moved down, and hostnames with another theme. A renamed or removed theme is
 * reported elsewhere.
 * @param folders - the new slug of each theme, by its old slug
 */
function rulesChanged(
  before: SiteState,
  after: SiteState,
  folders: ReadonlyMap<string | undefined, string | undefined>,
): Sentences[] {
  const [rules, hostnames] = [rulesOf(after.site), hostnamesOf(after.site)];
  const isKept = (slug: string, host: string): boolean => [undefined, hostnames.get(host)].includes(folders.get(slug));
  const areKept = [...hostnamesOf(before.site)].every(([host, slug]) => isKept(slug, host));
  if (areKept && rulesOf(before.site).every((rule, at) => rule === rules[at])) return [];
  const reason =
    'A rule that identifies users is changed, removed or comes later: users that it identified lose their theme.';
  return [['identity', reason, 'Keep the rules in their order, and add new ones after them.']];
}

const rulesOf = ({ identity }: Site): string[] =>
  identity.map(({ names, credential }) => jsonText([names, 'themes' in credential ? 'themes' : credential]));

const hostnamesOf = ({ identity }: Site): Map<string, string> =>
  new Map(declaredHostnames(identity, new Map()).map(({ name, theme }) => [name, theme]));

function manyMoved(moves: Moves | undefined): Sentences[] {
  if (moves === undefined || moves.users < MIN_USERS || moves.moved <= moves.users * MAX_MOVED_SHARE) return [];
  const reason = `${moves.moved} of ${count(moves.users, 'user')} get another theme: more than a fifth.`;
  return [['users', reason, 'Check that the file of users is complete, and that its themes are the right ones.']];
}

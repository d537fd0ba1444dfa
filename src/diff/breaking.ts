import { count, jsonText, quote, quoteList } from '../diagnostics/quote.ts';
import { declaredHostnames } from '../hosts/hostnames.ts';
import { VALUE_LISTS } from '../theme/field-rows.ts';
import { CHOICE_FIELDS, FIELDS } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { type Moves, pairsOf } from '../changes/differences.ts';
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

/** With at least so many users, moving more than this share of them is breaking. */
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
    ...rulesChanged(before, after, new Map(pairs.map(([theme, now]) => [theme?.slug, now?.slug]))),
    ...manyMoved(moves),
  ];
  return all.map(([what, reason, remedy]) => ({ what, reason, remedy }));
}

type Sentences = readonly [what: string, reason: string, remedy: string];

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
  if (other !== undefined) {
    const reason = `Its id was ${id}, which is that of ${quote(other.slug)} now: clients that stored ${id} show another theme.`;
    return [[slug, reason, `Keep its id, and give ${quote(other.slug)} one that no theme has had.`]];
  }
  if (now === undefined) {
    const whose = audienceText(audienceOf(before, slug));
    const reason = `It is removed, with its id ${id}${whose === '' ? '' : `; it is the theme of ${whose}`}.`;
    return [[slug, reason, 'Keep it for as long as clients or users need it.']];
  }
  if (now.id !== id) {
    const reason = `Its id was ${id} and is ${now.id}: clients that stored ${id} find no theme.`;
    return [[slug, reason, `Write \`id: ${id}\`.`]];
  }
  if (now.slug === slug) return [];
  const reason = `Its folder is ${quote(now.slug)} now: users files outside this repository name it ${quote(slug)}, and so do URLs of its images.`;
  return [[slug, reason, 'Rename the folder back; what people see is `name`.']];
}

/** Values of enumerated fields that no theme had, and that are not among the defaults. */
function unseenValues(before: SiteState, after: SiteState): Sentences[] {
  return after.themes.flatMap(({ slug, settings }) =>
    CHOICE_FIELDS.flatMap((field): Sentences[] => {
      const value = settings[field];
      const known: readonly string[] = VALUE_LISTS[FIELDS[field].values];
      if (known.includes(value) || before.themes.some((theme) => theme.settings[field] === value)) return [];
      const reason = `${quote(field)} is ${quote(value)}, which no theme had before: clients may not know it.`;
      return [[slug, reason, `Use ${quoteList(known)}, or let clients learn the value first.`]];
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
  const [root, newRoot] = [before.origin.document_root, after.origin.document_root];
  const origins = before.cors.allowed_origins.filter((origin) => !after.cors.allowed_origins.includes(origin));
  return [
    ...urls,
    ...(root === newRoot
      ? []
      : [
          [
            'origin.document_root',
            `It moves from ${quote(root)} to ${quote(newRoot)}: a server that serves the old folder does not see the next deployments.`,
            `Write \`origin: {document_root: ${root}}\`; or prepare the new folder, and remove the old one after the deployment.`,
          ] as const,
        ]),
    ...origins.map((origin): Sentences => {
      const reason = `${quote(origin)} is no allowed origin any more: its pages cannot read the themes.`;
      return ['cors', reason, 'Keep it in `cors: {allowed_origins: […]}` until no page of it reads them.'];
    }),
  ];
}

/**
 * Rules of identity before that are no longer the first ones, and hostnames that lead to another theme. What happens to a theme itself is
 * reported of the theme.
 * @param folders - of each theme, where it is now
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
  if (moves === undefined || moves.users < MIN_USERS || moves.moved <= moves.users * MAX_MOVED) return [];
  const reason = `${moves.moved} of ${count(moves.users, 'user')} get another theme: more than a fifth.`;
  return [['users', reason, 'Check that the file of users is complete, and that its themes are the right ones.']];
}

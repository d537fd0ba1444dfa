import { fileSize } from '../document/file-size.ts';
import { declaredHostnames } from '../hosts/declared-hostnames.ts';
import { jsonText } from '../diagnostics/quote.ts';
import { FIELDS, type Field, SETTING_FIELDS } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import { audienceOf, type Audience, type ImagePlace, placeOf, type SiteState } from './site-state.ts';

/** A field of a theme that changes. */
export interface Change {
  /** `logo_height`, `palette 3`; of one image in several fields, all of them: `logo, logo_site`. */
  what: string;
  kind: 'setting' | 'colour' | 'image';
  before: string;
  after: string;
  /** Of images, where they are. */
  images?: { before: ImagePlace | undefined; after: ImagePlace | undefined };
  /** What a comparison of the pixels shows, or of the contrasts. */
  remark?: string;
  /** Whether the images have the same pixels. */
  isReencoded?: boolean;
  /** What nobody may have noticed. */
  notices: string[];
  /** Themes that inherit the field, and change in the same way. */
  heirs: readonly string[];
}

/** A theme that changes by itself, not only by what it inherits. */
export interface ThemeChange {
  kind: 'new' | 'removed' | 'renamed' | 'changed';
  before: Theme | undefined;
  after: Theme | undefined;
  changes: readonly Change[];
  audience: Audience;
}

export interface Differences {
  /** Most important first: by kind, then by how many users have them. */
  themes: readonly ThemeChange[];
  /** Slugs of all themes that change, those that only inherit a change too. */
  changed: ReadonlySet<string>;
  /** Settings of the site that change. */
  site: readonly { what: string; before: string; after: string }[];
}

/** The theme of the same id, wherever its folder is now. */
export function differencesOf(before: SiteState, after: SiteState): Differences {
  const earlier = new Map(before.themes.map((theme) => [theme.id, theme]));
  const now = new Map(after.themes.map((theme) => [theme.id, theme]));
  const pairs = [...new Set([...earlier.keys(), ...now.keys()])].map((id) => [earlier.get(id), now.get(id)] as const);
  const all = new Map(
    pairs.flatMap(([one, other]) =>
      one === undefined || other === undefined ? [] : [[other.slug, fieldChanges(before, after, one, other)] as const],
    ),
  );
  const inherited = (slug: string, change: Change): boolean => {
    const origin = originOf(after, slug, change);
    return origin !== slug && (all.get(origin)?.some((one) => isAlike(one, change)) ?? false);
  };
  const themes = pairs.flatMap(([one, other]): ThemeChange[] => {
    const audience = other === undefined ? audienceOf(before, one?.slug ?? '') : audienceOf(after, other.slug);
    const both = { before: one, after: other, audience };
    if (one === undefined) return [{ ...both, kind: 'new', changes: [] }];
    if (other === undefined) return [{ ...both, kind: 'removed', changes: [] }];
    const changes = (all.get(other.slug) ?? [])
      .filter((change) => !inherited(other.slug, change))
      .map((change) => ({
        ...change,
        heirs: [...all].flatMap(([slug, found]) =>
          slug !== other.slug &&
          originOf(after, slug, change) === other.slug &&
          found.some((own) => isAlike(own, change))
            ? [slug]
            : [],
        ),
      }));
    if (one.slug !== other.slug) return [{ ...both, kind: 'renamed', changes }];
    return changes.length === 0 ? [] : [{ ...both, kind: 'changed', changes }];
  });
  const changed = new Set([
    ...themes.map(({ before: one, after: other }) => (other ?? one)?.slug ?? ''),
    ...[...all].flatMap(([slug, changes]) => (changes.length > 0 ? [slug] : [])),
  ]);
  const rank = ({ kind, audience }: ThemeChange): number =>
    (audience.isDefault ? 1e12 : 0) + (kind === 'changed' ? 0 : 1e10) + audience.users + audience.groups;
  return { themes: themes.toSorted((a, b) => rank(b) - rank(a)), changed, site: siteChanges(before, after) };
}

function isAlike(one: Change, other: Change): boolean {
  return one.what === other.what && one.before === other.before && one.after === other.after;
}

/** The theme whose file has the field that another theme has or inherits. */
function originOf({ authored }: SiteState, slug: string, { what }: Change): string {
  const field = what.startsWith('palette') ? 'palette_preview' : (what.split(', ')[0] ?? '');
  for (let at = slug; ;) {
    const theme = authored[at];
    if (theme === undefined || theme.fields.includes(field)) return at;
    if (theme.parent === undefined) return slug;
    at = theme.parent;
  }
}

/** The fields in which two themes differ, inherited ones too. */
export function fieldChanges(before: SiteState, after: SiteState, one: Theme, other: Theme): Change[] {
  const base = { notices: [], heirs: [] };
  const settings = (['name', 'is_default', ...SETTING_FIELDS] as const).flatMap((field): Change[] => {
    const [old, now] = [valueOf(one, field), valueOf(other, field)];
    return old === now ? [] : [{ what: field, kind: 'setting', before: old, after: now, ...base }];
  });
  const colours = other.palette_preview.flatMap((now, at): Change[] => {
    const old = one.palette_preview[at] ?? now;
    return old === now ? [] : [{ what: `palette ${at + 1}`, kind: 'colour', before: old, after: now, ...base }];
  });
  const images = new Map<string, Change>();
  for (const field of Object.keys(other.images) as (keyof Theme['images'])[]) {
    const found = { before: placeOf(before, one.images[field]), after: placeOf(after, other.images[field]) };
    if (contentOf(found.before) === contentOf(found.after)) continue;
    const [old, now] = [shownPlace(found.before), shownPlace(found.after)];
    const key = jsonText([old, now]);
    const earlier = images.get(key);
    images.set(key, {
      ...base,
      what: earlier === undefined ? field : `${earlier.what}, ${field}`,
      kind: 'image',
      before: old,
      after: now,
      images: found,
    });
  }
  return [...images.values(), ...colours, ...settings];
}

function valueOf(theme: Theme, field: 'name' | 'is_default' | keyof Theme['settings']): string {
  const value = field === 'name' || field === 'is_default' ? theme[field] : theme.settings[field];
  return typeof value === 'string' && FIELDS[field as Field].kind === 'setting' && field !== 'name'
    ? value
    : jsonText(value);
}

const contentOf = (place: ImagePlace | undefined): string | undefined =>
  place === undefined ? undefined : 'url' in place ? place.url : place.sha256;

/** `logo.svg, 245 B` */
export function shownPlace(place: ImagePlace | undefined): string {
  if (place === undefined) return 'cannot be read';
  if ('url' in place) return place.url;
  return `${place.file.split('/').slice(1).join('/')} ${fileSize(place.bytes)}`;
}

/** The settings of the site that change, each by its name; of identity, the hostnames and whether the rules do. */
function siteChanges(before: SiteState, after: SiteState): Differences['site'][number][] {
  if (before.themes.length === 0) return [];
  const [old, now] = [settingsOf(before), settingsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((what) => {
    const [one = 'none', other = 'none'] = [old.get(what), now.get(what)];
    const isRules = what === 'identity';
    return one === other ? [] : [{ what, before: isRules ? 'its rules' : one, after: isRules ? 'other rules' : other }];
  });
}

function settingsOf({ site, themes }: SiteState): Map<string, string> {
  const { identity, ...settings } = site;
  const flat = Object.entries(settings).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
      : [[name, value]],
  );
  const names = new Map(themes.map(({ slug, name }) => [slug, name]));
  const hosts = declaredHostnames(identity, new Map()).map(({ name, theme }) => [
    `hostname ${name}`,
    names.get(theme) ?? theme,
  ]);
  const rules = identity.map((rule) => ('themes' in rule.credential ? rule.names : jsonText(rule)));
  return new Map([
    ...flat.map(([name, value]) => [name, typeof value === 'string' ? value : jsonText(value)] as [string, string]),
    ...(hosts as [string, string][]),
    ['identity', jsonText(rules)],
  ]);
}

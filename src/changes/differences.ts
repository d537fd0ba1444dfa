import { fileSize } from '../document/file-size.ts';
import { jsonText } from '../diagnostics/quote.ts';
import { SETTING_FIELDS } from '../theme/fields.ts';
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
  /** What a comparison of the pixels shows, or of the contrast. */
  remark?: string;
  /** The theme whose file has the field. */
  origin: string;
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

/** Which users and groups have another theme afterwards, of those with a theme of their own before. */
export interface Moves {
  users: number;
  moved: number;
  /** How many move between two themes, by their slugs; the most first. */
  flows: readonly { from: string; to: string; users: number; groups: number }[];
  /** Users that have a theme of their own now, and had none. */
  added: number;
}

/** Each theme with what it was: that of its folder, or else that of its id, whose folder was renamed. */
export function pairsOf(before: SiteState, after: SiteState): (readonly [Theme | undefined, Theme | undefined])[] {
  const folders = new Set(after.themes.map(({ slug }) => slug));
  const earlier = new Map(before.themes.map((theme) => [theme.slug, theme]));
  const renamed = new Map(before.themes.flatMap((theme) => (folders.has(theme.slug) ? [] : [[theme.id, theme]])));
  const pairs = after.themes.map((theme) => [earlier.get(theme.slug) ?? renamed.get(theme.id), theme] as const);
  const paired = new Set(pairs.map(([theme]) => theme));
  return [...pairs, ...before.themes.flatMap((theme) => (paired.has(theme) ? [] : [[theme, undefined] as const]))];
}

export function differencesOf(before: SiteState, after: SiteState): Differences {
  const compared = pairsOf(before, after).map(([one, other]) => ({
    before: one,
    after: other,
    changes: one === undefined || other === undefined ? [] : fieldChanges(before, after, one, other),
  }));
  /** The folders of the themes that have a change from the same file. */
  const sharing = new Map<string, string[]>();
  for (const { after: theme, changes } of compared)
    for (const change of changes) {
      const key = keyOf(change);
      sharing.set(key, [...(sharing.get(key) ?? []), theme?.slug ?? '']);
    }
  const themes = compared.flatMap(({ before: one, after: other, changes: all }): ThemeChange[] => {
    const { slug } = other ?? one ?? { slug: '' };
    const own = all.flatMap((change) => {
      const slugs = sharing.get(keyOf(change)) ?? [];
      if (change.origin === slug) return [{ ...change, heirs: slugs.filter((heir) => heir !== slug) }];
      return slugs.includes(change.origin) ? [] : [change];
    });
    const changes = grouped(own);
    const kind = kindOf(one, other);
    const audience = audienceOf(other === undefined ? before : after, slug);
    return kind === 'changed' && changes.length === 0 ? [] : [{ kind, before: one, after: other, changes, audience }];
  });
  const changed = new Set([
    ...themes.map(({ before: one, after: other }) => (other ?? one)?.slug ?? ''),
    ...[...sharing.values()].flat(),
  ]);
  const rank = ({ kind, audience }: ThemeChange): number =>
    (audience.isDefault ? 1e12 : 0) + (kind === 'changed' ? 0 : 1e10) + audience.users + audience.groups;
  return { themes: themes.toSorted((a, b) => rank(b) - rank(a)), changed, site: siteChanges(before, after) };
}

function kindOf(before: Theme | undefined, after: Theme | undefined): ThemeChange['kind'] {
  if (before === undefined) return 'new';
  if (after === undefined) return 'removed';
  return before.slug === after.slug ? 'changed' : 'renamed';
}

function keyOf({ what, before, after, origin }: Change): string {
  return jsonText([what, before, after, origin]);
}

/** The theme whose file has the field that another theme has or inherits. */
function originOf({ authored }: SiteState, slug: string, field: string): string {
  for (let at = slug; ;) {
    const theme = authored[at];
    if (theme === undefined || theme.fields.includes(field)) return at;
    if (theme.parent === undefined) return slug;
    at = theme.parent;
  }
}

/** Returns the palette of a theme as its author, or the author of a theme that it extends, wrote it. */
export function writtenColours(state: SiteState, theme: Theme): readonly string[] {
  return state.authored[originOf(state, theme.slug, 'palette_preview')]?.colours ?? theme.palette_preview;
}

/** The fields in which two themes differ, inherited ones too. */
export function fieldChanges(before: SiteState, after: SiteState, one: Theme, other: Theme): Change[] {
  const changed = (kind: Change['kind'], field: string, what: string, values: readonly [string, string]): Change => ({
    kind,
    what,
    before: values[0],
    after: values[1],
    origin: originOf(after, other.slug, field),
    heirs: [],
  });
  const settings = (['id', 'name', 'is_default', ...SETTING_FIELDS] as const).flatMap((field) => {
    const values = [valueOf(one, field), valueOf(other, field)] as const;
    return values[0] === values[1] ? [] : [changed('setting', field, field, values)];
  });
  const [old, now] = [writtenColours(before, one), writtenColours(after, other)];
  const colours = other.palette_preview.flatMap((colour, at) => {
    if ((one.palette_preview[at] ?? colour) === colour) return [];
    return [changed('colour', 'palette_preview', `palette ${at + 1}`, [old[at] ?? '', now[at] ?? colour])];
  });
  // A theme without dark colours shows its palette in dark mode, too.
  const hasDark = one.palette_dark !== undefined || other.palette_dark !== undefined;
  const darkColours = (other.palette_dark ?? other.palette_preview).flatMap((colour, at) => {
    const earlier = (one.palette_dark ?? one.palette_preview)[at] ?? '';
    return !hasDark || earlier === colour
      ? []
      : [changed('colour', 'palette_dark', `dark palette ${at + 1}`, [earlier, colour])];
  });
  const images = (Object.keys(other.images) as (keyof Theme['images'])[]).flatMap((field) => {
    const places = { before: placeOf(before, one.images[field]), after: placeOf(after, other.images[field]) };
    if (contentOf(places.before) === contentOf(places.after)) return [];
    const values = [shownPlace(places.before), shownPlace(places.after)] as const;
    return [{ ...changed('image', field, field, values), images: places }];
  });
  return [...images, ...colours, ...darkColours, ...settings];
}

/** The changes of an image that several fields name as one. */
function grouped(changes: readonly Change[]): Change[] {
  const groups = new Map<string, Change>();
  for (const change of changes) {
    const { what, images, heirs } = change;
    const key = jsonText(images === undefined ? what : [images, heirs]);
    const first = groups.get(key);
    groups.set(key, first === undefined ? change : { ...first, what: `${first.what}, ${what}` });
  }
  return [...groups.values()];
}

const valueOf = (theme: Theme, field: 'id' | 'name' | 'is_default' | keyof Theme['settings']): string =>
  shownValue({ ...theme, ...theme.settings }[field]);

const contentOf = (place: ImagePlace | undefined): string | undefined =>
  place === undefined ? undefined : 'url' in place ? place.url : place.sha256;

/** `logo.svg 245 B` */
function shownPlace(place: ImagePlace | undefined): string {
  if (place === undefined) return 'cannot be read';
  if ('url' in place) return place.url;
  return `${place.file.split('/').slice(1).join('/')} ${fileSize(place.bytes)}`;
}

/** The settings of the site that change, each by its name. */
function siteChanges(before: SiteState, after: SiteState): Differences['site'][number][] {
  if (before.themes.length === 0) return [];
  const [old, now] = [new Map(settingsIn(before.site)), new Map(settingsIn(after.site))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((what) => {
    const [one = 'none', other = 'none'] = [old.get(what), now.get(what)];
    return one === other ? [] : [{ what, before: one, after: other }];
  });
}

/** The settings in an object by their names: `cors.allowed_origins`, `identity.1.user.cookie`. */
function settingsIn(value: unknown, name = ''): [name: string, value: string][] {
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (typeof value !== 'object' || value === null || isList) return [[name, shownValue(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    settingsIn(inner, `${name}${name === '' ? '' : '.'}${Array.isArray(value) ? Number(key) + 1 : key}`),
  );
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

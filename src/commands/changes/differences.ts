import { fileSize } from '../../core/document/files/file-size.ts';
import { jsonText } from '../../core/diagnostics/quote.ts';
import { type Palette, PALETTES, SETTING_FIELDS } from '../../core/theme/fields/fields.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import { audienceOf, type Audience, type ImagePlace, placeOf, type SiteState } from './site-state.ts';

/** A changed field of a theme. */
export interface Change {
  /** `logo_height`, `palette 3`; for an image in several fields, all of them: `logo, logo_site`. */
  what: string;
  kind: 'setting' | 'colour' | 'image';
  before: string;
  after: string;
  /** The files or URLs, for an image. */
  images?: { before: ImagePlace | undefined; after: ImagePlace | undefined };
  /** The result of comparing pixels. */
  remark?: string;
  /** The theme whose file sets the field. */
  origin: string;
  /** Themes that inherit the change. */
  heirs: readonly string[];
}

/** A theme with changes in its own file, not only inherited ones. */
export interface ThemeChange {
  kind: 'new' | 'removed' | 'renamed' | 'changed';
  before: Theme | undefined;
  after: Theme | undefined;
  changes: readonly Change[];
  audience: Audience;
}

export interface Differences {
  /** Most important first: by kind, then by number of users. */
  themes: readonly ThemeChange[];
  /** Slugs of all changed themes, including themes that only inherit a change. */
  changed: ReadonlySet<string>;
  /** Changed settings of the site. */
  site: readonly { what: string; before: string; after: string }[];
}

/** The users and groups whose assigned theme changes. */
export interface Moves {
  /** Users and groups with an assigned theme before. */
  users: number;
  moved: number;
  /** Numbers of moves between two themes, by slug, largest first. */
  flows: readonly { from: string; to: string; users: number; groups: number }[];
  /** Users and groups that are assigned a theme for the first time. */
  added: number;
}

/** Pairs each theme with its previous state: of the same folder, or of the same id if its folder was renamed. */
export function pairsOf(before: SiteState, after: SiteState): (readonly [Theme | undefined, Theme | undefined])[] {
  const folders = new Set(after.themes.map(({ slug }) => slug));
  const bySlug = new Map(before.themes.map((theme) => [theme.slug, theme]));
  const renamed = new Map(before.themes.flatMap((theme) => (folders.has(theme.slug) ? [] : [[theme.id, theme]])));
  const pairs = after.themes.map((theme) => [bySlug.get(theme.slug) ?? renamed.get(theme.id), theme] as const);
  const paired = new Set(pairs.map(([theme]) => theme));
  return [...pairs, ...before.themes.flatMap((theme) => (paired.has(theme) ? [] : [[theme, undefined] as const]))];
}

export function differencesOf(before: SiteState, after: SiteState): Differences {
  const compared = pairsOf(before, after).map(([old, now]) => ({
    old,
    now,
    changes: old === undefined || now === undefined ? [] : fieldChanges(before, after, old, now),
  }));
  /** The slugs of the themes that share a change, by {@link keyOf}: equal values, set in the file of the same theme. */
  const sharing = new Map<string, string[]>();
  for (const { now, changes } of compared)
    for (const change of changes) {
      const key = keyOf(change);
      sharing.set(key, [...(sharing.get(key) ?? []), now?.slug ?? '']);
    }
  const themes = compared.flatMap(({ old, now, changes: all }): ThemeChange[] => {
    const { slug } = now ?? old ?? { slug: '' };
    const ownChanges = all.flatMap((change) => {
      const slugs = sharing.get(keyOf(change)) ?? [];
      if (change.origin === slug) return [{ ...change, heirs: slugs.filter((heir) => heir !== slug) }];
      return slugs.includes(change.origin) ? [] : [change];
    });
    const changes = groupImages(ownChanges);
    const kind = kindOf(old, now);
    const audience = audienceOf(now === undefined ? before : after, slug);
    return kind === 'changed' && changes.length === 0 ? [] : [{ kind, before: old, after: now, changes, audience }];
  });
  const changed = new Set([
    ...themes.map(({ before: old, after: now }) => (now ?? old)?.slug ?? ''),
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

/** Returns the theme whose file sets a field: the theme itself, or one that it extends. */
function originOf({ authored }: SiteState, slug: string, field: string): string {
  for (let at = slug; ;) {
    const theme = authored[at];
    if (theme === undefined || theme.fields.includes(field)) return at;
    if (theme.parent === undefined) return slug;
    at = theme.parent;
  }
}

/** Returns a palette of a theme in the spelling of its author, even if it is inherited. Without dark colours, dark mode has the light ones. */
export function writtenColours(state: SiteState, theme: Theme, palette: Palette): readonly string[] {
  if (palette === 'palette_dark' && theme.palette_dark === undefined)
    return writtenColours(state, theme, 'palette_preview');
  return state.authored[originOf(state, theme.slug, palette)]?.palettes[palette] ?? theme[palette] ?? [];
}

/** How changed colours are called: `palette 3`, `dark palette 3`. */
export const PALETTE_NAMES: Readonly<Record<Palette, string>> = {
  palette_preview: 'palette',
  palette_dark: 'dark palette',
};

/** Compares all fields of two themes, including inherited fields. */
export function fieldChanges(before: SiteState, after: SiteState, oldTheme: Theme, theme: Theme): Change[] {
  const changed = (kind: Change['kind'], field: string, what: string, values: readonly [string, string]): Change => ({
    kind,
    what,
    before: values[0],
    after: values[1],
    origin: originOf(after, theme.slug, field),
    heirs: [],
  });
  const settings = (['id', 'name', 'is_default', ...SETTING_FIELDS] as const).flatMap((field) => {
    const values = [valueOf(oldTheme, field), valueOf(theme, field)] as const;
    return values[0] === values[1] ? [] : [changed('setting', field, field, values)];
  });
  const colours = PALETTES.flatMap((palette) => {
    const hasPalette = [oldTheme, theme].some((side) => side[palette] !== undefined);
    const [old, now] = [writtenColours(before, oldTheme, palette), writtenColours(after, theme, palette)];
    const oldColours = oldTheme[palette] ?? oldTheme.palette_preview;
    return (theme[palette] ?? theme.palette_preview).flatMap((colour, at) => {
      if (!hasPalette || (oldColours[at] ?? colour) === colour) return [];
      const values = [old[at] ?? '', now[at] ?? colour] as const;
      return [changed('colour', palette, `${PALETTE_NAMES[palette]} ${at + 1}`, values)];
    });
  });
  const images = (Object.keys(theme.images) as (keyof Theme['images'])[]).flatMap((field) => {
    const places = { before: placeOf(before, oldTheme.images[field]), after: placeOf(after, theme.images[field]) };
    if (contentOf(places.before) === contentOf(places.after)) return [];
    const values = [formatPlace(places.before), formatPlace(places.after)] as const;
    return [{ ...changed('image', field, field, values), images: places }];
  });
  return [...images, ...colours, ...settings];
}

/** Merges the changes of an image in several fields. */
function groupImages(changes: readonly Change[]): Change[] {
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
  formatValue({ ...theme, ...theme.settings }[field]);

const contentOf = (place: ImagePlace | undefined): string | undefined =>
  place === undefined ? undefined : 'url' in place ? place.url : place.sha256;

/** Returns `logo.svg 245 B`. */
function formatPlace(place: ImagePlace | undefined): string {
  if (place === undefined) return 'cannot be read';
  if ('url' in place) return place.url;
  return `${place.file.split('/').slice(1).join('/')} ${fileSize(place.bytes)}`;
}

/** Compares the settings of the site, by name. */
function siteChanges(before: SiteState, after: SiteState): Differences['site'][number][] {
  if (before.themes.length === 0) return [];
  const [old, now] = [new Map(settingsIn(before.site)), new Map(settingsIn(after.site))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((what) => {
    const [oldValue = 'none', newValue = 'none'] = [old.get(what), now.get(what)];
    return oldValue === newValue ? [] : [{ what, before: oldValue, after: newValue }];
  });
}

/** Returns the settings in an object, by name: `cors.allowed_origins`, `identity.1.user.cookie`. */
function settingsIn(value: unknown, name = ''): [name: string, value: string][] {
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (typeof value !== 'object' || value === null || isList) return [[name, formatValue(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    settingsIn(inner, `${name}${name === '' ? '' : '.'}${Array.isArray(value) ? Number(key) + 1 : key}`),
  );
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

import { choice, type FieldRow, imageSet, logo, logoType, pixels, VALUE_LISTS } from './field-rows.ts';
import {
  BANNER_THUMBNAIL,
  COMPACT_LOGO_BITMAP,
  ICON,
  LARGE_ICON,
  LOGO_BITMAP,
  LOGO_THUMBNAIL,
  MASKABLE_ICON,
  type ThumbnailSpec,
} from './thumbnail-spec.ts';

/**
 * Every field of the theme record, in the order of docs/contract.md. Everything else about a field is derived from its row: the schema of
 * `theme.yaml`, the record and its types, the defaults, the thumbnail, its place on pages and forms, and the documentation.
 */
export const FIELDS = {
  id: {
    kind: 'setting',
    label: 'Number',
    type: 'integer',
    form: 'theme',
    inherited: false,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    about: 'Unique and permanent number of the theme.',
  },
  name: {
    kind: 'setting',
    label: 'Name',
    type: 'line',
    form: 'theme',
    maxLength: 100,
    about: 'Short name of the theme.',
    missing: 'Write the short name of the theme.',
  },
  favicon: {
    kind: 'image',
    label: 'Browser icon',
    page: 'icons',
    isIcon: true,
    about: 'The icon in the browser tab: square, at least 32 pixels.',
  },
  logo: logo('Logo', 'logo_height', 'The logo for light backgrounds.'),
  logo_inverse: logo('Logo for dark pages', 'logo_height', 'The light-on-dark variant of the logo.'),
  compact_logo: logo('Small logo', 'compact_logo_size', 'The compact logo for light backgrounds.'),
  compact_logo_inverse: logo(
    'Small logo for dark pages',
    'compact_logo_size',
    'The light-on-dark variant of the compact logo.',
  ),
  logo_site: imageSet('Site logo', 'icons', LOGO_THUMBNAIL, 'The logo of the site.'),
  light_mode_logo_type: logoType('Logo in light mode', 'logo', 'light', 'NORMAL'),
  dark_mode_logo_type: logoType('Logo in dark mode', 'logo', 'dark', 'INVERSE'),
  logo_alignment: choice('Logo position', 'logo_alignments', 'left', 'Alignment of the logo'),
  logo_height: pixels('Logo height', 1, 40, 'Height of the logo'),
  logo_margin_left: pixels('Space to the left', 0, 0, 'Margin to the left of the logo'),
  logo_margin_top: pixels('Space above', 0, 0, 'Margin above the logo'),
  compact_light_mode_logo_type: logoType('Small logo in light mode', 'compact_logo', 'light', 'NORMAL'),
  compact_dark_mode_logo_type: logoType('Small logo in dark mode', 'compact_logo', 'dark', 'INVERSE'),
  compact_logo_size: pixels('Size of the small logo', 1, 32, 'Width and height of the compact logo'),
  default_group_banner: imageSet('Group banner', 'banners', BANNER_THUMBNAIL, 'The default banner for groups.'),
  default_event_banner: imageSet('Event banner', 'banners', BANNER_THUMBNAIL, 'The default banner for events.'),
  default_user_profile_banner: imageSet(
    'Profile banner',
    'banners',
    BANNER_THUMBNAIL,
    'The default banner for user profiles.',
  ),
  is_default: {
    kind: 'setting',
    label: 'Default theme',
    type: 'boolean',
    form: 'theme',
    inherited: false,
    default: false,
    about: 'Whether anonymous and unknown users get this theme; true in exactly one theme.',
  },
  palette_preview: {
    kind: 'setting',
    label: 'Colours',
    type: 'colours',
    form: 'palette',
    count: 9,
    about: 'Nine opaque colours in any CSS syntax.',
    missing: 'List nine colours under it.',
  },
} as const;

export type Field = keyof typeof FIELDS;
/** {@link FIELDS} with a common row type, for code that treats all fields alike. */
export const ROWS: Readonly<Record<Field, FieldRow>> = { ...FIELDS };

type RowOf<F extends Field> = (typeof FIELDS)[F];
/** The fields whose rows have certain values. */
export type FieldsWhere<Shape> = { [F in Field]: RowOf<F> extends Shape ? F : never }[Field];

/** The fields whose value is the URL of an image. */
export type ImageField = FieldsWhere<{ kind: 'image' }>;
/** The fields whose value is an image set. */
export type ImageSetField = FieldsWhere<{ kind: 'image_set' }>;
export type AnyImageField = ImageField | ImageSetField;
/** The fields that select the variant of a logo for a mode. */
export type LogoTypeField = FieldsWhere<{ values: 'logo_types' }>;
/** The fields that identify a theme. */
export type OwnField = FieldsWhere<{ inherited: false }>;
/** The settings with a default, except `is_default`, which identifies a theme. */
export type SettingField = Exclude<FieldsWhere<{ default: unknown }>, OwnField>;

/** The type of a field's value; the caller provides the types of images. */
export type ValueOf<F extends Field, Image, ImageSet> =
  RowOf<F> extends { kind: 'image' }
    ? Image
    : RowOf<F> extends { kind: 'image_set' }
      ? ImageSet
      : RowOf<F> extends { type: 'integer' | 'pixels' }
        ? number
        : RowOf<F> extends { type: 'boolean' }
          ? boolean
          : RowOf<F> extends { type: 'colours' }
            ? string[]
            : string;

/** All fields, in the order of the record. */
export const RECORD_FIELDS = Object.keys(FIELDS) as Field[];
export const IMAGE_FIELDS = fieldsWhere({ kind: 'image' });
export const IMAGE_SET_FIELDS = fieldsWhere({ kind: 'image_set' });
export const ANY_IMAGE_FIELDS: readonly AnyImageField[] = [...IMAGE_FIELDS, ...IMAGE_SET_FIELDS];
export const LOGO_TYPE_FIELDS = fieldsWhere({ values: 'logo_types' });
export const CHOICE_FIELDS = fieldsWhere({ type: 'choice' });
export const OWN_FIELDS = fieldsWhere({ inherited: false });
export const SETTING_FIELDS = RECORD_FIELDS.filter(
  (field): field is SettingField =>
    'default' in ROWS[field] && !OWN_FIELDS.some((identifying) => identifying === field),
);

/** Returns the fields whose rows have these values, in the order of the record. */
export function fieldsWhere<const Shape extends Readonly<Record<string, unknown>>>(
  shape: Shape,
): readonly FieldsWhere<Shape>[] {
  const conditions = Object.entries(shape);
  return RECORD_FIELDS.filter((field): field is FieldsWhere<Shape> => {
    const row: Readonly<Record<string, unknown>> = { ...ROWS[field] };
    return conditions.every(([key, value]) => row[key] === value);
  });
}

/** The palettes of a theme: of light mode, and of dark mode, which is not part of the record. */
export const PALETTES = ['palette_preview', 'palette_dark'] as const;
export type Palette = (typeof PALETTES)[number];
export const isPalette = (name: string): name is Palette => PALETTES.some((palette) => palette === name);

/** The names of the fields for designers. */
export const LABELS = {
  ...Object.fromEntries(RECORD_FIELDS.map((field) => [field, FIELDS[field].label])),
  palette_dark: 'Dark colours',
  extends: 'Based on',
} as Readonly<Record<Field | 'palette_dark' | 'extends', string>>;

/** Returns the name of an image file that is made for a field: `group-banner.svg` for `default_group_banner`. */
export function imageFileName(field: AnyImageField, extension: string): string {
  return `${field.replace(/^default_/, '').replaceAll('_', '-')}.${extension}`;
}

/** Returns the row of a field; undefined for any other name. */
export function rowOf(name: string): FieldRow | undefined {
  return Object.hasOwn(ROWS, name) ? ROWS[name as Field] : undefined;
}

/** Returns the thumbnail spec of an image set; undefined for other fields. */
export function thumbnailSpecOf(field: Field): ThumbnailSpec | undefined {
  const row = ROWS[field];
  return row.kind === 'image_set' ? row.thumbnail : undefined;
}

/** Returns the specs of derived images besides the thumbnail: the bitmap of a logo, the icons of a favicon. */
export function derivedSpecsOf(
  field: Field,
  { derived, web_app: webApp }: { derived: boolean; web_app?: unknown },
): readonly ThumbnailSpec[] {
  const row = ROWS[field];
  if (!derived || row.kind !== 'image') return [];
  if (row.isIcon) return webApp === undefined ? [ICON] : [ICON, LARGE_ICON, MASKABLE_ICON];
  return [row.height === 'compact_logo_size' ? COMPACT_LOGO_BITMAP : LOGO_BITMAP];
}

/** Every thumbnail spec that a build may use. */
export const ALL_SPECS: readonly ThumbnailSpec[] = [
  ...new Set(
    RECORD_FIELDS.flatMap((field) => [
      thumbnailSpecOf(field) ?? [],
      derivedSpecsOf(field, { derived: true, web_app: true }),
    ]).flat(),
  ),
];

/** The values of settings that are neither set nor inherited. */
export const SETTING_DEFAULTS = Object.fromEntries(SETTING_FIELDS.map((field) => [field, FIELDS[field].default])) as {
  readonly [F in SettingField]: RowOf<F>['default'];
};

/** The description of `extends` in `theme.yaml`; it is not part of the record. */
const EXTENDS = `Folder name of the theme that supplies every field absent here, except ${OWN_FIELDS.join(' and ')}.`;

/** The description of `accept` in `theme.yaml`; it is not part of the record, and never inherited. */
const ACCEPT = 'Warnings to ignore, by field: `logo_inverse: [image/faint]`.';

/** The description of `palette_dark` in `theme.yaml`; it is not part of the record. */
const PALETTE_DARK =
  'Nine colours for dark mode, used by the stylesheet and `assets.json`. Default: the same as in light mode. Not inherited by a theme that has its own palette_preview.';

/** Returns the description of a field of `theme.yaml`, without its YAML syntax. */
export function meaningOf(field: Field | 'extends' | 'palette_dark' | 'accept'): string {
  if (field === 'extends') return EXTENDS;
  if (field === 'palette_dark') return PALETTE_DARK;
  if (field === 'accept') return ACCEPT;
  const row = ROWS[field];
  if (row.kind === 'image_set') return `${row.about} Its thumbnail fits ${row.thumbnail.box.join('×')} pixels.`;
  if (row.kind === 'image') return row.about;
  if (row.type === 'pixels') return `${row.about}, in pixels.`;
  if (row.type !== 'choice') return row.about;
  return `${row.about}: ${VALUE_LISTS[row.values].join(', ')} or another of the site's ${row.values}.`;
}

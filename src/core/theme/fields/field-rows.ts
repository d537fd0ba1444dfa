import type { ThumbnailSpec } from './thumbnail-spec.ts';

/** The lists of `site.yaml` with the accepted values of a field, and their defaults. */
export const VALUE_LISTS = {
  logo_types: ['NORMAL', 'INVERSE'],
  logo_alignments: ['left', 'center', 'right'],
} as const;
export type ValueList = keyof typeof VALUE_LISTS;

interface AnyRow {
  /** The name of the field for designers. */
  label: string;
  about: string;
}

/** A field whose value is the URL of an image. */
interface ImageRow extends AnyRow {
  kind: 'image';
  /** The section of the browsable page that shows it. */
  page: 'logos' | 'icons';
  /** The setting with the height of a logo. */
  height?: 'logo_height' | 'compact_logo_size';
  /** Whether ICO files are accepted. */
  isIcon?: true;
}

/** A field whose value has the URLs of an image and its thumbnail. */
interface ImageSetRow extends AnyRow {
  kind: 'image_set';
  page: 'icons' | 'banners';
  thumbnail: ThumbnailSpec;
}

interface SettingRow extends AnyRow {
  kind: 'setting';
  /** The group of the form with this field; the palette is a group too. */
  form: 'theme' | 'logo' | 'palette';
  /** False for fields that identify a theme, which are never inherited. */
  inherited?: false;
}

interface IntegerRow extends SettingRow {
  type: 'integer';
  min: number;
  max: number;
}

interface LineRow extends SettingRow {
  type: 'line';
  /** In characters. */
  maxLength: number;
  /** The hint, as an imperative, if the field is neither set nor inherited. */
  missing: string;
}

interface ColoursRow extends SettingRow {
  type: 'colours';
  count: number;
  missing: string;
}

interface PixelsRow extends SettingRow {
  type: 'pixels';
  min: number;
  max: number;
  default: number;
}

interface ChoiceRow extends SettingRow {
  type: 'choice';
  values: ValueList;
  default: string;
  /** For a logo type: the logo whose variant it selects, and the mode in which it applies. */
  logo?: string;
  mode?: 'light' | 'dark';
}

interface BooleanRow extends SettingRow {
  type: 'boolean';
  default: boolean;
}

export type FieldRow = ImageRow | ImageSetRow | IntegerRow | LineRow | ColoursRow | PixelsRow | ChoiceRow | BooleanRow;

export const logo = (label: string, height: 'logo_height' | 'compact_logo_size', about: string) =>
  ({ kind: 'image', label, page: 'logos', height, about }) as const;

export const imageSet = <P extends ImageSetRow['page']>(
  label: string,
  page: P,
  thumbnail: ThumbnailSpec,
  about: string,
) => ({ kind: 'image_set', label, page, thumbnail, about }) as const;

export const pixels = (label: string, min: number, initial: number, about: string) =>
  ({ kind: 'setting', label, type: 'pixels', form: 'logo', min, max: 2000, default: initial, about }) as const;

export const choice = <V extends ValueList>(
  label: string,
  values: V,
  initial: (typeof VALUE_LISTS)[V][number],
  about: string,
) => ({ kind: 'setting', label, type: 'choice', form: 'logo', values, default: initial, about }) as const;

export const logoType = <L extends string, M extends 'light' | 'dark'>(
  label: string,
  logo: L,
  mode: M,
  initial: (typeof VALUE_LISTS)['logo_types'][number],
) => ({
  ...choice(label, 'logo_types', initial, `The variant of the ${logo.replaceAll('_', ' ')} that ${mode} mode shows`),
  logo,
  mode,
});

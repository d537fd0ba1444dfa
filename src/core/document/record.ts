import type { ImageSet, ThemeRecord } from '../../client/types.ts';
import {
  ANY_IMAGE_FIELDS,
  type AnyImageField,
  type Field,
  FIELDS,
  type ImageField,
  type ImageSetField,
  RECORD_FIELDS,
  SETTING_FIELDS,
  type SettingField,
} from '../theme/fields/fields.ts';
import type { Theme } from '../theme/resolve.ts';

export type { ImageSet, ThemeRecord };

/** The absolute URLs under which the images of a theme are published. */
export type ImageUrls = Record<ImageField, string> & Record<ImageSetField, ImageSet>;

/** Returns the record of a theme in the list. */
export function listRecord(theme: Omit<Theme, 'images'>, urls: ImageUrls): ThemeRecord {
  const entries = RECORD_FIELDS.map((field) => [field, valueOf(field, theme, urls)] as const);
  return Object.fromEntries(entries) as unknown as ThemeRecord;
}

/** Returns the record with one URL per image, for pages without thumbnails. */
export function recordWith(theme: Omit<Theme, 'images'>, urlOf: (field: AnyImageField) => string): ThemeRecord {
  const urls = ANY_IMAGE_FIELDS.map((field) => {
    const url = urlOf(field);
    return [field, FIELDS[field].kind === 'image' ? url : { original: url, thumbnail: url }];
  });
  return listRecord(theme, Object.fromEntries(urls) as ImageUrls);
}

function valueOf(field: Field, theme: Omit<Theme, 'images'>, urls: ImageUrls): ThemeRecord[Field] {
  if (isImage(field)) return urls[field];
  if (isSetting(field)) return theme.settings[field];
  return field === 'palette_preview' ? [...theme.palette_preview] : theme[field];
}

/** Returns the record of the config endpoint, in which the palette is empty (interface, §2). */
export function configRecord(record: ThemeRecord): ThemeRecord {
  return { ...record, palette_preview: [] };
}

function isImage(field: Field): field is AnyImageField {
  return FIELDS[field].kind !== 'setting';
}

function isSetting(field: Field): field is SettingField {
  return SETTING_FIELDS.some((setting) => setting === field);
}

import type { Draft } from '../theme/resolve.ts';
import {
  type AnyImageField,
  type Field,
  FIELDS,
  IMAGE_SET_FIELDS,
  RECORD_FIELDS,
  ROWS,
  SETTING_FIELDS,
} from '../theme/fields/fields.ts';
import type { Missing } from './page/missing.ts';
import { type ImageUrls, listRecord, type ThemeRecord } from './record.ts';

/** Returns the record of a draft. Missing values are blank, because any other text could be mistaken for a colour or URL. */
export function draftRecord(draft: Draft, urls: Partial<ImageUrls>): ThemeRecord {
  const blanks = Object.fromEntries(
    RECORD_FIELDS.filter((field) => ROWS[field].kind !== 'setting').map((field) => [
      field,
      IMAGE_SET_FIELDS.some((set) => set === field) ? { original: '', thumbnail: '' } : '',
    ]),
  ) as unknown as ImageUrls;
  const palette_preview = draft.palette_preview.map((colour) => colour ?? '');
  const theme = { ...draft, id: draft.id ?? 0, name: draft.name ?? draft.slug, palette_preview };
  return listRecord(theme, { ...blanks, ...urls });
}

/** Returns the fields that a draft lacks, with a short reason; the diagnostics say more. */
export function missingOf(draft: Draft, urls: Partial<ImageUrls>): Missing {
  const missing = RECORD_FIELDS.filter((field) => isMissing(field, draft, urls));
  return new Map(missing.map((field) => [field, reasonFor(field, draft)]));
}

function isMissing(field: Field, draft: Draft, urls: Partial<ImageUrls>): boolean {
  if (ROWS[field].kind !== 'setting') return urls[field as AnyImageField] === undefined;
  if (field === 'palette_preview')
    return draft.palette_preview.length !== FIELDS.palette_preview.count || draft.palette_preview.includes(null);
  if (field === 'id' || field === 'name') return draft[field] === undefined;
  const isSetting = field === 'is_default' || SETTING_FIELDS.some((setting) => setting === field);
  return isSetting && draft.source.invalid.includes(field) && !(field in draft.source.fields);
}

function reasonFor(field: Field, { slug, source, images }: Draft): string {
  const image = images[field as AnyImageField];
  if (image !== undefined && 'path' in image)
    return `No image \`${image.path}\` in the folder of ${image.slug === slug ? 'this theme' : `\`${image.slug}\``}, or it is invalid.`;
  const { fields, invalid } = source;
  if (invalid.includes(field) || field in fields) return 'Cannot be shown: its value has an error.';
  return fields.extends === undefined
    ? 'Missing.'
    : `Missing here, and in \`${fields.extends}\`, which this theme extends.`;
}

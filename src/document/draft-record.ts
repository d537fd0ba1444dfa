import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Draft } from '../theme/resolve.ts';
import {
  type AnyImageField,
  type Field,
  FIELDS,
  IMAGE_SET_FIELDS,
  RECORD_FIELDS,
  ROWS,
  SETTING_FIELDS,
} from '../theme/fields.ts';
import type { Missing } from './missing.ts';
import { type ImageUrls, listRecord, type ThemeRecord } from './record.ts';

/** The record of a draft. It has blanks where the draft has nothing: no other text can stand for a colour or the URL of an image. */
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

/**
 * What a draft lacks, and why.
 * @param diagnostics - of its own file and of its images
 * @param fileOf - the name of its images in diagnostics
 */
export function missingOf(
  draft: Draft,
  urls: Partial<ImageUrls>,
  diagnostics: readonly Diagnostic[],
  fileOf: (image: { slug: string; path: string }) => string,
): Missing {
  const missing = RECORD_FIELDS.filter((field) => isMissing(field, draft, urls));
  return new Map(missing.map((field) => [field, reasonFor(field, draft, diagnostics, fileOf)]));
}

function isMissing(field: Field, draft: Draft, urls: Partial<ImageUrls>): boolean {
  if (ROWS[field].kind !== 'setting') return urls[field as AnyImageField] === undefined;
  if (field === 'palette_preview')
    return draft.palette_preview.length !== FIELDS.palette_preview.count || draft.palette_preview.includes(null);
  if (field === 'id' || field === 'name') return draft[field] === undefined;
  const isOwn = field === 'is_default' || SETTING_FIELDS.some((setting) => setting === field);
  return isOwn && draft.source.invalid.includes(field) && !(field in draft.source.fields);
}

function reasonFor(
  field: Field,
  { source, images }: Draft,
  diagnostics: readonly Diagnostic[],
  fileOf: (image: { slug: string; path: string }) => string,
): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const image = field in images ? images[field as AnyImageField] : undefined;
  const file = image !== undefined && 'path' in image ? fileOf(image) : undefined;
  const [line, , endLine = line] = source.spans[field] ?? [];
  const found = errors.find(
    ({ code, location, hint }) =>
      (file !== undefined && location.file === file) ||
      (image !== undefined && sameStart(image.location, location)) ||
      (location.file === source.file &&
        ((field === 'palette_preview' && code.startsWith('palette/')) ||
          (line !== undefined &&
            location.start !== undefined &&
            line <= location.start.line &&
            location.start.line <= (endLine ?? line)) ||
          (code === 'field/unknown' && hint?.includes(`\`${field}\``)))),
  );
  if (found !== undefined) return found.message;
  const isUnread = Object.keys(source.spans).length === 0;
  const first = errors.find(({ location }) => location.file === source.file);
  if (isUnread && first !== undefined) return first.message;
  return source.fields.extends === undefined
    ? 'Missing.'
    : `Missing here, and in \`${source.fields.extends}\`, which this theme extends.`;
}

function sameStart(a: Diagnostic['location'], b: Diagnostic['location']): boolean {
  return a.file === b.file && a.start !== undefined && a.start.line === b.start?.line;
}

import { normaliseColour } from '../../theme/colour.ts';
import type { FieldRow } from '../../theme/field-rows.ts';
import { FIELDS, RECORD_FIELDS, ROWS } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import type { ThemeSource } from '../../theme/theme-source.ts';

export type PreviewSite = Pick<Site, 'allowed_hosts'>;

/** A theme in the CMS: the values of its form, and the other fields of its file. */
export interface Entry {
  slug: string;
  data: Readonly<Record<string, unknown>>;
}

/** Returns the fields of an entry with the right type. Only the build validates them fully. */
export function entrySource({ slug, data }: Entry): ThemeSource {
  const fields: Record<string, unknown> = {};
  const invalid: string[] = [];
  // The form has empty texts and lists for unset fields.
  const isSet = (name: string): boolean => {
    const value = data[name] ?? '';
    return value !== '' && !(Array.isArray(value) && value.length === 0);
  };
  if (isSet('extends') && typeof data['extends'] === 'string') fields['extends'] = data['extends'];
  for (const field of RECORD_FIELDS.filter(isSet)) {
    const value = valid(ROWS[field], data[field]);
    if (value === undefined) invalid.push(field);
    else fields[field] = value;
  }
  const palette = data['palette_preview'];
  const partial = invalid.includes('palette_preview') && Array.isArray(palette);
  return {
    slug,
    file: slug,
    fields,
    invalid,
    ...(partial && { partialPalette: palette.slice(0, PALETTE_SIZE).map(publishedColour) }),
    written: {},
    spans: {},
  };
}

const { count: PALETTE_SIZE } = FIELDS.palette_preview;

/** Converts a value for a theme source; undefined if it has another type. */
function valid(row: FieldRow, value: unknown): unknown {
  if (row.kind !== 'setting') return typeof value === 'string' || isImageSet(value) ? value : undefined;
  if (row.type === 'colours') {
    const colours = Array.isArray(value) ? value.map(publishedColour) : [];
    return colours.length === row.count && !colours.includes(null) ? colours : undefined;
  }
  const type =
    row.type === 'boolean' ? 'boolean' : row.type === 'integer' || row.type === 'pixels' ? 'number' : 'string';
  return typeof value === type ? value : undefined;
}

function isImageSet(value: unknown): value is { original: string; thumbnail: string } {
  const { original, thumbnail } = Object(value) as Record<string, unknown>;
  return typeof original === 'string' && typeof thumbnail === 'string';
}

/** Converts a colour to its published spelling; null if it is invalid. */
function publishedColour(value: unknown): string | null {
  const colour = typeof value === 'string' ? normaliseColour(value) : undefined;
  return colour !== undefined && 'hsl' in colour ? colour.hsl : null;
}

import { PUBLISHED_COLOUR } from '../../core/theme/colour.ts';
import { RECORD_FIELDS, ROWS } from '../../core/theme/fields.ts';
import type { FieldRow, ValueList } from '../../core/theme/field-rows.ts';
import type { Site } from '../../core/theme/site.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The lists of `site.yaml` with the known values of a field. */
export type KnownValues = Pick<Site, 'logo_types' | 'logo_alignments'>;

const FORMATS = 'PNG, JPEG, WebP, AVIF, GIF or SVG';

const URL_SCHEMA = { type: 'string', format: 'uri', pattern: '^https?://' } as const;

/** References to the schemas that several fields share. */
export type SharedSchemas = Readonly<Record<'image_set' | ValueList, JsonSchema>>;

/** Returns the schema of a theme record, from the table of fields. Unknown fields are valid: later versions may add some. */
export function recordSchema(refs: SharedSchemas): JsonSchema {
  return {
    type: 'object',
    description:
      'A theme. Every field is present and never null. Clients must ignore fields that they do not know. Lengths are in CSS pixels: density-independent, pt or dp in apps.',
    properties: Object.fromEntries(RECORD_FIELDS.map((field) => [field, fieldSchema(ROWS[field], refs)])),
    required: RECORD_FIELDS,
  };
}

export function imageSetSchema(): JsonSchema {
  return {
    type: 'object',
    description: 'An image with its thumbnail.',
    properties: {
      original: { description: `Absolute URL of the image: ${FORMATS}.`, ...URL_SCHEMA },
      thumbnail: {
        description: 'Absolute URL of a smaller image: a bitmap, unless the theme names one by URL.',
        ...URL_SCHEMA,
      },
    },
    required: ['original', 'thumbnail'],
  };
}

/** Number of colours of each theme in the list; the config document has none. */
export const PALETTE_FIELDS = RECORD_FIELDS.flatMap((field) => {
  const row = ROWS[field];
  return 'count' in row ? [[field, row.count] as const] : [];
});

function fieldSchema(row: FieldRow, refs: SharedSchemas): JsonSchema {
  if (row.kind === 'image')
    return {
      description: `${row.about} The absolute URL of an image: ${row.isIcon ? 'ICO, ' : ''}${FORMATS}.`,
      ...URL_SCHEMA,
    };
  if (row.kind === 'image_set')
    return withDescription(refs.image_set, `${row.about} The thumbnail fits ${row.thumbnail.box.join('×')} pixels.`);
  switch (row.type) {
    case 'integer':
      return { type: 'integer', format: 'int64', description: row.about, minimum: row.min, maximum: row.max };
    case 'pixels':
      return { type: 'integer', description: `${row.about}, in CSS pixels.`, minimum: row.min, maximum: row.max };
    case 'boolean':
      return { type: 'boolean', description: row.about };
    case 'choice':
      return withDescription(refs[row.values], `${row.about}.`);
    case 'colours':
      return {
        type: 'array',
        description: `${row.count} colours in the list, none in the config document.`,
        items: { type: 'string', pattern: PUBLISHED_COLOUR.source },
        maxItems: row.count,
      };
    default:
      return { type: 'string', description: row.about, minLength: 1, maxLength: row.maxLength };
  }
}

/** Wraps a reference in `allOf`: some generators make a separate type for every reference beside a description. */
function withDescription(reference: JsonSchema, description: string): JsonSchema {
  return { description, allOf: [reference] };
}

const MEANINGS = { logo_types: 'A variant of a logo', logo_alignments: 'An alignment of the logo' } as const;

/** Returns a schema for known values and any other, so that generated clients accept values that are added later. */
export function openEnum(list: ValueList, values: KnownValues): JsonSchema {
  return {
    description: `${MEANINGS[list]}. Other values may be added: clients must accept them.`,
    anyOf: [{ type: 'string', enum: values[list] }, { type: 'string' }],
  };
}

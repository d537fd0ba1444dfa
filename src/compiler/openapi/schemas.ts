import { SCHEMAS } from '../../core/document/endpoint.ts';
import { PUBLISHED_COLOUR } from '../../core/theme/colour/colour.ts';
import type { FieldRow, ValueList } from '../../core/theme/fields/field-rows.ts';
import { RECORD_FIELDS, ROWS } from '../../core/theme/fields/fields.ts';
import type { Site } from '../../core/theme/site/site.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The lists of `site.yaml` with the known values of a field. */
export type KnownValues = Pick<Site, 'logo_types' | 'logo_alignments'>;

/** References to the schemas that several fields share. */
type SharedSchemas = Readonly<Record<'image_set' | ValueList, JsonSchema>>;

const FORMATS = 'PNG, JPEG, WebP, AVIF, GIF or SVG';
const URL_SCHEMA = { type: 'string', format: 'uri', pattern: '^https?://' } as const;

/** Returns the schema of an object whose properties are all required, except the optional ones. */
export function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) };
}

/** Returns the schema of a theme record, from the table of fields. Unknown fields are valid: later versions may add some. */
export function recordSchema(refs: SharedSchemas): JsonSchema {
  return object(
    'A theme. Every field is present and never null. Clients must ignore fields that they do not know. Lengths are in CSS pixels: density-independent, pt or dp in apps.',
    Object.fromEntries(RECORD_FIELDS.map((field) => [field, fieldSchema(ROWS[field], refs)])),
  );
}

export const IMAGE_SET = object('An image with its thumbnail.', {
  original: { description: `Absolute URL of the image: ${FORMATS}.`, ...URL_SCHEMA },
  thumbnail: {
    description: 'Absolute URL of a smaller image: a bitmap, unless the theme names one by URL.',
    ...URL_SCHEMA,
  },
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

/** Returns `schema/theme.schema.json`: the JSON Schema (2020-12) of the record, and of the documents of both endpoints. */
export function responseSchema(baseUrl: string, values: KnownValues): JsonSchema {
  const record = { $ref: '#/$defs/record' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: baseUrl + SCHEMAS.jsonSchema,
    title: 'Responses of the theme service',
    ...record,
    $defs: {
      record: recordSchema({
        image_set: { $ref: '#/$defs/image_set' },
        logo_types: { $ref: '#/$defs/logo_type' },
        logo_alignments: { $ref: '#/$defs/logo_alignment' },
      }),
      image_set: IMAGE_SET,
      logo_type: openEnum('logo_types', values),
      logo_alignment: openEnum('logo_alignments', values),
      list: {
        type: 'array',
        description: 'The response of the list endpoint: all themes, ascending by id.',
        items: { allOf: [record, palettes((count) => ({ minItems: count }))] },
      },
      config: {
        description: 'The response of the config endpoint: the theme of the requesting user, without its palette.',
        allOf: [record, palettes(() => ({ maxItems: 0 }))],
      },
    },
  };
}

/** Returns a schema for use in `allOf`: some validators ignore keywords beside `$ref`, and limits of an array without items. */
function palettes(limits: (count: number) => JsonSchema): JsonSchema {
  const properties = RECORD_FIELDS.flatMap((field) => {
    const row = ROWS[field];
    return 'count' in row ? [[field, { type: 'array', items: { type: 'string' }, ...limits(row.count) }] as const] : [];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

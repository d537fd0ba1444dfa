import { SCHEMAS } from '../../core/document/endpoint.ts';
import {
  imageSetSchema,
  type JsonSchema,
  type KnownValues,
  openEnum,
  PALETTE_FIELDS,
  recordSchema,
} from './record-schema.ts';

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
      image_set: imageSetSchema(),
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

/** Some validators ignore limits of an array without items. */
const PALETTE = { type: 'array', items: { type: 'string' } } as const;

/** Returns a schema for use in `allOf`: some validators ignore keywords beside `$ref`. */
function palettes(schema: (count: number) => JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(PALETTE_FIELDS.map(([field, count]) => [field, { ...PALETTE, ...schema(count) }])),
  };
}

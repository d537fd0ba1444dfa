import { SCHEMAS } from '../document/endpoint.ts';
import { imageSetSchema, type JsonSchema, type KnownValues, PALETTE_FIELDS, recordSchema } from './record-schema.ts';

/** `schema/theme.schema.json`: the JSON Schema (2020-12) of the record, and of the documents of both endpoints. */
export function responseSchema(baseUrl: string, values: KnownValues): JsonSchema {
  const record = { $ref: '#/$defs/record' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: baseUrl + SCHEMAS.jsonSchema,
    title: 'Responses of the theme service',
    ...record,
    $defs: {
      record: recordSchema(values, { $ref: '#/$defs/image_set' }),
      image_set: imageSetSchema(),
      list: {
        type: 'array',
        description: 'The response of the list endpoint: all themes, ascending by id.',
        items: { ...record, properties: palettes((count) => ({ minItems: count })) },
      },
      config: {
        description: 'The response of the config endpoint: the theme of the requesting user, without its palette.',
        ...record,
        properties: palettes(() => ({ maxItems: 0 })),
      },
    },
  };
}

function palettes(schema: (count: number) => JsonSchema): JsonSchema {
  return Object.fromEntries(PALETTE_FIELDS.map(([field, count]) => [field, schema(count)]));
}

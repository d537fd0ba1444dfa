import { z } from 'zod';
import type { ValueList } from './fields/field-rows.ts';
import { RECORD_FIELDS, ROWS } from './fields/fields.ts';
import { themeSchema } from './schema.ts';
import { SITE_DEFAULTS, siteSchema } from './site/site.ts';
import type { SchemaFile } from './themes-folder.ts';

/** Identifies a schema that themecast wrote: any other file of the same name is not replaced. */
const SCHEMA_COMMENT = 'Written by `themecast init --schemas`. Changes are overwritten.';

/**
 * Returns the JSON schemas (2020-12) for editors, as texts.
 * @param site - its accepted values become part of the theme schema. Default: the values of a site that lists none.
 */
export function editorSchemas(
  site: Readonly<Record<ValueList, readonly string[]>> = SITE_DEFAULTS,
): Readonly<Record<SchemaFile, string>> {
  const theme = jsonSchema(themeSchema);
  for (const field of RECORD_FIELDS) {
    const row = ROWS[field];
    const property = theme.properties?.[field];
    if (property === undefined || !('values' in row)) continue;
    delete property['examples'];
    property['enum'] = [...site[row.values]];
  }
  return {
    'theme.schema.json': asText('A theme', theme),
    'site.schema.json': asText('Settings of the site', jsonSchema(siteSchema)),
  };
}

interface JsonSchema extends Record<string, unknown> {
  $schema?: string;
  properties?: Record<string, Record<string, unknown>>;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

function asText(title: string, { $schema, ...keywords }: JsonSchema): string {
  return `${JSON.stringify({ $schema, $comment: SCHEMA_COMMENT, title, ...keywords }, null, 2)}\n`;
}

import { z } from 'zod';
import { expects } from '../source/validate.ts';
import { acceptSchema } from './accept.ts';
import { type FieldRow, VALUE_LISTS } from './fields/field-rows.ts';
import { type Field, FIELDS, meaningOf, RECORD_FIELDS, ROWS, type ValueOf } from './fields/fields.ts';

/** Maximum length of a path or URL, in characters. */
const MAX_PATH_LENGTH = 2000;

const IMAGE_REQUIRED = 'Required, here or in the theme that this one extends.';
/** The YAML syntax of fields whose description does not show it. */
const SYNTAX = {
  image: `A path relative to this file, or an https URL on one of the site's allowed_hosts. ${IMAGE_REQUIRED}`,
  image_set: `A path relative to this file (the build makes the thumbnail), or {original: URL, thumbnail: URL}. ${IMAGE_REQUIRED}`,
  colours: 'Quote those that start with # and those in a [list].',
};

const pathOrUrl = z.string({ error: 'Write the name of an image file, like `logo.svg`.' }).min(1).max(MAX_PATH_LENGTH);
const imageSet = z.union([pathOrUrl, z.strictObject({ original: pathOrUrl, thumbnail: pathOrUrl })], {
  error: 'a path, or `{original: URL, thumbnail: URL}`',
});

/** Returns the schema of a field, without its description. */
function bareSchema(row: FieldRow): z.ZodType {
  if (row.kind === 'image') return pathOrUrl;
  if (row.kind === 'image_set') return imageSet;
  switch (row.type) {
    case 'integer':
    case 'pixels':
      return z.int().min(row.min).max(row.max);
    case 'choice':
      return z.string();
    case 'boolean':
      return z.boolean();
    case 'colours':
      return z.array(z.string());
    default:
      return z
        .string()
        .min(1)
        .max(row.maxLength)
        .refine(
          (text) => text.trim() === text && !/[\r\n\t]/.test(text),
          expects('a single line without leading or trailing white space', 'name: Meadow'),
        );
  }
}

function schemaOf(field: Field): z.ZodType {
  const row = ROWS[field];
  const syntax = row.kind !== 'setting' ? SYNTAX[row.kind] : row.type === 'colours' ? SYNTAX.colours : undefined;
  return bareSchema(row).meta({
    description: [meaningOf(field), syntax].filter(Boolean).join(' '),
    ...('values' in row ? { examples: VALUE_LISTS[row.values] } : {}),
    ...('default' in row ? { default: row.default } : {}),
    ...('count' in row ? { minItems: row.count, maxItems: row.count } : {}),
  });
}

type AuthoredImageSet = z.output<typeof imageSet>;
type FieldSchemas = { [F in Field]: z.ZodType<ValueOf<F, string, AuthoredImageSet>> };
const fieldSchemas = Object.fromEntries(RECORD_FIELDS.map((field) => [field, schemaOf(field)])) as FieldSchemas;

/** The schema of `theme.yaml`: the fields of the record, `extends` and `accept`. Absent fields are inherited or have a default. */
export const themeSchema = z
  .strictObject({
    extends: z
      .string({ error: 'Write the name of its folder, like `extends: harbor`.' })
      .min(1)
      .meta({ description: meaningOf('extends') }),
    ...fieldSchemas,
    palette_dark: z.array(z.string()).meta({
      description: meaningOf('palette_dark'),
      minItems: FIELDS.palette_preview.count,
      maxItems: FIELDS.palette_preview.count,
    }),
    accept: acceptSchema.meta({ description: meaningOf('accept') }),
  })
  .partial();

export type ThemeFields = z.output<typeof themeSchema>;

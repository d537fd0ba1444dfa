import type { Report } from '../diagnostics/diagnostic.ts';
import { suggest, suggestByWords } from '../diagnostics/suggest.ts';
import { validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { meantColour, NAMED_COLOURS, normaliseColour } from './colour/colour.ts';
import type { ValueList } from './fields/field-rows.ts';
import { CHOICE_FIELDS, FIELDS, type Palette, PALETTES } from './fields/fields.ts';
import { themeSchema, type ThemeFields } from './schema.ts';
import type { Site } from './site/site.ts';
import { type AcceptedWarning, spansOf, type ThemeSource } from './theme-source.ts';

/** The settings of a site with the accepted values of theme fields. */
export type FieldChoices = Pick<Site, ValueList>;

/** Checks a `theme.yaml` without regard to other themes. */
export function validateTheme(slug: string, document: SourceDocument, site: FieldChoices, report: Report): ThemeSource {
  const { values, invalid } = validateFields(themeSchema.shape, document, report);
  const fields: Partial<ThemeFields> = { ...values };
  const invalidFields = new Set(invalid);

  for (const field of CHOICE_FIELDS) {
    const value = fields[field];
    const { values: listedAt } = FIELDS[field];
    const allowed = site[listedAt];
    if (value === undefined || allowed.includes(value)) continue;
    const suggestion = suggest(value, allowed) ?? suggestByWords(value, allowed);
    report('field/value', document.valueAt([field]), { field, value, allowed, suggestion, listedAt });
    delete fields[field];
    invalidFields.add(field);
  }

  let partialPalette: readonly (string | null)[] | undefined;
  const written: Partial<Record<Palette, readonly string[]>> = {};
  for (const field of PALETTES) {
    const colours = checkPalette(field, document, report);
    if (colours === undefined) continue;
    if (fields[field] === undefined || colours.length !== COLOURS || colours.includes(null)) {
      delete fields[field];
      if (field === 'palette_preview') partialPalette = colours.slice(0, COLOURS);
      invalidFields.add(field);
    } else {
      written[field] = fields[field];
      fields[field] = colours as string[];
    }
  }
  return {
    slug,
    file: document.file,
    fields,
    invalid: [...invalidFields],
    ...(partialPalette && { partialPalette }),
    written,
    ...(fields.accept && { accepted: acceptedIn(document, fields.accept) }),
    spans: spansOf(document, NAMES),
  };
}

const NAMES = Object.keys(themeSchema.shape);
const { count: COLOURS } = FIELDS.palette_preview;
/** Returns the warnings that a valid `accept` lists, with their locations. */
function acceptedIn(document: SourceDocument, accept: ThemeFields['accept'] & {}): AcceptedWarning[] {
  return (Object.keys(accept) as AcceptedWarning['field'][]).flatMap((field) =>
    (accept[field] ?? []).map((code, index) => ({
      field,
      code,
      location: document.valueAt(['accept', field, index]),
    })),
  );
}

/**
 * Returns the colours of a palette in their published form, with `null` for entries that are not colours. Entries that YAML has split are
 * reported elsewhere.
 */
function checkPalette(
  field: (typeof PALETTES)[number],
  document: SourceDocument,
  report: Report,
): readonly (string | null)[] | undefined {
  const palette = document.data[field];
  if (!Array.isArray(palette)) return undefined;
  if (document.isReported([field])) return [];
  if (palette.length !== COLOURS) report('palette/count', document.keyAt([field]), { found: palette.length });
  return palette.map((value: unknown, index) => {
    if (typeof value !== 'string') return null;
    const colour = normaliseColour(value);
    if ('hsl' in colour) return colour.hsl;
    const suggestion = meantColour(value) ?? suggest(value, NAMED_COLOURS);
    report('palette/colour', document.valueAt([field, index]), { value, problem: colour.problem, suggestion });
    return null;
  });
}

import type { Report } from '../diagnostics/diagnostic.ts';
import { suggest, suggestByWords } from '../diagnostics/suggest.ts';
import { validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { type ColourProblem, NAMED_COLOURS, normaliseColour } from './colour.ts';
import type { ValueList } from './field-rows.ts';
import { CHOICE_FIELDS, FIELDS } from './fields.ts';
import { themeSchema, type ThemeFields } from './schema.ts';
import type { Site } from './site.ts';
import { type Accepted, spansOf, type ThemeSource } from './theme-source.ts';

/** The settings of a site that the fields of a theme depend on. */
export type FieldChoices = Pick<Site, ValueList>;

/** Checks one `theme.yaml` for itself. */
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

  // Also if some entries are no texts: the others are colours to check all the same. What YAML has cut up is not.
  const authored = document.data['palette_preview'];
  let partialPalette: readonly (string | null)[] | undefined;
  let writtenPalette: readonly string[] | undefined;
  if (Array.isArray(authored)) {
    const isReported = document.isReported(['palette_preview']);
    const colours = isReported ? [] : publishedColours(authored, document, report);
    if (fields.palette_preview === undefined || colours.length !== COLOURS || colours.includes(null)) {
      delete fields.palette_preview;
      partialPalette = colours.slice(0, COLOURS);
      invalidFields.add('palette_preview');
    } else {
      writtenPalette = fields.palette_preview;
      fields.palette_preview = colours as string[];
    }
  }
  return {
    slug,
    file: document.file,
    fields,
    invalid: [...invalidFields],
    ...(partialPalette && { partialPalette }),
    ...(writtenPalette && { writtenPalette }),
    ...(fields.accept && { accepted: acceptedIn(document, fields.accept) }),
    spans: spansOf(document, NAMES),
  };
}

const NAMES = Object.keys(themeSchema.shape);
const { count: COLOURS } = FIELDS.palette_preview;
const COLOUR_CODES = {
  syntax: 'palette/colour',
  alpha: 'palette/alpha',
  'not-a-fixed-colour': 'palette/not-fixed',
} as const satisfies Record<ColourProblem, string>;

/** The warnings that a valid `accept` names, with their places. */
function acceptedIn(document: SourceDocument, accept: ThemeFields['accept'] & {}): Accepted[] {
  return (Object.keys(accept) as Accepted['field'][]).flatMap((field) =>
    (accept[field] ?? []).map((code, index) => ({
      field,
      code,
      location: document.valueAt(['accept', field, index]),
    })),
  );
}

/** The colours of a palette as they are published, with nothing in place of those that are none. */
function publishedColours(
  palette: readonly unknown[],
  document: SourceDocument,
  report: Report,
): readonly (string | null)[] {
  if (palette.length !== COLOURS)
    report('palette/count', document.keyAt(['palette_preview']), { found: palette.length });
  return palette.map((value, index) => {
    if (typeof value !== 'string') return null;
    const colour = normaliseColour(value);
    if ('hsl' in colour) return colour.hsl;
    const digits = value.normalize('NFKC').replace(/^#?\s*(?:0x)?/i, '');
    const hex = /^(?:[0-9a-f]{3}){1,2}$/i.test(digits) ? `#${digits}` : undefined;
    const suggestion = hex ?? suggest(value, NAMED_COLOURS);
    report(COLOUR_CODES[colour.problem], document.valueAt(['palette_preview', index]), { value, suggestion });
    return null;
  });
}

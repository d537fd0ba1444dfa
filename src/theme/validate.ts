import type { Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { type ColourProblem, NAMED_COLOURS, normaliseColour } from './colour.ts';
import { themeSchema, type ThemeFields } from './schema.ts';
import type { Site } from './site.ts';

/** A theme as authored: the fields that its own file has, each checked for itself. */
export interface ThemeSource {
  slug: string;
  document: SourceDocument;
  /** `palette_preview` is in its published form. */
  fields: Partial<ThemeFields>;
  /** Fields that were meant but are wrong, so not to be called missing. */
  claimed: ReadonlySet<string>;
}

const LOGO_TYPE_FIELDS = [
  'light_mode_logo_type',
  'dark_mode_logo_type',
  'compact_light_mode_logo_type',
  'compact_dark_mode_logo_type',
] as const;

/** Checks one `theme.yaml` for itself. */
export function validateTheme(slug: string, document: SourceDocument, site: Site, report: Report): ThemeSource {
  const { values, claimed } = validateFields(themeSchema.shape, document, report);
  const fields: Partial<ThemeFields> = { ...values };
  const wrong = new Set(claimed);

  const checkListed = (
    field: (typeof LOGO_TYPE_FIELDS)[number] | 'logo_alignment',
    listedAt: 'logo_types' | 'logo_alignments',
  ): void => {
    const value = fields[field];
    const allowed = site[listedAt];
    if (value === undefined || allowed.includes(value)) return;
    report('field/value', document.valueAt([field]), {
      field,
      value,
      allowed,
      suggestion: suggest(value, allowed),
      listedAt,
    });
    delete fields[field];
    wrong.add(field);
  };
  for (const field of LOGO_TYPE_FIELDS) checkListed(field, 'logo_types');
  checkListed('logo_alignment', 'logo_alignments');

  // Also if some entries are no texts: the others are colours to check all the same.
  const authored = document.data['palette_preview'];
  if (Array.isArray(authored) && !document.isReported(['palette_preview'])) {
    const palette = validatePalette(authored, document, report);
    if (palette === undefined || fields.palette_preview === undefined) {
      delete fields.palette_preview;
      wrong.add('palette_preview');
    } else fields.palette_preview = palette;
  }
  return { slug, document, fields, claimed: wrong };
}

const COLOUR_CODES = {
  syntax: 'palette/colour',
  alpha: 'palette/alpha',
  'not-a-fixed-colour': 'palette/not-fixed',
} as const satisfies Record<ColourProblem, string>;

function validatePalette(colours: readonly unknown[], document: SourceDocument, report: Report): string[] | undefined {
  const palette: string[] = [];
  if (colours.length !== 9) report('palette/count', document.keyAt(['palette_preview']), { found: colours.length });
  colours.forEach((value, index) => {
    if (typeof value !== 'string') return;
    const colour = normaliseColour(value);
    if ('hsl' in colour) palette.push(colour.hsl);
    else {
      const suggestion = /^(?:[0-9a-f]{3}){1,2}$/i.test(value) ? `#${value}` : suggest(value, NAMED_COLOURS);
      report(COLOUR_CODES[colour.problem], document.valueAt(['palette_preview', index]), { value, suggestion });
    }
  });
  return palette.length === 9 && colours.length === 9 ? palette : undefined;
}

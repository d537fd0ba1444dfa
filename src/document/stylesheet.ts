import { luminance } from '../theme/colour.ts';
import { type Field, RECORD_FIELDS, ROWS } from '../theme/fields.ts';
import type { Site } from '../theme/site.ts';
import { LOGO_CHOICES, type LogoField, logoOf, type Mode } from './logo-choice.ts';
import type { ImageSet, ThemeRecord } from './record.ts';

/** The prefix of every custom property. */
const PREFIX = '--theme-';

/**
 * Returns the theme as a stylesheet: custom properties on `:root`. Each logo is the variant for the mode: the mode of the system, unless
 * `data-color-scheme` on the root element overrides it.
 */
export function stylesheet(record: ThemeRecord, { dark: palette, roles, ratioOf }: StyleExtra = NO_EXTRA): string {
  const palettes = palette && { light: colours(record.palette_preview), dark: colours(palette) };
  const [light, dark] = (['light', 'dark'] as const).map((mode) =>
    declarations([...logos(record, mode, ratioOf), ...(palettes?.[mode] ?? [])]),
  );
  const siteLogo = ratio('logo_site', ratioOf);
  const fields = RECORD_FIELDS.filter((field) => palettes === undefined || field !== 'palette_preview');
  const roleColours = Object.entries(roles).flatMap(([role, number]): Property[] => [
    [role, `var(${PREFIX}palette-${number})`],
    [`on-${role}`, `var(${PREFIX}on-palette-${number})`],
  ]);
  const common = declarations([...fields.flatMap((field) => properties(field, record)), ...siteLogo, ...roleColours]);
  return `:root {\n${common}${light}}
@media (prefers-color-scheme: dark) {\n:root {\n${dark}}\n}
:root[data-color-scheme="light"] {\n${light}}
:root[data-color-scheme="dark"] {\n${dark}}
`;
}

/** Data of the theme and its site that are not in the record. */
export interface StyleExtra {
  /** The palette of dark mode. */
  dark?: readonly string[] | undefined;
  roles: Site['roles'];
  /** Returns the size of a logo, if it was measured. */
  ratioOf: (field: LogoField | 'logo_site') => { width: number; height: number } | undefined;
}

const NO_EXTRA: StyleExtra = { roles: {}, ratioOf: () => undefined };

type Property = readonly [name: string, value: string];

function declarations(list: readonly Property[]): string {
  return list.map(([name, value]) => `${PREFIX}${name}: ${value};\n`).join('');
}

/** Returns the name of a field's property: `default_group_banner` becomes `group-banner`. */
function propertyName(field: Field): string {
  return field === 'logo_site' ? 'site-logo' : field.replace(/^default_/, '').replaceAll('_', '-');
}

/** Returns the properties of a field that are equal in both modes. Logos depend on the mode, and pages cannot use an icon from CSS. */
function properties(field: Field, record: ThemeRecord): Property[] {
  const row = ROWS[field];
  const name = propertyName(field);
  if (row.kind === 'image') return [];
  if (row.kind === 'image_set') return [[name, `url(${cssString((record[field] as ImageSet).thumbnail)})`]];
  const value = `${record[field] as string | number}`;
  switch (row.type) {
    case 'integer':
      return [[name, value]];
    case 'line':
      return [[name, cssString(value)]];
    case 'pixels':
      return [[name, `${value}px`]];
    case 'choice':
      // The logos already depend on the mode, so a page does not need the logo type.
      return row.mode === undefined ? [[name, value]] : [];
    case 'colours':
      return colours(record.palette_preview);
    default:
      return [];
  }
}

function colours(palette: readonly string[]): Property[] {
  return palette.flatMap((colour, index): Property[] => [
    [`palette-${index + 1}`, colour],
    [`on-palette-${index + 1}`, textOn(colour)],
  ]);
}

function logos(record: ThemeRecord, mode: Mode, ratioOf: StyleExtra['ratioOf']): Property[] {
  return LOGO_CHOICES.filter((choice) => choice.mode === mode).flatMap(({ normal }): Property[] => {
    const field = logoOf(record, mode, normal);
    return [[propertyName(normal), `url(${cssString(record[field])})`], ...ratio(field, ratioOf, normal)];
  });
}

/** Returns width and height of a logo for `aspect-ratio`: a page reserves its space before it loads. */
function ratio(field: LogoField | 'logo_site', ratioOf: StyleExtra['ratioOf'], name: Field = field): Property[] {
  const size = ratioOf(field);
  return size === undefined ? [] : [[`${propertyName(name)}-ratio`, `${size.width} / ${size.height}`]];
}

/** Returns black or white, whichever has more contrast on a published colour: always 4.5:1 or more (WCAG 2.2, §1.4.3). */
export function textOn(colour: string): '#000' | '#fff' {
  const light = luminance(colour) + 0.05;
  return 1.05 / light > light / 0.05 ? '#fff' : '#000';
}

/** Quotes a string for CSS (CSS Syntax 3, §4.3.7). Escapes `<` for pages that inline the stylesheet. */
function cssString(text: string): string {
  return `"${text.replace(/["\\<\u0000-\u001f\u007f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}

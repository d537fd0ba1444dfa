import { luminance } from '../theme/colour/colour.ts';
import { type Field, RECORD_FIELDS, ROWS } from '../theme/fields/fields.ts';
import type { Site } from '../theme/site/site.ts';
import { LOGO_CHOICES, type LogoField, logoOf, type Mode } from './logo-choice.ts';
import type { ImageSet, ThemeRecord } from './record.ts';

/** A theme as pages show it: its record, and what only stylesheets and apps get. */
export interface Look {
  record: ThemeRecord;
  /** The palette of dark mode, if it differs. */
  palette_dark?: readonly string[] | undefined;
  /** Returns the size of a logo, if it was measured. */
  ratioOf?: ((field: LogoField | 'logo_site') => { width: number; height: number } | undefined) | undefined;
}

/** A custom property of CSS. */
export type Variable = readonly [name: string, value: string];

/** The variables of a theme: those of both modes, and those of one. */
export type Variables = Readonly<Record<'both' | Mode, readonly Variable[]>>;

/** The prefix of every variable. */
const PREFIX = '--theme-';

/**
 * Returns the variables of a theme. Whatever shows a theme gets them here: the stylesheet, the sample page, the page of the team, the studio and
 * the review.
 */
export function variablesOf(look: Look, { roles }: Pick<Site, 'roles'>): Variables {
  const { record, palette_dark: dark, ratioOf } = look;
  const palettes = dark && { light: colours(record.palette_preview), dark: colours(dark) };
  const fields = RECORD_FIELDS.filter((field) => palettes === undefined || field !== 'palette_preview');
  const roleColours = Object.entries(roles).flatMap(([role, number]): Variable[] => [
    [PREFIX + role, `var(${paletteVariable(number)})`],
    [`${PREFIX}on-${role}`, `var(${PREFIX}on-palette-${number})`],
  ]);
  const inMode = (mode: Mode): Variable[] => [...logos(record, mode, ratioOf), ...(palettes?.[mode] ?? [])];
  return {
    both: [...fields.flatMap((field) => variables(field, record)), ...ratio('logo_site', ratioOf), ...roleColours],
    light: inMode('light'),
    dark: inMode('dark'),
  };
}

/** Returns the variable of a field: `default_group_banner` becomes `--theme-group-banner`. */
export function variableOf(field: Field): string {
  return PREFIX + (field === 'logo_site' ? 'site-logo' : field.replace(/^default_/, '').replaceAll('_', '-'));
}

/** Returns the variable of a colour of the palette. @param number - from 1 */
export function paletteVariable(number: number): string {
  return `${PREFIX}palette-${number}`;
}

/** Returns the variables of a field that are equal in both modes. Logos depend on the mode, and pages cannot use an icon from CSS. */
function variables(field: Field, record: ThemeRecord): Variable[] {
  const row = ROWS[field];
  const name = variableOf(field);
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
    case 'boolean':
    default:
      return [];
  }
}

const PUBLISHED_FORM = /^hsl\(\d{1,3}(?:,\d{1,3}%){2}\)$/;

/** Returns the variables of a palette. Leaves out colours that an unfinished theme lacks. */
function colours(palette: readonly string[]): Variable[] {
  return palette.flatMap((colour, index): Variable[] =>
    PUBLISHED_FORM.test(colour)
      ? [
          [paletteVariable(index + 1), colour],
          [`${PREFIX}on-palette-${index + 1}`, textOn(colour)],
        ]
      : [],
  );
}

function logos(record: ThemeRecord, mode: Mode, ratioOf: Look['ratioOf']): Variable[] {
  return LOGO_CHOICES.filter((choice) => choice.mode === mode).flatMap(({ normal }): Variable[] => {
    const field = logoOf(record, mode, normal);
    return [[variableOf(normal), `url(${cssString(record[field])})`], ...ratio(field, ratioOf, normal)];
  });
}

/** Returns width and height of a logo for `aspect-ratio`: a page reserves its space before it loads. */
function ratio(field: LogoField | 'logo_site', ratioOf: Look['ratioOf'], name: Field = field): Variable[] {
  const size = ratioOf?.(field);
  return size === undefined ? [] : [[`${variableOf(name)}-ratio`, `${size.width} / ${size.height}`]];
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

import type { ThemeRecord } from '../record.ts';
import { textOn } from '../stylesheet.ts';

const HSL = /^hsl\(\d{1,3}(?:,\d{1,3}%){2}\)$/;

/**
 * Returns the style sheet of a theme for the mock page, with the sizes and colours of its record; the Content-Security-Policy forbids
 * style attributes.
 * @param around - a selector with a space, for the element around the screens
 */
export function themeStyle(record: ThemeRecord, around = ''): string {
  const properties = themeVariables(record).map(([name, value]) => `${name}: ${value};`);
  return `${around}.screen { ${properties.join(' ')} }\n`;
}

/** Returns the sizes and colours as custom properties. Ignores colours that are not in their published form. */
export function themeVariables(record: ThemeRecord): [name: string, value: string][] {
  const colours = record.palette_preview.flatMap((colour, index): [string, string][] => {
    if (!HSL.test(colour)) return [];
    return [
      [`--c${index + 1}`, colour],
      [`--on-c${index + 1}`, textOn(colour)],
    ];
  });
  return [
    ['--logo-height', `${record.logo_height}px`],
    ['--compact-logo-size', `${record.compact_logo_size}px`],
    ['--logo-margin-left', `${record.logo_margin_left}px`],
    ['--logo-margin-top', `${record.logo_margin_top}px`],
    ...colours,
  ];
}

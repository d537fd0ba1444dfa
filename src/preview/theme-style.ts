import type { ThemeRecord } from '../document/record.ts';
import { luminance } from '../theme/colour.ts';

const HSL = /^hsl\(\d{1,3}(?:,\d{1,3}%){2}\)$/;

/**
 * The style sheet of one theme, for the mock page: the sizes and colours of its record. The Content-Security-Policy forbids
 * style attributes.
 */
export function themeStyle(record: ThemeRecord): string {
  const properties = themeVariables(record).map(([name, value]) => `${name}: ${value};`);
  return `.screen { ${properties.join(' ')} }\n`;
}

/** The same as custom properties. Colours that are not in their published form are ignored. */
export function themeVariables(record: ThemeRecord): [name: string, value: string][] {
  const colours = record.palette_preview.flatMap((colour, index): [string, string][] => {
    const onColour = textOn(colour);
    return onColour === undefined
      ? []
      : [
          [`--c${index + 1}`, colour],
          [`--on-c${index + 1}`, onColour],
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

/** Black or white, whichever has more contrast on the colour: always 4.5:1 or more (WCAG 2.2, §1.4.3). */
export function textOn(colour: string): '#000' | '#fff' | undefined {
  if (!HSL.test(colour)) return undefined;
  const light = luminance(colour) + 0.05;
  return 1.05 / light > light / 0.05 ? '#fff' : '#000';
}

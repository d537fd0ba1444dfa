import type { ThemeRecord } from '../document/record.ts';
import { hsl } from '../theme/colour-spaces.ts';

const HSL = /^hsl\((\d{1,3}),(\d{1,3})%,(\d{1,3})%\)$/;

/**
 * The style sheet of one theme, for the mock page: the sizes and colours that its record has. The Content-Security-Policy forbids
 * style attributes. A palette that is not as published is left out.
 */
export function themeStyle(record: ThemeRecord): string {
  const colours = record.palette_preview.flatMap((colour, index) => {
    const onColour = textOn(colour);
    return onColour === undefined ? [] : [`  --c${index + 1}: ${colour}; --on-c${index + 1}: ${onColour};\n`];
  });
  return `.screen {
  --logo-height: ${record.logo_height}px; --compact-logo-size: ${record.compact_logo_size}px;
  --logo-margin-left: ${record.logo_margin_left}px; --logo-margin-top: ${record.logo_margin_top}px;
${colours.join('')}}
`;
}

/** Black or white, whichever has more contrast on the colour: always 4.5:1 or more (WCAG 2.2, §1.4.3). */
export function textOn(colour: string): '#000' | '#fff' | undefined {
  const [, h, s, l] = HSL.exec(colour) ?? [];
  if (h === undefined || s === undefined || l === undefined) return undefined;
  const [red, green, blue] = hsl([Number(h), Number(s), Number(l)]).map(linear) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? '#fff' : '#000';
}

/** WCAG 2.2, "relative luminance". */
function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

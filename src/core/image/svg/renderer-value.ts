import { clippedHex } from '../../theme/colour/colour.ts';
import { PIXELS_PER_UNIT } from './dimensions.ts';
import { readTransform, rounded } from './matrix.ts';

/** A reference or a string, which stays as it is; or a number with a unit, outside of words. */
const LENGTH =
  /url\([^()]*\)|"[^"]*"|'[^']*'|(?<![\w#.-])([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(mm|cm|in|p[tcx]|q|r?em|ex)(?![\w-])/gi;

/** Colour functions; librsvg draws black or nothing for most of them. */
const COLOUR = /(?<![\w-])(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([^()]*\)/gi;
/** A colour that librsvg reads itself. */
const PLAIN_RGB = /^rgba?\(\s*\d+(?:\s*,\s*\d+){2}(?:\s*,\s*[\d.]+)?\s*\)$/i;

/** Rewrites a value for librsvg: lengths in px at 96 dpi, as in browsers; colours in sRGB. */
export function rendererValue(value: string): string {
  return value
    .replaceAll(LENGTH, (written: string, number: string | undefined, unit: string) => {
      const lower = number === undefined ? '' : unit.toLowerCase();
      if (/^(?:px|em|ex)$/.test(lower)) return number + lower;
      return lower === '' || Number(number) === 0
        ? written
        : `${rounded(Number(number) * (PIXELS_PER_UNIT[lower] ?? 1))}px`;
    })
    .replaceAll(COLOUR, (written) => (PLAIN_RGB.test(written) ? written : (clippedHex(written) ?? written)));
}

/** Returns the colour functions in a value that cannot be converted. */
export function unknownColours(value: string): string[] {
  return (value.match(COLOUR) ?? []).filter(
    (call) => clippedHex(call) === undefined && !/^rgba?\([\d\s.,%]*\)$/i.test(call),
  );
}

/** Values that CSS accepts for every property. */
export const WIDE_KEYWORD = /^\s*(?:inherit|initial|unset|revert(?:-layer)?)\s*$/i;

/** Whether browsers ignore a declaration that librsvg may read, or reads otherwise. */
export function isInvalid(property: string, value: string, isSheet: boolean): boolean {
  if (property === 'transform') return !WIDE_KEYWORD.test(value) && cssTransform(value) === undefined;
  if (property === 'stroke-width') return /^\s*-/.test(value);
  if (property === 'filter') return /blur\(\s*(?=[\d.]*[1-9])[\d.]+\s*\)/i.test(value);
  // Measured with Chromium 156: these lengths need a unit, but not in an attribute.
  return isSheet && /^(?:width|height)$/.test(property) && /^\s*(?=[\d.]*[1-9])[\d.]+(?:e\d+)?\s*$/i.test(value);
}

/** Reads a transformation in CSS; `em` is that of the default font. */
export function cssTransform(value: string): ReturnType<typeof readTransform> {
  const pixels = rendererValue(value).replaceAll(
    /(?<![\d.])([\d.]+)(em|ex)(?![\w-])/g,
    (_, number: string, unit: string) => {
      return `${Number(number) * (PIXELS_PER_UNIT[unit] ?? 1)}px`;
    },
  );
  return readTransform(pixels, true);
}

/** The inherited properties that drawings use, with their initial values. */
export const INITIAL: ReadonlyMap<string, string> = new Map(
  `fill #000,fill-opacity 1,fill-rule nonzero,stroke none,stroke-width 1,stroke-opacity 1,stroke-linecap butt,stroke-linejoin miter,
  stroke-miterlimit 4,stroke-dasharray none,stroke-dashoffset 0,color #000,visibility visible,clip-rule nonzero,marker none,marker-start none,
  marker-mid none,marker-end none,paint-order normal,color-interpolation-filters linearRGB,shape-rendering auto,font-size 16px,
  font-family serif,font-weight 400,font-style normal,text-anchor start,letter-spacing normal,word-spacing normal`
    .split(/,\s*/)
    .map((row) => row.split(' ') as [string, string]),
);

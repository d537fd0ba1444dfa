import { clippedHex } from '../../theme/colour.ts';
import { PIXELS } from './dimensions.ts';

/** A number with a unit, outside of words. */
const LENGTH = /(?<![\w#.-])([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(mm|cm|in|p[tcx]|q|r?em|ex)(?![\w-])/gi;

/** Colour functions; librsvg draws black or nothing for most of them. */
const COLOUR = /(?<![\w-])(?:hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([^()]*\)/gi;
/** All of these and the functions that librsvg reads, except relative colours. */
export const COLOUR_FUNCTION = /(?<![\w-])(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([^()]*\)/gi;

/** Rewrites a value for librsvg: lengths in px at 96 dpi, as in browsers; colours in sRGB. */
export function rendererValue(value: string): string {
  return value
    .replaceAll(LENGTH, (written, number: string, unit: string) => {
      const lower = unit.toLowerCase();
      if (/^(?:px|em|ex)$/.test(lower)) return number + lower;
      return /^[+-]?0*\.?0*$/.test(number) ? written : `${rounded(Number(number) * (PIXELS[lower] ?? 1))}px`;
    })
    .replaceAll(COLOUR, (written) => clippedHex(written) ?? written);
}

/** Rewrites the value of a property; returns nothing if browsers ignore it, but librsvg does not. */
export function rendererProperty(name: string, value: string): string | undefined {
  if (name === 'stroke-width' && /^\s*-/.test(value)) return undefined;
  if (name === 'filter' && /blur\(\s*[\d.]*[1-9][\d.]*\s*\)/i.test(value)) return 'none';
  return rendererValue(value);
}

/** Rounds away the noise of binary fractions. */
export function rounded(number: number): number {
  return Math.round(number * 1e6) / 1e6;
}

/** Degrees per unit of an angle (CSS Values 4, §6.1). */
const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Converts a CSS transformation to the attribute `transform`.
 * @param box - width and height that percentages refer to
 * @returns nothing if CSS does not accept it, or it needs a font or a third dimension
 */
export function transformAttribute(value: string, [width, height]: readonly [number, number]): string | undefined {
  let isValid = true;
  const result = value.replaceAll(/([a-z]+)\(([^()]*)\)/gi, (_, written: string, list: string) => {
    const name = written.toLowerCase();
    const numbers = list
      .trim()
      .split(/[\s,]+/)
      .map((text, at) => {
        const [, number, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(px|%|deg|grad|rad|turn)?$/i.exec(text) ?? [];
        if (number === undefined) isValid = false;
        if (unit === '%') return (Number(number) / 100) * (at === 1 || name === 'translatey' ? height : width);
        return Number(number) * (DEGREES[unit.toLowerCase()] ?? 1);
      });
    const [first = 0] = numbers;
    if (name === 'translatex') return `translate(${first})`;
    if (name === 'translatey') return `translate(0 ${first})`;
    if (name === 'scalex') return `scale(${first} 1)`;
    if (name === 'scaley') return `scale(1 ${first})`;
    return `${name.replace(/^skew(.)$/, (__, axis: string) => `skew${axis.toUpperCase()}`)}(${numbers.map(rounded).join(' ')})`;
  });
  return isValid && result.trim() !== 'none' ? result : undefined;
}

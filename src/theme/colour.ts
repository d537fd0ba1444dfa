import { NAMED_COLOURS, UNFIXED_KEYWORDS } from './colour-names.ts';
import {
  clamp,
  COLOUR_SPACES,
  fromPolar,
  hsl,
  hwb,
  lab,
  oklab,
  rgb,
  toGamut,
  turn,
  type Vector,
} from './colour-spaces.ts';

/**
 * Why a text is not a colour that can be published.
 *
 * - `syntax`: not a CSS Color 4 colour at all.
 * - `alpha`: a colour, but translucent, and the interface has no alpha. `transparent` is one.
 * - `not-a-fixed-colour`: depends on where it is used (`currentColor`, `var()`, system colours) or
 *   has to be worked out first (`calc()`, `color-mix()`, `light-dark()`, relative colours).
 */
export type ColourProblem = 'syntax' | 'alpha' | 'not-a-fixed-colour';
export type ColourResult = { hsl: string } | { problem: ColourProblem };

/** How one CSS colour function is written and what its components mean. */
interface Notation {
  /** Allowed shapes of the arguments, over the letters of `Argument.kind`. */
  shapes: readonly RegExp[];
  /** The number 100 % stands for, per component. A hue is in degrees and has no percentages. */
  full: readonly [number | 'hue', number | 'hue', number | 'hue'];
  toSrgb: (components: Vector) => Vector;
}

/** `n`umber, `%`, `a`ngle in degrees, n`o`ne, or the separator itself. */
interface Argument {
  kind: 'n' | '%' | 'a' | 'o' | ',' | '/';
  value: number;
}

/**
 * Turns any opaque CSS Color 4 colour into `hsl(h,s%,l%)` with whole numbers.
 *
 * - A text that already is exactly that (lower case, no spaces, no leading zeros, h 0–359,
 *   s and l 0–100) is returned byte for byte, even `hsl(200,0%,50%)`. All else is converted, so
 *   `hsl(360,50%,50%)` becomes `hsl(0,50%,50%)`. The result is always a text of this kind.
 * - Greys have hue 0 and saturation 0. What counts is the rounded result: saturation 0, or
 *   lightness 0 or 100. Halves round up.
 * - Colours outside sRGB are mapped into it as CSS Color 4 describes, not clipped per channel;
 *   components out of range are clamped where it says so. An alpha above 1 counts as 1.
 * - CSS comments and escapes inside a colour are not read.
 */
export function normaliseColour(text: string): ColourResult {
  if (PUBLISHED.test(text)) return { hsl: text };
  const ascii = text.trim().replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  const parsed = parse(ascii);
  return typeof parsed === 'string' ? { problem: parsed } : { hsl: toHsl(toGamut(parsed)) };
}

const PUBLISHED = /^hsl\((?:\d|[1-9]\d|[12]\d\d|3[0-5]\d)(?:,(?:\d|[1-9]\d|100)%){2}\)$/;

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/;
const FUNCTION = /^([a-z-]+)\((.*)\)$/s;
const COLOUR_FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)$/;
const COLOUR_SPACE = /^[ \t\n\r\f]*([a-z][\w-]*)(.*)$/s;
const ARGUMENT =
  /[ \t\n\r\f]*(?:([+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?)(%|[a-z_][\w-]*)?|(none)(?![\w-])|([,/]))[ \t\n\r\f]*/gy;

const UNFIXED_FUNCTION = /^(?:var|env|attr|calc|color-mix|contrast-color|device-cmyk|light-dark)$/;
const UNFIXED_ARGUMENT =
  /^[ \t\n\r\f]*from(?![\w-])|(?<![\w-])(?:var|env|attr|calc|min|max|clamp|round|mod|rem|a?sin|a?cos|a?tan2?|pow|sqrt|hypot|log|exp|abs|sign)\(/;

const UNITS = new Map<string, { kind: 'n' | '%' | 'a'; scale: number }>([
  ['', { kind: 'n', scale: 1 }],
  ['%', { kind: '%', scale: 1 }],
  ['deg', { kind: 'a', scale: 1 }],
  ['grad', { kind: 'a', scale: 0.9 }],
  ['rad', { kind: 'a', scale: 180 / Math.PI }],
  ['turn', { kind: 'a', scale: 360 }],
]);

/** CSS lets an implementation limit its numbers; this keeps `1e999` from becoming NaN later. */
const LARGEST_NUMBER = 1e9;

function parse(text: string): Vector | ColourProblem {
  const hex = NAMED_COLOURS.get(text) ?? text;
  if (HEX.test(hex)) return parseHex(hex.slice(1));
  if (text === 'transparent') return 'alpha';
  if (UNFIXED_KEYWORDS.has(text)) return 'not-a-fixed-colour';

  const [, name = '', body = ''] = FUNCTION.exec(text) ?? [];
  if (UNFIXED_FUNCTION.test(name)) return 'not-a-fixed-colour';
  if (!COLOUR_FUNCTION.test(name)) return 'syntax';
  if (UNFIXED_ARGUMENT.test(body)) return 'not-a-fixed-colour';
  if (name !== 'color') return parseArguments(FUNCTIONS.get(name.replace(/^(rgb|hsl)a$/, '$1')), body);
  const [, space = '', rest = ''] = COLOUR_SPACE.exec(body) ?? [];
  const toSrgb = COLOUR_SPACES.get(space);
  return parseArguments(toSrgb && { shapes: [PLAIN], full: [1, 1, 1], toSrgb }, rest);
}

function parseHex(digits: string): Vector | ColourProblem {
  const pairs = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (index: number) => Number.parseInt(pairs.slice(2 * index, 2 * index + 2), 16) / 255;
  return pairs.length === 8 && channel(3) < 1 ? 'alpha' : [channel(0), channel(1), channel(2)];
}

function parseArguments(notation: Notation | undefined, body: string): Vector | ColourProblem {
  const tokens = tokenise(body);
  const shape = tokens.map(({ kind }) => kind).join('');
  if (!notation?.shapes.some((allowed) => allowed.test(shape))) return 'syntax';

  const values = tokens.filter(({ kind }) => kind !== ',' && kind !== '/');
  const component = (index: number, full: number | 'hue') => {
    const { kind, value } = values[index] ?? { kind: 'o', value: 0 };
    return kind === '%' && typeof full === 'number' ? (value / 100) * full : value;
  };
  if (values.length > 3 && component(3, 1) < 1) return 'alpha';
  const [first, second, third] = notation.full;
  return notation.toSrgb([component(0, first), component(1, second), component(2, third)]);
}

/** Splits arguments as CSS does, so `1 2 3/1` and `50%50%50%` work. Empty if any part is foreign. */
function tokenise(body: string): Argument[] {
  const tokens: Argument[] = [];
  let end = 0;
  for (const match of body.matchAll(ARGUMENT)) {
    const [matched, number = '', suffix = '', none, separator] = match;
    const unit = UNITS.get(suffix);
    if (unit === undefined) return [];
    if (separator === ',' || separator === '/') tokens.push({ kind: separator, value: 0 });
    else if (none !== undefined) tokens.push({ kind: 'o', value: 0 });
    else tokens.push({ kind: unit.kind, value: clamp(Number(number), -LARGEST_NUMBER, LARGEST_NUMBER) * unit.scale });
    end = match.index + matched.length;
  }
  return end === body.length ? tokens : [];
}

const PLAIN = /^[n%o]{3}(?:\/[n%o])?$/;
const HUE_FIRST = /^[nao][n%o]{2}(?:\/[n%o])?$/;
const HUE_LAST = /^[n%o]{2}[nao](?:\/[n%o])?$/;
const LEGACY_RGB = /^(?:n,n,n|%,%,%)(?:,[n%])?$/;
const LEGACY_HSL = /^[na],%,%(?:,[n%])?$/;

const FUNCTIONS = new Map<string, Notation>([
  ['rgb', { shapes: [PLAIN, LEGACY_RGB], full: [255, 255, 255], toSrgb: rgb }],
  ['hsl', { shapes: [HUE_FIRST, LEGACY_HSL], full: ['hue', 100, 100], toSrgb: hsl }],
  ['hwb', { shapes: [HUE_FIRST], full: ['hue', 100, 100], toSrgb: hwb }],
  ['lab', { shapes: [PLAIN], full: [100, 125, 125], toSrgb: lab }],
  ['lch', { shapes: [HUE_LAST], full: [100, 150, 'hue'], toSrgb: (lch) => lab(fromPolar(lch)) }],
  ['oklab', { shapes: [PLAIN], full: [1, 0.4, 0.4], toSrgb: oklab }],
  ['oklch', { shapes: [HUE_LAST], full: [1, 0.4, 'hue'], toSrgb: (lch) => oklab(fromPolar(lch)) }],
]);

function toHsl([red, green, blue]: Vector): string {
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const chroma = max - min;
  const l = roundHalfUp(50 * (max + min));
  const s = chroma === 0 ? 0 : roundHalfUp((100 * chroma) / (1 - Math.abs(max + min - 1)));
  if (s === 0 || l === 0 || l === 100) return `hsl(0,0%,${l}%)`;

  let sector = (red - green) / chroma + 4;
  if (max === red) sector = (green - blue) / chroma;
  else if (max === green) sector = (blue - red) / chroma + 2;
  return `hsl(${roundHalfUp(turn(60 * sector)) % 360},${s}%,${l}%)`;
}

const roundHalfUp = (value: number) => Math.round(value + 1e-9);

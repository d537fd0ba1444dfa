import type { Color, Rgb } from 'culori';
import culori from 'culori/require';

// The whole of culori loads faster than its 151 modules: 10 ms instead of 70 (measured).
const { clampRgb, colorsNamed, converter, formatHex, formatHex8, parse, toGamut, wcagLuminance } = culori;

/**
 * Why a string cannot be published as a colour.
 *
 * - `syntax`: it is no CSS Color 4 colour.
 * - `alpha`: it is translucent, like `transparent`; the interface has no alpha.
 * - `not-a-fixed-colour`: it depends on the page (`currentColor`, `var()`, system colours), or has to
 *   be computed (`calc()`, `color-mix()`, `light-dark()`, relative colours).
 */
export type ColourProblem = 'syntax' | 'alpha' | 'not-a-fixed-colour';
export type ColourResult = { hsl: string } | { problem: ColourProblem };

/** The named colours of CSS Color 4, https://drafts.csswg.org/css-color-4/#named-colors. */
export const NAMED_COLOURS: readonly string[] = Object.keys(colorsNamed);

/** Returns the relative luminance of a published colour, from 0 to 1 (WCAG 2.2). */
export const luminance: (hsl: string) => number = wcagLuminance;

/**
 * Converts any opaque CSS Color 4 colour to `hsl(h,s%,l%)` with whole numbers.
 *
 * - A string in exactly this form (lower case, no spaces, no leading zeros, h 0–359, s and l 0–100)
 *   is returned unchanged, even `hsl(200,0%,50%)`. Anything else is converted: `hsl(360,50%,50%)`
 *   becomes `hsl(0,50%,50%)`.
 * - Greys have hue 0 and saturation 0, judged by the rounded result: saturation 0, or lightness 0 or
 *   100. Halves round up.
 * - Colours outside sRGB are mapped into it by the algorithm of CSS Color 4, not clipped per channel.
 *   Components out of range are clamped where CSS clamps them; an alpha above 1 becomes 1.
 * - Comments and escapes inside a colour are not supported, nor are strings of more than 256 characters.
 */
export function normaliseColour(text: string): ColourResult {
  if (PUBLISHED_COLOUR.test(text)) return { hsl: text };
  if (text.length > MAX_LENGTH) return { problem: 'syntax' };
  const normalised = normaliseSpacing(text);
  const problem = problemOf(normalised);
  const colour = problem === undefined ? parseColour(normalised) : undefined;
  if (colour === undefined) return { problem: problem ?? 'syntax' };
  return (colour.alpha ?? 1) < 1 ? { problem: 'alpha' } : { hsl: hslText(toSrgb(colour, normalised)) };
}

/** Latin letters by the letters of other alphabets that look like them, for those that colours contain. */
const LATIN: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  е: 'e',
  о: 'o',
  р: 'p',
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  ο: 'o',
  α: 'a',
};

/** Returns the colour that a text was meant to be: `rgb(11 95 255)` for `11, 95, 255`; undefined if it cannot be told. */
export function meantColour(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[^\u0000-\u007f]/gu, (letter) => LATIN[letter] ?? letter)
    .replaceAll(/^[\s"'`]+|[\s"'`;,.]+$/g, '');
  const digits = plain.replace(/^(?:0x|#)?\s*/i, '');
  const [, name = '', inner = ''] = /^(?:(rgb|hsl)a?\b)?\s*\(?\s*([\d.%\s,;/°deg]+?)\s*\)?$/i.exec(plain) ?? [];
  const parts = inner.split(/[\s,;]+/).map((part) => part.replace(/(?:°|deg)$/, ''));
  const isHsl = name === '' ? parts.slice(1).every((part) => part.endsWith('%')) : name.toLowerCase() === 'hsl';
  const withPercent = (part: string): string => (part.endsWith('%') ? part : `${part}%`);
  const candidates = [
    /^(?:[0-9a-f]{3}){1,2}$/i.test(digits) ? `#${digits}` : '',
    plain,
    parts.length === 3
      ? isHsl
        ? `hsl(${[parts[0], ...parts.slice(1).map(withPercent)].join(' ')})`
        : `rgb(${parts.join(' ')})`
      : '',
  ];
  return candidates.find((candidate) => candidate !== text && 'hsl' in normaliseColour(candidate));
}

/**
 * Returns a colour as `#rrggbb` or `#rrggbbaa`, with its channels clipped, as browsers do.
 * @returns undefined if it depends on the page, or is no colour
 */
export function clippedHex(text: string): string | undefined {
  const normalised = normaliseSpacing(text);
  if (normalised.length > MAX_LENGTH || problemOf(normalised) !== undefined) return undefined;
  const colour = parseColour(normalised);
  if (colour === undefined) return undefined;
  // Browsers clip where `toSrgb` maps into the gamut.
  const rgb = clampRgb(toRgb(withCssRules(colour)));
  return (rgb.alpha ?? 1) < 1 ? formatHex8(rgb) : formatHex(rgb);
}

/** Normalises white space and case by the rules of CSS, which only apply to ASCII. */
function normaliseSpacing(text: string): string {
  return text
    .trim()
    .replaceAll(/[ \t\n\r\f]+/g, ' ')
    .replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

export const PUBLISHED_COLOUR = /^hsl\((?:\d|[1-9]\d|[12]\d\d|3[0-5]\d)(?:,(?:\d|[1-9]\d|100)%){2}\)$/;
/** Maximum length of a colour, in characters: the time of culori grows with the square of the length. */
const MAX_LENGTH = 256;

/**
 * Keywords whose colour depends on the page: `currentColor`, the system colours
 * (https://drafts.csswg.org/css-color-4/#css-system-colors) and the deprecated keywords of appendix A.
 */
export const UNFIXED_KEYWORDS: ReadonlySet<string> = new Set(
  `currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas
  canvastext field fieldtext graytext highlight highlighttext linktext mark marktext selecteditem
  selecteditemtext visitedtext activeborder activecaption appworkspace background buttonhighlight
  buttonshadow captiontext inactiveborder inactivecaption inactivecaptiontext infobackground
  infotext menu menutext scrollbar threeddarkshadow threedface threedhighlight threedlightshadow
  threedshadow window windowframe windowtext`.split(/\s+/),
);
const UNFIXED_FUNCTION = /^(?:var|env|attr|calc|color-mix|contrast-color|device-cmyk|light-dark)$/;
const UNFIXED_ARGUMENT =
  /^ ?from(?![\w-])|(?<![\w-])(?:var|env|attr|calc|min|max|clamp|round|mod|rem|a?sin|a?cos|a?tan2?|pow|sqrt|hypot|log|exp|abs|sign)\(/;

const FUNCTION = /^([a-z-]+)\((.*)\)$/s;
/** The functions and colour spaces of CSS; culori accepts more. */
const COLOUR_FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)$/;
const COLOUR_SPACE = /^ ?(?:srgb|srgb-linear|display-p3|a98-rgb|prophoto-rgb|rec2020|xyz|xyz-d50|xyz-d65)(?![\w-])/;

/** Matches an angle that is not the last component. */
const EARLY_ANGLE = /(?:deg|grad|rad|turn) ?[^ /]/;

/** Returns the problem that the text reveals before its numbers are parsed. */
function problemOf(text: string): ColourProblem | undefined {
  if (UNFIXED_KEYWORDS.has(text)) return 'not-a-fixed-colour';
  if (text.startsWith('#') || Object.hasOwn(colorsNamed, text)) return undefined;
  if (text === 'transparent') return 'alpha';
  const [, name = '', body = ''] = FUNCTION.exec(text) ?? [];
  if (UNFIXED_FUNCTION.test(name)) return 'not-a-fixed-colour';
  if (!COLOUR_FUNCTION.test(name)) return 'syntax';
  if (UNFIXED_ARGUMENT.test(body)) return 'not-a-fixed-colour';
  const isForeign = /[^ -~]/.test(body) || (name === 'color' && !COLOUR_SPACE.test(body));
  return isForeign || (name.endsWith('lch') && EARLY_ANGLE.test(body)) ? 'syntax' : undefined;
}

/** Parses with culori, which throws a TypeError for some numbers with a unit that is not an angle. */
function parseColour(text: string): Color | undefined {
  try {
    const colour = parse(text);
    if (colour === undefined) return undefined;
    // CSS allows a limit on numbers; Infinity would become NaN.
    for (const [channel, value] of Object.entries(colour))
      if (typeof value === 'number')
        Object.assign(colour, { [channel]: Math.min(Math.max(value, -MAX_CHANNEL), MAX_CHANNEL) });
    if (/\/ ?none ?\)$/.test(text)) colour.alpha = 0;
    return colour;
  } catch {
    return undefined;
  }
}

const MAX_CHANNEL = 1e9;

const toRgb = converter('rgb');
/** https://drafts.csswg.org/css-color-4/#css-gamut-mapping */
const intoGamut = toGamut('rgb', 'oklch');
/** Tolerance for rounding errors of the conversions: a channel this far outside its range is inside. */
const TOLERANCE = 1e-6;

function toSrgb(colour: Color, text: string): Rgb {
  // CSS clamps the channels of rgb(), but not of color().
  if (colour.mode === 'rgb' && !text.startsWith('color(')) return clampRgb(colour);
  const exact = withCssRules(colour);
  const rgb = toRgb(exact);
  const isInside = [rgb.r, rgb.g, rgb.b].every((channel) => channel >= -TOLERANCE && channel <= 1 + TOLERANCE);
  return isInside ? clampRgb(rgb) : intoGamut(exact);
}

/** Corrects a colour where culori differs from CSS. */
function withCssRules(colour: Color): Color {
  if (colour.mode === 'hsl') return { ...colour, h: turn(colour.h), s: Math.max(colour.s ?? 0, 0) };
  if (colour.mode === 'hwb') return { ...colour, h: turn(colour.h) };
  return colour;
}

/** Normalises an angle to 0 ≤ degrees < 360. */
const turn = (degrees = 0) => ((degrees % 360) + 360) % 360;

function hslText({ r = 0, g = 0, b = 0 }: Partial<Rgb>): string {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const chroma = max - min;
  const l = roundHalfUp(50 * (max + min));
  const s = chroma === 0 ? 0 : roundHalfUp((100 * chroma) / (1 - Math.abs(max + min - 1)));
  if (s === 0 || l === 0 || l === 100) return `hsl(0,0%,${l}%)`;

  let sector = (r - g) / chroma + 4;
  if (max === r) sector = (g - b) / chroma;
  else if (max === g) sector = (b - r) / chroma + 2;
  return `hsl(${roundHalfUp(turn(60 * sector)) % 360},${s}%,${l}%)`;
}

const roundHalfUp = (value: number) => Math.round(value + 1e-9);

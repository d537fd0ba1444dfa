import type { Color, Rgb } from 'culori';
import culori from 'culori/require';

// That is one file instead of 151: measured, 10 ms to load instead of 70.
const { clampRgb, colorsNamed, converter, formatHex, formatHex8, parse, toGamut, wcagLuminance } = culori;

/**
 * Why a string is not a colour that can be published.
 *
 * - `syntax`: not a CSS Color 4 colour at all.
 * - `alpha`: a colour, but translucent, and the interface has no alpha. `transparent` is one.
 * - `not-a-fixed-colour`: depends on where it is used (`currentColor`, `var()`, system colours) or
 *   has to be worked out first (`calc()`, `color-mix()`, `light-dark()`, relative colours).
 */
export type ColourProblem = 'syntax' | 'alpha' | 'not-a-fixed-colour';
export type ColourResult = { hsl: string } | { problem: ColourProblem };

/** The named colours of CSS Color 4, https://drafts.csswg.org/css-color-4/#named-colors */
export const NAMED_COLOURS: readonly string[] = Object.keys(colorsNamed);

/** Relative luminance, from 0 to 1 (WCAG 2.2), of a published colour. */
export const luminance: (hsl: string) => number = wcagLuminance;

/**
 * Turns any opaque CSS Color 4 colour into `hsl(h,s%,l%)` with whole numbers.
 *
 * - A string that already has exactly this form (lower case, no spaces, no leading zeros, h 0–359,
 *   s and l 0–100) is returned byte for byte, even `hsl(200,0%,50%)`. All else is converted, so
 *   `hsl(360,50%,50%)` becomes `hsl(0,50%,50%)`. The result always has this form.
 * - Greys have hue 0 and saturation 0. What counts is the rounded result: saturation 0, or
 *   lightness 0 or 100. Halves round up.
 * - Colours outside sRGB are mapped into it as CSS Color 4 describes, not clipped per channel;
 *   components out of range are clamped where CSS clamps them. An alpha above 1 counts as 1.
 * - CSS comments and escapes inside a colour are not parsed, nor are strings of more than 256 characters.
 */
export function normaliseColour(text: string): ColourResult {
  if (PUBLISHED_COLOUR.test(text)) return { hsl: text };
  if (text.length > MAX_LENGTH) return { problem: 'syntax' };
  const ascii = asciiOf(text);
  const problem = problemOf(ascii);
  const colour = problem === undefined ? parseColour(ascii) : undefined;
  if (colour === undefined) return { problem: problem ?? 'syntax' };
  return (colour.alpha ?? 1) < 1 ? { problem: 'alpha' } : { hsl: hslText(toSrgb(colour, ascii)) };
}

/**
 * A colour function as `#rrggbb` or `#rrggbbaa`, its channels clipped, as browsers show it.
 * @returns nothing for one that depends on anything else, and for all that is not a colour
 */
export function clippedHex(text: string): string | undefined {
  const ascii = asciiOf(text);
  if (ascii.length > MAX_LENGTH || problemOf(ascii) !== undefined) return undefined;
  const colour = parseColour(ascii);
  if (colour === undefined) return undefined;
  // Not `toSrgb`, which maps colours into the gamut; rec2020 has the camera curve in browsers still.
  const rgb = clampRgb(toRgb(colour.mode === 'rec2020' ? colour : withCssRules(colour)));
  return (rgb.alpha ?? 1) < 1 ? formatHex8(rgb) : formatHex(rgb);
}

/** Returns a published colour as `#rrggbb`, for programs that read no CSS. */
export function hexOf(hsl: string): string {
  return formatHex(hsl) ?? hsl;
}

/** White space and case as CSS defines them: no others occur in a colour. */
function asciiOf(text: string): string {
  return text
    .trim()
    .replaceAll(/[ \t\n\r\f]+/g, ' ')
    .replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

export const PUBLISHED_COLOUR = /^hsl\((?:\d|[1-9]\d|[12]\d\d|3[0-5]\d)(?:,(?:\d|[1-9]\d|100)%){2}\)$/;
/** culori takes time that grows with the square of the length. */
const MAX_LENGTH = 256;

/**
 * Names whose colour depends on where they are used: `currentColor`, the system colours
 * (https://drafts.csswg.org/css-color-4/#css-system-colors) and the deprecated ones of appendix A.
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
/** The functions and colour spaces of CSS; culori has others. */
const COLOUR_FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)$/;
const COLOUR_SPACE =
  /^ ?(?:srgb|srgb-linear|display-p3|display-p3-linear|a98-rgb|prophoto-rgb|rec2020|xyz|xyz-d50|xyz-d65)(?![\w-])/;

/** An angle that is not the last component. */
const EARLY_ANGLE = /(?:deg|grad|rad|turn) ?[^ /]/;

/** What a string shows before its numbers are parsed. */
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

/** Parses with culori, which throws a TypeError for some numbers whose unit is not one of an angle. */
function parseColour(text: string): Color | undefined {
  try {
    const isLinearP3 = /^color\( ?display-p3-linear(?![\w-])/.test(text);
    const colour = parse(isLinearP3 ? text.replace('display-p3-linear', 'srgb-linear') : text);
    if (colour === undefined) return undefined;
    // CSS lets an implementation limit its numbers; Infinity would become NaN.
    for (const [channel, value] of Object.entries(colour))
      if (typeof value === 'number')
        Object.assign(colour, { [channel]: Math.min(Math.max(value, -MAX_CHANNEL), MAX_CHANNEL) });
    if (/\/ ?none ?\)$/.test(text)) colour.alpha = 0;
    return isLinearP3 ? { ...toRgb(colour), mode: 'p3' } : colour;
  } catch {
    return undefined;
  }
}

const MAX_CHANNEL = 1e9;

const toRgb = converter('rgb');
/** https://drafts.csswg.org/css-color-4/#css-gamut-mapping */
const intoGamut = toGamut('rgb', 'oklch');
/** Rounding noise of the conversions: this far outside a limit still counts as inside. */
const NOISE = 1e-6;

function toSrgb(colour: Color, text: string): Rgb {
  // The channels of rgb() are clamped, those of color() are not.
  if (colour.mode === 'rgb' && !text.startsWith('color(')) return clampRgb(colour);
  const exact = withCssRules(colour);
  const rgb = toRgb(exact);
  const isInside = [rgb.r, rgb.g, rgb.b].every((channel) => channel >= -NOISE && channel <= 1 + NOISE);
  return isInside ? clampRgb(rgb) : intoGamut(exact);
}

/** Where CSS differs from culori. */
function withCssRules(colour: Color): Color {
  if (colour.mode === 'hsl') return { ...colour, h: turn(colour.h), s: Math.max(colour.s ?? 0, 0) };
  if (colour.mode === 'hwb') return { ...colour, h: turn(colour.h) };
  // Gamma 2.4 since 2025, before that the camera curve: https://github.com/w3c/csswg-drafts/issues/12574
  if (colour.mode === 'rec2020')
    return { ...colour, r: onCameraCurve(colour.r), g: onCameraCurve(colour.g), b: onCameraCurve(colour.b) };
  return colour;
}

/** An angle of any size as 0 ≤ degrees < 360. */
const turn = (degrees = 0) => ((degrees % 360) + 360) % 360;

/** A channel of gamma 2.4 on the curve of ITU-R BT.2020, which culori goes back from. */
function onCameraCurve(channel = 0): number {
  const light = Math.abs(channel) ** 2.4;
  const curved = light < 0.018053968510807 ? 4.5 * light : 1.09929682680944 * light ** 0.45 - 0.09929682680944;
  return Math.sign(channel) * curved;
}

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

import type { Oklab, Oklch, Rgb } from 'culori';
import culori from 'culori/require';
import { type ColourProblem, normaliseColour } from './colour.ts';
import { FIELDS } from './fields.ts';

const { converter, differenceEuclidean, displayable, formatHex, parse, toGamut, wcagContrast } = culori;

/** A proposed colour of `palette_preview`. */
export interface PaletteColour {
  /** `#rrggbb` */
  hex: string;
  /** Its part of the area of an image, from 0 to 1; absent for a colour that was derived. */
  share?: number;
  /** Whether it is the colour that the others are steps of. */
  isGiven?: true;
}

const { count: SIZE } = FIELDS.palette_preview;

/** Lightness (OKLab, 0 to 1) of the steps from dark to light. */
const STEPS = [0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.84, 0.92, 0.97];

/** Colours of an image that are closer than this (Euclidean distance in OKLab) count as one: those of antialiasing and of gradients. */
const SAME = 0.08;
/** Smallest part of the area that makes a colour one of the image. Measured: antialiasing between two colours is below 1 %. */
const MIN_SHARE = 0.015;
/** Smallest chroma (OKLCH) of a colour that is not a grey. */
const MIN_CHROMA = 0.04;
/** The most colours of an image that are told apart. */
const MAX_GROUPS = 64;

const toOklab = converter('oklab');
const toOklch = converter('oklch');
/** https://drafts.csswg.org/css-color-4/#css-gamut-mapping */
const intoGamut = toGamut('rgb', 'oklch');
const distance = differenceEuclidean('oklab');

/**
 * Nine steps of one colour from dark to light, evenly spaced as they are perceived (OKLCH), inside sRGB. The colour itself is one of them.
 * @param text - any CSS colour that can be published
 */
export function paletteOfColour(text: string): PaletteColour[] | { problem: ColourProblem } {
  const checked = normaliseColour(text);
  if ('problem' in checked) return checked;
  // The hsl() of whole numbers is only what is published: colours that culori reads are used as they are.
  const seed = toOklch(parse(text.trim()) ?? parse(checked.hsl));
  return seed === undefined
    ? { problem: 'syntax' }
    : steps(seed).map((hex, at) => ({ hex, ...(at === nearestStep(seed.l) ? { isGiven: true } : {}) }));
}

/**
 * The colours of an image, those first that cover and contrast most, then steps of the first one that is not a grey, to nine in all.
 * @param rgba - 4 bytes per pixel, not premultiplied
 * @param width - of the image, in pixels; without it, the pixels are in no order
 */
export function paletteOfPixels(rgba: Uint8Array, width?: number): PaletteColour[] {
  const groups = groupColours(width === undefined ? rgba : inkOf(rgba, width));
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  const own = groups
    .map(({ hex, weight }) => ({ hex, share: weight / total }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((a, b) => prominence(b) - prominence(a) || (a.hex < b.hex ? -1 : 1))
    .slice(0, SIZE);
  const main = own.find(({ hex }) => oklch(hex).c >= MIN_CHROMA) ?? own[0];
  return [...own, ...fill(own, main === undefined ? [] : steps(oklch(main.hex)))];
}

/** `#rrggbb` of a published colour, as colour inputs need it; black for any other text. */
export function hexOf(hsl: string): string {
  return formatHex(hsl) ?? '#000000';
}

/** WCAG 2.2 contrast ratio, from 1 to 21. */
export function contrast(colour: string, background: 'white' | 'black'): number {
  return wcagContrast(colour, background);
}

const oklch = (hex: string): Oklch => toOklch(parse(hex) ?? { mode: 'rgb', r: 0, g: 0, b: 0 });

function steps(seed: Oklch): string[] {
  const near = nearestStep(seed.l);
  return STEPS.map((l, at) => {
    // Gamut mapping changes colours that are in gamut already, by a little.
    if (at === near) return formatHex(displayable(seed) ? seed : intoGamut(seed));
    // Tints and shades lose chroma towards white and black.
    const c = seed.c * (1 - 0.7 * ((l - 0.6) / 0.5) ** 2);
    return formatHex(intoGamut({ ...seed, l, c }));
  });
}

function nearestStep(lightness: number): number {
  const distances = STEPS.map((l) => Math.abs(l - lightness));
  return distances.indexOf(Math.min(...distances));
}

/** Colours by the area that they and those like them cover, heaviest first. */
function groupColours(rgba: Uint8Array): { hex: string; weight: number }[] {
  const weights = new Map<number, number>();
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha === 0) continue;
    const key = (r << 16) | (g << 8) | b;
    weights.set(key, (weights.get(key) ?? 0) + alpha);
  }
  const groups: { hex: string; weight: number; lab: Oklab }[] = [];
  for (const [key, weight] of [...weights].toSorted(([a, x], [b, y]) => y - x || a - b)) {
    const rgb: Rgb = { mode: 'rgb', r: (key >> 16) / 255, g: ((key >> 8) & 255) / 255, b: (key & 255) / 255 };
    const lab = toOklab(rgb);
    const group = groups.find((one) => distance(one.lab, lab) < SAME);
    if (group !== undefined) group.weight += weight;
    else if (groups.length < MAX_GROUPS) groups.push({ hex: formatHex(rgb), weight, lab });
  }
  return groups;
}

/** Share of the border that has one grey, or white, where that is the background. */
const MIN_BORDER = 0.6;
/** Steps of a channel by which a pixel differs from one beside it at an edge, where encoders and antialiasing mix colours. */
const EDGE = 24;
/** Share of the pixels that are at no edge, below which a drawing is only lines. */
const MIN_FLAT = 0.2;

/** The pixels that are neither background nor at an edge; if those are all, every pixel. */
function inkOf(rgba: Uint8Array, width: number): Uint8Array {
  const pixels = Array.from({ length: rgba.length / 4 }, (_, at) => rgba.subarray(at * 4, at * 4 + 4));
  const isBorder = (at: number): boolean =>
    at < width || at >= pixels.length - width || at % width === 0 || at % width === width - 1;
  const border = pixels.filter((_, at) => isBorder(at));
  const opaque = border.filter((pixel) => pixel[3] === 255);
  const [first] = groupColours(Uint8Array.from(opaque.flatMap((pixel) => [...pixel])));
  const isBackground =
    first !== undefined && first.weight / 255 >= border.length * MIN_BORDER && oklch(first.hex).c < MIN_CHROMA;
  const isNear = (pixel: Uint8Array, other: Uint8Array | undefined): boolean =>
    other === undefined || pixel.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) <= EDGE);
  const isInk = (pixel: Uint8Array): boolean =>
    pixel[3] !== 0 && !(isBackground && distance(hexOfPixel(pixel), first.hex) < SAME);
  const ink = pixels.map((pixel, at) => ({ pixel, at })).filter(({ pixel }) => isInk(pixel));
  const flat = ink.filter(({ pixel, at }) =>
    [at - 1, at + 1, at - width, at + width].every((beside) => isNear(pixel, pixels[beside])),
  );
  const inked = flat.length >= ink.length * MIN_FLAT ? flat : ink;
  return inked.length === 0 ? rgba : Uint8Array.from(inked.flatMap(({ pixel }) => [...pixel]));
}

function hexOfPixel([r = 0, g = 0, b = 0]: Uint8Array): string {
  return formatHex({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
}

/** A colour that is hardly visible on white says less of a brand than one that contrasts. */
function prominence({ hex, share }: { hex: string; share: number }): number {
  return share * Math.log2(1 + contrast(hex, 'white'));
}

/** Of the candidates those that differ most from all that is there, in their own order. */
function fill(own: readonly PaletteColour[], candidates: readonly string[]): PaletteColour[] {
  const chosen = own.map(({ hex }) => hex);
  const added = new Set<string>();
  while (chosen.length < SIZE && added.size < candidates.length) {
    const rest = candidates.filter((hex) => !added.has(hex));
    const apart = rest.map((hex) => Math.min(...chosen.map((one) => distance(one, hex))));
    const next = rest[apart.indexOf(Math.max(...apart))];
    if (next === undefined) break;
    chosen.push(next);
    added.add(next);
  }
  return candidates.filter((hex) => added.has(hex)).map((hex) => ({ hex }));
}

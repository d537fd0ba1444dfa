import type { Oklab, Oklch, Rgb } from 'culori';
import culori from 'culori/require';
import { normaliseColour } from './colour.ts';
import { FIELDS } from '../fields/fields.ts';

const { converter, differenceEuclidean, displayable, formatHex, parse, toGamut, wcagContrast } = culori;

const { count: SIZE } = FIELDS.palette_preview;

/** Lightness of the steps from dark to light (OKLab, 0 to 1). */
const STEPS = [0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.84, 0.92, 0.97];

/** Maximum distance (Euclidean, in OKLab) between colours of an image that are one colour: antialiasing and gradients make such. */
const MAX_DISTANCE = 0.08;
/** Minimum part of the area, from 0 to 1, of a colour of an image. Antialiasing between two colours stays below 1 % (measured). */
const MIN_SHARE = 0.015;
/** Minimum chroma (OKLCH) of a colour that is not a grey. */
const MIN_CHROMA = 0.04;
/** Maximum number of colours that are distinguished in an image. */
const MAX_GROUPS = 64;

const toOklab = converter('oklab');
const toOklch = converter('oklch');
/** https://drafts.csswg.org/css-color-4/#css-gamut-mapping */
const intoGamut = toGamut('rgb', 'oklch');
const distance = differenceEuclidean('oklab');

/**
 * Returns nine steps of a colour as `#rrggbb`, from dark to light, evenly spaced in perception (OKLCH) and inside sRGB, including the colour
 * itself; undefined for a text that is no colour which can be published.
 */
export function paletteOfColour(text: string): string[] | undefined {
  const checked = normaliseColour(text);
  if ('problem' in checked) return undefined;
  // The published hsl() is rounded, so the steps start from the exact colour if culori can parse it.
  const seed = toOklch(parse(text.trim()) ?? parse(checked.hsl));
  return seed && steps(seed);
}

/**
 * Returns nine colours as `#rrggbb`: the most prominent colours of an image, then steps of the first of them that is not a grey.
 * @param rgba - 4 bytes per pixel, not premultiplied
 */
export function paletteOfPixels(rgba: Uint8Array): string[] {
  const groups = groupColours(rgba);
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  const imageColours = groups
    .map(({ hex, weight }) => ({ hex, share: weight / total }))
    .filter(({ share }) => share >= MIN_SHARE)
    .toSorted((a, b) => prominence(b) - prominence(a) || (a.hex < b.hex ? -1 : 1))
    .slice(0, SIZE)
    .map(({ hex }) => hex);
  const main = imageColours.find((hex) => oklch(hex).c >= MIN_CHROMA) ?? imageColours[0];
  return [...imageColours, ...fill(imageColours, main === undefined ? [] : steps(oklch(main)))];
}

/** Returns a published colour as `#rrggbb`, for colour inputs; black for any other text. */
export function hexOf(hsl: string): string {
  return formatHex(hsl) ?? '#000000';
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(colour: string, background: 'white' | 'black'): number {
  return wcagContrast(colour, background);
}

const oklch = (hex: string): Oklch => toOklch(parse(hex) ?? { mode: 'rgb', r: 0, g: 0, b: 0 });

function steps(seed: Oklch): string[] {
  const near = nearestStep(seed.l);
  return STEPS.map((l, at) => {
    // Gamut mapping slightly changes colours that are already inside the gamut.
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

/** Groups the colours by similarity, and returns the groups by the area that they cover, largest first. */
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
    const group = groups.find((candidate) => distance(candidate.lab, lab) < MAX_DISTANCE);
    if (group !== undefined) group.weight += weight;
    else if (groups.length < MAX_GROUPS) groups.push({ hex: formatHex(rgb), weight, lab });
  }
  return groups;
}

/** Weighs the share of a colour by its contrast: a colour that is hardly visible on white says less about a brand. */
function prominence({ hex, share }: { hex: string; share: number }): number {
  return share * Math.log2(1 + contrast(hex, 'white'));
}

/** Returns the candidates that differ most from the chosen colours, in their order, to make nine in all. */
function fill(imageColours: readonly string[], candidates: readonly string[]): string[] {
  const chosen = [...imageColours];
  const added = new Set<string>();
  while (chosen.length < SIZE && added.size < candidates.length) {
    const apart = (hex: string): number => Math.min(...chosen.map((colour) => distance(colour, hex)));
    const [next = ''] = candidates.filter((hex) => !added.has(hex)).toSorted((a, b) => apart(b) - apart(a));
    chosen.push(next);
    added.add(next);
  }
  return candidates.filter((hex) => added.has(hex));
}

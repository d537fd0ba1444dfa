import { BACKGROUNDS, type Mode } from './backgrounds.ts';

/** How well a logo is visible on the backgrounds of both modes, judged by its pixels. Plain data, for the cache. */
export interface LogoAnalysis {
  /** Share of the ink in hardly visible parts on the background of each mode, from 0 to 1. */
  faint: Readonly<Record<Mode, number>>;
  /** Whether it has an opaque, nearly white background. */
  isBoxed: boolean;
  isBlank: boolean;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Increase it when the same pixels get another analysis. */
const ANALYSIS_REVISION = 6;

/** Everything that an analysis depends on besides the image: part of the key of cached results. */
export const ANALYSIS_VERSION = JSON.stringify([ANALYSIS_REVISION, BACKGROUNDS]);

/** WCAG 2.2 contrast below which ink is faint. */
const MIN_CONTRAST = 1.5;
/** Chroma (OKLab) that makes a colour visible even with less contrast, such as yellow on white. */
const MIN_CHROMA = 0.07;
/** Share of visible ink that makes a part visible: letters in a badge, a drawing on a white tile. */
const MIN_VISIBLE_SHARE = 0.02;
/** Alpha (0 to 255) from which a pixel belongs to a part, a connected area of a logo: less is a shadow, or the edge of a curve. */
const MIN_SOLID_ALPHA = 64;
/** Alpha from which anything is visible: below it, black on white has a contrast under 1.1:1. */
const MIN_ALPHA = 8;
/** Minimum share of opaque pixels in an image with a white background, and of nearly white pixels along its border. */
const MIN_BOXED_SHARES = { opaque: 0.98, white: 0.5 };

/** Relative luminance (WCAG 2.2) of a channel by its value. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

const MODES = Object.keys(BACKGROUNDS) as Mode[];
const MODE_COLOURS = MODES.map((mode) => {
  const rgb = channels(BACKGROUNDS[mode]);
  return { luminance: luminance(rgb), hues: huesOf(rgb) };
});

/** Share of a logo in hardly visible parts from which it is reported (docs/adr/image-advice.md). */
export const MAX_FAINT = 0.15;

/** Pixels, from the top left, row by row; not premultiplied. */
export interface Raster {
  width: number;
  height: number;
  /** 3 without alpha, or 4. */
  channels: number;
}

/** Maximum width and height of an analysed logo, in pixels; a larger raster is reduced. */
const MAX_SIDE_PX = 96;

/**
 * Analyses a logo. Only separate parts are judged as hardly visible: white letters on a red badge are visible on white, white letters beside the
 * badge are not.
 */
export function analyseLogo(pixels: Uint8Array, raster: Raster): LogoAnalysis {
  const { rgba, width } = reduce(pixels, raster);
  const [faint, parts] = [faintPixels(rgba), partsOf(rgba, width)];
  const shares = MODES.map((mode, at): [Mode, number] => [mode, faintShare(rgba, parts, faint, 1 << at)]);
  return {
    faint: Object.fromEntries(shares) as LogoAnalysis['faint'],
    isBoxed: isBoxed(pixels, raster),
    isBlank: rgba.every((value, at) => at % 4 !== 3 || value < MIN_ALPHA),
  };
}

/** Scales the raster down by averaging squares until it fits into {@link MAX_SIDE_PX}, and adds an alpha channel. */
function reduce(pixels: Uint8Array, raster: Raster): { rgba: Uint8Array; width: number; height: number } {
  const { channels } = raster;
  const step = Math.ceil(Math.max(raster.width, raster.height) / MAX_SIDE_PX);
  const [width, height] = [Math.ceil(raster.width / step), Math.ceil(raster.height / step)];
  const rgba = new Uint8Array(width * height * 4);
  let to = 0;
  for (let top = 0; top < raster.height; top += step)
    for (let left = 0; left < raster.width; left += step) {
      const [right, bottom] = [Math.min(left + step, raster.width), Math.min(top + step, raster.height)];
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
          const from = (y * raster.width + x) * channels;
          const weight = channels === 4 ? (pixels[from + 3] ?? 0) : 255;
          if (weight === 0) continue;
          red += (pixels[from] ?? 0) * weight;
          green += (pixels[from + 1] ?? 0) * weight;
          blue += (pixels[from + 2] ?? 0) * weight;
          alpha += weight;
        }
      const ink = alpha || 1;
      rgba[to++] = red / ink + 0.5;
      rgba[to++] = green / ink + 0.5;
      rgba[to++] = blue / ink + 0.5;
      rgba[to++] = alpha / ((right - left) * (bottom - top)) + 0.5;
    }
  return { rgba, width, height };
}

/** Whether a value is a logo analysis: a compromised decoder may send anything. */
export function isLogoAnalysis(value: unknown): value is LogoAnalysis {
  if (typeof value !== 'object' || value === null) return false;
  const { faint, isBoxed: boxed, isBlank, ...extra } = value as Partial<Record<keyof LogoAnalysis, unknown>>;
  if (typeof boxed !== 'boolean' || typeof isBlank !== 'boolean') return false;
  if (Object.keys(extra).length > 0 || typeof faint !== 'object' || faint === null) return false;
  const isShare = (share: unknown): boolean => typeof share === 'number' && share >= 0 && share <= 1;
  return (
    Object.keys(faint).length === MODES.length && MODES.every((mode) => isShare((faint as LogoAnalysis['faint'])[mode]))
  );
}

/** Returns a bit for each mode in which the colour of a solid pixel is faint. */
function faintPixels(rgba: Uint8Array): Uint8Array {
  const faint = new Uint8Array(rgba.length / 4);
  let [last, bits] = [-1, 0];
  for (let at = 0; at < faint.length; at++) {
    if ((rgba[4 * at + 3] ?? 0) < MIN_SOLID_ALPHA) continue;
    const colour = ((rgba[4 * at] ?? 0) << 16) | ((rgba[4 * at + 1] ?? 0) << 8) | (rgba[4 * at + 2] ?? 0);
    // Most pixels have the colour of their neighbour.
    if (colour !== last) bits = faintBits(channelsOf(colour));
    last = colour;
    faint[at] = bits;
  }
  return faint;
}

/** Returns a bit for each mode in which a colour is faint: neither its luminance nor its hue distinguishes it from the background. */
function faintBits(rgb: Rgb): number {
  const light = luminance(rgb);
  let bits = 0;
  for (const [at, background] of MODE_COLOURS.entries())
    if (contrast(light, background.luminance) < MIN_CONTRAST && distance(huesOf(rgb), background.hues) < MIN_CHROMA)
      bits |= 1 << at;
  return bits;
}

/** Returns the parts of an image, each as the indices of solid pixels that touch by a side. */
function partsOf(rgba: Uint8Array, width: number): Uint32Array[] {
  const size = rgba.length / 4;
  const isSeen = new Uint8Array(size);
  const queue = new Uint32Array(size);
  const parts: Uint32Array[] = [];
  let end = 0;
  const add = (at: number): void => {
    if (isSeen[at] === 1 || (rgba[4 * at + 3] ?? 0) < MIN_SOLID_ALPHA) return;
    isSeen[at] = 1;
    queue[end++] = at;
  };
  for (let first = 0; first < size; first++) {
    const start = end;
    add(first);
    for (let next = start; next < end; next++) {
      const at = queue[next] ?? 0;
      const column = at % width;
      if (column > 0) add(at - 1);
      if (column < width - 1) add(at + 1);
      if (at >= width) add(at - width);
      if (at + width < size) add(at + width);
    }
    if (end > start) parts.push(queue.subarray(start, end));
  }
  return parts;
}

/** Returns the share of the ink, weighted by alpha, in hardly visible parts. */
function faintShare(rgba: Uint8Array, parts: readonly Uint32Array[], faint: Uint8Array, bit: number): number {
  let [all, lost] = [0, 0];
  for (let at = 3; at < rgba.length; at += 4) all += rgba[at] ?? 0;
  for (const part of parts) {
    let [ink, visible] = [0, 0];
    for (const at of part) {
      const alpha = rgba[4 * at + 3] ?? 0;
      ink += alpha;
      if (((faint[at] ?? 0) & bit) === 0) visible += alpha;
    }
    if (visible < ink * MIN_VISIBLE_SHARE) lost += ink;
  }
  return all === 0 ? 0 : Math.round((lost / all) * 1000) / 1000;
}

/**
 * Whether a logo is opaque, and nearly white in its corners and along half of its border, since a drawing may touch the border. The outermost
 * pixels are skipped: in an SVG, they may be partly transparent.
 */
function isBoxed(pixels: Uint8Array, { width, height, channels }: Raster): boolean {
  const isOpaque = (x: number, y: number): boolean => channels < 4 || pixels[(y * width + x) * channels + 3] === 255;
  const isWhite = (x: number, y: number): boolean => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray((y * width + x) * channels);
    return isOpaque(x, y) && (faintBits([red, green, blue]) & (1 << MODES.indexOf('light'))) !== 0;
  };
  const [right, bottom] = [width - 2, height - 2];
  if (right < 1 || bottom < 1) return false;
  if (![1, right].every((x) => isWhite(x, 1) && isWhite(x, bottom))) return false;
  let [border, white, opaque] = [0, 0, 0];
  for (let y = 1; y <= bottom; y++)
    for (let x = 1; x <= right; x++) {
      if (isOpaque(x, y)) opaque++;
      if (y > 1 && y < bottom && x > 1 && x < right) continue;
      border++;
      if (isWhite(x, y)) white++;
    }
  return white >= border * MIN_BOXED_SHARES.white && opaque >= right * bottom * MIN_BOXED_SHARES.opaque;
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * (LINEAR[r] ?? 0) + 0.7152 * (LINEAR[g] ?? 0) + 0.0722 * (LINEAR[b] ?? 0);
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns the components a and b of OKLab (https://bottosson.github.io/posts/oklab/). The colour library would slow down the start of each decoder. */
function huesOf([red, green, blue]: Rgb): readonly [a: number, b: number] {
  const [r, g, b] = [LINEAR[red] ?? 0, LINEAR[green] ?? 0, LINEAR[blue] ?? 0];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

function distance([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  return Math.hypot(a - c, b - d);
}

/** Returns the channels of `#rgb` or `#rrggbb`. */
function channels(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex;
  return channelsOf(Number.parseInt(digits.slice(1), 16));
}

/** @param colour - `0xrrggbb` */
function channelsOf(colour: number): Rgb {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

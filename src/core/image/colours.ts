import { inflateSync } from 'node:zlib';
import type { Format } from './format.ts';

/** The meaning of the numbers of pixels. */
export interface Encoding {
  /** Chromaticities x and y of white, red, green and blue. */
  primaries: readonly number[];
  /** Converts a number to light, both from 0 to 1; undefined for HDR, whose brightness depends on the screen. */
  toLight: ((value: number) => number) | undefined;
}

/** The colours that a file states without an ICC profile. */
export interface Colours {
  /** Undefined for sRGB, or if a profile defines the colours. */
  encoding: Encoding | undefined;
  /** Whether browsers ignore the profile: something else precedes it, or it is damaged. */
  isProfileIgnored: boolean;
}

const D65 = [0.3127, 0.329];
const REC709 = [...D65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

/** Primaries by their code (ITU-T H.273, table 2); all other codes are read as sRGB. */
const PRIMARIES: Readonly<Record<number, readonly number[]>> = {
  4: [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
  5: [...D65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
  6: [...D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  7: [...D65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  9: [...D65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  12: [...D65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  22: [...D65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077],
};

const fromSrgb = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toSrgb = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
const power = (exponent: number) => (value: number) => value ** exponent;

/** Transfer functions by their code (ITU-T H.273, table 3), PQ and HLG last; all other codes are read as sRGB. */
const TRANSFERS: Readonly<Record<number, Encoding['toLight']>> = {
  4: power(2.2),
  5: power(2.8),
  8: power(1),
  16: undefined,
  18: undefined,
};
/**
 * Transfer functions of video (ITU-R BT.709, BT.601, BT.2020). Measured: Chromium 156 reads them as BT.1886 in a PNG, as screens do, and as sRGB in
 * an AVIF.
 */
const VIDEO_TRANSFERS = new Set([1, 6, 14, 15]);

/** Reads the colours stated in a PNG or an AVIF; other formats have profiles only. */
export function coloursOf(bytes: Buffer, format: Format): Colours {
  if (format === 'png') return pngColours(bytes);
  const hasProfile = format !== 'avif' || bytes.includes('colrprof') || bytes.includes('colrrICC');
  const at = hasProfile ? -1 : bytes.indexOf('colrnclx');
  const encoding = at < 0 ? undefined : encodingOf(bytes.readUInt16BE(at + 8), bytes.readUInt16BE(at + 10), fromSrgb);
  return { encoding, isProfileIgnored: false };
}

function encodingOf(primaries: number, transfer: number, videoTransfer: Encoding['toLight']): Encoding | undefined {
  const toLight = VIDEO_TRANSFERS.has(transfer)
    ? videoTransfer
    : transfer in TRANSFERS
      ? TRANSFERS[transfer]
      : fromSrgb;
  const isSrgb = toLight === fromSrgb && !(primaries in PRIMARIES);
  return isSrgb ? undefined : { primaries: PRIMARIES[primaries] ?? REC709, toLight };
}

/** Reads the chunks of a PNG in the order of their precedence (PNG 3rd edition, §13.14). */
function pngColours(bytes: Buffer): Colours {
  const chunks = new Map<string, Buffer>();
  for (let at = 8, type = ''; at + 12 <= bytes.length && type !== 'IDAT'; at += 12 + bytes.readUInt32BE(at)) {
    type = bytes.toString('latin1', at + 4, at + 8);
    chunks.set(type, bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const [cicp, iccp, gama, chrm] = ['cICP', 'iCCP', 'gAMA', 'cHRM'].map((type) => chunks.get(type));
  if (cicp?.length === 4) {
    const encoding = encodingOf(cicp.readUInt8(0), cicp.readUInt8(1), power(2.4));
    return { encoding, isProfileIgnored: true };
  }
  const isIntact = iccp !== undefined && isIntactProfile(iccp);
  const gamma = isIntact || chunks.has('sRGB') || gama?.length !== 4 ? 0 : gama.readUInt32BE() / 1e5;
  // Browsers ignore primaries that are no colours.
  const isMeasured =
    chrm?.length === 32 && Array.from({ length: 4 }, (_, at) => chrm.readUInt32BE(at * 8 + 4)).every(Boolean);
  const primaries = isMeasured ? Array.from({ length: 8 }, (_, at) => chrm.readUInt32BE(at * 4) / 1e5) : REC709;
  // Browsers ignore primaries without a gamma, and read a gamma of 2.2 alone as sRGB.
  const isSrgb = gamma === 0 || (!isMeasured && Math.abs(gamma - 1 / 2.2) < 0.01);
  const encoding = isSrgb ? undefined : { primaries, toLight: power(1 / gamma) };
  return { encoding, isProfileIgnored: iccp !== undefined && !isIntact };
}

/** Whether a profile can be inflated completely, with its checksum: browsers ignore any other. */
function isIntactProfile(iccp: Buffer): boolean {
  try {
    return inflateSync(iccp.subarray(iccp.indexOf(0) + 2), { maxOutputLength: 16 * 1024 * 1024 }).length > 0;
  } catch {
    return false;
  }
}

/** Converts pixels of 8 bits per channel to sRGB, in place. Colours outside sRGB are clipped, as in browsers. */
export function convertToSrgb(pixels: Uint8Array, channels: number, { primaries, toLight = fromSrgb }: Encoding): void {
  const light = Float64Array.from({ length: 256 }, (_, value) => toLight(value / 255));
  const number = Uint8Array.from({ length: 4096 }, (_, value) => Math.round(toSrgb(value / 4095) * 255));
  const matrix = channels < 3 ? [[1]] : product(inverse(toXyz(REC709)), toAdaptedXyz(primaries));
  for (let at = 0; at < pixels.length; at += channels) {
    const [r = 0, g = 0, b = 0] = [light[pixels[at] ?? 0], light[pixels[at + 1] ?? 0], light[pixels[at + 2] ?? 0]];
    for (const [channel, [x = 0, y = 0, z = 0]] of matrix.entries())
      pixels[at + channel] = number[Math.round(Math.min(Math.max(x * r + y * g + z * b, 0), 1) * 4095)] ?? 0;
  }
}

type Matrix = readonly (readonly number[])[];

/** Adapts colours to another white, as an eye does (http://www.brucelindbloom.com, "Chromatic Adaptation"). */
const BRADFORD = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

const xyzOf = (x: number, y: number): number[] => [x / y, 1, (1 - x - y) / y];
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const transpose = (matrix: Matrix): number[][] => [0, 1, 2].map((at) => matrix.map((row) => row[at] ?? 0));
const product = (a: Matrix, b: Matrix): number[][] => a.map((row) => transpose(b).map((column) => dot(row, column)));

/** Returns the matrix from linear RGB to XYZ, by white and primaries. */
function toXyz([x = 0, y = 1, ...primaries]: readonly number[]): number[][] {
  const basis = transpose([0, 2, 4].map((at) => xyzOf(primaries[at] ?? 0, primaries[at + 1] ?? 1)));
  const scale = inverse(basis).map((row) => dot(row, xyzOf(x, y)));
  return basis.map((row) => row.map((value, at) => value * (scale[at] ?? 0)));
}

/** Returns the same matrix, adapted to the white of sRGB. */
function toAdaptedXyz(primaries: readonly number[]): number[][] {
  const [from, to] = [primaries, D65].map(([x = 0, y = 1]) => BRADFORD.map((row) => dot(row, xyzOf(x, y))));
  const cones = BRADFORD.map((row, at) => row.map((value) => (value * (to?.[at] ?? 1)) / (from?.[at] ?? 1)));
  return product(product(inverse(BRADFORD), cones), toXyz(primaries));
}

function inverse([a = [], b = [], c = []]: Matrix): number[][] {
  const cross = (v: readonly number[], w: readonly number[]): number[] =>
    [1, 2, 0].map((at) => (v[at] ?? 0) * (w[(at + 1) % 3] ?? 0) - (v[(at + 1) % 3] ?? 0) * (w[at] ?? 0));
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  return transpose(columns).map((row) => row.map((value) => value / dot(a, columns[0] ?? [])));
}

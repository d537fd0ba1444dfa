import { inflateSync } from 'node:zlib';
import type { Format } from './format.ts';

/** How the numbers of pixels are to be read, as a file says it otherwise than by an ICC profile; nothing if as sRGB. */
export interface Encoding {
  /** Chromaticities x and y of white, red, green and blue. */
  primaries: readonly number[];
  /** From a number to light, both from 0 to 1; nothing for a range of brightness that screens differ in (HDR). */
  toLight: ((value: number) => number) | undefined;
}

/** What decides the colours of an image besides its pixels. */
export interface Colours {
  encoding: Encoding | undefined;
  /** Whether browsers ignore the profile: something else precedes it, or it is damaged. */
  isProfileIgnored: boolean;
}

const D65 = [0.3127, 0.329];
const REC709 = [...D65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

/** Primaries by their code (ITU-T H.273, table 2); all others are read as those of sRGB. */
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

/** Transfer functions by their code (ITU-T H.273, table 3); all others are read as that of sRGB. */
const TRANSFERS: Readonly<Record<number, Encoding['toLight']>> = {
  4: power(2.2),
  5: power(2.8),
  8: power(1),
  16: undefined,
  18: undefined,
};

/** Those of video (ITU-R BT.709, BT.601 and BT.2020), which are one. */
const VIDEO = new Set([1, 6, 14, 15]);

/** Reads what a file says of its colours; takes no time for formats that only have ICC profiles. */
export function coloursOf(bytes: Buffer, format: Format): Colours {
  if (format === 'png') return pngColours(bytes);
  const at =
    format === 'avif' && !bytes.includes('colrprof') && !bytes.includes('colrrICC') ? bytes.indexOf('colrnclx') : -1;
  const encoding =
    at < 0 ? undefined : codedEncoding(bytes.readUInt16BE(at + 8), bytes.readUInt16BE(at + 10), fromSrgb);
  return { encoding, isProfileIgnored: false };
}

/** @param ofVideo - how the transfer function of video is read: measured, Chromium 156 takes it for that of screens in a PNG alone */
function codedEncoding(primaries: number, transfer: number, ofVideo: Encoding['toLight']): Encoding | undefined {
  const toLight = VIDEO.has(transfer) ? ofVideo : transfer in TRANSFERS ? TRANSFERS[transfer] : fromSrgb;
  return toLight === fromSrgb && !(primaries in PRIMARIES)
    ? undefined
    : { primaries: PRIMARIES[primaries] ?? REC709, toLight };
}

/** The chunks of a PNG in the order in which they precede each other (PNG 3rd edition, §13.14). */
function pngColours(bytes: Buffer): Colours {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') break;
    const end = at + 8 + bytes.readUInt32BE(at);
    chunks.set(type, bytes.subarray(at + 8, end));
    at = end + 4;
  }
  const [cicp, iccp] = [chunks.get('cICP'), chunks.get('iCCP')];
  if (cicp?.length === 4)
    return { encoding: codedEncoding(cicp.readUInt8(0), cicp.readUInt8(1), power(2.4)), isProfileIgnored: true };
  const isWhole = iccp !== undefined && isInflated(iccp);
  const isSrgb = isWhole || chunks.has('sRGB');
  return { encoding: isSrgb ? undefined : measuredEncoding(chunks), isProfileIgnored: iccp !== undefined && !isWhole };
}

/** Whether a profile is there whole, with its checksum: browsers ignore any other. */
function isInflated(iccp: Buffer): boolean {
  try {
    return inflateSync(iccp.subarray(iccp.indexOf(0) + 2), { maxOutputLength: 16 * 1024 * 1024 }).length > 0;
  } catch {
    return false;
  }
}

/** By the chunks gAMA and cHRM (§11.3.2). */
function measuredEncoding(chunks: ReadonlyMap<string, Buffer>): Encoding | undefined {
  const [gama, chrm] = [chunks.get('gAMA'), chunks.get('cHRM')];
  const gamma = gama?.length === 4 ? gama.readUInt32BE() / 1e5 : 0;
  const primaries =
    chrm?.length === 32 ? Array.from({ length: 8 }, (_, at) => chrm.readUInt32BE(at * 4) / 1e5) : REC709;
  // Browsers ignore primaries without a gamma, and take a gamma of 2.2 alone for sRGB.
  const isSrgb = gamma === 0 || (primaries === REC709 && Math.abs(gamma - 1 / 2.2) < 0.01);
  return isSrgb ? undefined : { primaries, toLight: power(1 / gamma) };
}

/**
 * Converts pixels to sRGB, in place; what sRGB does not have is clipped, as in browsers.
 * @param pixels - 8 bits per channel
 */
export function convertToSrgb(pixels: Uint8Array, channels: number, { primaries, toLight = fromSrgb }: Encoding): void {
  const light = Float64Array.from({ length: 256 }, (_, value) => toLight(value / 255));
  const coded = Uint8Array.from({ length: 4096 }, (_, value) => Math.round(toSrgb(value / 4095) * 255));
  const matrix = product(inverse(toXyz(REC709)), adapted(primaries));
  if (channels < 3) {
    for (let at = 0; at < pixels.length; at += channels)
      pixels[at] = Math.round(toSrgb(light[pixels[at] ?? 0] ?? 0) * 255);
    return;
  }
  for (let at = 0; at < pixels.length; at += channels) {
    const [r = 0, g = 0, b = 0] = [0, 1, 2].map((channel) => light[pixels[at + channel] ?? 0]);
    for (const [channel, [x = 0, y = 0, z = 0]] of matrix.entries()) {
      const value = Math.min(Math.max(x * r + y * g + z * b, 0), 1);
      pixels[at + channel] = coded[Math.round(value * 4095)] ?? 0;
    }
  }
}

type Matrix = readonly (readonly number[])[];

/** From linear RGB to XYZ, by primaries and white (http://www.brucelindbloom.com, "RGB/XYZ Matrices"). */
function toXyz([xw = 0, yw = 1, ...rest]: readonly number[]): Matrix {
  const columns = [0, 2, 4].map((at) => xyzOf(rest[at] ?? 0, rest[at + 1] ?? 1));
  const basis = [0, 1, 2].map((row) => columns.map((column) => column[row] ?? 0));
  const scale = inverse(basis).map((row) => dot(row, xyzOf(xw, yw)));
  return basis.map((row) => row.map((value, at) => value * (scale[at] ?? 0)));
}

const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** The same for a viewer who is used to the white of sRGB. */
function adapted(primaries: readonly number[]): Matrix {
  const [from, to] = [primaries, D65].map(([x = 0, y = 1]) => BRADFORD.map((row) => dot(row, xyzOf(x, y))));
  const cones = BRADFORD.map((row, at) => row.map((value) => (value * (to?.[at] ?? 1)) / (from?.[at] ?? 1)));
  return product(product(inverse(BRADFORD), cones), toXyz(primaries));
}

const xyzOf = (x: number, y: number): number[] => [x / y, 1, (1 - x - y) / y];
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) =>
    [0, 1, 2].map((at) =>
      dot(
        row,
        b.map((other) => other[at] ?? 0),
      ),
    ),
  );

function inverse([a = [], b = [], c = []]: Matrix): Matrix {
  const cross = (v: readonly number[], w: readonly number[]): number[] =>
    [0, 1, 2].map(
      (at) => (v[(at + 1) % 3] ?? 0) * (w[(at + 2) % 3] ?? 0) - (v[(at + 2) % 3] ?? 0) * (w[(at + 1) % 3] ?? 0),
    );
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = dot(a, columns[0] ?? []);
  return [0, 1, 2].map((row) => columns.map((column) => (column[row] ?? 0) / determinant));
}

import type { Corrupt, Parsed } from './parsed.ts';
import { readPng } from './png.ts';

const MAX_ICONS = 32;
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Icon {
  /** Its entry in the directory. A side has one byte there, in which 0 means 256 pixels. */
  entry: Buffer;
  start: number;
  bytes: Buffer;
}

/**
 * Parses the icons of an ICO file, which libvips cannot read. The published file contains the icons one after another, without gaps, and without
 * the metadata of PNG icons.
 */
export function readIco(bytes: Buffer): Parsed | Corrupt {
  const icons = directory(bytes);
  if ('damage' in icons) return icons;
  const cleaned: Buffer[] = [];
  for (const { entry, bytes: icon } of icons) {
    const result = isPng(icon) ? readPngIcon(icon, entry) : readBitmap(icon, entry);
    if ('damage' in result) return result;
    cleaned.push(result.published);
  }
  const { width, height } = largest(icons);
  return { width, height, isAnimated: false, icons: icons.length, parts: layOut(bytes, icons, cleaned) };
}

/** Returns width and height of the largest icon, in pixels. */
function largest(icons: readonly Icon[]): { width: number; height: number } {
  const sizes = icons.map(({ entry }) => listedSize(entry));
  return sizes.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
}

function listedSize(entry: Buffer): { width: number; height: number } {
  return { width: entry.readUInt8(0) || 256, height: entry.readUInt8(1) || 256 };
}

/** Returns the PNG icons of an ICO. Everything else in it is checked without a decoder. */
export function pngIcons(bytes: Buffer): Buffer[] {
  const icons = directory(bytes);
  return 'damage' in icons ? [] : icons.map((icon) => icon.bytes).filter(isPng);
}

/** Returns the icon of an ICO that has the most pixels: a PNG, or the pixels of a bitmap. */
export function largestIcon(bytes: Buffer): { png: Buffer } | Pixels {
  const icons = directory(bytes);
  if ('damage' in icons) throw new Error(icons.damage);
  const area = ({ entry }: Icon): number => listedSize(entry).width * listedSize(entry).height;
  const { bytes: icon } = icons.reduce((a, b) => (area(b) > area(a) ? b : a));
  return isPng(icon) ? { png: icon } : bitmapPixels(icon);
}

interface Pixels {
  width: number;
  height: number;
  rgba: Buffer;
}

/** Returns the pixels of a bitmap that {@link readBitmap} accepts: rows from the bottom up, then a mask with a bit for each transparent pixel. */
function bitmapPixels(icon: Buffer): Pixels {
  const [width, height, depth] = [icon.readInt32LE(4), icon.readInt32LE(8) / 2, icon.readUInt16LE(14)];
  const colours = depth > 8 ? 0 : icon.readUInt32LE(32) || 2 ** depth;
  const row = (bits: number): number => Math.ceil((width * bits) / 32) * 4;
  const start = 40 + colours * 4;
  const maskStart = start + row(depth) * height;
  const rgba = Buffer.alloc(width * height * 4);
  // Some programs store the transparency of 32-bit pixels in the mask only.
  const hasAlpha = depth === 32 && rgba.some((_, at) => at % 4 === 3 && icon[start + at] !== 0);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const below = height - 1 - y;
      const [b = 0, g = 0, r = 0, alpha = 0] = colourAt(icon, start + row(depth) * below, x, depth);
      const bits = icon[maskStart + row(1) * below + (x >> 3)] ?? 0;
      const isMasked = ((bits >> (7 - (x & 7))) & 1) === 1;
      rgba.set([r, g, b, hasAlpha ? alpha : isMasked ? 0 : 255], (y * width + x) * 4);
    }
  return { width, height, rgba };
}

/** Returns blue, green and red, with 32 bits also alpha. */
function colourAt(icon: Buffer, line: number, x: number, depth: number): readonly number[] {
  if (depth >= 24) return [...icon.subarray(line + (x * depth) / 8, line + ((x + 1) * depth) / 8)];
  if (depth === 16) {
    const value = icon.readUInt16LE(line + x * 2);
    return [0, 5, 10].map((shift) => Math.round((((value >> shift) & 31) * 255) / 31));
  }
  const byte = icon[line + ((x * depth) >> 3)] ?? 0;
  const index = (byte >> (8 - depth - ((x * depth) & 7))) & (2 ** depth - 1);
  return [...icon.subarray(40 + index * 4, 40 + index * 4 + 3)];
}

/** Returns the icons in the directory, in the order of the file. */
function directory(bytes: Buffer): Icon[] | Corrupt {
  const count = bytes.readUInt16LE(4);
  if (count === 0) return { damage: 'its directory lists no icon' };
  if (count > MAX_ICONS) return { damage: `its directory lists ${count} icons; the maximum is ${MAX_ICONS}` };
  const icons: Icon[] = [];
  for (let at = HEADER_BYTES; at < HEADER_BYTES + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    const [length, start] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    if (length === 0 || start + length > bytes.length) return { damage: 'one of its icons is outside the file' };
    icons.push({ entry: bytes.subarray(at, at + ENTRY_BYTES), start, bytes: bytes.subarray(start, start + length) });
  }
  return icons.toSorted((a, b) => a.start - b.start);
}

function isPng(icon: Buffer): boolean {
  return icon.subarray(0, PNG.length).equals(PNG);
}

type IconResult = { published: Buffer } | Corrupt;

function readPngIcon(icon: Buffer, entry: Buffer): IconResult {
  const png = readPng(icon);
  if ('damage' in png) return { damage: `in one of its icons, ${png.damage}` };
  if (png.isAnimated) return { damage: 'one of its icons is animated' };
  return sizeMismatch(entry, png.width, png.height) ?? { published: Buffer.concat(png.parts) };
}

/** Checks an icon that is a BMP without a file header, whose height is doubled for the mask (Win32, BITMAPINFOHEADER). */
function readBitmap(icon: Buffer, entry: Buffer): IconResult {
  const [headerLength, width, doubled] = [icon.readUInt32LE(0), icon.readInt32LE(4), icon.readInt32LE(8)];
  const [depth, compression, used] = [icon.readUInt16LE(14), icon.readUInt32LE(16), icon.readUInt32LE(32)];
  if (headerLength !== 40 || ![1, 4, 8, 16, 24, 32].includes(depth) || compression !== 0)
    return { damage: 'one of its icons is neither a PNG nor a plain bitmap' };
  const height = doubled / 2;
  const misfit = sizeMismatch(entry, width, height);
  if (misfit !== undefined) return misfit;
  const row = (bits: number): number => Math.ceil((width * bits) / 32) * 4;
  const colours = depth > 8 ? 0 : used === 0 ? 2 ** depth : used;
  const pixels = headerLength + colours * 4 + row(depth) * height;
  // With 32 bits per pixel, the pixels contain the transparency, and some programs omit the mask.
  if (colours > 256 || icon.length < (depth === 32 ? pixels : pixels + row(1) * height))
    return { damage: 'one of its icons is truncated' };
  const published = Buffer.from(icon.subarray(0, pixels + row(1) * height));
  published.fill(0, 20, 32).fill(0, 36, 40); // fields that viewers ignore: bytes, resolution and important colours
  return { published };
}

/** Returns the damage if the directory states another size than an icon has: browsers do not show such an icon. */
function sizeMismatch(entry: Buffer, width: number, height: number): Corrupt | undefined {
  const listedSizes = listedSize(entry);
  if (width === listedSizes.width && height === listedSizes.height) return undefined;
  return {
    damage: `its directory lists an icon as ${listedSizes.width}×${listedSizes.height} pixels, but it is ${width}×${height}`,
  };
}

/** Rewrites the directory for the cleaned icons. */
function layOut(bytes: Buffer, icons: readonly Icon[], cleaned: readonly Buffer[]): Buffer[] {
  const head = Buffer.from(bytes.subarray(0, HEADER_BYTES + icons.length * ENTRY_BYTES));
  let start = head.length;
  for (const [index, { entry }] of icons.entries()) {
    const icon = cleaned[index] as Buffer;
    const at = entry.byteOffset - bytes.byteOffset;
    head.writeUInt32LE(icon.length, at + 8);
    head.writeUInt32LE(start, at + 12);
    start += icon.length;
  }
  return [head, ...cleaned];
}

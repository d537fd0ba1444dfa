import { crc32, inflateSync } from 'node:zlib';
import { neededExif } from './exif.ts';
import { type Corrupt, type Parsed, within } from './parsed.ts';

const SIGNATURE_BYTES = 8;
const HEADER_CONTENT_BYTES = 13;
/** The chunks besides critical ones, whose names begin in upper case, that determine the look of a still image (PNG 3rd edition, §11). */
const KEPT = new Set('cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI pHYs tRNS bKGD'.split(' '));
const INDEXED = 3;
/** Chunks of a PNG whose colours are those that it stores. */
const PLAIN = new Set('IHDR PLTE tRNS sBIT sRGB pHYs bKGD IDAT IEND'.split(' '));
/** Bytes per pixel by colour type, with 8 bits per channel. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, [INDEXED]: 1, 4: 2, 6: 4 };

/** Parses the chunks of a PNG up to its end. */
export function readPng(bytes: Buffer): Parsed | Corrupt {
  const parts = [bytes.subarray(0, SIGNATURE_BYTES)];
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const counts = new Map<string, number>();
  const countOf = (type: string): number => counts.get(type) ?? 0;
  let colours = bytes.readUInt8(25) === INDEXED ? 0 : Infinity;
  let framesBefore = 0;
  for (let at = SIGNATURE_BYTES, type = ''; type !== 'IEND'; at += 12 + bytes.readUInt32BE(at)) {
    type = bytes.toString('latin1', at + 4, at + 8);
    // Its size is read from there.
    const isHeader = type === 'IHDR' && bytes.readUInt32BE(at) === HEADER_CONTENT_BYTES;
    if (isHeader !== (at === SIGNATURE_BYTES) || (type === 'IHDR' && !isHeader))
      return { damage: 'its header cannot be read' };
    const whole = within(bytes, at, at + 12 + bytes.readUInt32BE(at));
    const content = whole.subarray(8, -4);
    counts.set(type, countOf(type) + 1);
    if (type === 'PLTE' && colours === 0) colours = content.length / 3;
    if (type === 'IDAT') framesBefore = countOf('fcTL');
    if (type === 'IEND') parts.push(chunk(type, Buffer.alloc(0)));
    // Browsers read as many entries as there are colours, libvips none of too many.
    else if (type === 'tRNS' && content.length > colours && colours > 0)
      parts.push(chunk(type, content.subarray(0, colours)));
    else if (KEPT.has(type) || /^[A-Z]/.test(type)) parts.push(whole);
    else if (type === 'eXIf' && countOf(type) === 1) {
      const exif = neededExif(content, size);
      if (exif !== undefined) parts.push(chunk(type, exif));
    }
  }
  // Each fcTL starts a frame (§11.3.6); without one before the pixels, these are not shown.
  const isAnimated = countOf('acTL') > 0 && (countOf('fcTL') > 1 || framesBefore === 0);
  return { ...size, isAnimated, parts };
}

/**
 * Returns the side of a PNG that is an icon as it is, in pixels: square, 8 bits per channel, not interlaced, in sRGB, and whole. Nothing for any
 * other, which the decoder judges.
 * @param bytes - as {@link readPng} leaves them
 */
export function iconSide(bytes: Buffer, maxSide: number): number | undefined {
  const side = bytes.readUInt32BE(16);
  const [depth, type = 0, ...methods] = bytes.subarray(24, 29);
  const { [type]: channels } = CHANNELS;
  const isSquare = side === bytes.readUInt32BE(20) && side <= maxSide;
  if (!isSquare || depth !== 8 || channels === undefined || methods.some((method) => method !== 0)) return undefined;
  const names = new Set<string>();
  const pixels: Buffer[] = [];
  for (let at = SIGNATURE_BYTES, end = at; at < bytes.length; at = end) {
    end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!PLAIN.has(name) || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    names.add(name);
    if (name === 'IDAT') pixels.push(bytes.subarray(at + 8, end - 4));
  }
  if (type === INDEXED && !names.has('PLTE')) return undefined;
  const row = 1 + side * channels;
  try {
    const rows = inflateSync(Buffer.concat(pixels), { maxOutputLength: side * row });
    // Each row begins with the number of its filter (§9).
    const isWhole = rows.length === side * row && rows.every((byte, at) => at % row !== 0 || byte <= 4);
    return isWhole ? side : undefined;
  } catch {
    return undefined; // damaged, or more than the pixels
  }
}

/** Returns a PNG whose palette has a colour for each index: browsers draw others in the last colour, libvips in black. */
export function withWholePalette(bytes: Buffer): Buffer {
  const at = bytes.readUInt8(25) === INDEXED ? bytes.indexOf('PLTE') - 4 : -1;
  if (at < 0) return bytes;
  const palette = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
  const lacking = 2 ** bytes.readUInt8(24) - palette.length / 3;
  if (lacking <= 0 || palette.length < 3) return bytes;
  const whole = chunk('PLTE', Buffer.concat([palette, Buffer.alloc(lacking * 3, palette.subarray(-3))]));
  return Buffer.concat([bytes.subarray(0, at), whole, bytes.subarray(at + 12 + palette.length)]);
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4, 'latin1');
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

import { neededExif } from './exif.ts';
import { type Corrupt, type Parsed, within } from './parsed.ts';

// Markers (ITU-T T.81, table B.1): the byte after 0xFF.
const RST = [0xd0, 0xd7] as const;
const [EOI, SOS] = [0xd9, 0xda];
/** Start of frame: baseline, extended, progressive. Browsers decode no other kinds. */
const PROGRESSIVE = 0xc2;
const SOF: ReadonlySet<number> = new Set([0xc0, 0xc1, PROGRESSIVE]);
/** Tables of codes, of quantization, and the restart interval. */
const NEEDED: ReadonlySet<number> = new Set([...SOF, SOS, 0xc4, 0xdb, 0xdd]);
const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];

/**
 * Parses the segments of a JPEG up to its end. Phones write previews, videos, depth and gain maps behind it, and private notes, which are not
 * published.
 */
export function readJpeg(bytes: Buffer): Parsed | Corrupt {
  const parts = [bytes.subarray(0, 2)];
  let [frame, exif]: [Frame | undefined, { tiff: Buffer; at: number } | undefined] = [undefined, undefined];
  let [isProgressive, hasPixels] = [false, false];
  // Anything between segments is padding.
  for (let at = 2; ; at = bytes.indexOf(0xff, at)) {
    const marker = at === -1 ? bytes.readUInt8(bytes.length) : bytes.readUInt8(at + 1);
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
      at++;
      continue;
    }
    if (marker === EOI) break;
    const segment = within(bytes, at, at + 2 + bytes.readUInt16BE(at + 2));
    if (segment.length < 4) return { damage: 'one of its segments cannot be read' };
    at += segment.length;
    if ((marker >= APP0 && marker <= APP15) || marker === COM) {
      // Viewers have read all such segments when the pixels begin.
      if (hasPixels) continue;
      if (marker === APP1 && nameOf(segment).startsWith('Exif\0'))
        exif ??= { tiff: segment.subarray(10), at: parts.length };
      else parts.push(...neededPart(marker, segment));
      continue;
    }
    if (!NEEDED.has(marker)) return { damage: 'browsers do not support this kind of JPEG' };
    if (SOF.has(marker)) [frame, isProgressive] = [readFrame(segment), marker === PROGRESSIVE];
    parts.push(marker === SOS && !isProgressive ? scanOfAllCoefficients(segment) : segment);
    if (marker !== SOS) continue;
    hasPixels = true;
    const end = endOfScan(bytes, at);
    parts.push(within(bytes, at, end));
    at = end;
  }
  if (frame === undefined) return { damage: 'it has no pixels' };
  const needed = exif && neededExif(exif.tiff, frame);
  if (needed !== undefined)
    parts.splice(exif?.at ?? 1, 0, segmentOf(APP1, Buffer.concat([Buffer.from('Exif\0\0'), needed])));
  return { ...frame, isAnimated: false, parts: [...parts, Buffer.from([0xff, EOI])] };
}

type Frame = Required<Pick<Parsed, 'width' | 'height' | 'isCmyk'>>;

/** Reads a frame header (§B.2.2). Four components are CMYK or a transformation of it (Adobe Technical Note 5116, §18). */
function readFrame(segment: Buffer): Frame {
  return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5), isCmyk: segment.readUInt8(9) === 4 };
}

const nameOf = (segment: Buffer): string => segment.toString('latin1', 4, 16);

/** Returns what an image needs of a segment APPn: resolution (ITU-T T.871, §10.1), colour coding (version 100, no flags), colour profile. */
function neededPart(marker: number, segment: Buffer): Buffer[] {
  const name = nameOf(segment);
  if (marker === APP2 && name === 'ICC_PROFILE\0') return [segment];
  if (marker === APP14 && name.startsWith('Adobe') && segment.length >= 16)
    return [segmentOf(APP14, Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, segment.readUInt8(15)]))];
  if (marker !== APP0 || !name.startsWith('JFIF\0') || segment.length < 18) return [];
  return [segmentOf(APP0, Buffer.concat([segment.subarray(4, 16), Buffer.alloc(2)]))]; // no thumbnail follows
}

function segmentOf(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/**
 * Returns a scan header with all coefficients (§B.2.3), since only progressive images have other values. Decoders ignore the values of cameras, but
 * some report them.
 */
function scanOfAllCoefficients(segment: Buffer): Buffer {
  const copy = Buffer.from(segment);
  if (copy.length >= 8) copy.set([0, 63, 0], copy.length - 3);
  return copy;
}

/** Returns the end of the coded pixels: the next marker that is neither a restart nor a stuffed byte (T.81, §B.1.1.5). */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at++;
    else if (next === 0 || (next >= RST[0] && next <= RST[1])) at += 2;
    else return at;
  }
  return bytes.length + 1;
}

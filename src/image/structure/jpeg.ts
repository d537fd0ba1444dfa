import { orientationAlone, orientationOf } from './exif.ts';
import { type Damaged, PIECE_LIMIT, TOO_MANY_PIECES, type Trailing, type Whole } from './walked.ts';

// Markers (ITU-T T.81, table B.1): the byte after 0xFF.
const RST = [0xd0, 0xd7] as const;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Start of frame: baseline, extended, progressive. Browsers decode no others. */
const SOF = new Set([0xc0, 0xc1, 0xc2]);
/** Tables that decoding needs: DHT, DQT, DRI. */
const TABLES = new Set([0xc4, 0xdb, 0xdd]);
const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];

/** Walks over the segments of a JPEG. */
export function readJpeg(bytes: Buffer): Whole | Damaged | Trailing {
  const parts = [bytes.subarray(0, 2)];
  let size: Pick<Whole, 'width' | 'height' | 'isCmyk'> | undefined;
  let orientation: number | undefined;
  let hasScan = false;
  let pieces = 0;
  for (let at = 2; at < bytes.length;) {
    if (bytes[at] !== 0xff) return { damage: 'something in it is not a JPEG segment' };
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++; // segments may be padded (T.81, §B.1.1.2)
      continue;
    }
    if (++pieces > PIECE_LIMIT) return TOO_MANY_PIECES;
    if (marker === EOI) {
      parts.push(bytes.subarray(at, at + 2));
      if (size === undefined || !hasScan) return { damage: 'it has no pixels' };
      return at + 2 < bytes.length ? { trailing: bytes.length - at - 2 } : { ...size, frames: 1, parts };
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return { damage: 'it is cut off' };
    const content = bytes.subarray(at + 4, end);
    const isApp = marker >= APP0 && marker <= APP15;
    if (SOF.has(marker)) {
      if (size !== undefined) return { damage: 'it has two headers' };
      // Four components are CMYK or a transformation of it (Adobe Technical Note 5116, §18).
      const isCmyk = content.readUInt8(5) === 4;
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3), isCmyk };
      if (size.width * size.height === 0) return { damage: 'its header cannot be read' };
    } else if (marker === SOS) {
      const next = endOfScan(bytes, end);
      if (next === undefined) return { damage: 'it is cut off before its end' };
      hasScan = true;
      parts.push(bytes.subarray(at, next));
      at = next;
      continue;
    } else if (!TABLES.has(marker) && !isApp && marker !== COM) {
      const isMarker = marker !== SOI && marker >= 0xc0;
      return { damage: isMarker ? 'browsers cannot show this kind of JPEG' : 'something in it is not a JPEG segment' };
    }
    if (marker === APP1 && orientation === undefined && content.toString('latin1', 0, 6) === 'Exif\0\0') {
      orientation = orientationOf(content.subarray(6));
      if (orientation !== 1) parts.push(orientationSegment(orientation));
    } else if (!isApp && marker !== COM) parts.push(bytes.subarray(at, end));
    else parts.push(...neededSegment(marker, bytes.subarray(at, end)));
    at = end;
  }
  return { damage: 'it is cut off before its end' };
}

/** Where the coded pixels end: at the next marker that is neither a restart nor a stuffed byte (T.81, §B.1.1.5). */
function endOfScan(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(0xff, start); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at++;
    else if (next === 0 || (next >= RST[0] && next <= RST[1])) at += 2;
    else return at;
  }
  return undefined;
}

/** What is kept of an APPn or COM segment. */
function neededSegment(marker: number, segment: Buffer): Buffer[] {
  const is = (name: string): boolean => segment.toString('latin1', 4, 4 + name.length) === name;
  if (marker === APP2 && is('ICC_PROFILE\0')) return [segment];
  // Tells how the colours are coded. 12 bytes (Adobe Technical Note 5116, §18): what follows them is not needed.
  if (marker === APP14 && is('Adobe') && segment.length >= 16) return [lengthened(segment.subarray(0, 16))];
  // Resolution and, again, how the colours are coded: 14 bytes (JFIF 1.02); after them comes a thumbnail.
  if (marker === APP0 && is('JFIF\0') && segment.length >= 18) {
    const jfif = lengthened(segment.subarray(0, 18));
    jfif.fill(0, 16);
    return [jfif];
  }
  return [];
}

/** A copy of the start of a segment that says its own length. */
function lengthened(start: Buffer): Buffer {
  const segment = Buffer.from(start);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

function orientationSegment(orientation: number): Buffer {
  return lengthened(Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), orientationAlone(orientation)]));
}

import { APP0, APP15, AppSegments, COM } from './jpeg-app.ts';
import { type Corrupt, endOfZeros, orTruncated, MAX_PARTS, TOO_MANY_PARTS, type Intact } from './parsed.ts';

// Markers (ITU-T T.81, table B.1): the byte after 0xFF.
const RST = [0xd0, 0xd7] as const;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Start of frame: baseline, extended, progressive. Browsers decode no others. */
const SOF = new Set([0xc0, 0xc1, 0xc2]);
/** Greatest number of bytes in the other segments that an image needs: tables for Huffman codes and quantization, restart interval (§B.2.4). */
const LIMITS: ReadonlyMap<number, number> = new Map([
  [0xc4, 8 * 273],
  [0xdb, 4 * 129],
  [0xdd, 2],
]);

/** Scans in one image: programs write ten. libvips reads no more than this either. */
const SCAN_LIMIT = 100;

/**
 * Walks over the segments of a JPEG. What phones write after the image, further images that are whole JPEGs (previews, depth and gain
 * maps: CIPA DC-007, Ultra HDR), is left out like metadata.
 */
export function readJpeg(bytes: Buffer): Intact | Corrupt {
  const image = readImage(bytes, 0);
  return 'damage' in image ? image : { ...image, end: endOfFurtherImages(bytes, image.end) };
}

/** Where the JPEGs end that follow a JPEG, with nothing but zeros between them. */
function endOfFurtherImages(bytes: Buffer, start: number): number {
  let end = start;
  for (let at = endOfZeros(bytes, end); at + 1 < bytes.length; at = endOfZeros(bytes, end)) {
    const next = at;
    const further = bytes.readUInt16BE(next) === 0xff00 + SOI ? orTruncated(() => readImage(bytes, next)) : undefined;
    if (further === undefined || 'damage' in further) break;
    end = further.end;
  }
  return end;
}

/** What is known of an image while its segments are read. */
interface Reading {
  parts: Buffer[];
  app: AppSegments;
  frame?: Frame;
  scans: number;
}

interface Frame {
  width: number;
  height: number;
  components: number;
}

/** @param start - where its SOI is */
function readImage(bytes: Buffer, start: number): Intact | Corrupt {
  const parts = [bytes.subarray(start, start + 2)];
  const reading: Reading = { parts, app: new AppSegments(), scans: 0 };
  let pieces = 0;
  for (let at = start + 2; at < bytes.length;) {
    if (bytes[at] !== 0xff) return { damage: 'it contains something that is not a JPEG segment' };
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++; // segments may be padded (T.81, §B.1.1.2)
      continue;
    }
    if (++pieces > MAX_PARTS) return TOO_MANY_PARTS;
    if (marker === EOI) return finish(reading, bytes.subarray(at, at + 2), at + 2);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return { damage: 'it is truncated' };
    const problem = readSegment(reading, marker, bytes.subarray(at, end));
    if (problem !== undefined) return problem;
    at = end;
    if (marker !== SOS) continue;
    const next = endOfScan(bytes, end);
    if (next === undefined) return { damage: 'it is truncated' };
    at = next;
    parts.push(bytes.subarray(end, withoutFill(bytes, next)));
  }
  return { damage: 'it is truncated' };
}

function finish({ parts, frame, scans }: Reading, eoi: Buffer, end: number): Intact | Corrupt {
  if (frame === undefined || scans === 0) return { damage: 'it has no pixels' };
  parts.push(eoi);
  const { width, height, components } = frame;
  // Four components are CMYK or a transformation of it (Adobe Technical Note 5116, §18).
  return { width, height, isCmyk: components === 4, frames: 1, parts, end };
}

/** @param segment - from its marker on */
function readSegment(reading: Reading, marker: number, segment: Buffer): Corrupt | undefined {
  const { parts, app } = reading;
  const content = segment.subarray(4);
  if ((marker >= APP0 && marker <= APP15) || marker === COM) {
    // Viewers have made up their mind when the pixels begin.
    return reading.scans === 0 ? app.add(marker, segment, parts) : undefined;
  }
  parts.push(segment);
  const limit = LIMITS.get(marker);
  if (limit !== undefined) return content.length > limit ? { damage: 'one of its tables is too large' } : undefined;
  if (SOF.has(marker)) return readFrame(reading, content);
  if (marker === SOS) return readScan(reading, content);
  const isMarker = marker !== SOI && marker >= 0xc0;
  return {
    damage: isMarker ? 'browsers do not support this kind of JPEG' : 'it contains something that is not a JPEG segment',
  };
}

/** A frame header (§B.2.2). */
function readFrame(reading: Reading, content: Buffer): Corrupt | undefined {
  if (reading.frame !== undefined) return { damage: 'it has two headers' };
  const [height, width, count] = [content.readUInt16BE(1), content.readUInt16BE(3), content.readUInt8(5)];
  if (width * height === 0 || content.length !== 6 + 3 * count) return { damage: 'its header cannot be read' };
  reading.frame = { width, height, components: count };
  return undefined;
}

/** A scan header (§B.2.3). */
function readScan(reading: Reading, content: Buffer): Corrupt | undefined {
  const count = content.readUInt8(0);
  if (
    reading.frame === undefined ||
    count === 0 ||
    count > reading.frame.components ||
    content.length !== 4 + 2 * count
  )
    return { damage: 'its scan header cannot be read' };
  return ++reading.scans > SCAN_LIMIT ? { damage: `its pixels are in more than ${SCAN_LIMIT} scans` } : undefined;
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

/** Where pixels end before which there may be fill bytes. */
function withoutFill(bytes: Buffer, end: number): number {
  let at = end;
  while (bytes[at - 1] === 0xff) at--;
  return at;
}

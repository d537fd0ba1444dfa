import { APP0, APP15, AppSegments, COM } from './jpeg-app.ts';
import { type Corrupt, MAX_PARTS, TOO_MANY_PARTS, type Intact } from './parsed.ts';

// Markers (ITU-T T.81, table B.1): the byte after 0xFF.
const RST = [0xd0, 0xd7] as const;
const EOI = 0xd9;
const SOS = 0xda;
/** Start of frame: baseline, extended, progressive. Browsers decode no other kinds. */
const PROGRESSIVE = 0xc2;
const SOF: ReadonlySet<number> = new Set([0xc0, 0xc1, PROGRESSIVE]);
/**
 * The segments that an image needs, with the maximum number of bytes in each: frame and scan headers of four components (§B.2.2, §B.2.3), tables
 * for Huffman codes and quantization, restart interval (§B.2.4).
 */
const LIMITS: ReadonlyMap<number, number> = new Map([
  ...[...SOF].map((marker) => [marker, 18] as const),
  [SOS, 12],
  [0xc4, 8 * 273],
  [0xdb, 4 * 129],
  [0xdd, 2],
]);

/** Maximum number of scans in one image: programs write ten. libvips does not read more either. */
const MAX_SCANS = 100;

/**
 * Parses the segments of a JPEG. Data after the image is removed like metadata: phones write previews, videos, depth and gain maps there, and
 * private notes.
 */
export function readJpeg(bytes: Buffer): Intact | Corrupt {
  const parts = [bytes.subarray(0, 2)];
  const app = new AppSegments();
  let frame: Frame | undefined;
  let isProgressive = false;
  let scans = 0;
  let pieces = 0;
  for (let at = 2; at < bytes.length;) {
    if (bytes[at] !== 0xff) return { damage: 'it contains something that is not a JPEG segment' };
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++; // segments may be padded (T.81, §B.1.1.2)
      continue;
    }
    if (++pieces > MAX_PARTS) return TOO_MANY_PARTS;
    if (marker === EOI) {
      if (frame === undefined || scans === 0) return { damage: 'it has no pixels' };
      return { ...frame, isAnimated: false, parts: [...parts, bytes.subarray(at, at + 2)], end: bytes.length };
    }
    const segment = bytes.subarray(at, at + 2 + bytes.readUInt16BE(at + 2));
    at += 2 + bytes.readUInt16BE(at + 2);
    if (segment.length < 4 || at > bytes.length) return { damage: 'it is truncated' };
    if ((marker >= APP0 && marker <= APP15) || marker === COM) {
      // Viewers have read all such segments when the pixels begin.
      const problem = scans === 0 ? app.add(marker, segment, parts) : undefined;
      if (problem !== undefined) return problem;
      continue;
    }
    const limit = LIMITS.get(marker);
    if (limit === undefined) return { damage: 'browsers do not support this kind of JPEG' };
    if (segment.length > 4 + limit) return { damage: 'one of its segments is too large' };
    // A scan header says how many components it has (§B.2.3): decoders refuse any other length.
    if (marker === SOS && segment.length !== 8 + 2 * segment.readUInt8(4))
      return { damage: 'a scan header has the wrong length' };
    if (SOF.has(marker)) {
      if (frame !== undefined) return { damage: 'it has two headers' };
      frame = readFrame(segment);
      isProgressive = marker === PROGRESSIVE;
      if (frame.width * frame.height === 0) return { damage: 'its header cannot be read' };
    }
    parts.push(marker === SOS && !isProgressive ? scanOfAllCoefficients(segment) : segment);
    if (marker !== SOS) continue;
    if (++scans > MAX_SCANS) return { damage: `its pixels are in more than ${MAX_SCANS} scans` };
    const end = endOfScan(bytes, at);
    if (end === undefined) return { damage: 'it is truncated' };
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return { damage: 'it is truncated' };
}

type Frame = Required<Pick<Intact, 'width' | 'height' | 'isCmyk'>>;

/** Reads a frame header (§B.2.2). Four components are CMYK or a transformation of it (Adobe Technical Note 5116, §18). */
function readFrame(segment: Buffer): Frame {
  return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5), isCmyk: segment.readUInt8(9) === 4 };
}

/**
 * Returns a scan header with all coefficients (§B.2.3), since only progressive images have other values. Decoders ignore the values of cameras, but
 * some report them.
 */
function scanOfAllCoefficients(segment: Buffer): Buffer {
  const copy = Buffer.from(segment);
  copy.set([0, 63, 0], copy.length - 3);
  return copy;
}

/** Returns the end of the coded pixels: the next marker that is neither a restart nor a stuffed byte (T.81, §B.1.1.5). */
function endOfScan(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(0xff, start); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at++;
    else if (next === 0 || (next >= RST[0] && next <= RST[1])) at += 2;
    else return at;
  }
  return undefined;
}

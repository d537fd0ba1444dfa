import { orientationAlone, orientationOf } from './exif.ts';
import { type Damaged, PIECE_LIMIT, TOO_MANY_PIECES, type Trailing, type Whole } from './walked.ts';

/** The chunks that decide how a still picture looks (RFC 9649, §2). */
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']);
// Flags of VP8X (§2.7): of metadata, and of animation.
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

/** Walks over the chunks of a WebP. */
export function readWebp(bytes: Buffer): Whole | Damaged | Trailing {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return { damage: 'it is cut off before its end' };
  const chunks: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  let extended: Buffer | undefined;
  let orientation = 1;
  let pictures = 0;
  let frames = 0;
  let pieces = 0;
  for (let at = 12; at < end;) {
    // A film may have as many frames.
    if (++pieces > PIECE_LIMIT)
      return frames > 1 ? { width: 0, height: 0, frames: 'several', parts: [bytes] } : TOO_MANY_PIECES;
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (at + 8 + length > end) return { damage: 'it is cut off' };
    if (at === 12 || type === 'VP8 ' || type === 'VP8L') size ??= sizeIn(type, content);
    if (type === 'VP8 ' || type === 'VP8L') pictures++;
    if (type === 'ANMF') frames++;
    if (type === 'EXIF') orientation = orientationOf(content.subarray(content.indexOf('Exif\0\0') === 0 ? 6 : 0));
    if (type === 'VP8X') {
      if (at !== 12 || length !== 10) return { damage: 'its header cannot be read' };
      extended = Buffer.from(bytes.subarray(at, at + 8 + length));
      chunks.push(extended);
    } else if (KEPT.has(type)) chunks.push(...padded(bytes.subarray(at, at + 8 + length)));
    at += 8 + length + (length % 2);
  }
  if (frames === 0 && pictures !== 1) return { damage: pictures === 0 ? 'it has no pixels' : 'it holds two pictures' };
  if (size === undefined) return { damage: 'its header cannot be read' };
  // Some writers leave out the padding of the last chunk.
  if (bytes.length > end + (end % 2)) return { trailing: bytes.length - end };
  if (extended !== undefined) {
    extended.writeUInt8(extended.readUInt8(8) & ~(EXIF_FLAG | XMP_FLAG), 8);
    if (orientation !== 1) {
      // Browsers differ in whether they turn a WebP, so what each of them shows is kept as it is.
      extended.writeUInt8(extended.readUInt8(8) | EXIF_FLAG, 8);
      chunks.push(orientationChunk(orientation));
    }
  }
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return { ...size, frames: Math.max(1, frames), parts: [header, ...chunks] };
}

/** The size in pixels that the first chunk tells (RFC 9649, §2.7 and §3.4; RFC 6386, §9.1). */
function sizeIn(type: string, content: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8X') return { width: 1 + content.readUIntLE(4, 3), height: 1 + content.readUIntLE(7, 3) };
  if (type === 'VP8L') {
    const bits = content.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (type === 'VP8 ') return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  return undefined;
}

/** A chunk of odd length is followed by a zero (RFC 9649, §2.3). */
function padded(chunk: Buffer): Buffer[] {
  return chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)];
}

function orientationChunk(orientation: number): Buffer {
  const content = orientationAlone(orientation);
  const chunk = Buffer.alloc(8 + content.length);
  chunk.write('EXIF');
  chunk.writeUInt32LE(content.length, 4);
  content.copy(chunk, 8);
  return chunk;
}

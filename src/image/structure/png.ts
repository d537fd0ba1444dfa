import { crc32 } from './crc32.ts';
import { orientationAlone, orientationOf } from './exif.ts';
import { type Damaged, PIECE_LIMIT, TOO_MANY_PIECES, type Trailing, type Whole } from './walked.ts';

/** The chunks that decide how a still picture looks (PNG 3rd edition, §11). */
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs'.split(' '));
const SIGNATURE = 8;

/** Walks over the chunks of a PNG, and their checksums. */
export function readPng(bytes: Buffer): Whole | Damaged | Trailing {
  const parts = [bytes.subarray(0, SIGNATURE)];
  const [width, height] = [bytes.readUInt32BE(SIGNATURE + 8), bytes.readUInt32BE(SIGNATURE + 12)];
  const seen = new Map<string, number>();
  let pieces = 0;
  for (let at = SIGNATURE; at < bytes.length;) {
    if (++pieces > PIECE_LIMIT)
      return seen.has('acTL') ? { width, height, frames: 'several', parts: [bytes] } : TOO_MANY_PIECES;
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return { damage: 'something in it is not a PNG chunk' };
    if (end > bytes.length) return { damage: `it is cut off in a chunk ${type}` };
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      return { damage: `the checksum of a chunk ${type} is wrong` };
    if ((type === 'IHDR') !== (at === SIGNATURE) || (type === 'IHDR' && (length !== 13 || width * height === 0)))
      return { damage: 'its header cannot be read' };
    seen.set(type, (seen.get(type) ?? 0) + 1);
    // An upper-case first letter: whoever does not know the chunk cannot show the picture (§5.4).
    if (/^[A-Z]/.test(type) && !KEPT.has(type)) return { damage: `browsers cannot show its chunk ${type}` };
    if (KEPT.has(type)) parts.push(bytes.subarray(at, end));
    else if (type === 'eXIf' && seen.get(type) === 1) parts.push(...orientationChunk(bytes.subarray(at + 8, end - 4)));
    at = end;
    if (type !== 'IEND') continue;
    if (!seen.has('IDAT')) return { damage: 'it has no pixels' };
    if (at < bytes.length) return { trailing: bytes.length - at };
    // Animated only if it says so before its pixels; fcTL begins a frame (§11.3.6).
    return { width, height, frames: seen.has('acTL') ? Math.max(1, seen.get('fcTL') ?? 0) : 1, parts };
  }
  return { damage: 'it is cut off before its end' };
}

/** What has to be left of an eXIf chunk: browsers turn the picture as it says. */
function orientationChunk(exif: Buffer): Buffer[] {
  const orientation = orientationOf(exif);
  if (orientation === 1) return [];
  const content = orientationAlone(orientation);
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length);
  chunk.write('eXIf', 4);
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return [chunk];
}

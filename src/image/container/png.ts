import { crc32 } from 'node:zlib';
import { orientationAlone, orientationOf } from './exif.ts';
import { type Corrupt, MAX_PARTS, MAX_PROFILE_BYTES, TOO_MANY_PARTS, type Intact } from './parsed.ts';

const SIGNATURE_BYTES = 8;

/** The chunks that determine the look of a still image (PNG 3rd edition, §11), with their maximum number of bytes. */
const LIMITS: Readonly<Record<string, number>> = {
  IHDR: 13,
  cHRM: 32,
  gAMA: 4,
  iCCP: MAX_PROFILE_BYTES,
  sBIT: 4,
  sRGB: 1,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  pHYs: 9,
  PLTE: 768,
  tRNS: 256,
  bKGD: 6,
  IDAT: Infinity,
  IEND: 0,
};

/** The chunk that ends a PNG, with its checksum. */
const END = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');

/** Parses the chunks of a PNG, and verifies their checksums. */
export function readPng(bytes: Buffer): Intact | Corrupt {
  const parts = [bytes.subarray(0, SIGNATURE_BYTES)];
  const [width, height] = [bytes.readUInt32BE(SIGNATURE_BYTES + 8), bytes.readUInt32BE(SIGNATURE_BYTES + 12)];
  const seen = new Map<string, number>();
  let pieces = 0;
  for (let at = SIGNATURE_BYTES; at < bytes.length;) {
    if (++pieces > MAX_PARTS) return TOO_MANY_PARTS;
    const chunk = chunkAt(bytes, at);
    if ('damage' in chunk) return chunk;
    const { type, content, end } = chunk;
    if ((type === 'IHDR') !== (at === SIGNATURE_BYTES) || width * height === 0)
      return { damage: 'its header cannot be read' };
    seen.set(type, (seen.get(type) ?? 0) + 1);
    const limit = LIMITS[type];
    if (limit !== undefined) {
      if (type !== 'IDAT' && seen.get(type) !== 1) return { damage: `it has two ${type} chunks` };
      if (content.length > limit) return { damage: `its ${type} chunk is too large` };
      parts.push(bytes.subarray(at, end));
    } else if (/^[A-Z]/.test(type)) {
      // The first letter is upper-case: a decoder that does not know the chunk cannot show the image (§5.4).
      return { damage: `browsers do not support its ${type} chunk` };
    } else if (type === 'eXIf' && seen.get(type) === 1) parts.push(...orientationChunk(content));
    at = end;
    if (type !== 'IEND') continue;
    if (!seen.has('IDAT')) return { damage: 'it has no pixels' };
    // Animated only if acTL comes before the pixels; fcTL starts a frame (§11.3.6).
    const isAnimated = seen.has('acTL') && (seen.get('fcTL') ?? 0) > 1;
    return { width, height, isAnimated, parts, end: endOfEnds(bytes, end) };
  }
  return { damage: 'it is truncated' };
}

function chunkAt(bytes: Buffer, at: number): { type: string; content: Buffer; end: number } | Corrupt {
  const end = at + 12 + bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) return { damage: 'it contains something that is not a PNG chunk' };
  if (end > bytes.length) return { damage: `it is truncated in its ${type} chunk` };
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
    return { damage: `the checksum of its ${type} chunk is wrong` };
  return { type, content: bytes.subarray(at + 8, end - 4), end };
}

/** Returns the end of a PNG whose last chunk is repeated: some programs embed one PNG in another. */
function endOfEnds(bytes: Buffer, start: number): number {
  let end = start;
  while (bytes.subarray(end, end + END.length).equals(END)) end += END.length;
  return end;
}

/** Reduces an eXIf chunk to the orientation, by which browsers turn the image. */
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

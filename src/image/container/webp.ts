import { type Corrupt, MAX_PARTS, MAX_PROFILE_BYTES, TOO_MANY_PARTS, type Intact } from './parsed.ts';

/**
 * The chunks that determine the look of a still image, in their order (RFC 9649, §2.7); a file has one of the last two. EXIF is not among them:
 * Chromium and Firefox ignore the orientation of the camera.
 */
const CHUNKS = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'];
const isPixels = ({ type }: Chunk): boolean => type === 'VP8 ' || type === 'VP8L';
// Flags of VP8X (§2.7.1). Other bits of its first four bytes are reserved.
const ICC_FLAG = 0x20;
const ALPHA_FLAG = 0x10;
const ANIMATION_FLAG = 0x02;

interface Chunk {
  type: string;
  bytes: Buffer;
  content: Buffer;
}

export function readWebp(bytes: Buffer): Intact | Corrupt {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return { damage: 'it is truncated' };
  const needed: Chunk[] = [];
  let frames = 0;
  let pieces = 0;
  for (let at = 12; at < end;) {
    if (++pieces > MAX_PARTS) return TOO_MANY_PARTS;
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (at + 8 + length > end) return { damage: 'it is truncated' };
    if (type === 'ANMF') frames++;
    if (CHUNKS.includes(type)) {
      const previous = needed.at(-1);
      if (previous !== undefined && CHUNKS.indexOf(type) <= CHUNKS.indexOf(previous.type))
        return { damage: `its ${type.trim()} chunk is repeated, or comes too late` };
      needed.push({ type, bytes: bytes.subarray(at, at + 8 + length), content });
    }
    at += 8 + length + (length % 2);
  }
  if (needed.filter(isPixels).length > 1) return { damage: 'it contains two images' };
  const published = publishedChunks(needed, frames > 0);
  if ('damage' in published) return published;
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(4 + published.chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return { ...published.size, isAnimated: frames > 1, parts: [header, ...published.chunks], end };
}

/** Returns the published bytes of the necessary chunks, and the size of the image in pixels. */
function publishedChunks(
  needed: readonly Chunk[],
  isAnimated: boolean,
): { chunks: Buffer[]; size: { width: number; height: number } } | Corrupt {
  const [first] = needed;
  if (first === undefined || !(needed.some(isPixels) || isAnimated)) return { damage: 'it has no pixels' };
  const size = sizeIn(first.type, first.content);
  if (size === undefined) return { damage: 'its header cannot be read' };
  // In a file without VP8X, viewers read the pixels alone.
  if (first.type !== 'VP8X') return { chunks: withPadding(first.bytes), size };
  if (first.content.length !== 10) return { damage: 'its header cannot be read' };
  const flags = first.content.readUInt8(0);
  const header = Buffer.from(first.bytes);
  header.writeUInt32LE(flags & (ICC_FLAG | ALPHA_FLAG | ANIMATION_FLAG), 8);
  const chunks: Buffer[] = [header];
  for (const { type, bytes, content } of needed.slice(1)) {
    // Without the flag, viewers ignore the chunk.
    if ((type === 'ICCP' && (flags & ICC_FLAG) === 0) || (type === 'ALPH' && (flags & ALPHA_FLAG) === 0)) continue;
    if (type === 'ICCP' && content.length > MAX_PROFILE_BYTES) return { damage: 'its colour profile is too large' };
    chunks.push(...withPadding(bytes));
  }
  return { chunks, size };
}

/** Returns the size in pixels stated in the first chunk (RFC 9649, §2.7 and §3.4; RFC 6386, §9.1). */
function sizeIn(type: string, content: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8X') return { width: 1 + content.readUIntLE(4, 3), height: 1 + content.readUIntLE(7, 3) };
  if (type === 'VP8L') {
    const bits = content.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (type === 'VP8 ') return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  return undefined;
}

/** Adds the zero that follows a chunk of odd length (RFC 9649, §2.3). */
function withPadding(chunk: Buffer): Buffer[] {
  return chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)];
}

import { type Corrupt, type Parsed, within } from './parsed.ts';

/**
 * The chunks that determine the look of a still image (RFC 9649, §2.7). EXIF is not among them: Chromium and Firefox ignore the orientation of the
 * camera.
 */
const CHUNKS = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
/** Flags of VP8X for a profile and for alpha (§2.7.1); without them, viewers ignore these chunks. */
const KEPT_FLAGS = 0x30;

export function readWebp(bytes: Buffer): Parsed | Corrupt {
  const file = within(bytes, 0, 8 + bytes.readUInt32LE(4));
  const parts: Buffer[] = [Buffer.from(file.subarray(0, 12))];
  const types = new Set<string>();
  let size: { width: number; height: number } | undefined;
  for (let at = 12; at < file.length;) {
    const type = file.toString('latin1', at, at + 4);
    const whole = within(file, at, at + 8 + file.readUInt32LE(at + 4));
    types.add(type);
    at += whole.length + (whole.length % 2);
    if (!CHUNKS.has(type)) continue;
    size ??= sizeIn(type, whole.subarray(8));
    const kept = type === 'VP8X' ? Buffer.from(whole) : whole;
    if (type === 'VP8X') kept.writeUInt32LE(kept.readUInt8(8) & KEPT_FLAGS, 8);
    parts.push(kept, Buffer.alloc(whole.length % 2)); // a zero follows a chunk of odd length (§2.3)
  }
  parts[0]?.writeUInt32LE(parts.reduce((sum, { length }) => sum + length, 0) - 8, 4);
  return size === undefined ? { damage: 'it has no pixels' } : { ...size, isAnimated: types.has('ANMF'), parts };
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

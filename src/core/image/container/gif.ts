import { type Corrupt, type Parsed, within } from './parsed.ts';

// Blocks (GIF89a, appendix A).
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** The only extension that a still image needs: it defines the transparent colour. */
const GRAPHIC_CONTROL = 0xf9;

/** The only image of a GIF, with its place on the canvas. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  canvas: { width: number; height: number };
}

/** Returns the image of a still GIF, if it does not cover the canvas. */
export function smallFrame(bytes: Buffer): Frame | undefined {
  const gif = readGif(bytes);
  const image = 'parts' in gif ? gif.parts.find((part) => part[0] === IMAGE && part.length > 9) : undefined;
  if (!('parts' in gif) || image === undefined) return undefined;
  const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((at) => image.readUInt16LE(at));
  // Viewers enlarge the canvas if the image exceeds it.
  const canvas = { width: Math.max(gif.width, left + width), height: Math.max(gif.height, top + height) };
  return width < canvas.width || height < canvas.height ? { left, top, width, height, canvas } : undefined;
}

export function readGif(bytes: Buffer): Parsed | Corrupt {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + colourTable(bytes.readUInt8(10));
  const parts = [within(bytes, 0, at)];
  let control: Buffer[] = [];
  let frames = 0;
  for (;;) {
    const start = at;
    // Browsers show a GIF without a trailer, or with anything else in its place.
    const block = frames > 0 ? bytes[at] : bytes.readUInt8(at);
    if (block === EXTENSION) {
      at = endOfSubBlocks(bytes, at + 2);
      // A control block applies to the next image; comments and private data of programs are left out.
      if (bytes[start + 1] === GRAPHIC_CONTROL) control = [bytes.subarray(start, at)];
    } else if (block === IMAGE) {
      at = endOfSubBlocks(bytes, at + 11 + colourTable(bytes.readUInt8(at + 9)));
      parts.push(...control, within(bytes, start, at));
      control = [];
      frames++;
    } else if (frames === 0) return { damage: 'it has no pixels' };
    else return { width, height, isAnimated: frames > 1, parts: [...parts, Buffer.from([TRAILER])] };
  }
}

/** Returns the bytes of the colour table that a descriptor announces (GIF89a, §18 and §20). */
function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Returns the end of a chain of sub-blocks, after the empty one. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length;
  return at + 1;
}

import { inflateSync } from 'node:zlib';
import { isWholeProfile, PROFILE_LIMIT } from './icc.ts';

/** What IHDR says of the pixels (PNG 3rd edition, §11.2.1), and how many colours PLTE has. */
export interface Pixels {
  width: number;
  height: number;
  /** Bits of a sample, or of an index into the palette. */
  depth: number;
  /** 0 grey, 2 RGB, 3 indexed, 4 grey with alpha, 6 RGBA. */
  type: number;
  isInterlaced: boolean;
  colours: number;
}

/** Of each colour type: the depths that it may have, the bytes of its sBIT, and those of a colour in its bKGD and tRNS. */
const COLOUR_TYPES: Readonly<Record<number, { depths: number[]; sBIT: number; bKGD: number; tRNS?: number }>> = {
  0: { depths: [1, 2, 4, 8, 16], sBIT: 1, bKGD: 2, tRNS: 2 },
  2: { depths: [8, 16], sBIT: 3, bKGD: 6, tRNS: 6 },
  3: { depths: [1, 2, 4, 8], sBIT: 3, bKGD: 1 },
  4: { depths: [8, 16], sBIT: 2, bKGD: 2 },
  6: { depths: [8, 16], sBIT: 4, bKGD: 6 },
};

/** The chunks that decide how a still image looks (§11), by their place: none follows one of a later group (§5.6). */
const ORDER = ['IHDR', 'cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI', 'PLTE', 'tRNS bKGD', 'IDAT', 'IEND'];
const RANKS: ReadonlyMap<string, number> = new Map(
  ORDER.flatMap((types, rank) => types.split(' ').map((type) => [type, rank] as const)),
);
const BEFORE_PIXELS = 3;

/** Bytes of the chunks that always have the same length (§11). */
const LENGTHS: Readonly<Record<string, number>> = {
  IHDR: 13,
  IEND: 0,
  cHRM: 32,
  gAMA: 4,
  sRGB: 1,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  pHYs: 9,
};

export function isNeeded(type: string): boolean {
  return RANKS.has(type) || type === 'pHYs';
}

/** @param content - of IHDR */
export function pixelsOf(content: Buffer): Pixels {
  return {
    width: content.readUInt32BE(0),
    height: content.readUInt32BE(4),
    depth: content.readUInt8(8),
    type: content.readUInt8(9),
    isInterlaced: content.readUInt8(12) === 1,
    colours: 0,
  };
}

/** Checks the number, the place and the length of the chunks that are published, one after the other. */
export class ChunkOrder {
  readonly #seen = new Set<string>();
  #rank = 0;

  /** What is wrong with a needed chunk, if anything is. */
  problem(type: string, content: Buffer, pixels: Pixels): string | undefined {
    if (type !== 'IDAT' && this.#seen.has(type)) return `it has two ${type} chunks`;
    this.#seen.add(type);
    // Only the resolution, pHYs, may be anywhere before the pixels.
    const rank = RANKS.get(type) ?? Math.min(this.#rank, BEFORE_PIXELS);
    if (rank < this.#rank) return `its ${type} chunk comes too late`;
    this.#rank = rank;
    return isExact(type, content, pixels) ? undefined : `its ${type} chunk has the wrong length`;
  }
}

/** Whether a chunk has exactly the bytes that it should have. */
function isExact(type: string, content: Buffer, { depth, type: colourType, colours }: Pixels): boolean {
  const { length } = content;
  const { sBIT, bKGD, tRNS = 0, depths = [] } = COLOUR_TYPES[colourType] ?? {};
  if (type === 'IHDR') return length === LENGTHS[type] && depths.includes(depth);
  if (type === 'IDAT') return true;
  if (type === 'iCCP') return isExactProfile(content);
  if (type === 'sBIT') return length === sBIT;
  if (type === 'bKGD') return length === bKGD;
  if (type === 'tRNS') return colourType === 3 ? length > 0 && length <= colours : length > 0 && length === tRNS;
  if (type !== 'PLTE') return length === LENGTHS[type];
  const most = colourType === 3 ? 2 ** depth : colourType === 0 || colourType === 4 ? 0 : 256;
  return length > 0 && length % 3 === 0 && length / 3 <= most;
}

/** A name, a method and a compressed profile (§11.3.2.3), with nothing after them. */
function isExactProfile(content: Buffer): boolean {
  const name = content.indexOf(0);
  if (name < 1 || name > 79 || content[name + 1] !== 0) return false;
  const compressed = content.subarray(name + 2);
  try {
    const { buffer, engine } = inflateSync(compressed, {
      info: true,
      maxOutputLength: PROFILE_LIMIT,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return engine.bytesWritten === compressed.length && isWholeProfile(buffer);
  } catch {
    return false; // it does not unpack, or to more than a profile has
  }
}

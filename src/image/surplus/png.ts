import { createInflate } from 'node:zlib';
import { pixelData } from '../container/png.ts';
import type { Pixels } from '../container/png-chunks.ts';
import { isFill } from './fill.ts';
import { AlphaScan } from './png-alpha.ts';

/** Samples of a pixel, by colour type (PNG 3rd edition, §11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Bytes that are unpacked at a time. */
const CHUNK = 256 * 1024;

/** Where the passes of an interlaced image begin, and how far their pixels are apart: across and down (§8.1). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export interface PngPixels {
  /** Bytes within the compressed pixels that no pixel needs: after them, or unpacked with them. Fill bytes do not count. */
  surplus: number;
  /** Whether there is no transparency although there is an alpha channel; nothing where that takes a decoder. */
  isOpaque: boolean | undefined;
}

/**
 * Unpacks the pixels of a PNG.
 * @param png - as it is published
 * @returns nothing if they do not unpack
 */
export async function unpackPng(png: Buffer): Promise<PngPixels | undefined> {
  const { pixels, data } = pixelData(png);
  const packed = Buffer.concat(data);
  const needed = unpackedLength(pixels);
  const alpha = AlphaScan.of(pixels);
  const inflate = createInflate({ chunkSize: CHUNK });
  let unpacked = 0;
  inflate.end(packed);
  try {
    for await (const chunk of inflate) {
      unpacked += (chunk as Buffer).length;
      alpha?.push(chunk as Buffer);
      if (unpacked > needed) return { surplus: unpacked - needed, isOpaque: undefined };
    }
  } catch (error) {
    // Pixels that are all there are shown by viewers though their checksum is missing.
    if ((error as { code?: string }).code !== 'Z_BUF_ERROR' || unpacked < needed) return undefined;
  }
  const rest = packed.subarray(inflate.bytesWritten);
  // Pixels that are not all there are left to the decoder.
  return { surplus: isFill(rest) ? 0 : rest.length, isOpaque: unpacked < needed ? undefined : alpha?.isOpaque };
}

/** Bytes of the unpacked pixels: each row of each pass has one more, for its filter (§7.2). */
function unpackedLength({ width, height, depth, type, isInterlaced }: Pixels): number {
  const bits = depth * (SAMPLES[type] ?? 0);
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.reduce((sum, [x, y, across, down]) => {
    const [columns, rows] = [Math.ceil((width - x) / across), Math.ceil((height - y) / down)];
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * bits) / 8)) : sum;
  }, 0);
}

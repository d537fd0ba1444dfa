import { FORMATS, type Format, sniffFormat } from '../../core/image/format.ts';
import { commonSize, type ImageSize, isWithinTolerance, sizeName } from '../../core/image/pixel-equality.ts';
import { comparePixels, type PixelDifference, type Pixels } from '../../core/image/pixels.ts';
import type { Decoders } from './pool.ts';

/** Limits of decoding one image, in milliseconds and bytes: images of a service or a branch may be hostile. */
const MAX_COST = { time: 20_000, memory: 1_500_000_000 };
const MAX_PIXELS = 100_000_000;

/** Two images whose bytes differ, compared by their pixels. */
export interface ComparedImages {
  /** Each image in words: `PNG 250×60`, or why it cannot be decoded. */
  names: [old: string, new: string];
  /** Undefined if an image cannot be decoded, or their proportions differ. */
  difference: PixelDifference | undefined;
  /** Whether the pixels are equal, apart from differences that encoders make. */
  isEqual: boolean;
}

/** Decodes two images whose bytes differ, and compares their pixels. */
export async function compareDecoded(
  oldBytes: Buffer,
  newBytes: Buffer,
  kind: { isThumbnail: boolean },
  decoders: Decoders,
): Promise<ComparedImages> {
  const [before, after] = await Promise.all([sizeOf(oldBytes, decoders), sizeOf(newBytes, decoders)]);
  if (typeof before === 'string' || typeof after === 'string') {
    const textOf = (size: ImageSize | string): string => (typeof size === 'string' ? size : `${size.format}, decoded`);
    return { names: [textOf(before), textOf(after)], difference: undefined, isEqual: false };
  }
  const size = commonSize(before, after, kind);
  if (size === undefined) return { names: [sizeName(before), sizeName(after)], difference: undefined, isEqual: false };
  const [left, right] = await Promise.all([pixelsOf(oldBytes, size, decoders), pixelsOf(newBytes, size, decoders)]);
  if (left === undefined || right === undefined)
    return { names: ['not decoded', 'not decoded'], difference: undefined, isEqual: false };
  const difference = comparePixels(left, right);
  const isEqual = isWithinTolerance(difference, kind);
  return { names: [sizeName(before), sizeName(after)], difference, isEqual };
}

/** Returns the size of an image, or why it has none. */
async function sizeOf(bytes: Buffer, decoders: Decoders): Promise<ImageSize | string> {
  const format = formatOf(bytes);
  if (format === undefined) return 'no image';
  const reply = await decoders.pixels({ ...jobOf(bytes, format), pixels: 'size' }, MAX_COST);
  if (typeof reply === 'string') return `${FORMATS[format].name}, ${reply}`;
  const { width, height } = reply;
  return { format: FORMATS[format].name, width, height, isDrawing: format === 'svg' };
}

async function pixelsOf(
  bytes: Buffer,
  size: { width: number; height: number },
  decoders: Decoders,
): Promise<Pixels | undefined> {
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  const reply = await decoders.pixels({ ...jobOf(bytes, format), pixels: size }, MAX_COST);
  return typeof reply === 'string' ? undefined : reply;
}

function jobOf(bytes: Buffer, format: Format): { bytes: Buffer; format: Format; pixelLimit: number; spec: undefined } {
  return { bytes, format, pixelLimit: MAX_PIXELS, spec: undefined };
}

function formatOf(bytes: Buffer): Format | undefined {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? sniffed.format : undefined;
}

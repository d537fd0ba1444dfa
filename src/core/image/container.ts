import type { Format } from './format.ts';
import { readAvif } from './container/avif.ts';
import { readGif } from './container/gif.ts';
import { readIco } from './container/ico.ts';
import { readJpeg } from './container/jpeg.ts';
import { readPng } from './container/png.ts';
import type { Corrupt, Parsed } from './container/parsed.ts';
import { readWebp } from './container/webp.ts';

/** The formats with a binary container; an SVG is text. */
export type BitmapFormat = Exclude<Format, 'svg'>;

export interface ContainerHeader extends Omit<Parsed, 'parts'> {
  /** The file without its metadata, and without bytes behind its end; the same object if it has none. */
  published: Buffer;
}

const READERS = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  avif: readAvif,
  gif: readGif,
  ico: readIco,
} as const satisfies Record<BitmapFormat, (bytes: Buffer) => Parsed | Corrupt>;

/**
 * Parses the container of an image file: its declared size, its end and its metadata. Whether the image is damaged, only the decoder knows. Takes
 * linear time.
 */
export function readContainer(bytes: Buffer, format: BitmapFormat): ContainerHeader | Corrupt {
  try {
    const parsed = READERS[format](bytes);
    if ('damage' in parsed) return parsed;
    const { parts, ...header } = parsed;
    return { ...header, published: join(parts, bytes) };
  } catch (error) {
    // Readers read numbers at offsets, and Buffer throws a RangeError beyond its end.
    if (error instanceof RangeError) return { damage: 'it is truncated' };
    throw error;
  }
}

/** Concatenates the parts, without a copy if they are the whole file. */
function join(parts: readonly Buffer[], file: Buffer): Buffer {
  let at = 0;
  for (const part of parts) {
    if (!file.subarray(at, at + part.length).equals(part)) return Buffer.concat(parts);
    at += part.length;
  }
  return at === file.length ? file : Buffer.concat(parts);
}

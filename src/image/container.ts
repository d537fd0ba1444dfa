import type { Format } from './format.ts';
import { readAvif } from './container/avif.ts';
import { readGif } from './container/gif.ts';
import { readIco } from './container/ico.ts';
import { readJpeg } from './container/jpeg.ts';
import { readPng } from './container/png.ts';
import { type Corrupt, endOfZeros, orTruncated, type Trailing, type Intact } from './container/parsed.ts';
import { readWebp } from './container/webp.ts';

/** The formats with a binary container; an SVG is text. */
export type BitmapFormat = Exclude<Format, 'svg'>;

export interface ContainerHeader extends Omit<Intact, 'parts' | 'end'> {
  /** The file without its metadata; the same object if it has none. */
  published: Buffer;
}

const READERS = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  avif: readAvif,
  gif: readGif,
  ico: readIco,
} as const satisfies Record<BitmapFormat, (bytes: Buffer) => Intact | Corrupt | Trailing>;

/**
 * Parses the container of an image file: the end of the image, its declared size, and its metadata. Decodes nothing, so a file that passes may
 * still be corrupted. Takes linear time.
 */
export function readContainer(bytes: Buffer, format: BitmapFormat): ContainerHeader | Corrupt | Trailing {
  const parsed = orTruncated<Intact | Corrupt | Trailing>(() => READERS[format](bytes));
  if (!('parts' in parsed)) return parsed;
  const { parts, end, ...header } = parsed;
  // Zeros after the end are padding of some cameras and editors, and are removed.
  if (endOfZeros(bytes, end) < bytes.length) return { trailing: bytes.length - end };
  return { ...header, published: join(parts, bytes) };
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

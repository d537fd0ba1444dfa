import type { Format } from './format.ts';
import { readAvif } from './container/avif.ts';
import { readGif } from './container/gif.ts';
import { readIco } from './container/ico.ts';
import { readJpeg } from './container/jpeg.ts';
import { readPng } from './container/png.ts';
import { type Corrupt, endOfZeros, orTruncated, type Trailing, type Intact } from './container/parsed.ts';
import { readWebp } from './container/webp.ts';

/** The formats whose files have parts; an SVG is text. */
export type BitmapFormat = Exclude<Format, 'svg'>;

/** What the container of an intact image says of it. */
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
 * Parses the container of an image file: where the image ends, its declared size, and what is metadata.
 * Decodes nothing, so a file that passes may still be corrupted. Takes time linear in the size of the file.
 */
export function readContainer(bytes: Buffer, format: BitmapFormat): ContainerHeader | Corrupt | Trailing {
  const parsed = orTruncated<Intact | Corrupt | Trailing>(() => READERS[format](bytes));
  if (!('parts' in parsed)) return parsed;
  const { parts, end, ...header } = parsed;
  // Zeros after the end carry nothing, and some cameras and editors pad files with them: they are removed.
  if (endOfZeros(bytes, end) < bytes.length) return { trailing: bytes.length - end };
  return { ...header, published: joined(parts, bytes) };
}

/** The concatenated parts; without a copy if they are the whole file. */
function joined(parts: readonly Buffer[], whole: Buffer): Buffer {
  let at = 0;
  for (const part of parts) {
    if (!whole.subarray(at, at + part.length).equals(part)) return Buffer.concat(parts);
    at += part.length;
  }
  return at === whole.length ? whole : Buffer.concat(parts);
}

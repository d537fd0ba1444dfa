import type { Format } from './format.ts';
import { readAvif } from './container/avif.ts';
import { readGif } from './container/gif.ts';
import { readIco } from './container/ico.ts';
import { readJpeg } from './container/jpeg.ts';
import { readPng } from './container/png.ts';
import { readSvg } from './container/svg.ts';
import { type Damaged, endOfZeros, orCutOff, type Trailing, type Whole } from './container/parsed.ts';
import { readWebp } from './container/webp.ts';

/** Of a whole picture: what is published of it. */
export interface Structure extends Omit<Whole, 'parts' | 'end'> {
  /** The file without its metadata; the same object if it has none. */
  published: Buffer;
}

const READERS = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  avif: readAvif,
  gif: readGif,
  svg: readSvg,
  ico: readIco,
} as const satisfies Record<Format, (bytes: Buffer) => Whole | Damaged | Trailing>;

/**
 * Walks over the parts of a picture file: where it ends, how large it says it is, and what of it is metadata.
 * Decodes nothing, so what it says of damage is not the last word. Takes time linear in the size of the file.
 */
export function readStructure(bytes: Buffer, format: Format): Structure | Damaged | Trailing {
  const walked = orCutOff<Whole | Damaged | Trailing>(() => READERS[format](bytes));
  if (!('parts' in walked)) return walked;
  const { parts, end, ...header } = walked;
  // Zeros after the end carry nothing, and some cameras and editors fill up with them: they are cut off.
  if (endOfZeros(bytes, end) < bytes.length) return { trailing: bytes.length - end };
  return { ...header, published: joined(parts, bytes) };
}

/** The parts as one; without a copy if they are the whole file. */
function joined(parts: readonly Buffer[], whole: Buffer): Buffer {
  let at = 0;
  for (const part of parts) {
    if (!whole.subarray(at, at + part.length).equals(part)) return Buffer.concat(parts);
    at += part.length;
  }
  return at === whole.length ? whole : Buffer.concat(parts);
}

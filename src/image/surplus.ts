import type { Format } from './format.ts';
import { gifSurplus } from './surplus/gif.ts';
import { jpegSurplus } from './surplus/jpeg.ts';
import { unpackPng } from './surplus/png.ts';
import { shortenedWebps } from './surplus/webp.ts';

/** What the coded pixels of an image say without being decoded. */
export interface CodedPixels {
  /** Whether they hold bytes that no pixel needs, so that no viewer looks at them. */
  hasSurplus: boolean;
  /** Whether there is no transparency although there is an alpha channel; nothing where that takes a decoder. */
  isOpaque?: boolean | undefined;
}

/**
 * Looks among the coded pixels of an image for bytes that no pixel needs. Of AVIF they are not known: its coder takes any bytes at its
 * end. The others decode the lengths of their codes; a WebP is given to a decoder without its end.
 * @param bytes - as published
 * @param decodes - whether a decoder takes an image
 * @returns nothing if the pixels are not coded as they should be
 */
export async function inspectPixels(
  bytes: Buffer,
  format: Format,
  decodes: (bytes: Buffer) => Promise<boolean>,
): Promise<CodedPixels | undefined> {
  if (format === 'webp') {
    for (const shortened of shortenedWebps(bytes)) if (await decodes(shortened)) return { hasSurplus: true };
    return { hasSurplus: false };
  }
  if (format === 'png') {
    const unpacked = await unpackPng(bytes);
    return unpacked && { hasSurplus: unpacked.surplus > 0, isOpaque: unpacked.isOpaque };
  }
  if (format !== 'jpeg' && format !== 'gif') return { hasSurplus: false };
  const surplus = { jpeg: jpegSurplus, gif: gifSurplus }[format](bytes);
  return surplus === undefined ? undefined : { hasSurplus: surplus > 0 };
}

import type { Format } from './format.ts';
import { gifSurplus } from './surplus/gif.ts';
import { jpegSurplus } from './surplus/jpeg.ts';
import { pngSurplus } from './surplus/png.ts';
import { shortenedWebps } from './surplus/webp.ts';

/**
 * Whether an image holds bytes within its coded pixels that no pixel needs, so that no viewer looks at them. Of AVIF it is not known:
 * its coder takes any bytes at its end. The others decode the lengths of their codes; a WebP is given to a decoder without its end.
 * @param bytes - as published, and known to decode
 * @param decodes - whether a decoder takes an image
 * @returns nothing if its pixels are not coded as they should be
 */
export async function hasSurplus(
  bytes: Buffer,
  format: Format,
  decodes: (bytes: Buffer) => Promise<boolean>,
): Promise<boolean | undefined> {
  if (format === 'webp') {
    for (const shortened of shortenedWebps(bytes)) if (await decodes(shortened)) return true;
    return false;
  }
  if (format !== 'png' && format !== 'jpeg' && format !== 'gif') return false;
  const surplus = await { png: pngSurplus, jpeg: jpegSurplus, gif: gifSurplus }[format](bytes);
  return surplus === undefined ? undefined : surplus > 0;
}

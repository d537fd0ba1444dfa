import type { Format } from './format.ts';

/** Returns the maximum width × height of an image, in pixels. An AVIF takes six times the memory of other formats to decode. */
export function maxPixels(format: Format): number {
  return format === 'avif' ? 16_000_000 : 40_000_000;
}

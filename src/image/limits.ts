import type { Format } from './format.ts';

/** Greatest size of a picture file, in bytes: also the largest file that Cloudflare serves. */
export const FILE_LIMIT = 25 * 1024 * 1024;

/** Greatest width × height, in pixels. AVIF takes six times the memory of the others to decode. */
export function pixelLimit(format: Format): number {
  return format === 'avif' ? 16_000_000 : 40_000_000;
}

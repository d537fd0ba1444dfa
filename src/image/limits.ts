import type { Site } from '../theme/site.ts';
import type { Format } from './format.ts';

/** Greatest width × height, in pixels. AVIF takes six times the memory of the others to decode, and has a limit of its own. */
export function pixelLimit(format: Format, limits: Site['limits']): number {
  return format === 'avif' ? limits.avif_pixels : limits.picture_pixels;
}

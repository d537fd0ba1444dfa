import type { PixelDifference } from './pixels.ts';

/** The size of an image: in pixels, or of a drawing, which has any. */
export interface ImageSize {
  /** As messages name it: `PNG`. */
  format: string;
  width: number;
  height: number;
  isDrawing: boolean;
}

/** Images are compared at this many pixels along the longer side, at most. */
const MAX_SIDE = 512;

/**
 * Up to which difference images are equal. Of thumbnails, measured on 48 of Pillow 9.4 and of libvips: mean 1.4 and max 27 where both
 * services make JPEG or PNG, mean 3.9 and max 22 where one makes WebP. Of originals, both services have the same pixels.
 */
const TOLERANCE = { thumbnail: { mean: 5, max: 40 }, original: { mean: 0.5, max: 2 } } as const;

/**
 * The size at which two images are compared: that of the smaller one, and at most {@link MAX_SIDE}.
 * @returns nothing if their sizes or proportions differ
 */
export function commonSize(
  one: ImageSize,
  other: ImageSize,
  { isThumbnail }: { isThumbnail: boolean },
): { width: number; height: number } | undefined {
  // A drawing is drawn as large as the other image is.
  const [sized, given] = one.isDrawing ? [other, one] : [one, other];
  const drawn = given.isDrawing ? fitted(given, Math.max(sized.width, sized.height)) : given;
  // What is scaled into a box is rounded: services may round up or down.
  const slack = isThumbnail || given.isDrawing ? 1 : 0;
  if (Math.abs(sized.width - drawn.width) > slack || Math.abs(sized.height - drawn.height) > slack) return undefined;
  const side = sized.isDrawing ? MAX_SIDE : Math.min(MAX_SIDE, Math.max(sized.width, sized.height));
  return fitted(sized, side);
}

function fitted({ width, height }: ImageSize, side: number): { width: number; height: number } {
  const scale = side / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Whether images with this difference are equal: within what encoders do to the same pixels. */
export function isWithinTolerance({ mean, max }: PixelDifference, { isThumbnail }: { isThumbnail: boolean }): boolean {
  const limit = TOLERANCE[isThumbnail ? 'thumbnail' : 'original'];
  return mean <= limit.mean && max <= limit.max;
}

/** `PNG 250×60`; of a drawing its format. */
export function sizeName({ format, width, height, isDrawing }: ImageSize): string {
  return isDrawing ? format : `${format} ${width}×${height}`;
}

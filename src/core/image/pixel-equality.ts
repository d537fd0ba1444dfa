import type { PixelDifference } from './pixels.ts';

/** The size of an image in pixels; a drawing can have any size. */
export interface ImageSize {
  /** The name in messages: `PNG`. */
  format: string;
  width: number;
  height: number;
  isDrawing: boolean;
}

/** Maximum side at which images are compared, in pixels. */
const MAX_SIDE_PX = 512;

/**
 * Maximum difference of equal images. Measured on 48 thumbnails of Pillow 9.4 and libvips: mean 1.4 and max 27 where both services make JPEG or
 * PNG, mean 3.9 and max 22 where one makes WebP. Originals have the same pixels in both services.
 */
const MAX_DIFFERENCE = { thumbnail: { mean: 5, max: 40 }, original: { mean: 0.5, max: 2 } } as const;

/**
 * Returns the size at which two images are compared: the size of the smaller one, and at most {@link MAX_SIDE_PX}.
 * @returns nothing if their sizes or proportions differ
 */
export function commonSize(
  first: ImageSize,
  second: ImageSize,
  { isThumbnail }: { isThumbnail: boolean },
): { width: number; height: number } | undefined {
  // A drawing is drawn at the size of the other image.
  const [sized, scalable] = first.isDrawing ? [second, first] : [first, second];
  const drawn = scalable.isDrawing ? fitInto(scalable, Math.max(sized.width, sized.height)) : scalable;
  // Sizes scaled into a box are rounded: services may round up or down.
  const slack = isThumbnail || scalable.isDrawing ? 1 : 0;
  if (Math.abs(sized.width - drawn.width) > slack || Math.abs(sized.height - drawn.height) > slack) return undefined;
  const side = sized.isDrawing ? MAX_SIDE_PX : Math.min(MAX_SIDE_PX, Math.max(sized.width, sized.height));
  return fitInto(sized, side);
}

function fitInto({ width, height }: ImageSize, side: number): { width: number; height: number } {
  const scale = side / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Whether a difference is small enough to come from different encoders. */
export function isWithinTolerance({ mean, max }: PixelDifference, { isThumbnail }: { isThumbnail: boolean }): boolean {
  const limit = MAX_DIFFERENCE[isThumbnail ? 'thumbnail' : 'original'];
  return mean <= limit.mean && max <= limit.max;
}

/** Returns `PNG 250×60`, or the format of a drawing. */
export function sizeName({ format, width, height, isDrawing }: ImageSize): string {
  return isDrawing ? format : `${format} ${width}×${height}`;
}

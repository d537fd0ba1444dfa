import { type AnyImageField, FIELDS } from '../theme/fields/fields.ts';
import type { Arguments } from '../diagnostics/catalogue.ts';

export interface ImageSize {
  path: string;
  width: number;
  height: number;
  bytes: number;
  isVector: boolean;
}

/** Width in pixels below which a banner is enlarged to more than twice its pixels on a phone, whose screen has 750 and more. */
const MIN_BANNER_WIDTH_PX = 640;
/** Longer side in pixels below which the site logo is enlarged to more than twice its size, to fill the box of its thumbnail. */
const MIN_SITE_LOGO_SIDE_PX = 125;
/** Maximum bytes of an image that pages load unchanged. Measured: one of 2,303 logos of `@iconify-json/logos` has more. */
const MAX_SHOWN_BYTES = 512 * 1024;
/** Maximum bytes of an image with a thumbnail and with more pixels than the thumbnail can have. */
const MAX_ORIGINAL_BYTES = 4 * 1024 * 1024;

/** Returns advice about an image with too few pixels for its place. */
export function tooFewPixels(
  field: AnyImageField,
  { isVector, path, width, height }: ImageSize,
): Arguments<'image/small'> | undefined {
  const row = FIELDS[field];
  if (isVector || row.kind !== 'image_set') return undefined;
  const isBanner = row.page === 'banners';
  const isEnough = isBanner ? width >= MIN_BANNER_WIDTH_PX : Math.max(width, height) >= MIN_SITE_LOGO_SIDE_PX;
  const min = isBanner ? MIN_BANNER_WIDTH_PX : MIN_SITE_LOGO_SIDE_PX;
  return isEnough ? undefined : { path, width, height, isBanner, min, box: row.thumbnail.box[0] };
}

/** Maximum ratio of width to height of a compact logo: letters in a wider one are only a few pixels high. */
const MAX_RATIO = 3;

/** Returns advice about a wordmark in a field for a compact logo. */
export function tooWide(
  field: AnyImageField,
  { width, height }: { width: number; height: number },
): Omit<Arguments<'image/wide'>, 'path'> | undefined {
  return /^(?:compact_logo|favicon)/.test(field) && width > height * MAX_RATIO
    ? { field, ratio: Math.round(width / height) }
    : undefined;
}

/** Returns advice about an image with far more bytes than its place needs. */
export function tooManyBytes(field: AnyImageField, size: ImageSize): Arguments<'image/heavy'> | undefined {
  const { path, width, height, bytes, isVector } = size;
  const row = FIELDS[field];
  const box = row.kind === 'image_set' ? row.thumbnail.box[0] : undefined;
  const isHeavy =
    box === undefined ? bytes > MAX_SHOWN_BYTES : bytes > MAX_ORIGINAL_BYTES && Math.max(width, height) > box;
  return isHeavy ? { path, bytes, ...(isVector ? {} : { width, height }), box } : undefined;
}

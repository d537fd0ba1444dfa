import { type AnyImageField, FIELDS } from '../theme/fields.ts';
import type { Arguments } from '../diagnostics/catalogue.ts';

/** What is known of an image without decoding it. */
export interface ImageSize {
  path: string;
  width: number;
  height: number;
  bytes: number;
  isVector: boolean;
}

/** Pixels below which a banner is enlarged even on the narrowest of phones. */
const MIN_BANNER_WIDTH = 320;
/** The longer side below which the site logo is enlarged to more than twice its size, to fill the box of its thumbnail. */
const MIN_SITE_LOGO_SIDE = 125;
/** Bytes of an image that pages load as it is. Measured: one of 2,303 logos of `@iconify-json/logos` has more. */
const MAX_SHOWN_BYTES = 512 * 1024;
/** Bytes of an image with a thumbnail that has more pixels than the thumbnail can have. */
const MAX_ORIGINAL_BYTES = 4 * 1024 * 1024;

/** Too few pixels for where the image is shown. */
export function tooFewPixels(
  field: AnyImageField,
  { isVector, path, width, height }: ImageSize,
): Arguments<'image/small'> | undefined {
  const row = FIELDS[field];
  if (isVector || row.kind !== 'image_set') return undefined;
  const isBanner = row.page === 'banners';
  const isEnough = isBanner ? width >= MIN_BANNER_WIDTH : Math.max(width, height) >= MIN_SITE_LOGO_SIDE;
  const min = isBanner ? MIN_BANNER_WIDTH : MIN_SITE_LOGO_SIDE;
  return isEnough ? undefined : { path, width, height, isBanner, min, box: row.thumbnail.box[0] };
}

/** How many times as wide as high a compact logo may be: more has letters of a few pixels where it is shown. */
const MAX_RATIO = 3;

/** A wordmark where a mark is shown. */
export function tooWide(
  field: AnyImageField,
  { width, height }: { width: number; height: number },
): Omit<Arguments<'image/wide'>, 'path'> | undefined {
  return /^(?:compact_logo|favicon)/.test(field) && width > height * MAX_RATIO
    ? { field, ratio: Math.round(width / height) }
    : undefined;
}

/** Far more bytes than what is shown needs. */
export function tooManyBytes(field: AnyImageField, size: ImageSize): Arguments<'image/heavy'> | undefined {
  const { path, width, height, bytes, isVector } = size;
  const row = FIELDS[field];
  const box = row.kind === 'image_set' ? row.thumbnail.box[0] : undefined;
  const isHeavy =
    box === undefined ? bytes > MAX_SHOWN_BYTES : bytes > MAX_ORIGINAL_BYTES && Math.max(width, height) > box;
  return isHeavy ? { path, bytes, ...(isVector ? {} : { width, height }), box } : undefined;
}

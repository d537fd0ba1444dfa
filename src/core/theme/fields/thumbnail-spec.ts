/** How a thumbnail is made: everything that determines its bytes, and so all of it is part of its cache key. */
export interface ThumbnailSpec {
  /** Bounding box in pixels, as in the size marker of the URL. The image is fitted inside, with its aspect ratio, and never enlarged. */
  box: readonly [width: number, height: number];
  /** Quality of JPEG and WebP, 1 to 100; undefined for PNG. */
  quality: number | undefined;
  /** Compression level of a PNG, 1 to 9. On 36 logos, 9 saves 8 % compared to 6 and takes five times as long (measured). */
  compression?: 6 | 9;
  /** Formats of the thumbnail: of an opaque image, and of an image with transparency. */
  opaque: 'png' | 'jpeg';
  transparent: 'png' | 'webp';
  /**
   * The canvas of an icon, a square with the image in its middle. `tight` is as large as the image, so a small one fills the tab; `full` is as
   * large as the box; `maskable` too, on a colour, with the image inside the circle that every mask shows. Absent: the size of the image.
   */
  canvas?: 'tight' | 'full' | 'maskable';
  /** Raise it when equal settings have to produce other bytes. */
  revision: number;
}

/** The thumbnails of docs/contract.md. */
export const LOGO_THUMBNAIL: ThumbnailSpec = {
  box: [250, 250],
  quality: undefined,
  opaque: 'png',
  transparent: 'png',
  revision: 1,
};
export const BANNER_THUMBNAIL: ThumbnailSpec = {
  box: [2200, 2200],
  quality: 80,
  opaque: 'jpeg',
  transparent: 'webp',
  revision: 1,
};

const png = { quality: undefined, compression: 6, opaque: 'png', transparent: 'png', revision: 1 } as const;

/** The bitmaps of logos, for mails and native apps. */
export const LOGO_BITMAP: ThumbnailSpec = { box: [600, 200], ...png };
export const COMPACT_LOGO_BITMAP: ThumbnailSpec = { box: [256, 256], ...png };
/** The icon of a page, and the icons of a web app (https://www.w3.org/TR/appmanifest/#icon-masks). */
export const ICON: ThumbnailSpec = { box: [192, 192], ...png, canvas: 'tight' };
export const LARGE_ICON: ThumbnailSpec = { box: [512, 512], ...png, canvas: 'full' };
export const MASKABLE_ICON: ThumbnailSpec = { box: [512, 512], ...png, canvas: 'maskable' };

/** Returns the size marker in the name of a thumbnail: `250x250`, `2200x2200-80`, `512x512-maskable`. */
export function sizeMarker({ box, quality, canvas }: ThumbnailSpec): string {
  return [box.join('x'), ...(quality === undefined ? [] : [quality]), ...(canvas === 'maskable' ? [canvas] : [])].join(
    '-',
  );
}

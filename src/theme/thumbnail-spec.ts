/** How a thumbnail is made. Everything that decides its bytes is here, and all of it is part of its cache key. */
export interface ThumbnailSpec {
  /** Bounding box in pixels, as in the size marker of the URL: fit inside, keep the aspect ratio, never enlarge. */
  box: readonly [width: number, height: number];
  /** Quality of JPEG and WebP, 1 to 100; PNG has none. */
  quality: number | undefined;
  /** Format of the thumbnail, and the one for images with real transparency. */
  opaque: 'png' | 'jpeg';
  transparent: 'png' | 'webp';
  /** Raise it when the same settings are to give other bytes. */
  revision: number;
}

/** The size markers of the interface, §2. */
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

/** `250x250`, `2200x2200-80`: the size marker in the name of a thumbnail. */
export function sizeMarker({ box, quality }: ThumbnailSpec): string {
  return [box.join('x'), ...(quality === undefined ? [] : [quality])].join('-');
}

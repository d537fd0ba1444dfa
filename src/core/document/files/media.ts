import { originalPath, thumbnailPath } from '../../image/name.ts';
import type { Format } from '../../image/format.ts';
import type { Bitmap } from '../../../client/types.ts';
import { type AnyImageField, type Field, thumbnailSpecOf } from '../../theme/fields/fields.ts';
import type { ImageSource } from '../../theme/image-source.ts';
import type { NamedImages } from '../../theme/resolve.ts';
import { ICON, sizeMarker, type ThumbnailSpec } from '../../theme/fields/thumbnail-spec.ts';
import type { ImageUrls } from '../record.ts';

/** The size in pixels, for PNG only. */
interface Size {
  width?: number;
  height?: number;
}

export interface PublishedImage {
  format: Format;
  sha256: string;
  /** Its side in pixels, if it is an icon as it is. */
  iconSide?: number | undefined;
  /** Its thumbnails, each with the size marker of its thumbnail spec. */
  thumbnails: readonly ({ marker: string; format: Format; sha256: string } & Size)[];
}

/** The paths below `dist/` at which an image and its thumbnails are published. */
export interface PublishedPaths {
  original: string;
  /** In the order of the thumbnails of the image; last the original, if it is an icon as it is. */
  thumbnails: readonly ({ marker: string; path: string } & Size)[];
}

const MARKERS = new Map<ThumbnailSpec, string>();

/** Returns the size marker of a thumbnail spec, cached because there are few specs and many images. */
function markerOf(spec: ThumbnailSpec): string {
  const marker = MARKERS.get(spec) ?? sizeMarker(spec);
  MARKERS.set(spec, marker);
  return marker;
}

export function publishedPaths(
  slug: string,
  path: string,
  { format, sha256, iconSide: side, thumbnails }: PublishedImage,
): PublishedPaths {
  const original = originalPath(slug, path, format, sha256);
  const made = thumbnails.map(({ marker, format: of, sha256: hash, width, height }) => ({
    marker,
    path: thumbnailPath(slug, path, of, hash, marker),
    ...(width !== undefined && height !== undefined && { width, height }),
  }));
  const icon = side === undefined ? [] : [{ marker: markerOf(ICON), path: original, width: side, height: side }];
  return { original, thumbnails: [...made, ...icon] };
}

/**
 * Returns the URLs of a theme's images, without images that are not published.
 * @param pathsOf - returns the paths of an image file, if it is published
 */
export function imageUrls(
  { images }: NamedImages,
  pathsOf: (source: { slug: string; path: string }) => PublishedPaths | undefined,
  mediaUrl: string,
): Partial<ImageUrls> {
  const urls: Record<string, ImageUrls[keyof ImageUrls]> = {};
  const urlOf = (path: string): string => mediaUrl + path.slice('media'.length);
  for (const [field, source] of Object.entries(images) as [Field, ImageSource][]) {
    const spec = thumbnailSpecOf(field);
    if ('url' in source) {
      urls[field] =
        source.thumbnailUrl === undefined ? source.url : { original: source.url, thumbnail: source.thumbnailUrl };
      continue;
    }
    const paths = pathsOf(source);
    const marker = spec && markerOf(spec);
    const thumbnail = marker && paths?.thumbnails.find((entry) => entry.marker === marker)?.path;
    if (paths === undefined || (marker !== undefined && thumbnail === undefined)) continue;
    const original = urlOf(paths.original);
    urls[field] = thumbnail === undefined ? original : { original, thumbnail: urlOf(thumbnail) };
  }
  return urls;
}

/** Returns the PNG that was made of a theme's image by a thumbnail spec; a favicon may be its own icon. */
export type BitmapOf = (field: AnyImageField, spec: ThumbnailSpec) => (Bitmap & { path: string }) | undefined;

/** @param pathsOf - returns the paths of an image file, if it is published */
export function bitmapsOf(
  { images }: NamedImages,
  pathsOf: (source: { slug: string; path: string }) => PublishedPaths | undefined,
  mediaUrl: string,
): BitmapOf {
  return (field, spec) => {
    const source = images[field];
    const paths = source !== undefined && 'path' in source ? pathsOf(source) : undefined;
    const thumbnail = paths?.thumbnails.find(({ marker }) => marker === markerOf(spec));
    if (thumbnail?.width === undefined || thumbnail.height === undefined) return undefined;
    const { path, width, height } = thumbnail;
    return { url: mediaUrl + path.slice('media'.length), width, height, path };
  };
}

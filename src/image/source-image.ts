import type { Location } from '../diagnostics/diagnostic.ts';
import type { Format } from './format.ts';
import type { ThumbnailSpec } from '../theme/thumbnail-spec.ts';

/** An image file that passed every check short of decoding it, and what is published of it. */
export interface SourceImage {
  /** The theme whose folder it is in, and its path there. */
  slug: string;
  path: string;
  /** The file with the published bytes: the source itself, or a copy without metadata in the cache. */
  file: string;
  bytes: number;
  sha256: string;
  format: Format;
  /** The first field that names it: later diagnostics point there. */
  location: Location;
}

/** A rendered thumbnail in the cache. */
export interface Thumbnail {
  file: string;
  sha256: string;
  bytes: number;
  format: Format;
}

/** Identifies an image file across themes. */
export function imageKey({ slug, path }: { slug: string; path: string }): string {
  return `${slug}/${path}`;
}

/** Identifies the thumbnail of an image: the same bytes in two themes are rendered once. */
export function thumbnailKey(image: SourceImage, spec: ThumbnailSpec): string {
  return `${image.sha256} ${textOf(spec)}`;
}

/** A spec as text; there are few, and many images. */
function textOf(spec: ThumbnailSpec): string {
  const known = TEXTS.get(spec) ?? JSON.stringify(spec);
  TEXTS.set(spec, known);
  return known;
}

const TEXTS = new WeakMap<ThumbnailSpec, string>();

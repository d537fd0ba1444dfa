import type { Location } from '../diagnostics/diagnostic.ts';
import type { Format } from './format.ts';
import type { ThumbnailSpec } from '../theme/thumbnail-spec.ts';

/** A picture file that passed every check short of decoding it, and what is published of it. */
export interface Picture {
  /** The theme whose folder it lies in, and its path there. */
  slug: string;
  path: string;
  /** Where the bytes are that are published: the file itself, or a copy without metadata in the cache. */
  file: string;
  bytes: number;
  sha256: string;
  format: Format;
  /** Where it is named first: later findings point there. */
  location: Location;
}

/** A thumbnail as rendered, in the cache. */
export interface Thumbnail {
  file: string;
  sha256: string;
  bytes: number;
  format: Format;
}

/** Names a picture file across themes. */
export function pictureKey({ slug, path }: { slug: string; path: string }): string {
  return `${slug}/${path}`;
}

/** Names the thumbnail of a picture: the same bytes in two themes are rendered once. */
export function renditionKey(picture: Picture, spec: ThumbnailSpec): string {
  return `${picture.sha256} ${JSON.stringify(spec)}`;
}

import { type SourceImage, imageKey, thumbnailKey } from '../../image/source-image.ts';
import { fieldsWhere, thumbnailSpecOf } from '../../theme/fields.ts';
import type { NamedImages, Theme } from '../../theme/resolve.ts';
import { LOGO_THUMBNAIL, type ThumbnailSpec } from '../../theme/thumbnail-spec.ts';
import type { Decoders } from '../decoder/pool.ts';
import type { IncrementalCache } from '../incremental/incremental-cache.ts';
import type { Cache } from './cache.ts';

/** A share of the themes, for one of several machines; `index` counts from 1. */
export interface Shard {
  index: number;
  total: number;
}

export interface RenderOptions {
  cache: Cache;
  decoders: Decoders;
  incremental: IncrementalCache;
  /** The share of this machine, whose results are stored apart. Default: everything. */
  shard?: Shard | undefined;
  /** Prepares a file of `media/` to be published, while its bytes are in memory. Default: that is done later. */
  stage?: ((path: string, bytes: Uint8Array) => Promise<void>) | undefined;
}

/** An image to decode: to a thumbnail, or, without a thumbnail spec, only to see that it can be. */
export interface RenderJob {
  /** Identifies the result. */
  key: string;
  image: SourceImage;
  spec: ThumbnailSpec | undefined;
  /** Whether a field shows it as a logo, so that its pixels are looked at. */
  isLookedAt: boolean;
}

/** Every image once for each thumbnail spec, whatever the number of themes with the same bytes. */
export function listJobs(themes: readonly NamedImages[], images: ReadonlyMap<string, SourceImage>): RenderJob[] {
  const jobs = new Map<string, RenderJob>();
  const logos = new Set<string>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.images)) {
      const image = 'path' in source ? images.get(imageKey(source)) : undefined;
      if (image === undefined) continue;
      if (LOGO_FIELDS.has(field)) logos.add(image.sha256);
      const spec = thumbnailSpecOf(field as keyof Theme['images']);
      const key = spec === undefined ? image.sha256 : thumbnailKey(image, spec);
      if (!jobs.has(key)) jobs.set(key, { key, image, spec, isLookedAt: false });
    }
  }
  // A thumbnail decodes the whole image, so nothing more has to be checked of it.
  for (const { image, spec } of jobs.values()) if (spec !== undefined) jobs.delete(image.sha256);
  // Once, whatever is made of it; best of all through the thumbnail of a logo.
  const looked = new Map<string, RenderJob>();
  for (const job of jobs.values()) {
    const { sha256 } = job.image;
    if (logos.has(sha256) && (!looked.has(sha256) || job.spec === LOGO_THUMBNAIL)) looked.set(sha256, job);
  }
  for (const job of looked.values()) job.isLookedAt = true;
  return [...jobs.values()];
}

const LOGO_FIELDS: ReadonlySet<string> = new Set(fieldsWhere({ page: 'logos' }));

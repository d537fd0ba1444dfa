import path from 'node:path';
import { isReply } from '../decoder/job.ts';
import { readIfFile, sha256Of } from '../disk/files.ts';
import { ALL_SPECS } from '../theme/fields.ts';
import { sizeMarker } from '../theme/thumbnail-spec.ts';
import type { Cache } from './cache.ts';
import type { MediaFile, Thumbnail } from './model.ts';
import { publishError } from './output/publish-error.ts';

/** A thumbnail that was compiled before is not in the cache any more. */
export class LostThumbnail extends Error {}

/**
 * The bytes of a file of `media/`; only those that were checked.
 * @throws {LostThumbnail | PublishError} if they are not there any more
 */
export async function mediaContent(
  { path: shown, slug, bytes, sha256, original, thumbnail }: MediaFile,
  themesDir: string,
  cache: Cache,
): Promise<Buffer> {
  if (thumbnail !== undefined) {
    const found = readThumbnail(thumbnail, cache);
    if (found === undefined) throw new LostThumbnail();
    return found;
  }
  const file = path.join(themesDir, slug, original?.path ?? '');
  const read = original && readIfFile(file, original.isStripped ? MAX_IMAGE_BYTES : bytes);
  const published = read && original?.isStripped ? await withoutMetadata(read, slug, original.path) : read;
  if (published?.length !== bytes || sha256Of(published) !== sha256)
    throw publishError(`${shown} changed while the build ran. Build again.`);
  return published;
}

/** A larger image is not published; see `limits.picture_bytes`. */
const MAX_IMAGE_BYTES = 104_857_600;

/** An image without its metadata, as it was compiled. */
async function withoutMetadata(bytes: Buffer, slug: string, name: string): Promise<Buffer | undefined> {
  const { inspectImage } = await import('../image/inspect.ts');
  const source = { slug, path: name, location: { file: '' } };
  const fields = (['logo', 'favicon'] as const).map((field) => ({ field, source }));
  for (const reference of fields) {
    const inspected = inspectImage(bytes, name, [reference], () => undefined);
    if (inspected !== undefined) return inspected.published;
  }
  return undefined;
}

const SPECS = new Map(ALL_SPECS.map((spec) => [sizeMarker(spec), spec]));

/** The bytes of a thumbnail from the cache, if they are those of an image that it can be. */
export function readThumbnail({ marker, format, sha256, bytes }: Thumbnail, cache: Cache): Buffer | undefined {
  const spec = SPECS.get(marker);
  const data = spec && cache.read(sha256, bytes);
  return data?.length === bytes && isReply({ data, format }, { spec }) ? data : undefined;
}

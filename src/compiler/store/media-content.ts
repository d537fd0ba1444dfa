import path from 'node:path';
import { isReply } from '../../system/decoder/job.ts';
import { readBytes, sha256Of } from '../../system/disk/files.ts';
import { ALL_SPECS } from '../../core/theme/fields/fields.ts';
import { MAX_IMAGE_BYTES } from '../../core/theme/limits.ts';
import { sizeMarker } from '../../core/theme/fields/thumbnail-spec.ts';
import type { Cache } from './cache.ts';
import type { MediaFile, Thumbnail } from '../model.ts';
import { publishError } from '../publish/publish-error.ts';

/** A thumbnail compiled earlier is missing from the cache. */
export class LostThumbnail extends Error {}

/**
 * Returns the bytes of a file of `media/`, only if they are the bytes that were checked.
 * @throws {LostThumbnail | PublishError} if they no longer exist
 */
export async function mediaContent(
  { path: publishedPath, slug, bytes, sha256, original, thumbnail }: MediaFile,
  themesDir: string,
  cache: Cache,
): Promise<Buffer> {
  if (thumbnail !== undefined) {
    const data = readThumbnail(thumbnail, cache);
    if (data === undefined) throw new LostThumbnail();
    return data;
  }
  const file = path.join(themesDir, slug, original?.path ?? '');
  const read = readBytes(file, original?.isStripped ? MAX_IMAGE_BYTES : bytes);
  if ('problem' in read && read.problem === 'unreadable')
    throw publishError(`${file} cannot be read: ${read.reason}. Build again.`, { cause: read.error });
  const source = 'problem' in read ? undefined : read.bytes;
  const content = source && original?.isStripped ? await withoutMetadata(source, slug, original.path) : source;
  if (content?.length !== bytes || sha256Of(content) !== sha256)
    throw publishError(`${publishedPath} changed while the build ran. Build again.`);
  return content;
}

/** Removes the metadata of an image, as when it was compiled. */
async function withoutMetadata(bytes: Buffer, slug: string, name: string): Promise<Buffer | undefined> {
  const { inspectImage } = await import('../../core/image/inspect.ts');
  const source = { slug, path: name, location: { file: '' } };
  const fields = (['logo', 'favicon'] as const).map((field) => ({ field, source }));
  for (const reference of fields) {
    const inspected = inspectImage(bytes, name, [reference], () => undefined);
    if (inspected !== undefined) return inspected.published;
  }
  return undefined;
}

const SPECS = new Map(ALL_SPECS.map((spec) => [sizeMarker(spec), spec]));

/** Returns the bytes of a thumbnail from the cache, if they are a valid image for its spec. */
export function readThumbnail({ marker, format, sha256, bytes }: Thumbnail, cache: Cache): Buffer | undefined {
  const spec = SPECS.get(marker);
  const data = spec && cache.read(sha256, bytes);
  return data?.length === bytes && isReply({ data, format }, { spec }) ? data : undefined;
}

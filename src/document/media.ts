import { FORMATS } from '../image/format.ts';
import { originalPath, thumbnailPath } from '../image/name.ts';
import { type SourceImage, imageKey, thumbnailKey, type Thumbnail } from '../image/source-image.ts';
import { type Field, thumbnailSpecOf } from '../theme/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';
import type { NamedImages } from '../theme/resolve.ts';
import type { OutputFile } from './output-file.ts';
import type { ImageUrls } from './record.ts';

/** The files of `media/`, and the URLs under which each theme finds its own. An image that several fields name is published once. */
export function publishedMedia<T extends NamedImages>(
  themes: readonly T[],
  images: ReadonlyMap<string, SourceImage>,
  thumbnails: ReadonlyMap<string, Thumbnail>,
  mediaUrl: string,
): { files: OutputFile[]; themes: { theme: T; urls: ImageUrls }[] } {
  const files = new Map<string, OutputFile>();
  const publish = (path: string, { file, bytes, sha256, format }: SourceImage | Thumbnail): string => {
    files.set(path, {
      path,
      content: { copyOf: file },
      bytes,
      sha256,
      mediaType: FORMATS[format].mediaType,
      cacheClass: 'immutable',
    });
    return mediaUrl + path.slice('media'.length);
  };
  const urlsOf = (field: Field, source: ImageSource): string | { original: string; thumbnail: string } => {
    if ('url' in source)
      return source.thumbnailUrl === undefined ? source.url : { original: source.url, thumbnail: source.thumbnailUrl };
    const image = known(images, imageKey(source));
    const original = publish(originalPath(image.slug, image.path, image.format, image.sha256), image);
    const spec = thumbnailSpecOf(field);
    if (spec === undefined) return original;
    const thumbnail = known(thumbnails, thumbnailKey(image, spec));
    return {
      original,
      thumbnail: publish(thumbnailPath(image.slug, image.path, thumbnail.format, thumbnail.sha256, spec), thumbnail),
    };
  };
  const withUrls = themes.map((theme) => {
    const entries = Object.entries(theme.images).map(([field, source]: [string, ImageSource]) => [
      field,
      urlsOf(field as Field, source),
    ]);
    return { theme, urls: Object.fromEntries(entries) as ImageUrls };
  });
  return { files: [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)), themes: withUrls };
}

function known<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Bug: ${key} was not prepared.`);
  return value;
}

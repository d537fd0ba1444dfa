import { FORMATS } from '../image/format.ts';
import type { EdgeRules } from './contract.ts';

/** The media types of published images, each with its file extensions. */
export const MEDIA_TYPES: readonly { mediaType: string; extensions: readonly string[] }[] = Object.values(FORMATS);

/** All file extensions of published images. */
export const MEDIA_EXTENSIONS: readonly string[] = MEDIA_TYPES.flatMap(({ extensions }) => extensions);

/** Pairs of file extension and media type. */
export const TYPES_BY_EXTENSION: readonly (readonly [extension: string, mediaType: string])[] = MEDIA_TYPES.flatMap(
  ({ extensions, mediaType }) => extensions.map((extension) => [extension, mediaType] as const),
);

/** `Allow` of an image. */
export const MEDIA_ALLOW = 'GET, HEAD';

/** The path below which images are published. */
export function mediaPath({ basePath }: Pick<EdgeRules, 'basePath'>): string {
  return `${basePath}/media/`;
}

/** Matches the path of a published image below `media/`, `<slug>/<name>.<extension>`, and no path that could leave the folder. */
export function mediaFilePattern(extensions: readonly string[] = MEDIA_EXTENSIONS): string {
  return `[a-z0-9-]+/[A-Za-z0-9_][A-Za-z0-9._-]*[.](?:${extensions.join('|')})`;
}

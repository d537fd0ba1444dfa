import { FORMATS } from '../../core/image/format.ts';
import type { EdgeRules } from './contract.ts';

/** The media types of published images, each with its file extensions. */
export const MEDIA_TYPES: readonly { mediaType: string; extensions: readonly string[] }[] = Object.values(FORMATS);

const EXTENSIONS: readonly string[] = MEDIA_TYPES.flatMap(({ extensions }) => extensions);

/** Returns the path below which images are published. */
export function mediaPath({ basePath }: Pick<EdgeRules, 'basePath'>): string {
  return `${basePath}/media/`;
}

/**
 * Matches `<slug>/<name>`, the path of an image below `media/`, and no path that could leave the folder. Means the same in PCRE, PCRE2,
 * RE2 and JavaScript.
 */
export const MEDIA_FILE = String.raw`[a-z0-9-]+/\w[\w.-]*`;

/** Returns {@link MEDIA_FILE} with one of these extensions. */
export function mediaFilePattern(extensions: readonly string[] = EXTENSIONS): string {
  return `${MEDIA_FILE}[.](?:${extensions.join('|')})`;
}

import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { type AnyImageField, FIELDS } from './fields/fields.ts';
import type { Site } from './site/site.ts';
import { placeIn, type ThemeSource } from './theme-source.ts';

/** The source of an image: a file below the folder of the theme that refers to it, or a URL. */
export type ImageSource =
  | { slug: string; path: string; location: Location }
  | { url: string; thumbnailUrl: string | undefined; location: Location };

/** Returns a key of an image file that is unique across themes. */
export function imageKey({ slug, path }: { slug: string; path: string }): string {
  return `${slug}/${path}`;
}

/** Returns the path of an image without leading `./`. */
export function fileOf(value: string): string {
  return value.replace(/^(?:\.\/)+/, '');
}

/** Parses the value of an image field. Diagnostics are reported once, for the theme that sets the field. */
export function imageSource(
  field: AnyImageField,
  value: string | { original: string; thumbnail: string },
  from: ThemeSource,
  isOwn: boolean,
  site: Site,
  report: Report,
): ImageSource | undefined {
  const reportOnce: Report = isOwn ? report : () => undefined;
  const location = placeIn(from, field);
  if (typeof value !== 'string') {
    const urls = (['original', 'thumbnail'] as const).map((part) =>
      checkUrl(value[part], placeIn(from, field, part), site, reportOnce, field),
    );
    return urls.every(Boolean) ? { url: value.original, thumbnailUrl: value.thumbnail, location } : undefined;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(value) || value.startsWith('//')) {
    if (!checkUrl(value, location, site, reportOnce)) return undefined;
    if (FIELDS[field].kind === 'image') return { url: value, thumbnailUrl: undefined, location };
    reportOnce('image/url-thumbnail', location, { field });
    return undefined;
  }
  const file = fileOf(value);
  const parts = file.split('/');
  if (
    /[\\\u0000-\u001f\u007f]|^(?:[a-z]:|~\/)/i.test(value) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    reportOnce('image/path', location, { value });
    return undefined;
  }
  return { slug: from.slug, path: file, location };
}

/** Checks the URL of an image. @param imageSet - the field, for a URL of an image set */
function checkUrl(text: string, location: Location, site: Site, report: Report, imageSet?: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username + url.password + url.port !== '' || url.href !== text) {
    const isPlain = url?.protocol === 'https:' && url.username + url.password + url.port === '';
    report('image/url-insecure', location, {
      url: text,
      suggestion: isPlain ? url.href : undefined,
      imageSet: url === undefined && !text.startsWith('//') ? imageSet : undefined,
    });
    return false;
  }
  if (!site.allowed_hosts.includes(url.hostname)) {
    report('image/url-host', location, { host: url.hostname });
    return false;
  }
  return true;
}

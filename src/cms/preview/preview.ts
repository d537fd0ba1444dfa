import { draftRecord, missingOf } from '../../document/draft-record.ts';
import type { ImageUrls } from '../../document/record.ts';
import { mockPages } from '../../document/preview/mock-page.ts';
import { themeVariables } from '../../document/preview/theme-style.ts';
import { draftThemes } from '../../theme/draft.ts';
import type { Draft } from '../../theme/resolve.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField, ROWS } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import { type Entry, entrySource, type PreviewSite } from './entry.ts';

/** What the preview of a theme shows. */
export interface Preview {
  html: string;
  /** Custom properties of its style, by name. */
  style: Readonly<Record<string, string>>;
}

/** Slug of a theme that has not been saved: no folder can have this name. */
export const NEW_SLUG = 'new theme';

/**
 * The theme of an entry in the mock community, with everything valid that it has or inherits. All that comes from entries is escaped, or
 * one of few values.
 * @param parents - the themes that it extends, as far as the CMS has them
 * @param urlOf - the URL of an image of one of these themes; undefined if there is no such file
 */
export async function previewTheme(
  entry: Entry,
  parents: readonly Entry[],
  site: PreviewSite,
  urlOf: (slug: string, path: string) => Promise<string | undefined>,
): Promise<Preview> {
  const sources = [entry, ...parents].map(entrySource);
  // What drafts are made from needs no more of the site.
  const drafts = draftThemes(sources, new Set(sources.map(({ slug }) => slug)), site as Site);
  const draft = drafts.find(({ source }) => source === sources[0]);
  if (draft === undefined) throw new Error('The theme of the entry is among the drafts.');
  const urls = await imagesOf(entry, draft, urlOf);
  const record = draftRecord(draft, urls);
  return {
    html: mockPages({ record, missing: missingOf(draft, urls) }).text,
    style: Object.fromEntries(themeVariables(record)),
  };
}

/** Where the images are that can be shown. */
async function imagesOf(
  entry: Entry,
  { images }: Draft,
  urlOf: (slug: string, path: string) => Promise<string | undefined>,
): Promise<Partial<ImageUrls>> {
  const urls: Partial<Record<AnyImageField, unknown>> = {};
  const add = (field: AnyImageField, original: string, thumbnail = original): void => {
    urls[field] = ROWS[field].kind === 'image_set' ? { original, thumbnail } : original;
  };
  for (const field of ANY_IMAGE_FIELDS) {
    const image = images[field];
    const url = image !== undefined && 'path' in image ? await urlOf(image.slug, image.path) : image?.url;
    if (url !== undefined) add(field, url, image !== undefined && 'url' in image ? image.thumbnailUrl : url);
  }
  // Those that were chosen, and not saved yet: the CMS has them in the memory of the browser.
  for (const field of ANY_IMAGE_FIELDS) {
    const value = entry.data[field];
    if (typeof value === 'string' && value.startsWith('blob:')) add(field, value);
  }
  return urls as Partial<ImageUrls>;
}

/** The slug of the theme that one extends. */
export function parentOf(entry: Entry | undefined): string | undefined {
  const parent = entry?.data['extends'];
  return typeof parent === 'string' && parent !== '' ? parent : undefined;
}

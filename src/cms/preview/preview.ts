import { draftRecord, missingOf } from '../../document/draft-record.ts';
import type { ImageUrls } from '../../document/record.ts';
import { mockPages } from '../../document/preview/mock-page.ts';
import { variablesOf } from '../../document/variables.ts';
import { draftThemes } from '../../theme/draft.ts';
import type { Draft } from '../../theme/resolve.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField, ROWS } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import { type Entry, entrySource, type PreviewSite } from './entry.ts';

export interface Preview {
  html: string;
  /** CSS custom properties, by name. */
  style: Readonly<Record<string, string>>;
}

/** The slug of an unsaved theme; no folder can have this name. */
export const NEW_SLUG = 'new theme';

/**
 * Renders the theme of an entry in the mock community, with all its valid fields, including inherited ones. All values of entries are escaped
 * or from a fixed set.
 * @param parents - the themes in its `extends` chain that the CMS has
 * @param urlOf - returns the URL of an image of a theme; undefined if there is no such file
 */
export async function previewTheme(
  entry: Entry,
  parents: readonly Entry[],
  site: PreviewSite,
  urlOf: (slug: string, path: string) => Promise<string | undefined>,
): Promise<Preview> {
  const sources = [entry, ...parents].map(entrySource);
  // Drafts use no other settings of the site.
  const drafts = draftThemes(sources, new Set(sources.map(({ slug }) => slug)), site as Site);
  const draft = drafts.find(({ source }) => source === sources[0]);
  if (draft === undefined) throw new Error('The theme of the entry is among the drafts.');
  const urls = await imagesOf(entry, draft, urlOf);
  const record = draftRecord(draft, urls);
  return {
    html: mockPages({ record, missing: missingOf(draft, urls) }).text,
    style: Object.fromEntries(variablesOf({ record }, { roles: {} }).both),
  };
}

/** Returns the URLs of the available images. */
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
  // Unsaved images are blobs in the browser's memory.
  for (const field of ANY_IMAGE_FIELDS) {
    const value = entry.data[field];
    if (typeof value === 'string' && value.startsWith('blob:')) add(field, value);
  }
  return urls as Partial<ImageUrls>;
}

export function parentOf(entry: Entry | undefined): string | undefined {
  const parent = entry?.data['extends'];
  return typeof parent === 'string' && parent !== '' ? parent : undefined;
}

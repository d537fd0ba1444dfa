import { type Markup, markup } from '../../document/html.ts';
import { draftRecord, missingOf } from '../../document/draft-record.ts';
import type { ImageUrls } from '../../document/record.ts';
import { mockPages } from '../../preview/mock-page.ts';
import { themeVariables } from '../../preview/theme-style.ts';
import { type Draft, draftThemes } from '../../theme/draft.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField, ROWS } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import { type Entry, entrySource, type PreviewSite, uploaded } from './entry.ts';

/** What the preview of a theme shows. */
export interface Preview {
  html: string;
  /** Custom properties of its style, by name. */
  style: Readonly<Record<string, string>>;
}

/** Slug of a theme that has not been saved: no folder can have this name. */
export const NEW_SLUG = 'new theme';

/** The file of an image, as the diagnostics of the preview name it. */
const fileOf = ({ slug, path }: { slug: string; path: string }): string => `${slug}/${path}`;

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
  const sources = [entry, ...parents].map((one) => entrySource(one, site));
  // What drafts are made from needs no more of the site.
  const drafts = draftThemes(sources, new Set(sources.map(({ slug }) => slug)), site as Site);
  const draft = drafts.find(({ source }) => source === sources[0]);
  if (draft === undefined) throw new Error('The theme of the entry is among the drafts.');
  const { urls, absent } = await imagesOf(entry, draft, urlOf);
  const record = draftRecord(draft, urls);
  const missing = missingOf(draft, urls, absent, fileOf);
  const { fields, invalid } = draft.source;
  const isInvalid = (field: string): boolean =>
    invalid.includes(field) ||
    (field in fields && !(field in draft.images) && ANY_IMAGE_FIELDS.some((one) => one === field));
  const reasons = new Map(
    [...missing].map(([field, reason]) => [
      field,
      isInvalid(field) ? 'Invalid: `themecast check` reports why.' : reason,
    ]),
  );
  return {
    html: markup`${broken(entry, parents)}${mockPages({ record, missing: reasons })}`.text,
    style: Object.fromEntries(themeVariables(record)),
  };
}

/** Where the images are that can be shown, and what is wrong with the others. */
async function imagesOf(
  entry: Entry,
  { images }: Draft,
  urlOf: (slug: string, path: string) => Promise<string | undefined>,
): Promise<{ urls: Partial<ImageUrls>; absent: Parameters<typeof missingOf>[2] }> {
  const urls: Partial<Record<AnyImageField, unknown>> = {};
  const absent: Parameters<typeof missingOf>[2][number][] = [];
  const add = (field: AnyImageField, original: string, thumbnail = original): void => {
    urls[field] = ROWS[field].kind === 'image_set' ? { original, thumbnail } : original;
  };
  for (const field of ANY_IMAGE_FIELDS) {
    const image = images[field];
    if (image === undefined) continue;
    if ('url' in image) add(field, image.url, image.thumbnailUrl);
    else {
      const url = await urlOf(image.slug, image.path);
      if (url !== undefined) add(field, url);
      else {
        const message = `No image \`${image.path}\` in the folder of this theme${image.slug === entry.slug ? '' : `'s parent \`${image.slug}\``}, or it could not be loaded.`;
        absent.push({ code: 'image/not-found', severity: 'error', message, location: { file: fileOf(image) } });
      }
    }
  }
  for (const [field, url] of uploaded(entry)) add(field as AnyImageField, url);
  return { urls: urls as Partial<ImageUrls>, absent };
}

/** What is not shown because the CMS does not have all the themes that the entry inherits from. */
function broken(entry: Entry, parents: readonly Entry[]): Markup | string {
  const bySlug = new Map([entry, ...parents].map((one) => [one.slug, one]));
  const seen = new Set([entry.slug]);
  let parent = parentOf(entry);
  while (parent !== undefined && bySlug.has(parent) && !seen.has(parent)) {
    seen.add(parent);
    parent = parentOf(bySlug.get(parent));
  }
  if (parent === undefined) return '';
  const fact = seen.has(parent)
    ? markup`<code>extends</code> leads back to <code>${parent}</code>`
    : markup`There is no theme <code>${parent}</code>, which <code>extends</code> names`;
  return markup`<p class="missing"><span>${fact}: what this theme would inherit is not shown.</span></p>\n`;
}

/** The slug of the theme that one extends. */
export function parentOf(entry: Entry | undefined): string | undefined {
  const parent = entry?.data['extends'];
  return typeof parent === 'string' && parent !== '' ? parent : undefined;
}

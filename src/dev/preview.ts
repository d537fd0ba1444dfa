import { outcome } from '../build/examine.ts';
import { checkThemes, type ReadThemes, type ThemesOptions } from '../build/pipeline.ts';
import type { Resources } from '../build/resources.ts';
import { stateOf } from '../changes/io/read-state.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { draftRecord, missingOf } from '../document/draft-record.ts';
import { adviseLogos } from '../document/logo-advice.ts';
import { publishedMedia } from '../document/media.ts';
import type { ImageUrls } from '../document/record.ts';
import { imageKey, type SourceImage, thumbnailKey } from '../image/source-image.ts';
import { probeImages } from '../io/images/probe.ts';
import { renderThumbnails } from '../io/images/render.ts';
import { type AssignmentOptions, userSources } from '../io/users/read-assignments.ts';
import { draftThemes, emptySource } from '../theme/draft.ts';
import type { Draft } from '../theme/resolve.ts';
import { type Field, thumbnailSpecOf } from '../theme/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';
import { findUsers } from '../users/find-users.ts';
import type { Found, Wanted } from '../users/mapping.ts';
import type { ShownTheme } from './pages/content.ts';

/**
 * Runs a build up to publishing, for what has changed since the last run. If there are errors, nothing of it can be published, but every
 * theme is shown with all that is valid of it.
 */
export async function preview(options: ThemesOptions & AssignmentOptions, resources: Resources) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, { ...resources, diagnostics });
  const { site, content, themes, rules, locations, given } = read;
  const drafts = draftsOf(read);
  const images = await imagesOf(drafts, read, resources, diagnostics);
  const usable = drafts.map((draft) => withImages(draft, (source) => 'url' in source || images.has(imageKey(source))));
  const rendering = await renderThumbnails(usable, images, resources, diagnostics.report, () => undefined);
  const { thumbnails, failed, looks, rendered } = rendering;
  adviseLogos(themes, images, looks, diagnostics.report);
  const isShown = (source: ImageSource, field: Field): boolean => {
    if ('url' in source) return true;
    const image = images.get(imageKey(source));
    const spec = thumbnailSpecOf(field);
    return (
      image !== undefined && !failed.has(image) && (spec === undefined || thumbnails.has(thumbnailKey(image, spec)))
    );
  };
  const mediaUrl = `${site.base_url}/media`;
  const shown = usable.map((draft) => withImages(draft, isShown));
  const { files, themes: withUrls } = publishedMedia(shown, images, thumbnails, mediaUrl);
  const urlsOf = new Map(withUrls.map(({ theme, urls }) => [theme.slug, urls]));
  const slugs = [...content.files.keys()];
  const sources = userSources(options, content, themes, () => undefined);
  return {
    state: stateOf(read),
    site,
    rules,
    locations,
    slugs,
    countsByTheme: given.countsByTheme,
    find: (keys: readonly Wanted[]): Promise<Found[]> => findUsers(sources, slugs, keys, () => undefined),
    themes: drafts.map((draft): ShownTheme => {
      const urls: Partial<ImageUrls> = urlsOf.get(draft.slug) ?? {};
      return { slug: draft.slug, record: draftRecord(draft, urls), missing: missingOf(draft, urls) };
    }),
    files,
    rendered,
    found: outcome(read, given.users, diagnostics, {}, !diagnostics.hasErrors),
    /** What can be served, without errors. */
    media: diagnostics.hasErrors
      ? undefined
      : { files, themes: themes.map((theme) => ({ theme, urls: urlsOf.get(theme.slug) as ImageUrls })) },
  };
}

/** Every theme as far as it is valid. */
function draftsOf({ content, site, sources }: ReadThemes): Draft[] {
  const valid = new Map(sources.map((source) => [source.slug, source]));
  const all = content.themes.map(({ slug, file }) => valid.get(slug) ?? emptySource(slug, file));
  return draftThemes(all, new Set(content.files.keys()), site);
}

/** The images of all themes; those of incomplete themes are probed here, and what is wrong with them is reported. */
async function imagesOf(
  drafts: readonly Draft[],
  { content, site, themes, images }: ReadThemes,
  resources: Resources,
  { report }: Diagnostics,
): Promise<Map<string, SourceImage>> {
  const complete = new Set(themes.map(({ slug }) => slug));
  const incomplete = drafts.filter(({ slug }) => !complete.has(slug));
  const slugs = new Set(incomplete.map(({ slug }) => slug));
  // Those of other folders have been probed.
  const unprobed = incomplete.map((draft) =>
    withImages(draft, (source) => 'path' in source && slugs.has(source.slug) && !images.has(imageKey(source))),
  );
  return new Map([...images, ...(await probeImages(unprobed, content, { ...resources, limits: site.limits }, report))]);
}

function withImages(draft: Draft, isWanted: (source: ImageSource, field: Field) => boolean): Draft {
  const images = Object.entries(draft.images).filter(([field, source]) => isWanted(source, field as Field));
  return { ...draft, images: Object.fromEntries(images) };
}

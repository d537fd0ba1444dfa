import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import { draftRecord, missingOf } from '../document/draft-record.ts';
import { publishedMedia } from '../document/media.ts';
import type { OutputFile } from '../document/output-file.ts';
import type { Missing } from '../document/missing.ts';
import type { ImageUrls, ThemeRecord } from '../document/record.ts';
import { imageKey, type SourceImage, thumbnailKey } from '../image/source-image.ts';
import { probeImages } from '../io/images/probe.ts';
import { renderThumbnails } from '../io/images/render.ts';
import type { ReadThemes } from '../build/pipeline.ts';
import type { Resources } from '../build/resources.ts';
import { type Draft, draftThemes, emptySource } from '../theme/draft.ts';
import { type Field, thumbnailSpecOf } from '../theme/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';

/** A theme as the pages show it. */
export interface ShownTheme {
  slug: string;
  /** Blank where something is missing. */
  record: ThemeRecord;
  missing: Missing;
  /** Whether its files have errors, and it is shown as in the last successful build. */
  isEarlier: boolean;
}

/**
 * Every theme with all that is valid of it, when errors prevent a build. The images of incomplete themes are checked, and all images
 * rendered, as in a build; what is wrong with them is reported.
 */
export async function previewDrafts(
  { content, site, sources, themes, images }: ReadThemes,
  { cache, decoders, incremental }: Resources,
  diagnostics: Diagnostics,
): Promise<{ themes: ShownTheme[]; files: OutputFile[]; rendered: number }> {
  const valid = new Map(sources.map((source) => [source.slug, source]));
  const all = content.themes.map(({ slug, file }) => valid.get(slug) ?? emptySource(slug, file));
  const drafts = draftThemes(all, new Set(content.files.keys()), site);
  const resolved = new Set(themes.map(({ slug }) => slug));
  const incomplete = drafts.filter(({ slug }) => !resolved.has(slug));
  const slugs = new Set(incomplete.map(({ slug }) => slug));
  // Those of other folders have been probed.
  const unprobed = incomplete.map((draft) =>
    withImages(draft, (source) => 'path' in source && slugs.has(source.slug) && !images.has(imageKey(source))),
  );
  const options = { limits: site.limits, cache, incremental };
  const probed = await probeImages(unprobed, content, options, diagnostics.report);
  const known = new Map<string, SourceImage>([...images, ...probed]);
  const usable = drafts.map((draft) => withImages(draft, (source) => 'url' in source || known.has(imageKey(source))));
  const ignore = (): void => undefined;
  const { thumbnails, failed, rendered } = await renderThumbnails(
    usable,
    known,
    { ...options, decoders },
    diagnostics.report,
    ignore,
  );
  const isShown = (source: ImageSource, field: Field): boolean => {
    if ('url' in source) return true;
    const image = known.get(imageKey(source));
    const spec = thumbnailSpecOf(field);
    return (
      image !== undefined && !failed.has(image) && (spec === undefined || thumbnails.has(thumbnailKey(image, spec)))
    );
  };
  const shown = usable.map((draft) => withImages(draft, isShown));
  const media = publishedMedia(shown, known, thumbnails, `${site.base_url}/media`);
  const { sorted } = diagnostics;
  const originals = new Map(drafts.map((draft) => [draft.slug, draft]));
  const shownThemes = media.themes.map(({ theme, urls }): ShownTheme => {
    const own: Partial<ImageUrls> = urls;
    const fileOf = ({ slug, path }: { slug: string; path: string }): string => content.display(`${slug}/${path}`);
    // Its images as they are named: that is how diagnostics are found.
    const draft = originals.get(theme.slug) ?? theme;
    const missing = missingOf(draft, own, sorted, fileOf);
    return { slug: theme.slug, record: draftRecord(theme, own), missing, isEarlier: false };
  });
  return { themes: shownThemes, files: media.files, rendered };
}

function withImages(draft: Draft, isWanted: (source: ImageSource, field: Field) => boolean): Draft {
  const images = Object.entries(draft.images).filter(([field, source]) => isWanted(source, field as Field));
  return { ...draft, images: Object.fromEntries(images) };
}

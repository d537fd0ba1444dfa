import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { adviseLogos } from '../../core/document/logo-advice.ts';
import { iconFiles, type PublishedTheme } from '../../core/document/documents.ts';
import { bitmapsOf, imageUrls, type PublishedPaths, publishedPaths } from '../../core/document/files/media.ts';
import type { ImageUrls } from '../../core/document/record.ts';
import { edgeRules } from '../../hosts/contract/contract.ts';
import { type LocatedRedirect, parseRedirects, withRedirects } from '../../hosts/contract/redirects.ts';
import { pageStyleHash } from '../runtime.ts';
import type { NamedImages } from '../../core/theme/resolve.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { ICON } from '../../core/theme/fields/thumbnail-spec.ts';
import { UserFiles } from './compile-users.ts';
import type { UsersOptions } from './read-assignments.ts';
import { linkThemes } from './link-themes.ts';
import type { Memory } from '../store/memory.ts';
import type { CompiledImage, CompiledSite, CompiledTheme, LinkedThemes, MediaFile, Thumbnail } from '../model.ts';
import { readTextFile } from '../walk/walk.ts';

export type Linked = Awaited<ReturnType<typeof link>>;

/**
 * Links a compiled site: everything that depends on several themes. Runs every time, from data.
 * @returns everything except the files of hosts
 */
export async function link(compiled: CompiledSite, options: UsersOptions, memory: Memory, report: Report) {
  const linked = await linkThemes(compiled, report);
  const { walk, themes } = linked;
  const { site } = linked.settings;
  const rules = edgeRules(site, themes, pageStyleHash());
  const redirects = readRedirects(linked, rules, report);
  const analysisOf = ({ slug, path }: { slug: string; path: string }) =>
    imageAt(compiled.themes, slug, path)?.decodings.find(({ analysis }) => analysis !== undefined)?.analysis;
  adviseLogos(themes, analysisOf, report);
  const pathsOf = publishedPathsOf(compiled.themes);
  const urlsOf = (theme: NamedImages, mediaUrl = site.media_url): Partial<ImageUrls> =>
    imageUrls(theme, pathsOf, mediaUrl);
  const publishedAt = (mediaUrl: string): PublishedTheme[] =>
    themes.map((theme) => ({
      theme,
      urls: urlsOf(theme, mediaUrl) as ImageUrls,
      bitmapOf: bitmapsOf(theme, pathsOf, mediaUrl),
    }));
  const published = publishedAt(site.media_url);
  reportIcons(published, site, report);
  const urlsBySlug = new Map(redirects.length === 0 ? [] : themes.map((theme) => [theme.slug, urlsOf(theme)] as const));
  const users = await UserFiles.compile(linked, options, memory, report);
  return {
    ...linked,
    redirects,
    rules: withRedirects(rules, redirects, urlsBySlug),
    users,
    /** Returns the image URLs of a theme, or of its valid part. */
    urlsOf,
    published,
    publishedAt,
    media: () =>
      walk.slugs
        .toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1))
        .flatMap((slug) => mediaOf(compiled.themes.get(slug), pathsOf)),
  };
}

/** Returns the theme icons as additional files of CONFIG. */
export function iconsOf(themes: readonly PublishedTheme[], site: Site, media: readonly MediaFile[]): MediaFile[] {
  const files = new Map(media.map((file) => [file.path, file]));
  return iconFiles(themes, site).flatMap(({ path, icon }) => {
    const file = files.get(icon);
    return file === undefined ? [] : [{ ...file, path }];
  });
}

/** Reports favicons that cannot become an icon, so that the host would send the icon of another theme; and favicons too small for an app. */
function reportIcons(themes: readonly PublishedTheme[], { derived, web_app: webApp }: Site, report: Report): void {
  const favicons = new Map(
    themes.map((published) => [JSON.stringify(published.theme.images.favicon.location), published]),
  );
  for (const { theme, bitmapOf } of derived ? favicons.values() : []) {
    const { favicon } = theme.images;
    const { width: side = ICON.box[0] } = bitmapOf('favicon', ICON) ?? {};
    if ('url' in favicon) report('image/icon-url', favicon.location, {});
    else if (webApp !== undefined && side < ICON.box[0])
      report('image/app-icon', favicon.location, { path: favicon.path, side });
  }
}

type PathsOf = (image: { slug: string; path: string }) => PublishedPaths | undefined;

/** Returns a function that finds the paths of published images, each computed once. */
function publishedPathsOf(themes: ReadonlyMap<string, CompiledTheme>): PathsOf {
  const pathsByImage = new Map<CompiledImage, PublishedPaths>();
  return ({ slug, path }) => {
    const image = imageAt(themes, slug, path);
    if (image === undefined) return undefined;
    let paths = pathsByImage.get(image);
    if (paths === undefined) {
      paths = publishedPaths(slug, path, { ...image, thumbnails: thumbnailsOf(image) });
      pathsByImage.set(image, paths);
    }
    return paths;
  };
}

function imageAt(themes: ReadonlyMap<string, CompiledTheme>, slug: string, path: string): CompiledImage | undefined {
  return themes.get(slug)?.images.find((image) => image.path === path);
}

function thumbnailsOf({ decodings }: CompiledImage): Thumbnail[] {
  const thumbnails: Thumbnail[] = [];
  for (const { thumbnail } of decodings) if (thumbnail !== undefined) thumbnails.push(thumbnail);
  return thumbnails;
}

function mediaOf(theme: CompiledTheme | undefined, pathsOf: PathsOf): MediaFile[] {
  if (theme === undefined) return [];
  const { slug, images } = theme;
  const files = new Map<string, MediaFile>();
  for (const image of images) {
    const { path } = image;
    const paths = pathsOf({ slug, path });
    if (paths === undefined) continue;
    const { bytes, sha256, isStripped } = image;
    files.set(paths.original, { path: paths.original, bytes, sha256, slug, original: { path, isStripped } });
    for (const [at, thumbnail] of thumbnailsOf(image).entries()) {
      const { path: name = '' } = paths.thumbnails[at] ?? {};
      files.set(name, { path: name, bytes: thumbnail.bytes, sha256: thumbnail.sha256, slug, thumbnail });
    }
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Maximum size of `redirects.csv`: 100,000 lines. */
const MAX_REDIRECTS_BYTES = 16 * 1024 * 1024;

function readRedirects(
  { walk, themes }: LinkedThemes,
  rules: Parameters<typeof withRedirects>[0],
  report: Report,
): LocatedRedirect[] {
  const file = walk.redirects && readTextFile(walk.redirects, report, MAX_REDIRECTS_BYTES);
  return file === undefined
    ? []
    : parseRedirects(file.file, file.text, { rules, themes, slugs: new Set(walk.slugs) }, report);
}

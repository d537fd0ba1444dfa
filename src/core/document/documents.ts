import { createHash } from 'node:crypto';
import { fileName } from '../edge-runtime/handler.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site/site.ts';
import { ICON, LOGO_THUMBNAIL } from '../theme/fields/thumbnail-spec.ts';
import { browsablePage, type PageExtra } from './page/browsable-page.ts';
import { assetsDocument, logoSpecOf, themeAssets, webManifest } from './assets.ts';
import { ASSETS, CONFIG, type Endpoint, LIST, optionsDocument, renderingsOf, THEME } from './endpoint.ts';
import type { BitmapOf } from './files/media.ts';
import { type OutputFile, textFile } from './files/output-file.ts';
import { configRecord, listRecord, type ImageUrls, type ThemeRecord } from './record.ts';
import { stylesheet } from './stylesheet.ts';
import type { Look } from './variables.ts';

/** Documents with the same inputs, made on demand. */
export interface Documents {
  name: string;
  /** The digests of everything that the documents depend on, besides the program. */
  inputs: readonly string[];
  files: readonly Document[];
}

export interface Document {
  /** Relative to the output directory. */
  path: string;
  make: () => OutputFile;
}

export interface PublishedTheme {
  theme: Theme;
  urls: ImageUrls;
  bitmapOf: BitmapOf;
}

/**
 * Returns every document of the endpoints: JSON, browsable pages, stylesheets, web app manifests and metadata.
 * @param style - the style sheet of the browsable pages
 */
export function documents(
  themes: readonly PublishedTheme[],
  site: Site,
  style: string,
  extraOf: (endpoint: Endpoint) => PageExtra = () => ({}),
): Documents[] {
  const records = themes.map(({ theme, urls, bitmapOf }) => {
    const record = listRecord(theme, urls);
    return { id: theme.id, theme, record, bitmapOf, assets: themeAssets(theme, bitmapOf, site) };
  });
  const list = records.map(({ record }) => record);
  const inputs = [sha256Of(JSON.stringify(site))];
  const brief = records.map(({ record, assets }) => sha256Of(JSON.stringify([record, assets])));
  const page = (
    endpoint: Endpoint,
    name: string,
    document: unknown,
    pictured: readonly ThemeRecord[],
    total = pictured.length,
  ): Document =>
    text(endpoint, name, () =>
      browsablePage({ endpoint, document, themes: pictured, total, site, style }, extraOf(endpoint)),
    );
  const shown = list.slice(0, MAX_SHOWN_THEMES);
  const listFiles = [
    text(LIST, 'index.json', () => jsonList(list)),
    page(LIST, 'browse.html', shown, shown, list.length),
    metadata(LIST, site),
    ...(site.derived ? [file(ASSETS, () => assetsDocument(records))] : []),
  ];
  return [
    { name: 'list', inputs: [...inputs, ...brief], files: listFiles },
    ...records.map(({ theme, record, assets, bitmapOf }, index) => {
      const config = configRecord(record);
      // The page and the stylesheet show the palette, although the document leaves it empty.
      const documentOf = {
        json: (name: string) => text(CONFIG, name, () => [JSON.stringify(config)]),
        html: (name: string) => page(CONFIG, name, config, [record]),
        css: (name: string) => text(CONFIG, name, () => [stylesheet(lookOf(record, theme, bitmapOf), site)]),
        webmanifest: (name: string) => text(CONFIG, name, () => [webManifest(assets, site.web_app ?? {})]),
        // Not a text: the build copies the file.
        png: undefined,
      };
      const files = (theme.is_default ? [undefined, theme.slug] : [theme.slug]).flatMap((slug) =>
        renderingsOf(CONFIG, site).flatMap(
          (rendering) => documentOf[rendering.name]?.(fileName(rendering, slug)) ?? [],
        ),
      );
      const here = { ...THEME, path: THEME.path.replace('*', String(theme.id)) };
      const byId = [
        text(here, 'index.json', () => [JSON.stringify(record)]),
        ...(site.stylesheet
          ? [text(here, 'index.css', () => [stylesheet(lookOf(record, theme, bitmapOf), site)])]
          : []),
      ];
      return { name: `theme ${theme.slug}`, inputs: [...inputs, brief[index] ?? ''], files: [...files, ...byId] };
    }),
    { name: 'config', inputs, files: [metadata(CONFIG, site), metadata(THEME, site)] },
  ];
}

/** Themes on the page of the list, with 11 kB each: a browser cannot show all of a large site. */
const MAX_SHOWN_THEMES = 200;

/** Returns a theme as pages show it. */
export function lookOf(record: ThemeRecord, { palette_dark }: Pick<Theme, 'palette_dark'>, bitmapOf: BitmapOf): Look {
  const ratioOf: Look['ratioOf'] = (field) =>
    bitmapOf(field, field === 'logo_site' ? LOGO_THUMBNAIL : logoSpecOf(field));
  return { record, palette_dark, ratioOf };
}

/** Returns the icons of the themes as files of CONFIG: paths below `dist/`, each with the path of the image to copy. */
export function iconFiles(themes: readonly PublishedTheme[], site: Site): { path: string; icon: string }[] {
  const rendering = renderingsOf(CONFIG, site).find(({ name }) => name === 'png');
  if (rendering === undefined) return [];
  return themes.flatMap(({ theme, bitmapOf }) => {
    const icon = bitmapOf('favicon', ICON)?.path;
    const slugs = theme.is_default ? [undefined, theme.slug] : [theme.slug];
    return icon === undefined
      ? []
      : slugs.map((slug) => ({ path: CONFIG.path.slice(1) + fileName(rendering, slug), icon }));
  });
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Yields the records as `JSON.stringify` would write them, one by one. */
function* jsonList(records: readonly ThemeRecord[]): Generator<string> {
  yield '[';
  for (const [index, record] of records.entries()) yield (index === 0 ? '' : ',') + JSON.stringify(record);
  yield ']';
}

function metadata(endpoint: Endpoint, site: Site): Document {
  return file(endpoint.options, JSON.stringify(optionsDocument(endpoint, renderingsOf(endpoint, site))));
}

function text(endpoint: Endpoint, name: string, write: () => Iterable<string>): Document {
  return file(endpoint.path + name, write);
}

/** @param url - its path below `base_url` */
function file(url: string, content: string | (() => Iterable<string>)): Document {
  const path = url.slice(1);
  return { path, make: () => textFile(path, content) };
}

import { createHash } from 'node:crypto';
import { fileName } from '../edge-runtime/handler.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { browsablePage, type PageExtra } from './browsable-page.ts';
import { CONFIG, CONTENT_TYPES, type Endpoint, LIST, optionsDocument, renderingsOf } from './endpoint.ts';
import { type OutputFile, textFile } from './output-file.ts';
import { configRecord, listRecord, type ImageUrls, type ThemeRecord } from './record.ts';
import { stylesheet } from './stylesheet.ts';

/** Documents that are made of the same, not written yet. */
export interface Documents {
  /** Unique among all. */
  name: string;
  /** What they depend on besides the program. */
  inputs: readonly string[];
  files: readonly Document[];
}

export interface Document {
  /** Relative to the output folder. */
  path: string;
  make: () => OutputFile;
}

/**
 * Every document of the two endpoints: JSON, browsable pages, stylesheets and metadata. Each is made on demand.
 * @param style - of the browsable pages
 */
export function documents(
  themes: readonly { theme: Theme; urls: ImageUrls }[],
  site: Site,
  style: string,
  extraOf: (endpoint: Endpoint) => PageExtra = () => ({}),
): Documents[] {
  const records = themes.map(({ theme, urls }) => ({ theme, record: listRecord(theme, urls) }));
  const list = records.map(({ record }) => record);
  const inputs = [sha256Of(JSON.stringify(site))];
  const brief = list.map((record) => sha256Of(JSON.stringify(record)));
  const page = (endpoint: Endpoint, name: string, document: unknown, shown: readonly ThemeRecord[]): Document =>
    text(endpoint, name, CONTENT_TYPES.html, () =>
      browsablePage({ endpoint, document, themes: shown, site, style }, extraOf(endpoint)),
    );
  const listFiles = [
    text(LIST, 'index.json', CONTENT_TYPES.json, () => jsonList(list)),
    page(LIST, 'browse.html', list, list),
    metadata(LIST, site),
  ];
  return [
    { name: 'list', inputs: [...inputs, ...brief], files: listFiles },
    ...records.map(({ theme, record }, index) => {
      const config = configRecord(record);
      // The page and the stylesheet have the palette, although the document leaves it out.
      const documentOf = {
        json: (name: string) => text(CONFIG, name, CONTENT_TYPES.json, () => [JSON.stringify(config)]),
        html: (name: string) => page(CONFIG, name, config, [record]),
        css: (name: string) => text(CONFIG, name, CONTENT_TYPES.css, () => [stylesheet(record)]),
      };
      const files = (theme.is_default ? [undefined, theme.slug] : [theme.slug]).flatMap((slug) =>
        renderingsOf(CONFIG, site).map((rendering) => documentOf[rendering.name](fileName(rendering, slug))),
      );
      return { name: `theme ${theme.slug}`, inputs: [...inputs, brief[index] ?? ''], files };
    }),
    { name: 'config', inputs, files: [metadata(CONFIG, site)] },
  ];
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The records as `JSON.stringify` writes them, one by one. */
function* jsonList(records: readonly ThemeRecord[]): Generator<string> {
  yield '[';
  for (const [index, record] of records.entries()) yield (index === 0 ? '' : ',') + JSON.stringify(record);
  yield ']';
}

function metadata(endpoint: Endpoint, site: Site): Document {
  return text(endpoint, 'options.json', CONTENT_TYPES.json, () => [
    JSON.stringify(optionsDocument(endpoint, renderingsOf(endpoint, site))),
  ]);
}

function text(
  { path: folder, cacheClass }: Endpoint,
  name: string,
  mediaType: string,
  write: () => Iterable<string>,
): Document {
  const path = folder.slice(1) + name;
  return { path, make: () => textFile(path, write, mediaType, cacheClass) };
}

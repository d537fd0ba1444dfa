import { createHash } from 'node:crypto';
import { fileName } from '../edge-runtime/handler.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { browsablePage, type PageExtra } from './browsable-page.ts';
import { CONFIG, CONTENT_TYPES, type Endpoint, LIST, optionsDocument, renderingsOf } from './endpoint.ts';
import { type FileSizes, imageUrls } from './media.ts';
import { type OutputFile, textFile } from './output-file.ts';
import { configRecord, listRecord, type ImageUrls, type ThemeRecord } from './record.ts';
import { stylesheet } from './stylesheet.ts';

/** A document of an endpoint, not written yet. */
export interface Document {
  /** Relative to the output folder. */
  path: string;
  /** What its text depends on besides the program; nothing if it is written as fast as that is compared. */
  inputs: readonly string[] | undefined;
  make: () => OutputFile;
}

/** Every document of the two endpoints: JSON, browsable pages and metadata. Each is made on demand. */
export function documents(
  { themes, sizes }: { themes: readonly { theme: Theme; urls: ImageUrls }[]; sizes: FileSizes },
  site: Site,
  extraOf: (endpoint: Endpoint) => PageExtra = () => ({}),
): Document[] {
  const records = themes.map(({ theme, urls }) => ({ theme, record: listRecord(theme, urls) }));
  const list = records.map(({ record }) => record);
  const settings = JSON.stringify(site);
  const page = (endpoint: Endpoint, name: string, document: unknown, shown: readonly ThemeRecord[]): Document => {
    const make = (): Iterable<string> =>
      browsablePage({ endpoint, document, themes: shown, sizes, site }, extraOf(endpoint));
    const inputs = [settings, ...shown.map((record) => pageInput(record, sizes))];
    return text(endpoint, name, CONTENT_TYPES.html, inputs, make);
  };
  return [
    text(LIST, 'index.json', CONTENT_TYPES.json, undefined, () => jsonList(list)),
    page(LIST, 'browse.html', list, list),
    metadata(LIST, site),
    ...records.flatMap(({ theme, record }) => {
      const config = configRecord(record);
      // The page and the stylesheet have the palette, although the document leaves it out.
      const make = {
        json: (name: string) => text(CONFIG, name, CONTENT_TYPES.json, undefined, () => [JSON.stringify(config)]),
        html: (name: string) => page(CONFIG, name, config, [record]),
        css: (name: string) => text(CONFIG, name, CONTENT_TYPES.css, undefined, () => [stylesheet(record)]),
      };
      return (theme.is_default ? [undefined, theme.slug] : [theme.slug]).flatMap((slug) =>
        renderingsOf(CONFIG, site).map((rendering) => make[rendering.name](fileName(rendering, slug))),
      );
    }),
    metadata(CONFIG, site),
  ];
}

/** What a page shows of a theme, in brief. */
function pageInput(record: ThemeRecord, sizes: FileSizes): string {
  const shown = [record, imageUrls(record).map((url) => sizes.get(url) ?? null)];
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

/** The records as `JSON.stringify` writes them, one by one. */
function* jsonList(records: readonly ThemeRecord[]): Generator<string> {
  yield '[';
  for (const [index, record] of records.entries()) yield (index === 0 ? '' : ',') + JSON.stringify(record);
  yield ']';
}

function metadata(endpoint: Endpoint, site: Site): Document {
  const write = (): string[] => [JSON.stringify(optionsDocument(endpoint, renderingsOf(endpoint, site)))];
  return text(endpoint, 'options.json', CONTENT_TYPES.json, undefined, write);
}

function text(
  { path: folder, cacheClass }: Endpoint,
  name: string,
  mediaType: string,
  inputs: readonly string[] | undefined,
  write: () => Iterable<string>,
): Document {
  const path = folder.slice(1) + name;
  return { path, inputs, make: () => textFile(path, write, mediaType, cacheClass) };
}

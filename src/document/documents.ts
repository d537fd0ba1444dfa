import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { browsablePage, type PageExtra } from './browsable-page.ts';
import { cacheControl, CONFIG, CONTENT_TYPES, type Endpoint, LIST, optionsDocument } from './endpoint.ts';
import { type FileSizes, imageUrls } from './media.ts';
import { type OutputFile, textFile } from './output-file.ts';
import { configRecord, listRecord, type ImageUrls, type ThemeRecord } from './record.ts';

/** A document of an endpoint, not written yet. */
export interface Document {
  /** Relative to the output folder. */
  path: string;
  /** Everything that its text depends on besides the program, as JSON. */
  inputs: readonly unknown[];
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
  const sizesOf = (record: ThemeRecord): unknown[] => imageUrls(record).map((url) => sizes.get(url) ?? null);
  const renderings = (
    endpoint: Endpoint,
    jsonName: string,
    htmlName: string,
    document: unknown,
    shown: readonly ThemeRecord[],
  ): Document[] => [
    text(endpoint, `${jsonName}.json`, CONTENT_TYPES.json, [document], () => JSON.stringify(document)),
    text(endpoint, `${htmlName}.html`, CONTENT_TYPES.html, [site, shown, shown.map(sizesOf)], () =>
      browsablePage({ endpoint, document, themes: shown, sizes, site }, extraOf(endpoint)),
    ),
  ];
  return [
    ...renderings(LIST, 'index', 'browse', list, list),
    metadata(LIST),
    ...records.flatMap(({ theme, record }) => {
      const config = configRecord(record);
      // The palette is shown on the page although the document leaves it out.
      const variant = renderings(CONFIG, theme.slug, theme.slug, config, [record]);
      return theme.is_default ? [...renderings(CONFIG, 'index', 'browse', config, [record]), ...variant] : variant;
    }),
    metadata(CONFIG),
  ];
}

function metadata(endpoint: Endpoint): Document {
  return text(endpoint, 'options.json', CONTENT_TYPES.json, [], () => JSON.stringify(optionsDocument(endpoint)));
}

function text(
  { path: folder, cacheClass }: Endpoint,
  name: string,
  mediaType: string,
  inputs: readonly unknown[],
  write: () => string,
): Document {
  const path = folder.slice(1) + name;
  return { path, inputs, make: () => textFile(path, write(), mediaType, cacheClass) };
}

/** Format of `manifest.json`; raised when a reader has to change. */
const MANIFEST_VERSION = 1;

/** The start of `manifest.json` in every version: it identifies a folder as output. */
export const MANIFEST_MARK = { file: 'manifest.json', start: /^\{\s*"version": \d+,\s*"base_url": / };

/**
 * `manifest.json`: every other published file, in two upload phases. Phase 1 is immutable media, phase 2 the documents that
 * name it: uploaded in this order, no document ever names an image that is not there yet.
 */
export function manifest(files: readonly OutputFile[], site: Site): OutputFile {
  const rows = files.map(({ path, bytes, sha256, mediaType, cacheClass }) => ({
    path,
    bytes,
    sha256,
    type: mediaType,
    cache_class: cacheClass,
    phase: cacheClass === 'immutable' ? 1 : 2,
  }));
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  const head = `  "version": ${MANIFEST_VERSION},\n  "base_url": ${JSON.stringify(site.base_url)},\n  "cache_control": ${JSON.stringify(cacheControl(site))},`;
  return textFile(MANIFEST_MARK.file, `{\n${head}\n  "files": [\n${lines}\n  ]\n}\n`, 'application/json', 'list');
}

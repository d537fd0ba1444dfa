import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import { browsablePage, type PageContent } from './browsable-page.ts';
import { cacheControl, CONFIG, type Endpoint, LIST, optionsDocument } from './endpoint.ts';
import type { FileSizes } from './media.ts';
import { type OutputFile, textFile } from './output-file.ts';
import { configRecord, listRecord, type PictureUrls } from './record.ts';

/** Every document of the two endpoints: JSON, browsable pages and metadata. */
export function documents(
  themes: readonly { theme: Theme; urls: PictureUrls }[],
  site: Site,
  sizes: FileSizes,
): OutputFile[] {
  const records = themes.map(({ theme, urls }) => ({ theme, record: listRecord(theme, urls) }));
  const list = records.map(({ record }) => record);
  return [
    ...renderings(LIST, 'index', 'browse', list, { themes: list, sizes, site }),
    metadata(LIST),
    ...records.flatMap(({ theme, record }) => {
      const config = configRecord(record);
      // The palette is shown on the page although the document leaves it out.
      const variant = renderings(CONFIG, theme.slug, theme.slug, config, { themes: [record], sizes, site });
      return theme.is_default
        ? [...renderings(CONFIG, 'index', 'browse', config, { themes: [record], sizes, site }), ...variant]
        : variant;
    }),
    metadata(CONFIG),
  ];
}

function renderings(
  endpoint: Endpoint,
  jsonName: string,
  htmlName: string,
  document: unknown,
  shown: Pick<PageContent, 'themes' | 'sizes' | 'site'>,
): OutputFile[] {
  const folder = endpoint.path.slice(1);
  return [
    textFile(`${folder}${jsonName}.json`, JSON.stringify(document), 'application/json', endpoint.cacheClass),
    textFile(
      `${folder}${htmlName}.html`,
      browsablePage({ endpoint, document, ...shown }),
      'text/html; charset=utf-8',
      endpoint.cacheClass,
    ),
  ];
}

function metadata(endpoint: Endpoint): OutputFile {
  return textFile(
    `${endpoint.path.slice(1)}options.json`,
    JSON.stringify(optionsDocument(endpoint)),
    'application/json',
    endpoint.cacheClass,
  );
}

/** Format of `manifest.json`; raised when a reader has to change. */
const MANIFEST_VERSION = 1;

/** `manifest.json` starts so, in every version: by it a folder of output is known. */
export const MANIFEST_MARK = { file: 'manifest.json', start: /^\{\s*"version": \d+,\s*"base_url": / };

/**
 * `manifest.json`: every other published file, in two upload phases. Phase 1 is immutable media, phase 2 the documents that
 * name it: uploaded in this order, no document ever names a picture that is not there yet.
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

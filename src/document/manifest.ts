import type { Site } from '../theme/site.ts';
import { cacheControl } from './endpoint.ts';
import { MANIFEST_FILE } from './manifest-file.ts';
import { type FileFacts, type OutputFile, textFile } from './output-file.ts';

/** The version of the format of `manifest.json`; raised when readers have to change. */
const MANIFEST_VERSION = 1;

/**
 * Returns `manifest.json`: every other published file, in two upload phases. Phase 1 has the images, phase 2 the documents, so no
 * document ever refers to an image that is not uploaded yet.
 */
export function manifest(files: readonly FileFacts[], site: Site): OutputFile {
  const rows = files.map(({ path, bytes, sha256, mediaType, cacheClass }) => ({
    path,
    bytes,
    sha256,
    type: mediaType,
    cache_class: cacheClass,
    phase: cacheClass === 'immutable' ? 1 : 2,
  }));
  const head = `  "version": ${MANIFEST_VERSION},\n  "base_url": ${JSON.stringify(site.base_url)},\n  "cache_control": ${JSON.stringify(cacheControl(site))},`;
  const write = function* (): Generator<string> {
    yield `{\n${head}\n  "files": [\n`;
    for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : ',\n'}    ${JSON.stringify(row)}`;
    yield '\n  ]\n}\n';
  };
  return textFile(MANIFEST_FILE, write, 'application/json', 'list');
}

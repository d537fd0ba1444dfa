import type { Site } from '../../theme/site/site.ts';
import { cacheControl } from '../endpoint.ts';
import { MANIFEST_FILE } from './manifest-file.ts';
import { type FileFacts, type OutputFile, textFile } from './output-file.ts';

/** The version of the format of `manifest.json`; raised when readers have to change. */
const MANIFEST_VERSION = 2;

/**
 * Returns `manifest.json`: every other published file. How one is served follows from its path ({@link servedAs}), and so does the order of
 * uploads: images (`media/`) first, so no document ever refers to an image that is not uploaded yet.
 */
export function manifest(files: readonly FileFacts[], site: Site): OutputFile {
  const rows = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  const head = `  "version": ${MANIFEST_VERSION},\n  "base_url": ${JSON.stringify(site.base_url)},\n  "cache_control": ${JSON.stringify(cacheControl(site))},`;
  const write = function* (): Generator<string> {
    yield `{\n${head}\n  "files": [\n`;
    for (const [index, row] of rows.entries()) yield `${index === 0 ? '' : ',\n'}    ${JSON.stringify(row)}`;
    yield '\n  ]\n}\n';
  };
  return textFile(MANIFEST_FILE, write);
}

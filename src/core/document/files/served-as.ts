import { FORMATS } from '../../image/format.ts';
import { CONFIG, CONTENT_TYPES, ASSETS } from '../endpoint.ts';
import type { CacheClass } from './output-file.ts';

/** `Content-Type` by extension. */
export const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.values(FORMATS).flatMap(({ mediaType, extensions }) =>
    extensions.map((extension) => [extension, mediaType] as const),
  ),
  ...Object.entries(CONTENT_TYPES),
]);

/** Returns how a published file is served, which follows from its path below `dist/`: `Content-Type`, and how long it may be cached. */
export function servedAs(path: string): { mediaType: string; cacheClass: CacheClass } {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const isConfig = path.startsWith(CONFIG.path.slice(1)) || path === ASSETS.slice(1);
  return {
    mediaType: MEDIA_TYPES.get(extension) ?? 'text/plain; charset=utf-8',
    cacheClass: path.startsWith('media/') ? 'immutable' : isConfig ? 'config' : 'list',
  };
}

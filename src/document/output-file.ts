import { createHash } from 'node:crypto';

/** How long a published file may be kept by caches; see {@link cacheControl}. */
export type CacheClass = 'immutable' | 'list' | 'config';

/** One file of the output. Its content is text, or a copy of a file whose bytes are known by their hash. */
export interface OutputFile {
  /** Relative to the output folder, with `/`. */
  path: string;
  content: { text: string } | { copyOf: string };
  bytes: number;
  sha256: string;
  mediaType: string;
  cacheClass: CacheClass;
}

/** A file written from text. */
export function textFile(path: string, text: string, mediaType: string, cacheClass: CacheClass): OutputFile {
  const bytes = Buffer.byteLength(text);
  return {
    path,
    content: { text },
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
    mediaType,
    cacheClass,
  };
}

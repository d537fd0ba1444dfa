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

/** One file of the private output: only its owner reads it, and no manifest lists it. */
export interface PrivateFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** Text, or the parts of a text too long to be held at once; asked for a second time, they are the same. */
  content: { text: string } | { parts: () => Iterable<string> };
}

/** Parts of a text, joined to about this many characters. */
const PART = 256 * 1024;

/** A file written part by part, however many lines it has. */
export function linesFile(path: string, lines: () => Iterable<string>): PrivateFile {
  return { path, content: { parts: () => joined(lines()) } };
}

function* joined(lines: Iterable<string>): Generator<string> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

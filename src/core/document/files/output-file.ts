import { createHash } from 'node:crypto';

/**
 * How long a published file may be cached: `immutable` files for a year, since their names contain a hash; `list` files for
 * `cache.list_max_age` of site.yaml; `config` files only if revalidated each time.
 */
export type CacheClass = 'immutable' | 'list' | 'config';

/** A file of the output directory. */
export interface OutputFile extends FileFacts {
  /** The text, written as UTF-8, or the function that makes it. */
  content: { text: string } | { parts: () => Iterable<string> };
}

/** Path, size and hash of a file of the output directory. */
export interface FileFacts {
  /** Relative to the output directory, with `/`. */
  path: string;
  bytes: number;
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: string;
}

/** Maximum length of a text that stays in memory, in characters; a longer text is made again when it is written. */
const MAX_RETAINED_LENGTH = 32 * 1024 * 1024;

/**
 * Makes a file from text.
 * @param text - the text, or a function that makes it part by part, equal each time
 */
export function textFile(path: string, text: string | (() => Iterable<string>)): OutputFile {
  const hash = createHash('sha256');
  const parts = typeof text === 'string' ? () => [text] : () => joined(text());
  let [bytes, length, first] = [0, 0, ''];
  for (const part of parts()) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
    length += part.length;
    if (length <= MAX_RETAINED_LENGTH) first += part;
  }
  const content = length <= MAX_RETAINED_LENGTH ? { text: first } : { parts };
  return { path, content, bytes, sha256: hash.digest('hex') };
}

/** Returns the text of a file, part by part. */
export function partsOf({ content }: Pick<OutputFile | PrivateFile, 'content'>): Iterable<string> {
  return 'text' in content ? [content.text] : content.parts();
}

/** A file of the edge directory: only its owner may read it, and no manifest lists it. */
export interface PrivateFile {
  /** Relative to the edge directory, with `/`. */
  path: string;
  /** The text, or a function that makes it part by part, equal each time. */
  content: { text: string } | { parts: () => Iterable<string> };
}

/** Returns size and hash of a file; makes its text if necessary. */
export function factsOf(file: OutputFile | PrivateFile): { path: string; bytes: number; sha256: string } {
  if ('sha256' in file) return { path: file.path, bytes: file.bytes, sha256: file.sha256 };
  const hash = createHash('sha256');
  let bytes = 0;
  for (const part of partsOf(file)) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
  }
  return { path: file.path, bytes, sha256: hash.digest('hex') };
}

/** Length of the joined parts of a text, in characters. */
const PART_LENGTH = 256 * 1024;

/** Makes a file that is written part by part, so it may have any number of lines. */
export function linesFile(path: string, lines: () => Iterable<string>): PrivateFile {
  return { path, content: { parts: () => joined(lines()) } };
}

function* joined(lines: Iterable<string>): Generator<string> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

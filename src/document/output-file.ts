import { createHash } from 'node:crypto';

/**
 * How long a published file may be cached: `immutable` files for good, since their names hold a hash of their content; `list` files for
 * `cache.list_max_age` of site.yaml; `config` files only if they are revalidated each time.
 */
export type CacheClass = 'immutable' | 'list' | 'config';

/** One file of the output. */
export interface OutputFile extends FileFacts {
  /** The text, written as UTF-8, or how it is made; or the path of the file that it is a copy of. */
  content: { text: string } | { parts: () => Iterable<string> } | { copyOf: string };
}

/** What is known of a file of the output once it is made. */
export interface FileFacts {
  /** Relative to the output folder, with `/`. */
  path: string;
  /** Size in bytes. */
  bytes: number;
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: string;
  /** Value of `Content-Type`. */
  mediaType: string;
  /** How long it may be cached. */
  cacheClass: CacheClass;
}

/** Characters up to which a text is retained; a longer one is made again when it is written. */
const RETAINED = 32 * 1024 * 1024;

/**
 * A file written from text.
 * @param text - the text, or how it is made part by part, the same each time
 */
export function textFile(
  path: string,
  text: string | (() => Iterable<string>),
  mediaType: string,
  cacheClass: CacheClass,
): OutputFile {
  const hash = createHash('sha256');
  const parts = typeof text === 'string' ? () => [text] : () => joined(text());
  let [bytes, length, first] = [0, 0, ''];
  for (const part of parts()) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
    length += part.length;
    if (length <= RETAINED) first += part;
  }
  const content = length <= RETAINED ? { text: first } : { parts };
  return { path, content, bytes, sha256: hash.digest('hex'), mediaType, cacheClass };
}

/** The text of a file that is no copy, part by part. */
export function partsOf({ content }: Pick<OutputFile | PrivateFile, 'content'>): Iterable<string> {
  if ('text' in content) return [content.text];
  return 'parts' in content ? content.parts() : [];
}

/** One file of the private output: only its owner reads it, and no manifest lists it. */
export interface PrivateFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** Text, or the parts of a text that is too long for memory; they are the same whenever they are requested. */
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

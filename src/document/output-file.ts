import { createHash } from 'node:crypto';

/**
 * How long a published file may be cached: `immutable` files for good, since their names hold a hash of their content; `list` files for
 * `cache.list_max_age` of site.yaml; `config` files only if they are revalidated each time.
 */
export type CacheClass = 'immutable' | 'list' | 'config';

/** One file of the output. */
export interface OutputFile extends FileFacts {
  /** The text, written as UTF-8, or how it is made. */
  content: { text: string } | { parts: () => Iterable<string> };
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

/** The text of a file, part by part. */
export function partsOf({ content }: Pick<OutputFile | PrivateFile, 'content'>): Iterable<string> {
  return 'text' in content ? [content.text] : content.parts();
}

/** One file of the private output: only its owner reads it, and no manifest lists it. */
export interface PrivateFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** Text, or the parts of a text that is too long for memory; they are the same whenever they are requested. */
  content: { text: string } | { parts: () => Iterable<string> };
}

/** Size and hash of a file, which may have to be made for that. */
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

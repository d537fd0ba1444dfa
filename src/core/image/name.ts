import { FORMATS, type Format } from './format.ts';

/** Digits of the SHA-256 (hexadecimal) in a published name. */
const HASH_DIGITS = 16;

/** Returns `media/<slug>/<stem>.<hash>.<ext>`: a name that changes whenever the bytes do. */
export function originalPath(slug: string, path: string, format: Format, sha256: string): string {
  return `media/${slug}/${stem(path)}.${sha256.slice(0, HASH_DIGITS)}.${FORMATS[format].extensions[0]}`;
}

/** Returns `media/<slug>/<stem>.<hash>-thumbnail-<size marker>.<ext>`, with the hash of the thumbnail's own bytes. */
export function thumbnailPath(slug: string, path: string, format: Format, sha256: string, marker: string): string {
  const name = `${stem(path)}.${sha256.slice(0, HASH_DIGITS)}-thumbnail-${marker}`;
  return `media/${slug}/${name}.${FORMATS[format].extensions[0]}`;
}

const EXTENSIONS = Object.values(FORMATS).map(({ extensions: [extension] }) => extension);
const PUBLISHED = new RegExp(
  `^media/[a-z0-9-]{1,64}/[\\w-]{1,64}\\.([0-9a-f]{${HASH_DIGITS}})(?:-thumbnail-\\d+x\\d+(?:-\\d+|-maskable)?)?\\.(?:${EXTENSIONS.join('|')})$`,
);

/** Returns the digits of the SHA-256 in the path of a published image or thumbnail; nothing for any other path. */
export function publishedDigits(path: string): string | undefined {
  return PUBLISHED.exec(path)?.[1];
}

const SAFE = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?$/;

/** Returns the file name without folder and extension, in characters that need no escaping in a URL. */
function stem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  if (SAFE.test(name)) return name;
  const safe = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return safe.slice(0, 64) || 'picture';
}

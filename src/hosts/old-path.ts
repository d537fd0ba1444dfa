import { FORMATS } from '../image/format.ts';
import type { EdgeRules } from './contract.ts';

/** The store of CloudFront takes keys of 512 bytes. */
const MAX_LENGTH = 400;
/** What a client sends for a file name: characters that every host can compare, and percent-encoded ones. */
const PATH = /^(?:\/(?:[\w.~+@,=()!&';[\]-]|%[0-9A-Fa-f]{2})+)+$/;
const DECODED = /^[\p{L}\p{M}\p{N} ._~+@,=()!&';[\]/-]+$/u;
const IMAGE = new RegExp(
  `[.](?:${[...Object.values(FORMATS).flatMap(({ extensions }) => extensions), 'bmp', 'tiff?'].join('|')})$`,
  'i',
);
/** `name.<hash>.png`, `name.<hash>-thumbnail-250x250.png`. */
const PUBLISHED = /\/media\/[a-z0-9-]+\/[^/]+\.[0-9a-f]{16}[.-][^/]+$/;

/** Why a path cannot be redirected on every host, as a phrase that completes “The old path …”; nothing if it can. */
export function oldPathProblem(path: string, { endpoints }: Pick<EdgeRules, 'endpoints'>): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'does not start with one `/`';
  if (path.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  const decoded = decodedPath(path);
  if (!PATH.test(path) || decoded === undefined || !DECODED.test(decoded))
    return "has characters other than letters, digits and `._~+@,=()!&';[]-`, or percent-encoded letters and spaces";
  // Encoded, a slash or a dot would be one for some hosts only.
  if (/%2[ef]/i.test(path)) return 'has a `.` or `/` that is percent-encoded';
  if (decoded.split('/').some((part) => /^\.+$/.test(part))) return 'has a part of dots alone';
  if (!IMAGE.test(path)) return 'does not end like an image (`.png`, `.svg` and so on)';
  const { list } = endpoints;
  if ([list.path, list.folder].some((folder) => decoded.startsWith(decodeURIComponent(folder))))
    return `is below the endpoint ${list.path}`;
  if (PUBLISHED.test(decoded)) return 'is that of a published image';
  return undefined;
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

import { handle } from '../../core/edge-runtime/handler.ts';
import { FORMATS } from '../../core/image/format.ts';
import type { PublishedFile } from '../../hosts/contract/published-build.ts';
import type { Request } from '../../system/http/exchange.ts';
import { anonymousTheme, type Deployment, type Headers } from './build.ts';

/** The whole response that the contract requires. */
export interface Expected {
  status: number;
  /** By name in lower case. */
  headers: Headers;
  /** The published file with the body. */
  file?: PublishedFile | undefined;
  /** The body, unless it is a file. */
  text: string;
}

const TAG = '"themecast"';
/** The header that gives a requester a theme, instead of the identity rules of the build. */
const THEME_HEADER = 'themecast-verify';

/**
 * Returns the response that the contract requires. It runs the handler of edge hosts on a platform that records which file would be read.
 * @param theme - the theme of the requester
 * @param isUnmodified - whether the request has the ETag of the response
 */
export async function expectedOf(
  { build, url }: Pick<Deployment, 'build' | 'url'>,
  { method, origin, target, headers }: Request,
  theme = anonymousTheme(build),
  isUnmodified = false,
): Promise<Expected> {
  const { rules, files } = build;
  let file: string | undefined;
  const platform = {
    readFile: async (path: string) => {
      file = path.replace(/^\//, '');
      return { body: '', etag: TAG };
    },
    themeOf: async () => undefined,
    isTrusted: () => true,
    secret: () => undefined,
    jwks: async () => [],
  };
  const credential = { from: 'header', name: THEME_HEADER, proxies: [] } as const;
  const sent = new globalThis.Headers({
    ...headers,
    [THEME_HEADER]: theme,
    ...(isUnmodified && { 'If-None-Match': TAG }),
  });
  // The verified URL may have another path than `base_url`; old paths of images are at the root.
  const base = new URL(url).pathname.replace(/\/$/, '');
  const isOld = Object.hasOwn(rules.redirects ?? {}, target.replace(/\?.*/, ''));
  const request = {
    method,
    url: origin + (isOld ? target : rules.basePath + target.slice(base.length)),
    headers: sent,
  };
  const response = await handle(request, { ...rules, identity: [{ names: 'theme', credential }] }, platform);
  if (response === undefined) throw new Error(`${target} is no path of the service.`);
  const { etag: _, 'content-length': __, location, ...others } = Object.fromEntries(response.headers);
  const moved = location === undefined || isOld ? location : base + location.slice(rules.basePath.length);
  return {
    status: response.status,
    headers: { ...others, ...(moved !== undefined && { location: moved }) },
    file: file === undefined ? undefined : files.get(file),
    text: await response.text(),
  };
}

/** The Accept header of browsers for images: a CDN may convert images to a format in it. */
const IMAGE_ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
/** Enough bytes to recognise the format of an image. */
const SNIFFED_BYTES = 1024;

/** Returns the request of an image, and its response: the handler serves none, so that is made of the list of files. */
export function imageOf(
  { url, build: { rules } }: Pick<Deployment, 'url' | 'build'>,
  file: PublishedFile,
): { request: Request; expected: Expected } {
  const { baseUrl, mediaUrl } = rules;
  const base = mediaUrl.startsWith(`${baseUrl}/`) ? url + mediaUrl.slice(baseUrl.length) : mediaUrl;
  const { origin, pathname: target } = new URL(base + file.path.slice('media'.length));
  const svg = file.type === FORMATS.svg.mediaType && rules.headers.svg;
  const headers = { ...rules.headers.all, 'Content-Type': file.type, ...rules.headers.media, ...svg };
  const sent = { method: 'GET', headers: { Accept: IMAGE_ACCEPT }, isFresh: true } as const;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    request: { ...sent, origin, target, limit: file.bytes, keep: SNIFFED_BYTES },
    expected: { status: 200, headers: Object.fromEntries(lower) as Headers, file, text: '' },
  };
}

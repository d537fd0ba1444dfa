import { fileName, handle } from '../../core/edge-runtime/handler.ts';
import type { EdgeEndpoint, RuntimeRules } from '../../core/edge-runtime/rules.ts';
import { FORMATS } from '../../core/image/format.ts';
import type { PublishedFile } from '../../hosts/published-build.ts';
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
  let file: string | undefined;
  const platform = {
    readFile: async (path: string) => {
      file = path.replace(/^\//, '');
      return { body: '', etag: TAG };
    },
    themeOf: async () => undefined,
    isTrusted: () => false,
    secret: () => undefined,
    jwks: async () => [],
  };
  const sent = { ...headers, ...(isUnmodified && { 'If-None-Match': TAG }) };
  const request = { method, url: origin + target, headers: new Headers(sent) };
  const response = await handle(
    request,
    rulesAt(build.rules, new URL(url).pathname.replace(/\/$/, ''), theme),
    platform,
  );
  if (response === undefined) throw new Error(`${target} is no path of the service.`);
  const { etag: _, 'content-length': __, ...others } = Object.fromEntries(response.headers);
  const published = file === undefined ? undefined : build.files.get(file);
  return { status: response.status, headers: others, file: published, text: await response.text() };
}

/** Moves the rules to the path of the verified URL, and gives every requester one theme. */
function rulesAt(rules: Deployment['build']['rules'], base: string, theme: string): RuntimeRules {
  const moved = (path: string): string => base + path.slice(rules.basePath.length);
  const endpoints = Object.entries(rules.endpoints).map(([name, endpoint]: [string, EdgeEndpoint]) => {
    const isPersonal = endpoint.kind === 'config';
    const renderings = endpoint.renderings.map((each) =>
      isPersonal ? { ...each, file: fileName(each, theme) } : each,
    );
    return [name, { ...endpoint, path: moved(endpoint.path), renderings }];
  });
  const files = (all: RuntimeRules['schemas']) => all.map(({ file, path }) => ({ file, path: moved(path) }));
  return {
    ...rules,
    identity: [],
    endpoints: Object.fromEntries(endpoints) as RuntimeRules['endpoints'],
    schemas: files(rules.schemas),
    records: files(rules.records),
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
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    request: {
      method: 'GET',
      origin,
      target,
      headers: { Accept: IMAGE_ACCEPT },
      limit: file.bytes,
      keep: SNIFFED_BYTES,
      isFresh: true,
    },
    expected: { status: 200, headers: Object.fromEntries(lower) as Headers, file, text: '' },
  };
}

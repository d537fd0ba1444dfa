import { FILE_ALLOW } from './handler.ts';
import { methodNotAllowed, notFound, respondWithError } from './responses.ts';
import type { EdgeRequest, RuntimeRules } from './rules.ts';

/** The media types of published images, by file extension. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  ico: 'image/vnd.microsoft.icon',
};

/** Matches the path of an image below `media/`, and no path that could leave the folder. */
const MEDIA_FILE = /^\/media\/[a-z0-9-]+\/\w[\w.-]*[.](\w+)$/;

/**
 * Returns a published image with its headers. The path may include the path of `base_url`. The headers are set here and only on an
 * existing file: platforms add headers to a 404 too, which browsers would cache for a year.
 * @param fetchFile - fetches a file by its path from the root of `dist/`, with the preconditions of the request
 */
export async function media(
  { method, url }: EdgeRequest,
  rules: RuntimeRules,
  fetchFile: (path: string) => Promise<Response>,
): Promise<Response> {
  const { pathname } = new URL(url);
  const path = pathname.startsWith(`${rules.basePath}/media/`) ? pathname.slice(rules.basePath.length) : pathname;
  const type = MEDIA_TYPES[MEDIA_FILE.exec(path)?.[1] ?? ''];
  if (type === undefined) return notFound(rules);
  if (method !== 'GET' && method !== 'HEAD')
    return respondWithError(405, methodNotAllowed(method), rules, { Allow: FILE_ALLOW });
  const file = await fetchFile(path);
  if (file.status !== 200 && file.status !== 304) return notFound(rules);
  const response = new Response(file.body, file);
  const headers = {
    ...rules.headers.all,
    ...rules.headers.media,
    ...(type === MEDIA_TYPES['svg'] && rules.headers.svg),
  };
  for (const [name, value] of Object.entries({ ...headers, 'Content-Type': type })) response.headers.set(name, value);
  return response;
}

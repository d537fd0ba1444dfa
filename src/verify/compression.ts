import { count } from '../diagnostics/quote.ts';
import { FORMATS } from '../image/format.ts';
import { type Deployment, ENDPOINTS, firstOfEach, type Gets, title } from './build.ts';
import { configRequest, type Responded } from './config-theme.ts';
import { type HttpResponse, type Request, requestTo, shortHash, statusOf, WHOLE } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { type Result, judged, passed } from './result.ts';
import { members, headerText } from './headers.ts';
import { listRequest } from './list.ts';
import { imageUrls } from './media.ts';

/** The content codings that hosts send (RFC 9110, §8.4.1; RFC 7932). Each is asked for alone: beside a file may be one copy of each. */
const CODINGS = ['gzip', 'br'];

/** A document as it is sent uncompressed. */
interface Plain {
  /** How messages call it. */
  what: string;
  request: Request;
  sha256: string;
  etag?: string | undefined;
}

/** Every document that was returned, and every SVG, once more in each coding: decoded, it must be the same. */
export function compressionExchanges(
  deployment: Deployment,
  list: HttpResponse,
  responded: readonly Responded[],
  pages: Gets,
): Exchange[] {
  const { url, build } = deployment;
  const drawings = imageUrls(url, build).filter(({ file }) => file.type === FORMATS.svg.mediaType);
  return inEachCoding(deployment, [
    plainOf('LIST', listRequest(deployment), list),
    ...(['list', 'config'] as const).flatMap((kind) => {
      const page = pages[kind];
      const options = { headers: { Accept: 'text/html' }, ...WHOLE };
      const request = requestTo(url, `${ENDPOINTS[kind].path}?format=api`, options);
      return page === undefined ? [] : [plainOf(`the page of ${title(kind)}`, request, page)];
    }),
    ...firstOfEach(responded, ({ response }) => response.sha256).map(({ requester, response }) =>
      plainOf('CONFIG', configRequest(deployment, requester), response),
    ),
    ...drawings.map(({ file: { bytes, sha256 }, url: drawing }) => {
      const { origin, pathname } = new URL(drawing);
      return { what: 'an SVG', request: requestTo(origin, pathname, { limit: bytes }), sha256 };
    }),
  ]);
}

function plainOf(what: string, request: Request, { sha256, headers: { etag } }: HttpResponse): Plain {
  return { what, request, sha256, etag };
}

/** Documents in each coding: decoded, they must be the same. */
export function inEachCoding(deployment: Deployment, plain: readonly Plain[]): Exchange[] {
  return plain.flatMap((document) => CODINGS.map((coding) => compressedExchange(deployment, document, coding)));
}

function compressedExchange(
  { build }: Deployment,
  { what, request: plain, sha256, etag }: Plain,
  coding: string,
): Exchange {
  const usedBy = ({ headers }: HttpResponse): string => headers['content-encoding']?.trim().toLowerCase() ?? '';
  return {
    id: 'compression/document',
    request: { ...plain, headers: { ...plain.headers, 'Accept-Encoding': coding }, decode: true },
    is: (response) =>
      response.status === 200 &&
      response.end === 'complete' &&
      response.sha256 === sha256 &&
      ['', 'identity', coding, `x-${coding}`].includes(usedBy(response)),
    expected: `the uncompressed document, sha256 ${shortHash(sha256)}`,
    found: foundIn,
    message: `With ${coding}, ${what} differs from the uncompressed document.`,
    hint: `A compressed copy of another build is next to the file (\`.gz\`, \`.br\`), and browsers get it: delete it, or compress again after each build; nginx serves it because of \`gzip_static\`. See ${build.rulesAt}.`,
    also: (response) => {
      const used = usedBy(response);
      if (used === '' || used === 'identity') return [];
      return [passed('compression/document', used), ...cachingResults(what, response, etag)];
    },
  };
}

/** What a cache needs so as to keep the compressed response apart from the plain one. */
function cachingResults(what: string, response: HttpResponse, etag: string | undefined): Result[] {
  const id = 'compression/cache';
  const hasVary = members(response.headers['vary']).includes('accept-encoding');
  const tag = response.headers['etag'];
  // RFC 9110, §8.8.3.3: a strong ETag names the bytes as they are sent.
  const isOwn = tag === undefined || tag.startsWith('W/') || tag !== etag;
  return [
    judged(id, hasVary, `Compressed, ${what} does not list Accept-Encoding in Vary.`, {
      expected: 'Accept-Encoding in Vary',
      found: headerText(response, 'Vary'),
      hint: `A cache may serve it to a client that cannot decode it; in nginx, set \`gzip_vary on\`.`,
    }),
    judged(id, isOwn, `Compressed, ${what} has the ETag of the uncompressed document.`, {
      expected: 'another ETag, or a weak one',
      found: headerText(response, 'ETag'),
      hint: `A cache may combine parts of both (RFC 9110, section 8.8.3.3).`,
    }),
  ];
}

function foundIn(response: HttpResponse): string {
  if (response.status !== 200) return statusOf(response);
  const coding =
    response.headers['content-encoding'] === undefined ? 'uncompressed' : headerText(response, 'Content-Encoding');
  const size = count(response.bytes, 'byte');
  if (response.end === 'complete') return `${size}, sha256 ${shortHash(response.sha256)}, ${coding}`;
  return `${response.end} after ${size}, ${coding}`;
}

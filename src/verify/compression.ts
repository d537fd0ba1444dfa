import zlib from 'node:zlib';
import { count } from '../diagnostics/quote.ts';
import { FORMATS } from '../image/format.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { type Deployment, title } from './build.ts';
import type { Responded } from './config-theme.ts';
import { type HttpResponse, type Request, requestTo, shortHash, statusOf, WHOLE } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { fault, type Result, judged, passed } from './result.ts';
import { members, shown } from './headers.ts';
import { imageUrls } from './media.ts';
import type { Proof } from './methods.ts';

/**
 * The content codings of browsers (RFC 9110, §8.4.1; RFC 7932; RFC 8878). Each is asked for alone: beside a file may be one compressed
 * copy of each. Node.js before 22.15 cannot decode zstd.
 */
const CODINGS = ['gzip', 'br', ...('createZstdDecompress' in zlib ? ['zstd'] : [])];

/** A document as it is sent uncompressed. */
interface Plain {
  /** How messages call it. */
  what: string;
  request: Request;
  sha256: string;
  etag: string | undefined;
}

/** Every document that was returned, and every SVG, once more in each coding: decoded, it must be the same. */
export function compressionExchanges(
  deployment: Deployment,
  list: HttpResponse,
  responded: readonly Responded[],
  { pages }: Proof,
): Exchange[] {
  const plain = [
    plainOf(deployment, 'LIST', LIST.path, 'application/json', list),
    ...(['list', 'config'] as const).flatMap((kind) => {
      const { path } = kind === 'list' ? LIST : CONFIG;
      const page = pages[kind];
      const what = `the page of ${title(kind)}`;
      return page === undefined ? [] : [plainOf(deployment, what, `${path}?format=api`, 'text/html', page)];
    }),
    ...distinct(responded).map(({ requester, response }) =>
      plainOf(deployment, 'CONFIG', CONFIG.path, 'application/json', response, requester.headers),
    ),
  ];
  return inEachCoding(deployment, [...plain, ...plainDrawings(deployment)]);
}

/** One requester of each document. */
function distinct(responded: readonly Responded[]): Responded[] {
  return [...new Map(responded.toReversed().map((one) => [one.response.sha256, one])).values()].toReversed();
}

function plainOf(
  { url }: Deployment,
  what: string,
  path: string,
  accept: string,
  { sha256, headers: { etag } }: HttpResponse,
  headers: Request['headers'] = {},
): Plain {
  return { what, request: requestTo(url, path, { headers: { Accept: accept, ...headers }, ...WHOLE }), sha256, etag };
}

function plainDrawings({ url, build }: Deployment): Plain[] {
  return imageUrls(url, build)
    .filter(({ file }) => file.type === FORMATS.svg.mediaType)
    .map(({ file, url: image }) => {
      const { origin, pathname } = new URL(image);
      const request = { ...requestTo(origin, pathname, { limit: file.bytes }) };
      return { what: 'an SVG', request, sha256: file.sha256, etag: undefined };
    });
}

/** The same of every schema. */
export function compressedSchemaExchanges(deployment: Deployment): Exchange[] {
  const { url, build } = deployment;
  const plain = build.rules.schemas.map(({ file }): Plain => {
    const { sha256 = '' } = build.files.get(file.slice(1)) ?? {};
    return { what: 'a schema', request: requestTo(url, file), sha256, etag: undefined };
  });
  return inEachCoding(deployment, plain);
}

function inEachCoding(deployment: Deployment, plain: readonly Plain[]): Exchange[] {
  return plain.flatMap((one) => CODINGS.map((coding) => compressedExchange(deployment, one, coding)));
}

function compressedExchange(
  { build }: Deployment,
  { what, request: plain, sha256, etag }: Plain,
  coding: string,
): Exchange {
  const request = { ...plain, headers: { ...plain.headers, 'Accept-Encoding': coding }, decode: true };
  const judge = (response: HttpResponse): Result[] => {
    const used = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
    const isAccepted = ['', 'identity', coding, `x-${coding}`].includes(used);
    const isSame = response.status === 200 && response.end === 'complete' && response.sha256 === sha256 && isAccepted;
    if (!isSame)
      return [
        fault('compression/document', `With ${coding}, ${what} differs from the uncompressed document.`, {
          expected: `the uncompressed document, sha256 ${shortHash(sha256)}`,
          found: foundIn(response),
          hint: `A compressed copy of another build is next to the file (\`.gz\`, \`.br\`), and browsers get it: delete it, or compress again after each build; nginx serves it because of \`gzip_static\`. See ${build.rulesAt}.`,
        }),
      ];
    if (used === '' || used === 'identity') return [passed('compression/document')];
    return [passed('compression/document', used), ...cachingResults(what, response, etag)];
  };
  return { id: 'compression/document', request, judge };
}

/** What a cache needs so as to keep the compressed response apart from the plain one. */
function cachingResults(what: string, response: HttpResponse, etag: string | undefined): Result[] {
  const vary = members(response.headers['vary']);
  const tag = response.headers['etag'];
  return [
    judged(
      'compression/cache',
      vary.includes('accept-encoding'),
      `Compressed, ${what} does not list Accept-Encoding in Vary.`,
      {
        expected: 'Accept-Encoding in Vary',
        found: shown(response, 'Vary'),
        hint: `A cache may serve it to a client that cannot decode it; in nginx, set \`gzip_vary on\`.`,
      },
    ),
    // RFC 9110, §8.8.3.3: a strong ETag names the bytes as they are sent.
    judged(
      'compression/cache',
      tag === undefined || tag.startsWith('W/') || tag !== etag,
      `Compressed, ${what} has the ETag of the uncompressed document.`,
      {
        expected: 'another ETag, or a weak one',
        found: shown(response, 'ETag'),
        hint: `A cache may combine parts of both (RFC 9110, section 8.8.3.3).`,
      },
    ),
  ];
}

function foundIn(response: HttpResponse): string {
  if (response.status !== 200) return statusOf(response);
  const coding =
    response.headers['content-encoding'] === undefined ? 'uncompressed' : shown(response, 'Content-Encoding');
  const size = count(response.bytes, 'byte');
  if (response.end === 'complete') return `${size}, sha256 ${shortHash(response.sha256)}, ${coding}`;
  return `${response.end} after ${size}, ${coding}`;
}

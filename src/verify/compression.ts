import { count } from '../diagnostics/quote.ts';
import { type HttpResponse, type Request, shortHash, statusOf } from '../http/exchange.ts';
import { headerOf, members } from '../probe/headers.ts';
import { CODINGS, plainProbe, requestOf } from '../probe/table.ts';
import type { Exchange } from './ask.ts';
import { type Deployment, firstOfEach, type Plain, type Responded } from './build.ts';
import { headerText } from './headers.ts';
import { type Result, judged, passed } from './result.ts';

/** A document as it is sent uncompressed. */
interface Document {
  /** How messages call it. */
  what: string;
  request: Request;
  sha256: string;
  etag?: string | undefined;
}

/** Every document that was returned, once more in each coding; of pages, the anonymous ones. */
export function compressionExchanges(
  deployment: Deployment,
  plain: Plain,
  responded: readonly Responded[],
): Exchange[] {
  const { url, build } = deployment;
  const { list, config } = build.rules.endpoints;
  const documentOf = (what: string, request: Request, { sha256, headers: { etag } }: HttpResponse): Document => {
    return { what, request, sha256, etag };
  };
  const anonymous = [list, config].flatMap(({ kind, renderings }) =>
    renderings
      .filter(({ name }) => kind === 'list' || name === 'html')
      .flatMap((rendering) => {
        const response = plain.get(`${kind} ${rendering.name}`);
        const what = `${rendering.name === 'html' ? 'the page of ' : ''}${kind.toUpperCase()}`;
        return response === undefined ? [] : [documentOf(what, requestOf(plainProbe(kind, rendering), url), response)];
      }),
  );
  const others = responded.filter(({ probe }) => probe.returns !== 'html');
  const personal = firstOfEach(others, ({ response }) => response.sha256).map(({ probe, response }) => {
    const what = probe.returns === 'json' ? 'CONFIG' : `the ${String(probe.returns)} of CONFIG`;
    return documentOf(what, requestOf(probe, url), response);
  });
  return inEachCoding(deployment, [...anonymous, ...personal]);
}

/** Documents in each coding: decoded, they must be the same. */
export function inEachCoding(deployment: Deployment, documents: readonly Document[]): Exchange[] {
  return documents.flatMap((document) => CODINGS.map((coding) => compressedExchange(deployment, document, coding)));
}

function compressedExchange(
  { build }: Deployment,
  { what, request: plain, sha256, etag }: Document,
  coding: string,
): Exchange {
  const usedBy = (response: HttpResponse): string => headerOf(response, 'Content-Encoding')?.trim().toLowerCase() ?? '';
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
  const hasVary = members(headerOf(response, 'Vary')).some((name) => ['accept-encoding', '*'].includes(name));
  const tag = headerOf(response, 'ETag');
  // RFC 9110, §8.8.3.3: a strong ETag names the bytes as they are sent.
  const isOwn = tag === undefined || tag.startsWith('W/') || tag !== etag;
  return [
    judged('compression/cache', hasVary, `Compressed, ${what} does not list Accept-Encoding in Vary.`, {
      expected: 'Accept-Encoding in Vary',
      found: headerText(response, 'Vary'),
      hint: `A cache may serve it to a client that cannot decode it; in nginx, set \`gzip_vary on\`.`,
    }),
    judged('compression/etag', isOwn, `Compressed, ${what} has the ETag of the uncompressed document.`, {
      expected: 'another ETag, or a weak one',
      found: headerText(response, 'ETag'),
      hint: `A cache may combine parts of both (RFC 9110, section 8.8.3.3).`,
    }),
  ];
}

function foundIn(response: HttpResponse): string {
  if (response.status !== 200) return statusOf(response);
  const coding = headerOf(response, 'Content-Encoding');
  const named = coding === undefined ? 'uncompressed' : headerText(response, 'Content-Encoding');
  const size = count(response.bytes, 'byte');
  if (response.end === 'complete') return `${size}, sha256 ${shortHash(response.sha256)}, ${named}`;
  return `${response.end} after ${size}, ${named}`;
}

import { count } from '../diagnostics/quote.ts';
import { REDIRECT_HEADERS } from '../edge-runtime/handler.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { redirectPairs } from '../hosts/redirects.ts';
import { type HttpResponse, type Request, shortHash, statusOf, urlOf } from '../http/exchange.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { headerOf } from '../probe/headers.ts';
import type { Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import { inEachCoding } from './compression.ts';
import { leadsTo } from './documents.ts';
import { headerResults, headerText } from './headers.ts';
import { fault, passed, type Result } from './result.ts';

/** Total size of the images that are downloaded, in bytes; for the rest only the headers are checked. */
const MAX_DOWNLOAD_BYTES = 300e6;
/** Bytes that identify the format of an image. */
const SNIFFED_BYTES = 1024;
/** As browsers ask for images: what is in front may convert an image to a format that is named here. */
const ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/**
 * Every image of this build, each as requests that follow each other: of two servers behind one address, both get one. An SVG is requested
 * in each coding, other images once more by HEAD.
 */
export function mediaExchanges(deployment: Deployment): Exchange[][] {
  let budget = MAX_DOWNLOAD_BYTES;
  return imageUrls(deployment.url, deployment.build).map(({ file, url }) => {
    budget -= file.bytes;
    const first = mediaExchange(deployment.build, file, url, budget >= 0);
    const { request } = first;
    if (request.method === 'HEAD') return [first];
    if (file.type === FORMATS.svg.mediaType)
      return [first, ...inEachCoding(deployment, [{ what: 'an SVG', sha256: file.sha256, request }])];
    // HEAD may not be supported, which other checks report.
    const isThere = ({ status }: HttpResponse): boolean => [200, 405, 501].includes(status);
    return [first, { ...first, request: { ...request, method: 'HEAD' }, is: isThere, expected: '200', also: () => [] }];
  });
}

/** Every published image and its URL, the smallest first: below the verified URL if `media_url` is below `base_url`. */
function imageUrls(url: string, { files, rules }: Build): { file: PublishedFile; url: string }[] {
  const { baseUrl, mediaUrl } = rules;
  const base = mediaUrl.startsWith(`${baseUrl}/`) ? url + mediaUrl.slice(baseUrl.length) : mediaUrl;
  const images = [...files.values()].filter(({ path }) => path.startsWith('media/'));
  return images
    .toSorted((a, b) => a.bytes - b.bytes)
    .map((file) => ({ file, url: base + file.path.slice('media'.length) }));
}

function mediaExchange(build: Build, file: PublishedFile, url: string, isWhole: boolean): Exchange {
  const { rules, rulesAt } = build;
  const { origin, pathname } = new URL(url);
  const method = isWhole ? 'GET' : 'HEAD';
  const headers = { Accept: ACCEPT };
  const expected = {
    'Content-Type': file.type,
    ...rules.headers.media,
    ...(file.type === FORMATS.svg.mediaType && rules.headers.svg),
  };
  return {
    id: 'media/status',
    request: { method, origin, target: pathname, headers, limit: file.bytes, keep: SNIFFED_BYTES, isFresh: true },
    is: 200,
    message: 'An image is missing.',
    hint: `Upload phase 1 of manifest.json, before phase 2. Images are public files: see ${rulesAt}.`,
    also: (response) => [bytesResult(file, response, isWhole), ...headerResults(build, 'An image', response, expected)],
  };
}

function bytesResult(file: PublishedFile, response: HttpResponse, isWhole: boolean): Result {
  const { end, sha256, headers } = response;
  const isSame = isWhole
    ? sha256 === file.sha256 && end === 'complete'
    : Number(headers['content-length'] ?? file.bytes) === file.bytes;
  if (isSame) return passed('media/bytes', isWhole ? 'size and sha256' : 'size of the rest');
  return fault('media/bytes', 'The bytes of an image differ from this build.', {
    expected: `${count(file.bytes, 'byte')}, sha256 ${shortHash(file.sha256)}`,
    found: isWhole ? contentOf(response) : headerText(response, 'Content-Length'),
    hint: 'The upload is incomplete, the host responds to missing files with a page and 200, or a proxy or CDN converts or compresses images: upload phase 1 of manifest.json again, or disable that.',
  });
}

/** What was sent in the place of a file: `an image in WebP, 50 bytes, sha256 3f2a9c01…`. */
function contentOf(response: HttpResponse): string {
  const { end, sha256, start } = response;
  const sniffed = sniffFormat(start);
  const what = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const bytes = count(response.bytes, 'byte');
  const size = end === 'complete' ? bytes : end === 'over the limit' ? `more than ${bytes}` : `${end} after ${bytes}`;
  const coding = headerOf(response, 'Content-Encoding') && `, ${headerText(response, 'Content-Encoding')}`;
  return `${what}, ${size}, sha256 ${shortHash(sha256)}${coding ?? ''}`;
}

/** Redirects that are requested. */
const MAX_REDIRECTS = 50;

/** The first old paths. */
export function redirectExchanges({ url, build }: Deployment): Exchange[] {
  const { rules, rulesAt } = build;
  const pairs = redirectPairs(rules);
  const sample = pairs.slice(0, MAX_REDIRECTS);
  const label = `${count(sample.length, 'old path')} of ${pairs.length}`;
  const { origin } = new URL(url);
  return sample.map(([target, to]): Exchange => {
    const request: Request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 };
    const expected = `301, Location: ${to}`;
    // Behind a CDN, the host may give its public name.
    const targets = [urlOf(request), rules.baseUrl].map((base) => new URL(to, base).href);
    return {
      id: 'redirect/status',
      request,
      instead: (response) => {
        const isServed = response.status === 200 && headerOf(response, 'Content-Type')?.startsWith('image/') === true;
        const message = 'An old path of an image still leads to another service.';
        const hint = 'Right until that service goes; then pass old paths on to the host.';
        const details = { expected, found: statusOf(response), hint };
        return isServed ? [fault('redirect/served', message, details)] : undefined;
      },
      is: (response) =>
        [301, 308].includes(response.status) && leadsTo(headerOf(response, 'Location') ?? '', urlOf(request), targets),
      expected,
      found: (response) => `${response.status}, ${headerText(response, 'Location')}`,
      message: 'An old path of an image does not lead to the image.',
      hint: `Load the rules of this build: see ${rulesAt}. A proxy in front must pass old paths on to the host.`,
      also: (response) => [
        passed('redirect/status', label),
        ...headerResults(build, 'A redirect', response, REDIRECT_HEADERS),
      ],
    };
  });
}

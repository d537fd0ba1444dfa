import { count } from '../diagnostics/quote.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import type { Deployment } from './build.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { type HttpResponse, shortHash } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { fault, passed, type Result } from './result.ts';
import { headerResults, headerText } from './headers.ts';

/** Total size of the images that are downloaded, in bytes; for the rest only the headers are checked. */
const MAX_DOWNLOAD_BYTES = 300e6;
/** Bytes that identify the format of an image. */
const SNIFFED_BYTES = 1024;

/** Every image of this build. */
export function mediaExchanges({ url, build }: Deployment): Exchange[] {
  let budget = MAX_DOWNLOAD_BYTES;
  return imageUrls(url, build).map(({ file, url: image }) => {
    budget -= file.bytes;
    return mediaExchange(build, file, image, budget >= 0);
  });
}

/** Every published image and its URL, the smallest first: below the verified URL if `media_url` is below `base_url`. */
export function imageUrls(url: string, { files, rules }: Build): { file: PublishedFile; url: string }[] {
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
  const headers = { Accept: 'image/*,*/*;q=0.8' };
  const expected = {
    'Content-Type': file.type,
    ...rules.headers.media,
    ...(file.type === FORMATS.svg.mediaType && rules.headers.svg),
  };
  return {
    id: 'media/status',
    request: { method, origin, target: pathname, headers, limit: file.bytes, keep: SNIFFED_BYTES },
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

/** What was sent in the place of an image: `an image in WebP, 50 bytes, sha256 3f2a9c01…`. */
function contentOf(response: HttpResponse): string {
  const { end, sha256, start, headers } = response;
  const sniffed = sniffFormat(start);
  const what = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const bytes = count(response.bytes, 'byte');
  const size = end === 'complete' ? bytes : end === 'over the limit' ? `more than ${bytes}` : `${end} after ${bytes}`;
  const coding = headers['content-encoding'] === undefined ? '' : `, ${headerText(response, 'Content-Encoding')}`;
  return `${what}, ${size}, sha256 ${shortHash(sha256)}${coding}`;
}

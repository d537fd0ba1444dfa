import { count } from '../diagnostics/quote.ts';
import { FORMATS, isLfsPointer, sniffFormat } from '../image/format.ts';
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
    hint: ({ status }) =>
      status === 404 ? 'Upload phase 1 of manifest.json, before phase 2.' : `Images are public files: see ${rulesAt}.`,
    also: (response) => [
      isWhole ? bytesResult(file, response) : sizeResult(file, response),
      ...headerResults(build, 'An image', response, expected),
    ],
  };
}

const MESSAGE = 'The bytes of an image differ from this build.';

function sizeResult(file: PublishedFile, response: HttpResponse): Result {
  const length = response.headers['content-length'];
  if (length === undefined || Number(length) === file.bytes) return passed('media/bytes', 'size of the rest');
  const found = headerText(response, 'Content-Length');
  return fault('media/bytes', MESSAGE, { expected: count(file.bytes, 'byte'), found, hint: CHANGED });
}

const CHANGED =
  'The upload is incomplete, or a proxy or CDN converts or compresses images: upload phase 1 of manifest.json again, or disable that.';

function bytesResult(file: PublishedFile, response: HttpResponse): Result {
  const { end, sha256, headers } = response;
  if (sha256 === file.sha256 && end === 'complete') return passed('media/bytes', 'size and sha256');
  const bytes = count(response.bytes, 'byte');
  const size = end === 'complete' ? bytes : end === 'over the limit' ? `more than ${bytes}` : `${end} after ${bytes}`;
  const coding = headers['content-encoding'] === undefined ? '' : `, ${headerText(response, 'Content-Encoding')}`;
  const [what, hint] = contentOf(file, response);
  return fault('media/bytes', MESSAGE, {
    expected: `${count(file.bytes, 'byte')}, sha256 ${shortHash(file.sha256)}`,
    found: `${what}${size}, sha256 ${shortHash(sha256)}${coding}`,
    hint,
  });
}

/** What a file in the place of an image is, if it is something else, and what most probably went wrong. */
function contentOf(file: PublishedFile, { start }: HttpResponse): [what: string, hint: string] {
  if (isLfsPointer(start))
    return [
      'a Git LFS pointer, ',
      'The build used a checkout without LFS files: run `git lfs pull`, build and upload dist/ again.',
    ];
  const sniffed = sniffFormat(start);
  if ('format' in sniffed && FORMATS[sniffed.format].mediaType === file.type) return ['', CHANGED];
  const what = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const hint =
    what === 'an HTML page'
      ? 'The host responds to missing files with a page and 200: upload phase 1 of manifest.json, and configure 404 for missing files.'
      : CHANGED;
  return [`${what}, `, hint];
}

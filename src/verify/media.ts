import { count } from '../diagnostics/quote.ts';
import { FORMATS, isLfsPointer, sniffFormat } from '../image/format.ts';
import type { Deployment } from './build.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { type HttpResponse, shortHash } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { fault, passed, type Result, statusResult } from './result.ts';
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
  const { origin, pathname } = new URL(url);
  const method = isWhole ? 'GET' : 'HEAD';
  const headers = { Accept: 'image/*,*/*;q=0.8' };
  const request = { method, origin, target: pathname, headers, limit: file.bytes, keep: SNIFFED_BYTES } as const;
  return { id: 'media/status', request, judge: (response) => mediaResults(build, file, method, response) };
}

function mediaResults(build: Build, file: PublishedFile, method: 'GET' | 'HEAD', response: HttpResponse): Result[] {
  const { rules, rulesAt } = build;
  const hint =
    response.status === 404
      ? 'Upload phase 1 of manifest.json, before phase 2.'
      : `Images are public files: see ${rulesAt}.`;
  const status = statusResult('media/status', response, 200, 'An image is missing.', hint);
  if (!status.ok) return [status];
  // A file that is not an image fails all other checks too.
  const impostor = method === 'GET' ? impostorResult(file, response) : undefined;
  if (impostor !== undefined) return [status, impostor];
  return [
    status,
    method === 'GET' ? bytesResult(file, response) : sizeResult(file, response),
    ...headerResults(build, 'An image', response, {
      'Content-Type': file.type,
      ...rules.headers.media,
      ...(file.type === FORMATS.svg.mediaType && rules.headers.svg),
    }),
  ];
}

/** Identifies another file in the place of an image. */
function impostorResult(file: PublishedFile, response: HttpResponse): Result | undefined {
  if (response.sha256 === file.sha256 || response.bytes === 0) return undefined;
  const sniffed = sniffFormat(response.start);
  const format = 'format' in sniffed ? FORMATS[sniffed.format] : undefined;
  if (format?.mediaType === file.type) return undefined;
  const what = format === undefined ? (sniffed as { other: string }).other : `an image in ${format.name}`;
  const isPointer = isLfsPointer(response.start);
  return fault('media/bytes', 'An image file is not a valid image.', {
    expected: file.type,
    found: `${isPointer ? 'a Git LFS pointer' : what} (${headerText(response, 'Content-Type')})`,
    hint: isPointer
      ? 'The build used a checkout without LFS files: run `git lfs pull`, build and upload dist/ again.'
      : what === 'an HTML page'
        ? 'The host responds to missing files with a page and 200: upload phase 1 of manifest.json, and configure 404 for missing files.'
        : 'Upload phase 1 of manifest.json again.',
  });
}

const DIFFERS = 'The bytes of an image differ from this build.';

/** What is the same of a response whose bytes differ: what was to come, and what most probably went wrong. */
function detailsOf(file: PublishedFile, response: HttpResponse): { expected: string; hint: string } {
  return {
    expected: `${count(file.bytes, 'byte')}, sha256 ${shortHash(file.sha256)}`,
    hint:
      response.headers['content-encoding'] === undefined
        ? 'The upload is incomplete, or a proxy or CDN converts images: upload it again, or disable the conversion.'
        : 'The host compresses although the request does not accept it.',
  };
}

function sizeResult(file: PublishedFile, response: HttpResponse): Result {
  const length = response.headers['content-length'];
  if (length === undefined || Number(length) === file.bytes) return passed('media/bytes', 'size of the rest');
  return fault('media/bytes', DIFFERS, { ...detailsOf(file, response), found: headerText(response, 'Content-Length') });
}

function bytesResult(file: PublishedFile, response: HttpResponse): Result {
  if (response.sha256 === file.sha256 && response.end === 'complete') return passed('media/bytes', 'size and sha256');
  const bytes = count(response.bytes, 'byte');
  const size = {
    complete: bytes,
    'cut off': `cut off after ${bytes}`,
    'over the limit': `more than ${bytes}`,
    damaged: `corrupt after ${bytes}`,
    'not decoded': 'a body that was not decoded',
  }[response.end];
  const isCoded = response.headers['content-encoding'] !== undefined;
  const coding = isCoded ? `, ${headerText(response, 'Content-Encoding')}` : '';
  const found = `${size}, sha256 ${shortHash(response.sha256)}${coding}`;
  return fault('media/bytes', DIFFERS, { ...detailsOf(file, response), found });
}

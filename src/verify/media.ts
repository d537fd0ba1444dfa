import { count } from '../diagnostics/quote.ts';
import { FORMATS, isLfsPointer, sniffFormat } from '../image/format.ts';
import type { Deployment } from './build.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import type { CheckId } from './checks.ts';
import { type HttpResponse, type Request, shortHash, statusOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { fault, type Result, passed } from './result.ts';
import { headerResults, shown } from './headers.ts';

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

function mediaExchange(build: Build, file: PublishedFile, url: string, whole: boolean): Exchange {
  const { origin, pathname } = new URL(url);
  const method = whole ? 'GET' : 'HEAD';
  const request: Request = {
    method,
    origin,
    target: pathname,
    headers: { Accept: 'image/*,*/*;q=0.8' },
    limit: file.bytes,
    keep: SNIFFED_BYTES,
  };
  return { id: 'media/status', request, judge: (response) => mediaResults(build, file, request, response) };
}

function mediaResults(build: Build, file: PublishedFile, request: Request, response: HttpResponse): Result[] {
  const { rules, rulesAt } = build;
  if (response.status !== 200) {
    const hint =
      response.status === 404
        ? 'Upload phase 1 of manifest.json, before phase 2.'
        : `Images are public files: see ${rulesAt}.`;
    return [fault('media/status', 'An image is missing.', { expected: '200', found: statusOf(response), hint })];
  }
  // A file that is not an image fails all other checks too.
  const impostor = request.method === 'GET' ? impostorResult(file, response) : undefined;
  if (impostor !== undefined) return [passed('media/status'), impostor];
  const isSvg = file.type === FORMATS.svg.mediaType;
  return [
    passed('media/status'),
    ...bytesResults(file, request, response),
    ...headerResults(build, 'An image', response, {
      'Content-Type': file.type,
      ...rules.headers.media,
      ...(isSvg ? rules.headers.svg : {}),
    }),
  ];
}

/** Identifies another file in the place of an image. */
function impostorResult(file: PublishedFile, response: HttpResponse): Result | undefined {
  if (response.sha256 === file.sha256) return undefined;
  const sniffed = sniffFormat(response.start);
  const isImage = 'format' in sniffed && FORMATS[sniffed.format].mediaType === file.type;
  if (isImage || response.bytes === 0) return undefined;
  const isPointer = isLfsPointer(response.start);
  const what = isPointer
    ? 'a Git LFS pointer'
    : 'format' in sniffed
      ? `an image in ${FORMATS[sniffed.format].name}`
      : sniffed.other;
  return fault('media/bytes', 'An image file is not a valid image.', {
    expected: file.type,
    found: `${what} (${shown(response, 'Content-Type')})`,
    hint: isPointer
      ? 'The build used a checkout without LFS files: run `git lfs pull`, build and upload dist/ again.'
      : what === 'an HTML page'
        ? 'The host responds to missing files with a page and 200: upload phase 1 of manifest.json, and configure 404 for missing files.'
        : 'Upload phase 1 of manifest.json again.',
  });
}

function bytesResults(file: PublishedFile, { method }: Request, response: HttpResponse): Result[] {
  const id: CheckId = 'media/bytes';
  const expected = `${count(file.bytes, 'byte')}, sha256 ${shortHash(file.sha256)}`;
  const coding = response.headers['content-encoding'];
  const message = 'The bytes of an image differ from this build.';
  const hint =
    coding === undefined
      ? 'The upload is incomplete, or a proxy or CDN converts images: upload it again, or disable the conversion.'
      : 'The host compresses although the request does not accept it.';
  if (method === 'HEAD') {
    const length = response.headers['content-length'];
    const isRight = length === undefined || Number(length) === file.bytes;
    return [
      isRight
        ? passed(id, 'size of the rest')
        : fault(id, message, { expected, found: shown(response, 'Content-Length'), hint }),
    ];
  }
  if (response.sha256 === file.sha256 && response.end === 'complete') return [passed(id, 'size and sha256')];
  const bytes = count(response.bytes, 'byte');
  const size = {
    complete: bytes,
    'cut off': `cut off after ${bytes}`,
    'over the limit': `more than ${bytes}`,
    damaged: `corrupt after ${bytes}`,
    'not decoded': 'a body that was not decoded',
  }[response.end];
  const found = `${size}, sha256 ${shortHash(response.sha256)}${coding === undefined ? '' : `, ${shown(response, 'Content-Encoding')}`}`;
  return [fault(id, message, { expected, found, hint })];
}

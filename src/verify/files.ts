import { ASSETS } from '../document/endpoint.ts';
import { count } from '../diagnostics/quote.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { redirectPairs } from '../hosts/redirects.ts';
import { type HttpResponse, type Request, requestTo, shortHash, statusOf } from '../http/exchange.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { headerOf, typeOf } from '../probe/headers.ts';
import type { Deployment } from './build.ts';
import { inEachCoding } from './conditional.ts';
import { contractResults, contractResponse, headerResults, headerText } from './contract.ts';
import { ask, fault, verdict, passed, type Question, type Result, type Send } from './result.ts';

/** Limits the total download of images, smallest first; of larger images only the headers are checked. */
const MAX_DOWNLOAD_BYTES = 300e6;
/** Enough bytes to recognise the format of an image. */
const SNIFFED_BYTES = 1024;
/** The Accept header of browsers for images: a CDN may convert images to a format in it. */
const IMAGE_ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/**
 * Requests every image of this build, the smallest first. An SVG is requested again in each content coding, other images by HEAD: the
 * requests for one image follow each other, so that two servers behind one address get one each.
 */
export function imageQuestions({ url, build: { files, rules } }: Deployment): Question[][] {
  const { baseUrl, mediaUrl } = rules;
  const base = mediaUrl.startsWith(`${baseUrl}/`) ? url + mediaUrl.slice(baseUrl.length) : mediaUrl;
  const images = [...files.values()].filter(({ path }) => path.startsWith('media/'));
  let budget = MAX_DOWNLOAD_BYTES;
  return images
    .toSorted((a, b) => a.bytes - b.bytes)
    .map((file) => {
      budget -= file.bytes;
      const { origin, pathname: target } = new URL(base + file.path.slice('media'.length));
      const method = budget >= 0 ? 'GET' : 'HEAD';
      const headers = { Accept: IMAGE_ACCEPT };
      const request: Request = {
        method,
        origin,
        target,
        headers,
        limit: file.bytes,
        keep: SNIFFED_BYTES,
        isFresh: true,
      };
      const first = imageQuestion(rules, file, request);
      if (method === 'HEAD') return [first];
      if (file.type === FORMATS.svg.mediaType)
        return [first, ...inEachCoding([{ label: 'an SVG', sha256: file.sha256, request }])];
      // A missing HEAD method is reported by `method/head`.
      const isThere = ({ status }: HttpResponse): boolean => [200, 405, 501].includes(status);
      const judge = (response: HttpResponse): Result[] => [imageStatus(response, isThere(response))];
      return [first, { id: 'media/status', request: { ...request, method: 'HEAD' }, judge }];
    });
}

function imageStatus(response: HttpResponse, isRight: boolean): Result {
  return verdict('media/status', isRight, 'An image is missing.', { expected: '200', found: statusOf(response) });
}

function imageQuestion({ headers }: Build['rules'], file: PublishedFile, request: Request): Question {
  const svg = file.type === FORMATS.svg.mediaType && headers.svg;
  const expected = { ...headers.all, 'Content-Type': file.type, ...headers.media, ...svg };
  return {
    id: 'media/status',
    request,
    judge: (response) => {
      if (response.status !== 200) return [imageStatus(response, false)];
      const isWhole = request.method === 'GET';
      const { end, sha256 } = response;
      const length = headerOf(response, 'Content-Length') ?? file.bytes;
      const isSame = isWhole ? sha256 === file.sha256 && end === 'complete' : Number(length) === file.bytes;
      const bytes = isSame
        ? passed('media/bytes', isWhole ? 'size and sha256' : 'size of the rest')
        : fault('media/bytes', 'The bytes of an image differ from this build.', {
            expected: `${count(file.bytes, 'byte')}, sha256 ${shortHash(file.sha256)}`,
            found: isWhole ? contentOf(response) : headerText(response, 'Content-Length'),
          });
      return [bytes, ...headerResults('An image', response, expected)];
    },
  };
}

/** Describes the body of a wrong response: `an image in WebP, 50 bytes, sha256 3f2a9c01…`. */
function contentOf(response: HttpResponse): string {
  const { end, sha256, start } = response;
  const sniffed = sniffFormat(start);
  const content = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const bytes = count(response.bytes, 'byte');
  const size = end === 'complete' ? bytes : end === 'over the limit' ? `more than ${bytes}` : `${end} after ${bytes}`;
  const coding = headerOf(response, 'Content-Encoding') && `, ${headerText(response, 'Content-Encoding')}`;
  return `${content}, ${size}, sha256 ${shortHash(sha256)}${coding ?? ''}`;
}

const MAX_REDIRECTS = 50;

export async function redirectQuestions(deployment: Deployment): Promise<Question[]> {
  const { url, build } = deployment;
  const pairs = redirectPairs(build.rules);
  const sample = pairs.slice(0, MAX_REDIRECTS);
  const label = `${count(sample.length, 'old path')} of ${pairs.length}`;
  const { origin } = new URL(url);
  const id = 'redirect/status';
  return Promise.all(
    sample.map(async ([target]): Promise<Question> => {
      const request: Request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 };
      const expected = await contractResponse(deployment, request);
      return {
        id,
        request,
        judge: (response) => {
          const details = { expected: `301, Location: ${expected.headers['location']}`, found: statusOf(response) };
          if (response.status === 200 && typeOf(response)?.startsWith('image/') === true)
            return [fault('redirect/served', 'An old path of an image still leads to another service.', details)];
          return [
            passed(id, label),
            ...contractResults(deployment, id, 'The old path of an image', { request, expected }, response),
          ];
        },
      };
    }),
  );
}

/**
 * Requests the schemas and assets.json as a page of an allowed origin does; then, if they are of this build, compressed.
 * @param isProven - whether both endpoints are proven to serve this build; only then is POST sent, which a static file refuses
 */
export async function schemaResults(send: Send, deployment: Deployment, isProven: boolean): Promise<Result[]> {
  const { url, build } = deployment;
  const [origin] = build.rules.corsOrigins;
  const { schemas, records } = build.rules;
  const published = [...schemas, ...records.filter(({ file }) => file === ASSETS)];
  const all = published.map(async ({ file: path }): Promise<[Question, ...Question[]]> => {
    const { bytes = 0, sha256 = '' } = build.files.get(path.slice(1)) ?? {};
    const request = requestTo(url, path, origin === undefined ? {} : { headers: { Origin: origin } });
    const post = requestTo(url, path, { method: 'POST', headers: { 'Content-Length': '0' } });
    const [expected, refusal] = await Promise.all([
      contractResponse(deployment, request),
      contractResponse(deployment, post),
    ]);
    const judge = (response: HttpResponse): Result[] => {
      const isSame = response.status === 200 && response.end === 'complete' && response.sha256 === sha256;
      const document = verdict('schema/document', isSame, 'A schema or assets.json is missing, or of another build.', {
        expected: `200, ${count(bytes, 'byte')}, sha256 ${shortHash(sha256)}`,
        found: `${statusOf(response)}, ${count(response.bytes, 'byte')}, sha256 ${shortHash(response.sha256)}`,
      });
      if (!isSame) return [document];
      return contractResults(deployment, 'schema/document', 'A schema or assets.json', { request, expected }, response);
    };
    const id = 'method/not-allowed';
    const postQuestion: Question = {
      id,
      request: post,
      judge: (response) =>
        contractResults(
          deployment,
          id,
          'POST on a schema or assets.json',
          { request: post, expected: refusal },
          response,
        ),
    };
    const codings = inEachCoding([{ label: 'a schema or assets.json', request: requestTo(url, path), sha256 }]);
    return [{ id: 'schema/document', request, judge }, ...codings, ...(isProven ? [postQuestion] : [])];
  });
  const questions = await Promise.all(all);
  const documentQuestions = questions.map(([document]) => document);
  const documents = await ask(send, documentQuestions);
  if (documents.some(({ id, ok }) => id === 'schema/document' && !ok)) return documents;
  const furtherQuestions = questions.flatMap(([, ...further]) => further);
  return [...documents, ...(await ask(send, furtherQuestions))];
}

import { printable, shownUrl } from '../../../core/diagnostics/quote.ts';
import type { HttpResponse } from '../../../system/http/exchange.ts';
import type { Fetched, NotFetched } from '../../../system/http/io/fetcher.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import { compareDecoded } from '../../../system/decoder/compare-decoded.ts';
import type { ImagePair } from '../old/records.ts';
import { ANY_ORIGIN, compareCaching, compareOrigins } from '../old/responses.ts';
import { type CompareResult, differs, same } from '../old/result.ts';
import { CONCURRENCY, type Service, type Services } from './old-service.ts';

interface ImageOptions extends Services {
  onProgress: (done: number, all: number) => void;
}

/** Fetches and compares images, each pair of URLs once. */
export async function compareImages(
  pairs: readonly ImagePair[],
  { old, new: now, onProgress }: ImageOptions,
  decoders: Decoders,
): Promise<CompareResult[][]> {
  const outcomes = new Map<string, Promise<CompareResult[]>>();
  let done = 0;
  return mapConcurrently(pairs, CONCURRENCY, async (pair) => {
    const key = JSON.stringify([pair.old, pair.new, pair.isThumbnail]);
    const outcome = outcomes.get(key) ?? compareImage(pair, old, now, decoders);
    outcomes.set(key, outcome);
    const compared = await outcome;
    onProgress(++done, pairs.length);
    return compared.map((row) => ({ ...row, what: row.what.replace(/^image/, () => pair.what) }));
  });
}

/** Compares the pixels of two images, and the headers of their responses. The name of each result begins with `image`. */
async function compareImage(pair: ImagePair, old: Service, now: Service, decoders: Decoders): Promise<CompareResult[]> {
  const [before, after] = await Promise.all([old.image(pair.old), now.image(pair.new)]);
  if ('problem' in before || 'problem' in after || before.status !== 200 || after.status !== 200)
    return [differs('themes', 'image', textOf(before), textOf(after))];
  const responses = [before, after].map((image) => image as unknown as HttpResponse) as [HttpResponse, HttpResponse];
  const [type, newType] = [before, after].map(({ headers }) => printable(headers['content-type'] ?? 'none'));
  const isSame = sha256Of(before.body) === sha256Of(after.body);
  const further = [
    ...(isSame && type !== newType ? [differs('responses', 'image Content-Type', type ?? '', newType ?? '')] : []),
    ...compareCaching('image', ...responses),
    ...compareOrigins({ what: 'image from any origin', method: 'GET' }, ANY_ORIGIN, ...responses),
  ].filter((row) => row.class !== 'same');
  if (isSame) return [same('themes', 'image'), ...further];
  const { names, difference, isEqual } = await compareDecoded(before.body, after.body, pair, decoders);
  const distance = difference && `mean ${difference.mean.toFixed(2)}, max ${difference.max} of 255`;
  if (isEqual)
    return [
      { group: 'themes', what: 'image', class: 'equal', old: names[0], new: `${names[1]}, ${distance}` },
      ...further,
    ];
  const newImage = distance === undefined ? names[1] : `${names[1]}, other pixels: ${distance}`;
  const [oldPath, newPath] = [pathOf(pair.old, old), pathOf(pair.new, now)];
  return [differs('themes', 'image', `${names[0]} ${oldPath}`, `${newImage} ${newPath}`), ...further];
}

function textOf(image: Fetched | NotFetched): string {
  if ('problem' in image) return image.problem;
  return image.status === 200 ? 'an image' : `status ${image.status}`;
}

/** Returns the path of an image below the URL of its service, or its URL, so that people can open it. */
function pathOf(image: string, { options: { url } }: Service): string {
  return image.startsWith(`${url}/`) ? shownUrl(image).slice(url.length) : shownUrl(image);
}

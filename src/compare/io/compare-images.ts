import { printable, shownUrl } from '../../diagnostics/quote.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import type { Fetched, NotFetched } from '../../http/io/fetcher.ts';
import { mapConcurrently } from '../../disk/concurrency.ts';
import type { Decoders } from '../../decoder/pool.ts';
import { sha256Of } from '../../disk/files.ts';
import { compareDecoded } from '../../decoder/compare-decoded.ts';
import type { ImagePair } from '../records.ts';
import { ANY_ORIGIN, compareCaching, compareOrigins } from '../responses.ts';
import { type Compared, differs, same } from '../result.ts';
import { CONCURRENCY, type Service, type Services } from './service.ts';

interface ImageOptions extends Services {
  onProgress: (done: number, all: number) => void;
}

/** Fetches and compares images. The same URLs are fetched once. */
export async function compareImages(
  pairs: readonly ImagePair[],
  { old, new: now, onProgress }: ImageOptions,
  decoders: Decoders,
): Promise<Compared[][]> {
  const outcomes = new Map<string, Promise<Compared[]>>();
  let done = 0;
  return mapConcurrently(pairs, CONCURRENCY, async (pair) => {
    const key = JSON.stringify([pair.old, pair.new, pair.isThumbnail]);
    const outcome = outcomes.get(key) ?? compareOne(pair, old, now, decoders);
    outcomes.set(key, outcome);
    const compared = await outcome;
    onProgress(++done, pairs.length);
    return compared.map((row) => ({ ...row, what: row.what.replace(/^image/, () => pair.what) }));
  });
}

/** Compares two images: their pixels, then what their responses allow. The name of each row begins with `image`. */
async function compareOne(pair: ImagePair, old: Service, now: Service, decoders: Decoders): Promise<Compared[]> {
  const [before, after] = await Promise.all([old.image(pair.old), now.image(pair.new)]);
  if ('problem' in before || 'problem' in after || before.status !== 200 || after.status !== 200)
    return [differs('themes', 'image', textOf(before), textOf(after))];
  const responses = [before, after].map((image) => image as unknown as HttpResponse) as [HttpResponse, HttpResponse];
  const [type, other] = [before, after].map(({ headers }) => printable(headers['content-type'] ?? 'none'));
  const isSame = sha256Of(before.body) === sha256Of(after.body);
  const further = [
    ...(isSame && type !== other ? [differs('responses', 'image Content-Type', type ?? '', other ?? '')] : []),
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
  const found = distance === undefined ? names[1] : `${names[1]}, other pixels: ${distance}`;
  const [oldPlace, newPlace] = [placeOf(pair.old, old), placeOf(pair.new, now)];
  return [differs('themes', 'image', `${names[0]} ${oldPlace}`, `${found} ${newPlace}`), ...further];
}

function textOf(image: Fetched | NotFetched): string {
  if ('problem' in image) return image.problem;
  return image.status === 200 ? 'an image' : `status ${image.status}`;
}

/** Where an image is, below the URL of its service, so that people can look at it. */
function placeOf(image: string, { options: { url } }: Service): string {
  return image.startsWith(`${url}/`) ? shownUrl(image).slice(url.length) : shownUrl(image);
}

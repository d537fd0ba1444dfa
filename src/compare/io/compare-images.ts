import type { ImagePair } from '../records.ts';
import { type Compared, differs, same } from '../result.ts';
import { shownUrl } from '../../diagnostics/quote.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import type { Decoders } from '../../io/decoder/pool.ts';
import { sha256Of } from '../../io/disk/files.ts';
import { compareDecoded } from '../../io/decoder/compare-decoded.ts';
import type { Fetched, NotFetched } from '../../http/io/fetcher.ts';
import type { Side, Sides } from './side.ts';

/** Pairs fetched at the same time. */
const CONCURRENCY = 4;

interface ImageOptions extends Sides {
  onProgress: (done: number, all: number) => void;
}

/** Fetches and compares images. Those of the same URLs are fetched once. */
export async function compareImages(
  pairs: readonly ImagePair[],
  { old, new: now, onProgress }: ImageOptions,
  decoders: Decoders,
): Promise<Compared[]> {
  const known = new Map<string, Promise<Compared>>();
  let done = 0;
  return mapConcurrently(pairs, CONCURRENCY, async (pair) => {
    const key = JSON.stringify([pair.old, pair.new, pair.isThumbnail]);
    const outcome = known.get(key) ?? compareOne(pair, old, now, decoders);
    known.set(key, outcome);
    const compared = await outcome;
    onProgress(++done, pairs.length);
    return { ...compared, what: pair.what };
  });
}

async function compareOne(pair: ImagePair, old: Side, now: Side, decoders: Decoders): Promise<Compared> {
  const { what } = pair;
  const [before, after] = await Promise.all([old.image(pair.old), now.image(pair.new)]);
  if ('problem' in before || 'problem' in after || before.status !== 200 || after.status !== 200)
    return differs('themes', what, textOf(before), textOf(after));
  if (sha256Of(before.body) === sha256Of(after.body)) return same('themes', what);
  const { names, difference, isEqual } = await compareDecoded(before.body, after.body, pair, decoders);
  const distance = difference && `mean ${difference.mean.toFixed(2)}, max ${difference.max} of 255`;
  if (isEqual) return { group: 'themes', what, class: 'equal', old: names[0], new: `${names[1]}, ${distance}` };
  const found = distance === undefined ? names[1] : `${names[1]}, other pixels: ${distance}`;
  return differs('themes', what, `${names[0]} ${placeOf(pair.old, old)}`, `${found} ${placeOf(pair.new, now)}`);
}

function textOf(image: Fetched | NotFetched): string {
  if ('problem' in image) return image.problem;
  return image.status === 200 ? 'an image' : `status ${image.status}`;
}

/** Where an image is, below the URL of its service, so that people can look at it. */
function placeOf(image: string, { url }: Side): string {
  return image.startsWith(`${url}/`) ? shownUrl(image).slice(url.length) : shownUrl(image);
}

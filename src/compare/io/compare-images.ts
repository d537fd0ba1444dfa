import { comparedImages, commonSize, type ImageSize } from '../images.ts';
import { comparePixels, type Pixels } from '../pixels.ts';
import type { ImagePair } from '../records.ts';
import { type Compared, differs, same } from '../result.ts';
import { FORMATS, type Format, sniffFormat } from '../../image/format.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import type { Decoders } from '../../io/decoder/pool.ts';
import { sha256Of } from '../../io/disk/files.ts';
import type { FetchedImage, Side, Sides } from './side.ts';

/** What decoding one image may cost: images of a service may be hostile. */
const COST = { time: 20_000, memory: 1_500_000_000 };
const MAX_PIXELS = 100_000_000;
/** Pairs fetched at the same time. */
const CONCURRENCY = 4;

/** Two images that are not the same bytes, for a report. */
export interface ComparedPixels {
  what: string;
  /** Nothing if one cannot be decoded, or their proportions differ. */
  pixels: { old: Pixels; new: Pixels } | undefined;
}

interface ImageOptions extends Sides {
  onProgress: (done: number, all: number) => void;
  /** Receives the pixels of images that are not the same; of those of the same URLs once. */
  show: (shown: ComparedPixels) => void;
}

/** Fetches and compares images. Those of the same URLs are fetched once. */
export async function compareImages(
  pairs: readonly ImagePair[],
  { old, new: now, onProgress, show }: ImageOptions,
  decoders: Decoders,
): Promise<Compared[]> {
  const known = new Map<string, Promise<Compared>>();
  let done = 0;
  return mapConcurrently(pairs, CONCURRENCY, async (pair) => {
    const key = JSON.stringify([pair.old, pair.new, pair.isThumbnail]);
    const outcome =
      known.get(key) ??
      compareOne(pair, old, now, decoders).then(({ compared, pixels }) => {
        if (compared.class !== 'same') show({ what: pair.what, pixels });
        return compared;
      });
    known.set(key, outcome);
    const compared = await outcome;
    onProgress(++done, pairs.length);
    return { ...compared, what: pair.what };
  });
}

interface Outcome {
  compared: Compared;
  pixels: ComparedPixels['pixels'];
}

async function compareOne(pair: ImagePair, old: Side, now: Side, decoders: Decoders): Promise<Outcome> {
  const [one, other] = await Promise.all([old.image(pair.old), now.image(pair.new)]);
  if ('problem' in one || 'problem' in other) {
    const textOf = (image: FetchedImage): string => ('problem' in image ? image.problem : 'an image');
    return { compared: differs('themes', pair.what, textOf(one), textOf(other)), pixels: undefined };
  }
  if (sha256Of(one.bytes) === sha256Of(other.bytes)) return { compared: same('themes', pair.what), pixels: undefined };
  const [before, after] = await Promise.all([look(one.bytes, decoders), look(other.bytes, decoders)]);
  if (typeof before === 'string' || typeof after === 'string') {
    const textOf = (size: ImageSize | string): string => (typeof size === 'string' ? size : `${size.format}, decoded`);
    return { compared: differs('themes', pair.what, textOf(before), textOf(after)), pixels: undefined };
  }
  const size = commonSize(before, after, pair);
  // Of other proportions: each is shown as it is.
  const [left, right] = await Promise.all([
    pixelsOf(one.bytes, size ?? commonSize(before, before, pair), decoders),
    pixelsOf(other.bytes, size ?? commonSize(after, after, pair), decoders),
  ]);
  if (left === undefined || right === undefined)
    return { compared: differs('themes', pair.what, 'not decoded', 'not decoded'), pixels: undefined };
  const difference = size === undefined ? undefined : comparePixels(left, right);
  return { compared: comparedImages(pair, before, after, difference), pixels: { old: left, new: right } };
}

/** The size of an image, or why there is none. */
async function look(bytes: Buffer, decoders: Decoders): Promise<ImageSize | string> {
  const format = formatOf(bytes);
  if (format === undefined) return 'no image';
  const reply = await decoders.pixels({ ...jobOf(bytes, format), pixels: 'size' }, COST);
  if (typeof reply === 'string') return `${FORMATS[format].name}, ${reply}`;
  const { width, height } = reply;
  return { format: FORMATS[format].name, width, height, isDrawing: format === 'svg' };
}

async function pixelsOf(
  bytes: Buffer,
  size: { width: number; height: number } | undefined,
  decoders: Decoders,
): Promise<Pixels | undefined> {
  const format = formatOf(bytes);
  if (format === undefined || size === undefined) return undefined;
  const reply = await decoders.pixels({ ...jobOf(bytes, format), pixels: size }, COST);
  return typeof reply === 'string' ? undefined : reply;
}

function jobOf(bytes: Buffer, format: Format): { bytes: Buffer; format: Format; pixelLimit: number; spec: undefined } {
  return { bytes, format, pixelLimit: MAX_PIXELS, spec: undefined };
}

function formatOf(bytes: Buffer): Format | undefined {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? sniffed.format : undefined;
}

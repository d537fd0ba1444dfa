import { FORMATS, sniffFormat } from '../../../core/image/format.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import type { ThumbnailSpec } from '../../../core/theme/fields/thumbnail-spec.ts';
import { ANY_IMAGE_FIELDS } from '../../../core/theme/fields/fields.ts';
import { type DiffReport, successorOf } from '../report.ts';
import { type Base, bytesOf } from '../../changes/io/base.ts';
import { type ImagePlace, placeOf } from '../../changes/site-state.ts';

/** Limits all `data:` URLs, so that the page stays below 10 MB: it repeats each image up to eight times. */
const MAX_TOTAL_CHARACTERS = 1_100_000;
/** Larger files are scaled down. An unchanged SVG is safe, because an `img` runs no scripts. */
const MAX_UNCHANGED_BYTES = 40_000;
const SMALL_IMAGE_SPEC: ThumbnailSpec = {
  box: [640, 640],
  quality: 75,
  opaque: 'jpeg',
  transparent: 'webp',
  revision: 1,
};
const DECODING_COST = { time: 10_000, memory: 1_000_000_000 };

/** Returns the images of changed themes as `data:` URLs, by the SHA-256 of the published file. */
export async function smallImages(
  report: DiffReport,
  base: Base,
  themesDir: string,
  decoders: Decoders,
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  let budget = MAX_TOTAL_CHARACTERS;
  const add = async (place: ImagePlace | undefined, folder: string): Promise<void> => {
    if (place === undefined || 'url' in place || images.has(place.sha256) || budget === 0) return;
    const url = await smallImage(await bytesOf(place.file, folder), decoders);
    if (url === undefined) return;
    budget = Math.max(0, budget - url.length);
    if (budget > 0) images.set(place.sha256, url);
  };
  for (const theme of report.themes) {
    const after = theme.after ?? successorOf(report, theme);
    for (const field of ANY_IMAGE_FIELDS) {
      if (theme.before) await add(placeOf(report.before, theme.before.images[field]), base.themesDir);
      if (after) await add(placeOf(report.after, after.images[field]), themesDir);
    }
  }
  return images;
}

async function smallImage(bytes: Buffer | undefined, decoders: Decoders): Promise<string | undefined> {
  const sniffed = bytes && sniffFormat(bytes);
  if (bytes === undefined || sniffed === undefined || !('format' in sniffed)) return undefined;
  const { format } = sniffed;
  const isSmall = bytes.length <= MAX_UNCHANGED_BYTES || (format === 'svg' && bytes.length <= 4 * MAX_UNCHANGED_BYTES);
  if (isSmall) return dataUrl(bytes, format);
  const reply = await decoders.run({ bytes, format, pixelLimit: 100_000_000, spec: SMALL_IMAGE_SPEC }, DECODING_COST);
  return typeof reply === 'object' && 'data' in reply ? dataUrl(reply.data, reply.format) : undefined;
}

function dataUrl(bytes: Uint8Array, format: keyof typeof FORMATS): string {
  return `data:${FORMATS[format].mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

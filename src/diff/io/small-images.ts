import { FORMATS, sniffFormat } from '../../image/format.ts';
import type { Decoders } from '../../decoder/pool.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';
import { ANY_IMAGE_FIELDS } from '../../theme/fields.ts';
import { type DiffReport, successorOf } from '../report.ts';
import { type Base, bytesAt, bytesOf } from '../../changes/io/base.ts';
import { type ImagePlace, placeOf } from '../../changes/site-state.ts';

/** Characters of all images: each is on the page up to eight times, most of them in mock pages, and the page has at most 10 MB. */
const MAX_ALL = 1_100_000;
/** Bytes of a file that is shown as it is: an `img` runs nothing of an SVG. */
const MAX_AS_IT_IS = 40_000;
const SMALL: ThumbnailSpec = { box: [640, 640], quality: 75, opaque: 'jpeg', transparent: 'webp', revision: 1 };
const COST = { time: 10_000, memory: 1_000_000_000 };

/** The images of the themes that change, small enough for one page: `data:` URLs by the SHA-256 of what is published. */
export async function smallImages(
  report: DiffReport,
  base: Base,
  themesDir: string,
  decoders: Decoders,
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  const readBase = (name: string): Promise<Buffer | undefined> => bytesAt(base, name);
  let left = MAX_ALL;
  const add = async (place: ImagePlace | undefined, read: typeof readBase): Promise<void> => {
    if (place === undefined || 'url' in place || images.has(place.sha256) || left === 0) return;
    const url = await smallImage(await read(place.file), decoders);
    if (url === undefined) return;
    left = Math.max(0, left - url.length);
    if (left > 0) images.set(place.sha256, url);
  };
  for (const theme of report.themes) {
    const after = theme.after ?? successorOf(report, theme);
    for (const field of ANY_IMAGE_FIELDS) {
      if (theme.before) await add(placeOf(report.before, theme.before.images[field]), readBase);
      if (after) await add(placeOf(report.after, after.images[field]), (name) => bytesOf(name, themesDir));
    }
  }
  return images;
}

async function smallImage(bytes: Buffer | undefined, decoders: Decoders): Promise<string | undefined> {
  const sniffed = bytes && sniffFormat(bytes);
  if (bytes === undefined || sniffed === undefined || !('format' in sniffed)) return undefined;
  const { format } = sniffed;
  const isSmall = bytes.length <= MAX_AS_IT_IS || (format === 'svg' && bytes.length <= 4 * MAX_AS_IT_IS);
  if (isSmall) return dataUrl(bytes, format);
  const reply = await decoders.run({ bytes, format, pixelLimit: 100_000_000, spec: SMALL }, COST);
  return typeof reply === 'object' && 'data' in reply ? dataUrl(reply.data, reply.format) : undefined;
}

function dataUrl(bytes: Uint8Array, format: keyof typeof FORMATS): string {
  return `data:${FORMATS[format].mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

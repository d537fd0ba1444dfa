import { FORMATS, sniffFormat } from '../../image/format.ts';
import type { Decoders } from '../../io/decoder/pool.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';
import { ANY_IMAGE_FIELDS } from '../../theme/fields.ts';
import type { DiffReport } from '../report.ts';
import { type Base, bytesOf } from '../../changes/io/base.ts';
import { type ImagePlace, placeOf } from '../../changes/site-state.ts';

/** Themes whose images are on the page. */
const MAX_THEMES = 30;
/** Bytes of a file that is shown as it is: an `img` runs nothing of an SVG. */
const MAX_AS_IT_IS = 40_000;
const SMALL: ThumbnailSpec = { box: [640, 640], quality: 75, opaque: 'jpeg', transparent: 'webp', revision: 1 };
const COST = { time: 10_000, memory: 1_000_000_000 };

/** The images of the themes that change, small enough for one page: `data:` URLs by the SHA-256 of what is published. */
export async function smallImages(
  { themes, before, after }: DiffReport,
  base: Base,
  themesDir: string,
  decoders: Decoders,
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  const add = async (place: ImagePlace | undefined, read: Base['read']): Promise<void> => {
    if (place === undefined || 'url' in place || images.has(place.sha256)) return;
    const url = await smallImage(await read(place.file), decoders);
    if (url !== undefined) images.set(place.sha256, url);
  };
  for (const theme of themes.slice(0, MAX_THEMES))
    for (const field of ANY_IMAGE_FIELDS) {
      if (theme.before) await add(placeOf(before, theme.before.images[field]), base.read);
      if (theme.after) await add(placeOf(after, theme.after.images[field]), (name) => bytesOf(name, themesDir));
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

import type { Code } from '../../diagnostics/diagnostic.ts';
import { readContainer } from '../../image/container.ts';
import { type Format, sniffFormat } from '../../image/format.ts';
import { checkSvg } from '../../image/svg/check.ts';
import { LIMITS } from '../../image/svg/limits.ts';
import type { Site } from '../../theme/site.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';
import type { Decoders } from '../../io/decoder/pool.ts';

/** How an image that is refused can be made acceptable. */
export interface Repair {
  /** What is done, as a phrase: `drawn as PNG at twice its size`. */
  what: string;
  make: (bytes: Buffer) => Promise<Buffer | undefined>;
}

/** Longest side of what is drawn or scaled down, in pixels: twice that of the largest thumbnail. */
const MAX_SIDE = 4400;
/** Pixels that are decoded at most to scale an image down. */
const MAX_PIXELS = 100_000_000;

/** What can be done about an image, by the codes of its errors; nothing if nothing honest can. */
export function repairOf(
  codes: readonly Code[],
  bytes: Buffer,
  { decode_seconds, decode_bytes }: Site['limits'],
  decoders: Decoders,
): Repair | undefined {
  const sniffed = sniffFormat(bytes);
  const has = (...some: Code[]): boolean => codes.some((code) => some.includes(code));
  if (!('format' in sniffed) || has('image/corrupt')) return undefined;
  const { format } = sniffed;
  const encode = async (source: Buffer, spec: ThumbnailSpec): Promise<Buffer | undefined> => {
    const cost = { time: decode_seconds * 1000, memory: decode_bytes };
    const reply = await decoders.run({ bytes: source, format, pixelLimit: MAX_PIXELS, spec }, cost);
    return typeof reply === 'object' && 'data' in reply ? Buffer.from(reply.data) : undefined;
  };
  if (format === 'svg') {
    const { width = 500, height = 500 } =
      checkSvg('', bytes.toString('utf8', 0, LIMITS.bytes), () => undefined).dimensions ?? {};
    const scale = Math.min(2, MAX_SIDE / Math.max(width, height));
    const box = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
    return { what: `drawn as PNG, ${box.join('×')} pixels`, make: (source) => encode(source, png(box)) };
  }
  if (has('image/trailing-data')) return { what: 'cut where the image ends', make: (source) => cut(source, format) };
  const box = [MAX_SIDE, MAX_SIDE] as const;
  const spec =
    format === 'jpeg' ? ({ ...png(box), opaque: 'jpeg', transparent: 'webp', quality: 92 } as const) : png(box);
  if (has('image/animated')) return { what: 'its first frame as PNG', make: (source) => encode(source, png(box)) };
  if (has('image/too-many-pixels', 'image/too-large'))
    return { what: `scaled down to at most ${MAX_SIDE} pixels`, make: (source) => encode(source, spec) };
  return undefined;
}

function png(box: ThumbnailSpec['box']): ThumbnailSpec {
  return { box, quality: undefined, opaque: 'png', transparent: 'png', revision: 0 };
}

function cut(bytes: Buffer, format: Format): Promise<Buffer | undefined> {
  const container = readContainer(bytes, format);
  return Promise.resolve('trailing' in container ? bytes.subarray(0, bytes.length - container.trailing) : undefined);
}

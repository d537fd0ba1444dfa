import { isLook, type Look } from '../image/advice-look.ts';
import { type Format, sniffFormat } from '../image/format.ts';
import type { ThumbnailSpec } from '../theme/thumbnail-spec.ts';

/** A job or a reply with the number of the job, so that replies cannot be mixed up; that of a greeting is 0. */
export interface Numbered<T> {
  number: number;
  content: T;
}

/** What a decoder is sent: an image to make a thumbnail of, or, without a thumbnail spec, only to decode. */
export interface Job {
  /** The bytes, or the file that must have them. */
  bytes: Uint8Array | { file: string; bytes: number; sha256: string };
  format: Format;
  /** Greatest width × height, in pixels. */
  pixelLimit: number;
  spec: ThumbnailSpec | undefined;
  /** Whether the reply has a {@link Look} too. */
  isLookedAt?: boolean | undefined;
  /** In place of all that: only the size of the image, or its pixels scaled to a size. */
  pixels?: 'size' | { width: number; height: number };
}

/** The reply to a job for pixels: RGBA, or nothing of it where only the size was asked for. */
export interface Decoded {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** What a decoder replies: a thumbnail, a look, or both, as the job asks for. */
export type Reply =
  | { data: Uint8Array; format: Format; look?: Look | undefined }
  | { look: Look }
  | 'decodes'
  | 'does not decode'
  | 'changed';

/** What a decoder says when it is started: that it is ready, or why it cannot be. */
export type Greeting = 'ready' | { failure: string };

/** Whether a message is a reply to a job: a decoder that an image has got the better of may send anything, and a thumbnail is published. */
export function isReply(
  message: unknown,
  { spec, pixels, isLookedAt = false }: Pick<Job, 'spec' | 'pixels' | 'isLookedAt'>,
): message is Reply {
  if (message === 'does not decode' || message === 'changed') return true;
  if (pixels !== undefined) return isDecoded(message, pixels);
  if (spec === undefined && !isLookedAt) return message === 'decodes';
  if (typeof message !== 'object' || message === null) return false;
  const { data, format, look } = message as { data?: unknown; format?: unknown; look?: unknown };
  if (isLookedAt ? !isLook(look) : look !== undefined) return false;
  if (spec === undefined) return data === undefined;
  if (!(data instanceof Uint8Array) || (format !== spec.opaque && format !== spec.transparent)) return false;
  const sniffed = sniffFormat(data);
  return 'format' in sniffed && sniffed.format === format;
}

function isDecoded(message: unknown, asked: NonNullable<Job['pixels']>): boolean {
  const { width, height, rgba } = (message ?? {}) as Partial<Decoded>;
  if (!Number.isSafeInteger(width) || !Number.isSafeInteger(height) || !(rgba instanceof Uint8Array)) return false;
  if (asked === 'size') return Number(width) > 0 && Number(height) > 0 && rgba.length === 0;
  return width === asked.width && height === asked.height && rgba.length === asked.width * asked.height * 4;
}

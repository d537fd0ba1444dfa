import { isLook, type Look } from '../../image/advice-look.ts';
import { type Format, sniffFormat } from '../../image/format.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';

/** What a decoder is sent: an image to make a thumbnail of, or, without a thumbnail spec, only to decode. */
export interface Job {
  bytes: Uint8Array;
  /** PNG for an icon of an ICO. */
  format: Format;
  /** Greatest width × height, in pixels. */
  pixelLimit: number;
  spec: ThumbnailSpec | undefined;
  /** Whether the reply has a {@link Look} too. */
  isLookedAt?: boolean | undefined;
}

/** What a decoder replies: a thumbnail, a look, or both, as the job asks for. `holds more`: bytes that no pixel needs. */
export type Reply =
  | { data: Uint8Array; format: Format; look?: Look | undefined }
  | { look: Look }
  | 'decodes'
  | 'does not decode'
  | 'holds more';

/** What a decoder says when it is started: that it is ready, or why it cannot be. */
export type Greeting = 'ready' | { failure: string };

/** Whether a message is a reply to a job: a decoder that an image has got the better of may send anything, and a thumbnail is published. */
export function isReply(
  message: unknown,
  { spec, isLookedAt = false }: Pick<Job, 'spec' | 'isLookedAt'>,
): message is Reply {
  if (message === 'does not decode' || message === 'holds more') return true;
  if (spec === undefined && !isLookedAt) return message === 'decodes';
  if (typeof message !== 'object' || message === null) return false;
  const { data, format, look } = message as { data?: unknown; format?: unknown; look?: unknown };
  if (isLookedAt ? !isLook(look) : look !== undefined) return false;
  if (spec === undefined) return data === undefined;
  if (!(data instanceof Uint8Array) || (format !== spec.opaque && format !== spec.transparent)) return false;
  const sniffed = sniffFormat(data);
  return 'format' in sniffed && sniffed.format === format;
}

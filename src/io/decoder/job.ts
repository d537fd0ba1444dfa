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
}

/** What a decoder replies; nothing to a job without a thumbnail spec. `holds more`: bytes that no pixel needs. */
export type Reply = { data: Uint8Array; format: Format } | 'decodes' | 'does not decode' | 'holds more';

/** What a decoder says when it is started: that it is ready, or why it cannot be. */
export type Greeting = 'ready' | { failure: string };

/** Whether a message is a reply to a job: a decoder that an image has got the better of may send anything, and a thumbnail is published. */
export function isReply(message: unknown, { spec }: Pick<Job, 'spec'>): message is Reply {
  if (message === 'does not decode' || message === 'holds more') return true;
  if (spec === undefined) return message === 'decodes';
  if (typeof message !== 'object' || message === null || !('data' in message && 'format' in message)) return false;
  const { data, format } = message;
  if (!(data instanceof Uint8Array) || (format !== spec.opaque && format !== spec.transparent)) return false;
  const sniffed = sniffFormat(data);
  return 'format' in sniffed && sniffed.format === format;
}

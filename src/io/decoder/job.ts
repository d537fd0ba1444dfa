import { type Format, sniffFormat } from '../../image/format.ts';
import type { ThumbnailSpec } from '../../theme/thumbnail-spec.ts';

/** What a decoder is sent: a picture to make a thumbnail of, or, without a thumbnail spec, only to decode. */
export interface Job {
  bytes: Uint8Array;
  /** PNG for an icon of an ICO. */
  format: Format;
  /** Greatest width × height, in pixels. */
  pixelLimit: number;
  spec: ThumbnailSpec | undefined;
}

/** What a decoder answers; nothing to a job without a thumbnail spec. `holds more`: bytes that no pixel needs. */
export type Answer = { data: Uint8Array; format: Format } | 'decodes' | 'does not decode' | 'holds more';

/** What a decoder says when it is started: that it is ready, or why it cannot be. */
export type Greeting = 'ready' | { failure: string };

/** Whether a message answers a job: a decoder that a picture has got the better of may send anything, and a thumbnail is published. */
export function isAnswer(message: unknown, { spec }: Pick<Job, 'spec'>): message is Answer {
  if (message === 'does not decode' || message === 'holds more') return true;
  if (spec === undefined) return message === 'decodes';
  if (typeof message !== 'object' || message === null || !('data' in message && 'format' in message)) return false;
  const { data, format } = message;
  if (!(data instanceof Uint8Array) || (format !== spec.opaque && format !== spec.transparent)) return false;
  const sniffed = sniffFormat(data);
  return 'format' in sniffed && sniffed.format === format;
}

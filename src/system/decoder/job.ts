import { isLogoAnalysis, type LogoAnalysis } from '../../core/image/logo-analysis.ts';
import { type Format, sniffFormat } from '../../core/image/format.ts';
import type { ThumbnailSpec } from '../../core/theme/fields/thumbnail-spec.ts';

/** A message with the number of its job, so that replies cannot be mixed up. A greeting has the number 0. */
export interface Numbered<T> {
  number: number;
  content: T;
}

/** A job of a decoder: makes a thumbnail of an image, or only decodes it if there is no thumbnail spec. */
export interface Job {
  /** The bytes, or the file that contains them. */
  bytes: Uint8Array | { file: string; bytes: number; sha256: string };
  format: Format;
  /** Greatest width × height, in pixels. */
  pixelLimit: number;
  spec: ThumbnailSpec | undefined;
  /** Whether the reply also contains a {@link LogoAnalysis}. */
  isAnalysed?: boolean | undefined;
  /** If set, the reply contains only the size of the image, or its pixels scaled to a size. */
  pixels?: 'size' | { width: number; height: number };
}

/** The reply to a job with `pixels`: RGBA, which is empty if only the size was requested. */
export interface Decoded {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The reply about an image that does not decode, with the reason of the decoder if it has one. */
export type Undecodable = 'does not decode' | `does not decode: ${string}`;

/** Characters of a reason that may be shown: a compromised decoder may send anything. */
const UNDECODABLE = /^does not decode(?:: [ -~]{1,100})?$/;

export function isUndecodable(reply: unknown): reply is Undecodable {
  return typeof reply === 'string' && UNDECODABLE.test(reply);
}

/** Returns the reply for an error of sharp: its first line that says what is wrong with the image. */
export function undecodable(error: unknown): Undecodable {
  const lines = (error instanceof Error ? error.message : '').split('\n');
  const reason = lines
    .map((line) => line.replace(/^(?:Input buffer has corrupt header:\s*)?(?:\w+: )*/, '').trim())
    .find((line) => /^[ -~]{1,100}$/.test(line) && !/^bad seek|^unable to write|^The value of|failOn/.test(line));
  return reason === undefined ? 'does not decode' : `does not decode: ${reason}`;
}

/** The reply to a job: a thumbnail, a logo analysis, both, or only whether the image decodes. */
export type DecoderReply =
  | { data: Uint8Array; format: Format; analysis?: LogoAnalysis | undefined }
  | { analysis: LogoAnalysis }
  | 'decodes'
  | Undecodable
  | 'changed';

/** The first message of a decoder: it is ready, or why it cannot start. */
export type Greeting = 'ready' | { failure: string };

/** Whether a message is a reply to a job. A decoder compromised by an image may send anything, and a thumbnail is published. */
export function isReply(
  message: unknown,
  { spec, pixels, isAnalysed = false }: Pick<Job, 'spec' | 'pixels' | 'isAnalysed'>,
): message is DecoderReply {
  if (isUndecodable(message) || message === 'changed') return true;
  if (pixels !== undefined) return isDecoded(message, pixels);
  if (spec === undefined && !isAnalysed) return message === 'decodes';
  if (typeof message !== 'object' || message === null) return false;
  const { data, format, analysis } = message as { data?: unknown; format?: unknown; analysis?: unknown };
  if (isAnalysed ? !isLogoAnalysis(analysis) : analysis !== undefined) return false;
  if (spec === undefined) return data === undefined;
  if (!(data instanceof Uint8Array) || (format !== spec.opaque && format !== spec.transparent)) return false;
  const sniffed = sniffFormat(data);
  return 'format' in sniffed && sniffed.format === format;
}

function isDecoded(message: unknown, request: NonNullable<Job['pixels']>): boolean {
  const { width, height, rgba } = (message ?? {}) as Partial<Decoded>;
  if (!Number.isSafeInteger(width) || !Number.isSafeInteger(height) || !(rgba instanceof Uint8Array)) return false;
  if (request === 'size') return Number(width) > 0 && Number(height) > 0 && rgba.length === 0;
  return width === request.width && height === request.height && rgba.length === request.width * request.height * 4;
}

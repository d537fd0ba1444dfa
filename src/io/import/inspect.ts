import { type Diagnostic, Diagnostics } from '../../diagnostics/diagnostic.ts';
import { FORMATS, type Format, sniffFormat } from '../../image/format.ts';
import { inspectImage } from '../../image/inspect.ts';
import { type AnyImageField, thumbnailSpecOf } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import type { Decoders } from '../decoder/pool.ts';
import { sha256Of } from '../files.ts';
import { decode } from '../images/render.ts';

/** An image that a build accepts. */
export interface Accepted {
  format: Format;
  /** Hash of what is published of it, without metadata. */
  sha256: string;
  thumbnail: { format: Format; sha256: string } | undefined;
}

/** An image of another service: accepted as a build would, or why not. */
export type Inspected = Accepted | { refused: readonly Diagnostic[] };

/** The file extension of an image by its bytes. */
export function extensionOf(bytes: Buffer): string {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? (FORMATS[sniffed.format].extensions[0] ?? 'bin') : 'bin';
}

/**
 * Checks an image as a build does, decoding included.
 * @param file - its name in diagnostics
 */
export async function inspect(
  bytes: Buffer,
  file: string,
  field: AnyImageField,
  limits: Site['limits'],
  decoders: Decoders,
): Promise<Inspected> {
  const diagnostics = new Diagnostics();
  const report = diagnostics.report;
  const location = { file };
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (bytes.length > limits.picture_bytes)
    report('image/too-large', location, { path: name, bytes: bytes.length, limit: limits.picture_bytes });
  else {
    const source = { slug: '', path: name, location };
    const inspected = inspectImage(bytes, file, [{ field, source }], limits, report);
    if (inspected !== undefined && !diagnostics.hasErrors) {
      const { format, published } = inspected;
      const reply = await decode(published, { format, spec: thumbnailSpecOf(field) }, limits, decoders);
      if (typeof reply !== 'string' || reply === 'decodes') {
        const drawn = typeof reply === 'object' && 'data' in reply ? reply : undefined;
        const thumbnail = drawn && { format: drawn.format, sha256: sha256Of(drawn.data) };
        return { format, sha256: sha256Of(published), thumbnail };
      }
      if (reply === 'holds more') report('image/hidden-data', location, { path: name });
      else report('image/corrupt', location, { path: name, reason: 'it cannot be decoded completely' });
    }
  }
  return { refused: diagnostics.sorted.filter(({ severity }) => severity === 'error') };
}

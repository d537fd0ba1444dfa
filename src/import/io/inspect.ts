import { type Diagnostic, Diagnostics } from '../../diagnostics/diagnostic.ts';
import { FORMATS, sniffFormat } from '../../image/format.ts';
import { inspectImage } from '../../image/inspect.ts';
import { type AnyImageField, thumbnailSpecOf } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import type { Decoders } from '../../io/decoder/pool.ts';
import { decode } from '../../io/images/render.ts';

/** The file extension of an image by its bytes. */
export function extensionOf(bytes: Buffer): string {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? (FORMATS[sniffed.format].extensions[0] ?? 'bin') : 'bin';
}

/**
 * Checks an image of another service as a build does, decoding included.
 * @param file - its name in diagnostics
 * @returns the errors; none if a build accepts it
 */
export async function inspect(
  bytes: Buffer,
  file: string,
  field: AnyImageField,
  limits: Site['limits'],
  decoders: Decoders,
): Promise<Diagnostic[]> {
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
      if (typeof reply === 'string' && reply !== 'decodes')
        report('image/corrupt', location, { path: name, reason: 'it cannot be decoded completely' });
    }
  }
  return diagnostics.sorted.filter(({ severity }) => severity === 'error');
}

import type { Report } from '../../../core/diagnostics/diagnostic.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import type { SourceLogo } from '../../../core/document/new-theme.ts';
import { withDecoders } from '../../../system/decoder/shared.ts';
import { readRegularFile, reportFileProblem } from '../../../system/disk/files.ts';
import { logoFrom } from '../../../system/decoder/logo.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { SITE_DEFAULTS } from '../../../core/theme/site/site.ts';

/**
 * Reads a logo from any folder, and checks it as a logo of a theme.
 * @returns the logo, its palette and favicon; undefined if it was reported as invalid
 */
export async function readLogo(file: string, report: Report): Promise<SourceLogo | undefined> {
  const { limits } = SITE_DEFAULTS;
  const bytes = await readRegularFile(file, limits.picture_bytes);
  if (Buffer.isBuffer(bytes)) return withDecoders((decoders) => logoFrom(bytes, file, decoders, report));
  if (bytes.problem === 'missing') throw new UsageError(`There is no file ${quote(file)}.`);
  if (bytes.problem === 'not-a-file')
    throw new UsageError(`${quote(file)} is not a regular file, but a folder, a link or a device.`);
  reportFileProblem(bytes, file, limits.picture_bytes, report);
  return undefined;
}

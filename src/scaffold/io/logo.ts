import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { inspectImage } from '../../image/inspect.ts';
import type { GivenLogo } from '../new-theme.ts';
import { paletteOfPixels } from '../../theme/palette.ts';
import { SITE_DEFAULTS } from '../../theme/site.ts';
import { LOGO_THUMBNAIL } from '../../theme/thumbnail-spec.ts';
import { Decoders } from '../../io/decoder/pool.ts';
import { readRegularFile, reportFileProblem } from '../../io/disk/files.ts';
import { decode } from '../../io/images/render.ts';
import { ScaffoldError } from './write-new.ts';

/** Pixels along the longer side from which the palette is taken. */
const PALETTE_SIDE = 128;
/** Pixels along a side of a favicon made from a logo. */
const FAVICON_SIDE = 192;

/**
 * A logo from any folder, checked as those of themes are, with what is made from it. It is decoded in a process of its own: only that
 * process's PNG is read here.
 * @returns nothing if it cannot be used, which is reported
 */
export async function readLogo(file: string, report: Report): Promise<GivenLogo | undefined> {
  const { limits } = SITE_DEFAULTS;
  const bytes = await readRegularFile(file, limits.picture_bytes);
  if (!Buffer.isBuffer(bytes)) {
    if (bytes.problem === 'missing') throw new ScaffoldError(`There is no file ${quote(file)}.`);
    if (bytes.problem === 'not-a-file')
      throw new ScaffoldError(`${quote(file)} is not a regular file, but a folder, a link or a device.`);
    reportFileProblem(bytes, file, limits.picture_bytes, report);
    return undefined;
  }
  let hasErrors = false;
  const source = { slug: '', path: path.basename(file), location: { file } };
  const inspected = inspectImage(bytes, file, [{ field: 'logo', source }], limits, (code, location, args) => {
    hasErrors = true;
    report(code, location, args);
  });
  if (inspected === undefined) return undefined;
  const { format, published } = inspected;
  const decoders = new Decoders();
  try {
    const job = { format, spec: LOGO_THUMBNAIL };
    const reply = await decode(published, job, limits, decoders);
    if (typeof reply === 'string' || !('data' in reply)) {
      if (!hasErrors)
        report('image/corrupt', { file }, { path: source.path, reason: 'it cannot be decoded completely' });
      return undefined;
    }
    const drawn = Buffer.from(reply.data);
    return {
      bytes: published,
      format,
      favicon: await squareIcon(drawn),
      palette: paletteOfPixels(await pixelsOf(drawn)),
    };
  } finally {
    decoders.close();
  }
}

/** A square PNG with a transparent margin, as favicons need it. */
async function squareIcon(png: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp(png)
    .resize({ width: FAVICON_SIDE, height: FAVICON_SIDE, fit: 'contain', background })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** RGBA. */
async function pixelsOf(png: Buffer): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return (
    sharp(png)
      .ensureAlpha()
      // Nearest neighbour: averaging would make colours that the logo does not have.
      .resize({ width: PALETTE_SIDE, height: PALETTE_SIDE, fit: 'inside', withoutEnlargement: true, kernel: 'nearest' })
      .raw()
      .toBuffer()
  );
}

import path from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { catalogue } from '../diagnostics/catalogue.ts';
import type { Look } from '../image/advice-look.ts';
import { type LightVersion, makeLight } from '../image/light-version.ts';
import { tooWide } from '../image/advice-size.ts';
import { inspectImage } from '../image/inspect.ts';
import type { SourceLogo } from '../document/new-theme.ts';
import { paletteOfPixels } from '../theme/palette.ts';
import type { Format } from '../image/format.ts';
import type { AnyImageField } from '../theme/fields.ts';
import { LOGO_THUMBNAIL } from '../theme/thumbnail-spec.ts';
import type { Decoders } from './pool.ts';
import { decode } from './decode.ts';

/** Pixels along the longer side from which the palette is taken. */
const PALETTE_SIDE = 128;
/** Pixels along a side of a favicon made from a logo. */
const FAVICON_SIDE = 192;

/** What is made from a logo. @param file - as it is reported */
export async function logoFrom(
  bytes: Buffer,
  file: string,
  decoders: Decoders,
  report: Report,
): Promise<SourceLogo | undefined> {
  const decoded = await decodeImage(bytes, file, 'logo', decoders, report);
  if (decoded?.drawn === undefined || decoded.look === undefined) return undefined;
  const { drawn, format, published, look } = decoded;
  // Width and height of a PNG.
  const wide = tooWide('favicon', { width: drawn.readUInt32BE(16), height: drawn.readUInt32BE(20) });
  if (wide !== undefined) report('image/wide', { file }, { path: path.basename(file), ...wide });
  return {
    bytes: published,
    format,
    favicon: await squareIcon(drawn),
    palette: await paletteOf(drawn),
    drawn,
    look,
  };
}

/**
 * An image, checked and decoded as those of themes are: in a process of its own, only whose PNG is read here; of an ICO none is drawn.
 * @returns nothing if it cannot be used, which is reported
 */
export async function decodeImage(
  bytes: Buffer,
  file: string,
  field: AnyImageField,
  decoders: Decoders,
  report: Report,
): Promise<{ format: Format; published: Uint8Array; drawn?: Buffer; look?: Look | undefined } | undefined> {
  let hasErrors = false;
  const source = { slug: '', path: path.basename(file), location: { file } };
  const inspected = inspectImage(bytes, file, [{ field, source }], (code, location, args) => {
    hasErrors ||= catalogue[code].severity === 'error';
    report(code, location, args);
  });
  if (inspected === undefined || hasErrors) return undefined;
  const { format, published } = inspected;
  const spec = format === 'ico' ? undefined : LOGO_THUMBNAIL;
  const reply = await decode({ bytes: published, format, spec, isLookedAt: spec && field === 'logo' }, decoders);
  if (reply === 'decodes') return { format, published };
  if (typeof reply !== 'string' && 'data' in reply)
    return { format, published, drawn: Buffer.from(reply.data), look: reply.look };
  report('image/corrupt', { file }, { path: source.path, reason: 'it cannot be decoded completely' });
  return undefined;
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

/** A logo for dark pages, as PNG. */
export async function lightVersion({ drawn, look }: SourceLogo, version: LightVersion): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(drawn)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  makeLight(data, version, look.isBoxed);
  const raw = { width: info.width, height: info.height, channels: 4 } as const;
  return sharp(data, { raw }).png({ compressionLevel: 9 }).toBuffer();
}

async function paletteOf(png: Buffer): Promise<SourceLogo['palette']> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(png)
    .ensureAlpha()
    // Nearest neighbour: averaging would make colours that the logo does not have.
    .resize({ width: PALETTE_SIDE, height: PALETTE_SIDE, fit: 'inside', withoutEnlargement: true, kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return paletteOfPixels(data, info.width);
}

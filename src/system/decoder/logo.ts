import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { catalogue } from '../../core/diagnostics/catalogue.ts';
import { BACKGROUNDS, type Mode } from '../../core/image/backgrounds.ts';
import { analyseLogo, type LogoAnalysis, MAX_FAINT } from '../../core/image/logo-analysis.ts';
import { LOGO_VERSIONS, recolour } from '../../core/image/logo-version.ts';
import { tooWide } from '../../core/image/advice-size.ts';
import { inspectImage } from '../../core/image/inspect.ts';
import { isForDark, type SourceLogo } from '../../core/document/new-theme.ts';
import { paletteOfPixels } from '../../core/theme/colour/palette.ts';
import type { Format } from '../../core/image/format.ts';
import type { AnyImageField } from '../../core/theme/fields/fields.ts';
import { LOGO_THUMBNAIL } from '../../core/theme/fields/thumbnail-spec.ts';
import type { Decoders } from './pool.ts';
import { decode, decodedPixels, reportUndecodable } from './decode.ts';
import { isUndecodable } from './job.ts';

/** Maximum width and height of the image that the palette is taken from, in pixels. */
const PALETTE_SIDE_PX = 128;
/** Width and height of a favicon made from a logo, in pixels. */
const FAVICON_SIDE_PX = 192;

/** Makes a favicon and a palette from a logo. @param file - its name in diagnostics */
export async function logoFrom(
  bytes: Buffer,
  file: string,
  decoders: Decoders,
  report: Report,
): Promise<SourceLogo | undefined> {
  const decoded = await decodeImage(bytes, file, 'logo', decoders, report);
  if (decoded?.drawn === undefined || decoded.analysis === undefined) return undefined;
  const { drawn, format, published, analysis } = decoded;
  if (analysis.isBlank) {
    report('image/blank', { file }, { path: path.basename(file) });
    return undefined;
  }
  // The offsets of width and height in a PNG.
  const wide = tooWide('favicon', { width: drawn.readUInt32BE(16), height: drawn.readUInt32BE(20) });
  if (wide !== undefined) report('image/wide', { file }, { path: path.basename(file), ...wide });
  return {
    bytes: published,
    format,
    favicon: await squareIcon(drawn, isForDark(analysis)),
    palette: await paletteOf(drawn),
    drawn,
    look: analysis,
  };
}

/**
 * Checks and decodes an image by the rules for themes. Another process decodes its bytes; only the PNG that it returns is read here. An ICO is not
 * drawn.
 * @returns nothing if the image cannot be used; the reason is reported
 */
export async function decodeImage(
  bytes: Buffer,
  file: string,
  field: AnyImageField,
  decoders: Decoders,
  report: Report,
): Promise<{ format: Format; published: Uint8Array; drawn?: Buffer; analysis?: LogoAnalysis | undefined } | undefined> {
  let hasErrors = false;
  const source = { slug: '', path: path.basename(file), location: { file } };
  const inspected = inspectImage(bytes, file, [{ field, source }], (code, location, args) => {
    hasErrors ||= catalogue[code].severity === 'error';
    report(code, location, args);
  });
  if (inspected === undefined || hasErrors) return undefined;
  const { format, published } = inspected;
  const spec = format === 'ico' ? undefined : LOGO_THUMBNAIL;
  const reply = await decode({ bytes: published, format, spec, isAnalysed: spec && field === 'logo' }, decoders);
  if (reply === 'decodes') return { format, published };
  if (typeof reply !== 'string' && 'data' in reply)
    return { format, published, drawn: Buffer.from(reply.data), analysis: reply.analysis };
  if (isUndecodable(reply)) reportUndecodable(reply, source.path, { file }, report);
  else report('image/corrupt', { file }, { path: source.path, reason: 'it cannot be decoded completely' });
  return undefined;
}

/** Makes a square PNG, as favicons need it: with a transparent margin, or for a light logo on dark ground. */
async function squareIcon(png: Buffer, isLight: boolean): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const background = isLight ? BACKGROUNDS.dark : { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp(png)
    .resize({ width: FAVICON_SIDE_PX, height: FAVICON_SIDE_PX, fit: 'contain', background })
    .flatten(isLight && { background })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Longer side of a version in pixels: of one made from a drawing, and of any; of a picture of one. */
const [DRAWING_SIDE_PX, MAX_SIDE_PX, PICTURE_SIDE_PX] = [1024, 2200, 96];
/** Share of opaque pixels from which an image of one colour is a bar. */
const MIN_BAR_SHARE = 0.98;

/** A logo for the pages of a mode, as PNG at the size of the logo it was made from. */
export interface MadeLogo {
  png: () => Promise<Buffer>;
  /** Whether it is hardly visible on those pages. */
  isFaint: boolean;
}

/**
 * Makes versions of a logo for the pages of a mode, the best first: what is visible there, then what keeps the colours. Of a picture without
 * transparency, one colour would be a bar; of a logo in one colour, versions may look the same, and one of these is enough.
 * @param isPicture - whether small pictures of them are enough
 * @returns nothing if the logo cannot be decoded
 */
export async function versionsFor(
  mode: Mode,
  { bytes, format, look }: SourceLogo,
  decoders: Decoders,
  isPicture = false,
): Promise<readonly MadeLogo[]> {
  const size = await decodedPixels({ bytes, format }, 'size', decoders);
  if (size === undefined) return [];
  const long = Math.max(size.width, size.height);
  const side = isPicture ? PICTURE_SIDE_PX : format === 'svg' ? DRAWING_SIDE_PX : Math.min(long, MAX_SIDE_PX);
  const scale = side / long;
  const [width, height] = [size.width, size.height].map((pixels) => Math.max(1, Math.round(pixels * scale)));
  const decoded = await decodedPixels({ bytes, format }, { width: width ?? 1, height: height ?? 1 }, decoders);
  if (decoded === undefined) return [];
  const opaque = decoded.rgba.filter((value, at) => at % 4 === 3 && value === 255).length;
  const isBar = !look.isBoxed && opaque * 4 >= decoded.rgba.length * MIN_BAR_SHARE;
  const raw = { width: decoded.width, height: decoded.height, channels: 4 } as const;
  const versions = new Map<string, MadeLogo>();
  for (const version of LOGO_VERSIONS.filter((name) => name !== 'plain' || !isBar)) {
    const rgba = Uint8Array.from(decoded.rgba);
    recolour(rgba, version, mode, look.isBoxed);
    const png = async (): Promise<Buffer> => {
      const { default: sharp } = await import('sharp');
      return sharp(rgba, { raw }).png({ compressionLevel: 9 }).toBuffer();
    };
    const { faint } = analyseLogo(rgba, raw);
    // Colours of fully transparent pixels do not matter.
    const pixels = Buffer.from(rgba.map((value, at) => (rgba[at | 3] === 0 ? 0 : value))).toString('base64');
    if (!versions.has(pixels)) versions.set(pixels, { png, isFaint: faint[mode] > MAX_FAINT });
  }
  return [...versions.values()].toSorted((a, b) => Number(a.isFaint) - Number(b.isFaint));
}

async function paletteOf(png: Buffer): Promise<SourceLogo['palette']> {
  const { default: sharp } = await import('sharp');
  const { data } = await sharp(png)
    .ensureAlpha()
    // Nearest neighbour: averaging would make colours that the logo does not have.
    .resize({
      width: PALETTE_SIDE_PX,
      height: PALETTE_SIDE_PX,
      fit: 'inside',
      withoutEnlargement: true,
      kernel: 'nearest',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return paletteOfPixels(data);
}

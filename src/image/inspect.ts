import type { Arguments } from '../diagnostics/catalogue.ts';
import type { Code, Report } from '../diagnostics/diagnostic.ts';
import type { ImageSetField, ImageField } from '../theme/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';
import type { Site } from '../theme/site.ts';
import { type ImageSize, tooFewPixels, tooManyBytes } from './advice-size.ts';
import { type ContainerHeader, readContainer } from './container.ts';
import type { Corrupt } from './container/parsed.ts';
import { acceptedFormats, extensionFits, type Format, FORMATS, isLfsPointer, sniffFormat } from './format.ts';
import { pixelLimit } from './limits.ts';
import { checkSvg } from './svg/check.ts';
import type { Dimensions } from './svg/dimensions.ts';
import { checkSvgFile, withoutMetadata } from './svg/file.ts';

/** An image with fewer pixels than this on both sides is a placeholder, not a logo. */
const MIN_SIDE = 8;
/** Pixels along a side of a favicon: 16 in a tab, on a screen with two pixels for each. */
const MIN_FAVICON_SIDE = 32;
/** How far the sides of a square drawing may differ, as a share of the longer one: editors round them. */
const SQUARE_TOLERANCE = 0.01;

/** The warning about a reference without a target. */
const MISSING = 'svg/missing-target';

/** A field that names an image file. */
export interface ImageReference {
  field: ImageField | ImageSetField;
  source: Extract<ImageSource, { path: string }>;
}

/** An image that passed every check short of decoding it. */
export interface InspectedImage {
  format: Format;
  /** The bytes without metadata; the same object if there is none. */
  published: Buffer;
  /** Declared width × height. */
  pixels: number;
}

/**
 * Checks the bytes of an image file, as far as is possible without decoding them.
 * @param file - its name in diagnostics about the content of an SVG; all others point to the fields that name the image
 * @param files - of its folder, one of which may be the one that is meant
 * @returns nothing if it cannot be published at all; there may be errors in any case
 */
export function inspectImage(
  bytes: Buffer,
  file: string,
  references: readonly ImageReference[],
  limits: Site['limits'],
  report: Report,
  files: readonly string[] = [],
): InspectedImage | undefined {
  const everywhere = reportAtEach(references, report);
  const path = references[0]?.source.path ?? '';
  const format = checkFormat(bytes, references, files, report);
  if (format === undefined) return undefined;
  const image = format === 'svg' ? readDrawing(bytes, file, report) : readContainer(bytes, format);
  if (image === undefined) return undefined;
  if ('trailing' in image) everywhere('image/trailing-data', { path, bytes: image.trailing });
  if ('damage' in image) everywhere('image/corrupt', { path, reason: image.damage });
  if (!('published' in image)) return undefined;
  checkDimensions(format, image, references, limits, report);
  return { format, published: image.published, pixels: image.width * image.height };
}

/** What is known of an image without decoding it. */
interface ImageHeader extends ContainerHeader {
  /** The size that an SVG states, of which only the ratio may count. */
  drawn?: Dimensions | undefined;
}

/** Checks an SVG; returns nothing for one that is not accepted. Neither CSS nor references may need its comments and metadata. */
function readDrawing(bytes: Buffer, file: string, report: Report): ImageHeader | Corrupt | undefined {
  const checked = checkSvgFile({ file, bytes }, report);
  if (checked?.isAccepted !== true) return undefined;
  const published = withoutMetadata(bytes, checked);
  const { isAccepted, warnings } = published === bytes ? checked : checkSvg('', published.toString(), () => undefined);
  if (!isAccepted || (warnings.has(MISSING) && !checked.warnings.has(MISSING)))
    return { damage: 'it is not valid without its comments and metadata' };
  return { published, width: 0, height: 0, isAnimated: false, drawn: checked.dimensions };
}

/** Reports a diagnostic about an image at every field that names it. */
export function reportAtEach(
  references: readonly ImageReference[],
  report: Report,
): <C extends Code>(code: C, args: Arguments<C>) => void {
  return (code, args) => {
    for (const { source } of references) report(code, source.location, args);
  };
}

/** A path without the extension. */
export function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}

/** The format of an image by its bytes, if every field that names it accepts it. @param files - of its folder */
function checkFormat(
  bytes: Buffer,
  references: readonly ImageReference[],
  files: readonly string[],
  report: Report,
): Format | undefined {
  const sniffed = sniffFormat(bytes);
  let accepted: Format | undefined;
  for (const { field, source } of references) {
    const { path, location } = source;
    const formats = acceptedFormats(field);
    if (bytes.length === 0) report('image/empty', location, { path });
    else if (isLfsPointer(bytes)) report('image/lfs-pointer', location, { path, bytes: bytes.length });
    else if (!('format' in sniffed) || !formats.includes(sniffed.format)) {
      const found = 'format' in sniffed ? `an ${FORMATS[sniffed.format].name} image` : sniffed.other;
      const names = formats.map((format) => FORMATS[format].name).join(', ');
      const extensions = formats.flatMap((format) => FORMATS[format].extensions);
      const beside = extensions
        .map((extension) => `${stemOf(path)}.${extension}`)
        .find((file) => file !== path && files.includes(file));
      report('image/format', location, { path, found, accepted: names, ...(beside !== undefined && { beside }) });
    } else if (!extensionFits(path, sniffed.format)) {
      const { name, extensions } = FORMATS[sniffed.format];
      const format = /^[AS]/.test(name) ? `an ${name}` : `a ${name}`;
      report('image/extension', location, { path, format, extension: extensions[0] });
    } else accepted = sniffed.format;
  }
  return accepted;
}

function checkDimensions(
  format: Format,
  { published, width, height, isAnimated, drawn, isCmyk = false }: ImageHeader,
  references: readonly ImageReference[],
  limits: Site['limits'],
  report: Report,
): void {
  const everywhere = reportAtEach(references, report);
  const path = references[0]?.source.path ?? '';
  const limit = pixelLimit(format, limits);
  if (isAnimated) return everywhere('image/animated', { path });
  if (width * height > limit) return everywhere('image/too-many-pixels', { path, width, height, limit });
  const isVector = format === 'svg';
  const long = Math.max(width, height);
  if (long > 0 && long < MIN_SIDE) everywhere('image/too-small', { path, width, height });
  else checkFavicon(references, isVector ? drawn : { width, height }, isVector, report);
  adviseSize(references, { path, width, height, bytes: published.length, isVector }, report);
  if (isCmyk) everywhere('image/cmyk', { path });
}

/** Reports images that are too small or too heavy for where their fields show them. */
function adviseSize(references: readonly ImageReference[], size: ImageSize, report: Report): void {
  const isReal = Math.max(size.width, size.height) >= MIN_SIDE;
  for (const { field, source } of references) {
    const small = isReal ? tooFewPixels(field, size) : undefined;
    if (small !== undefined) report('image/small', source.location, small);
    const heavy = tooManyBytes(field, size);
    if (heavy !== undefined) report('image/heavy', source.location, heavy);
  }
}

/** Checks the size of a favicon, in pixels; an SVG may have any, if it is square. */
function checkFavicon(
  references: readonly ImageReference[],
  size: Dimensions | undefined,
  isVector: boolean,
  report: Report,
): void {
  if (size === undefined) return;
  const { width, height } = size;
  const isSquare = Math.abs(width - height) <= Math.max(width, height) * (isVector ? SQUARE_TOLERANCE : 0);
  if (isSquare && (isVector || width >= MIN_FAVICON_SIDE)) return;
  for (const { field, source } of references) {
    if (field !== 'favicon') continue;
    report('image/favicon', source.location, { path: source.path, width, height, isSquare, isVector });
  }
}

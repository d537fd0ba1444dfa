import type { Arguments } from '../diagnostics/catalogue.ts';
import type { Code, Report } from '../diagnostics/diagnostic.ts';
import type { ImageSetField, ImageField } from '../theme/fields/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';
import { type ImageSize, tooFewPixels, tooManyBytes, tooWide } from './advice-size.ts';
import { coloursOf } from './colours.ts';
import { type ContainerHeader, readContainer } from './container.ts';
import type { Corrupt } from './container/parsed.ts';
import { acceptedFormats, extensionFits, type Format, FORMATS, isLfsPointer, sniffFormat } from './format.ts';
import { maxPixels } from './limits.ts';
import { checkSvg } from './svg/check.ts';
import type { Dimensions } from './svg/dimensions.ts';
import { checkSvgFile, withoutMetadata } from './svg/file.ts';

/** An image with fewer pixels than this on both sides is a placeholder, not a logo. */
const MIN_SIDE_PX = 8;
/** Minimum width of a favicon in pixels: 16 in a tab, doubled on a high-density screen. */
const MIN_FAVICON_SIDE_PX = 32;
/** Maximum number of pictures in an ICO that Safari shows. */
const MAX_SAFARI_ICONS = 6;
/** Maximum difference between the sides of a square drawing, as a share of the longer one: editors round them. */
const SQUARE_TOLERANCE = 0.01;

/** The warning about a reference without a target. */
const MISSING_TARGET = 'svg/missing-target';

export interface ImageReference {
  field: ImageField | ImageSetField;
  source: Extract<ImageSource, { path: string }>;
}

/** An image that passed every check except decoding. */
export interface InspectedImage {
  format: Format;
  /** The bytes without metadata; the same object if there is none. */
  published: Buffer;
}

/**
 * Checks the bytes of an image file as far as possible without decoding them.
 * @param file - its name in diagnostics about the content of an SVG; all others point to the fields with the image
 * @param files - all files in its folder, for suggestions
 * @returns nothing if it cannot be published; errors may have been reported in either case
 */
export function inspectImage(
  bytes: Buffer,
  file: string,
  references: readonly ImageReference[],
  report: Report,
  files: readonly string[] = [],
): InspectedImage | undefined {
  const reportEach = reportAtEach(references, report);
  const path = references[0]?.source.path ?? '';
  const format = checkFormat(bytes, references, files, report);
  if (format === undefined) return undefined;
  const image = format === 'svg' ? readDrawing(bytes, file, report) : readContainer(bytes, format);
  if (image === undefined) return undefined;
  if ('damage' in image) reportEach('image/corrupt', { path, reason: image.damage });
  if (!('published' in image)) return undefined;
  checkDimensions(format, image, references, report);
  return { format, published: image.published };
}

interface ImageHeader extends ContainerHeader {
  /** The size stated by an SVG, of which only the ratio may be meaningful. */
  drawn?: Dimensions | undefined;
}

/** Checks an SVG; returns nothing if it is not accepted. CSS and references must work without its comments and metadata. */
function readDrawing(bytes: Buffer, file: string, report: Report): ImageHeader | Corrupt | undefined {
  const checked = checkSvgFile({ file, bytes }, report);
  if (checked?.isAccepted !== true) return undefined;
  const published = withoutMetadata(bytes, checked);
  const { isAccepted, warnings } = published === bytes ? checked : checkSvg('', published.toString(), () => undefined);
  if (!isAccepted || (warnings.has(MISSING_TARGET) && !checked.warnings.has(MISSING_TARGET)))
    return { damage: 'it is not valid without its comments and metadata' };
  return { published, width: 0, height: 0, isAnimated: false, drawn: checked.dimensions };
}

/** Returns a function that reports a diagnostic at every field that uses the image. */
export function reportAtEach(
  references: readonly ImageReference[],
  report: Report,
): <C extends Code>(code: C, args: Arguments<C>) => void {
  return (code, args) => {
    for (const { source } of references) report(code, source.location, args);
  };
}

export function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, '');
}

/** Returns the format of an image by its bytes, if every field with the image accepts it. @param files - all files in its folder */
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
    if (bytes.length === 0) report('image/corrupt', location, { path, reason: 'it is empty' });
    else if (isLfsPointer(bytes)) report('image/lfs-pointer', location, { path, bytes: bytes.length });
    else if (!('format' in sniffed) || !formats.includes(sniffed.format)) {
      const foundFormat = 'format' in sniffed ? `an ${FORMATS[sniffed.format].name} image` : sniffed.other;
      const names = formats.map((format) => FORMATS[format].name).join(', ');
      const extensions = formats.flatMap((format) => FORMATS[format].extensions);
      const beside = extensions
        .map((extension) => `${stemOf(path)}.${extension}`)
        .find((file) => file !== path && files.includes(file));
      report('image/format', location, {
        path,
        found: foundFormat,
        accepted: names,
        ...(beside !== undefined && { beside }),
      });
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
  { published, width, height, isAnimated, drawn, isCmyk = false, icons = 0 }: ImageHeader,
  references: readonly ImageReference[],
  report: Report,
): void {
  const reportEach = reportAtEach(references, report);
  const path = references[0]?.source.path ?? '';
  const limit = maxPixels(format);
  if (isAnimated) return reportEach('image/animated', { path });
  if (width * height > limit) return reportEach('image/too-many-pixels', { path, width, height, limit });
  const isVector = format === 'svg';
  const long = Math.max(width, height);
  if (long > 0 && long < MIN_SIDE_PX) reportEach('image/too-small', { path, width, height });
  else checkFavicon(references, isVector ? drawn : { width, height }, isVector, report);
  adviseWidth(references, drawn ?? { width, height }, report);
  adviseSize(references, { path, width, height, bytes: published.length, isVector }, report);
  if (isCmyk) reportEach('image/cmyk', { path });
  if (icons > MAX_SAFARI_ICONS) reportEach('image/icons', { path, icons, limit: MAX_SAFARI_ICONS });
  const { encoding } = coloursOf(published, format);
  if (encoding !== undefined && encoding.toLight === undefined) reportEach('image/colours', { path });
}

function adviseWidth(references: readonly ImageReference[], size: Dimensions, report: Report): void {
  for (const { field, source } of references) {
    const wide = tooWide(field, size);
    if (wide !== undefined) report('image/wide', source.location, { path: source.path, ...wide });
  }
}

/** Reports images that are too small or too large in bytes for the place where they are shown. */
function adviseSize(references: readonly ImageReference[], size: ImageSize, report: Report): void {
  const isReal = Math.max(size.width, size.height) >= MIN_SIDE_PX;
  for (const { field, source } of references) {
    const small = isReal ? tooFewPixels(field, size) : undefined;
    if (small !== undefined) report('image/small', source.location, small);
    const heavy = tooManyBytes(field, size);
    if (heavy !== undefined) report('image/heavy', source.location, heavy);
  }
}

/** Checks the size of a favicon, in pixels; a square SVG may have any size. */
function checkFavicon(
  references: readonly ImageReference[],
  size: Dimensions | undefined,
  isVector: boolean,
  report: Report,
): void {
  if (size === undefined) return;
  const { width, height } = size;
  const isSquare = Math.abs(width - height) <= Math.max(width, height) * (isVector ? SQUARE_TOLERANCE : 0);
  if (isSquare && (isVector || width >= MIN_FAVICON_SIDE_PX)) return;
  for (const { field, source } of references) {
    if (field !== 'favicon') continue;
    report('image/favicon', source.location, { path: source.path, width, height, isSquare, isVector });
  }
}

import { createRequire } from 'node:module';
import type { default as SharpModule, OutputInfo, Sharp } from 'sharp';
import { type LogoAnalysis, analyseLogo, MAX_FAINT } from '../../core/image/logo-analysis.ts';
import { BACKGROUNDS } from '../../core/image/backgrounds.ts';
import { sniffFormat } from '../../core/image/format.ts';
import { largestIcon, pngIcons } from '../../core/image/container/ico.ts';
import { coloursOf, convertToSrgb, type Encoding } from '../../core/image/colours.ts';
import { type Frame, smallFrame } from '../../core/image/container/gif.ts';
import { withWholePalette } from '../../core/image/container/png.ts';
import { isImageProfile, isSrgbProfile } from '../../core/image/profile.ts';
import { LOGO_THUMBNAIL, type ThumbnailSpec } from '../../core/theme/fields/thumbnail-spec.ts';
import type { Decoded, DecoderReply, Job } from './job.ts';

/** Loaded with `require`: measured, sharp's ES modules take 0.06 s longer to load, in every process. */
const sharp = createRequire(import.meta.url)('sharp') as typeof SharpModule;

sharp.cache(false); // no image is decoded twice
sharp.concurrency(1); // processes run side by side instead: measured faster, at half the memory
// Loads only the published formats, and only from memory: a path inside an image opens no file.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
});

type LoadedJob = Job & { bytes: Uint8Array };

/** An image with the properties in its header that affect drawing. */
interface SourceImage {
  job: LoadedJob;
  hasAlpha: boolean;
  /** Whether to ignore the colour profile: it says sRGB, or browsers ignore it. */
  ignoreIcc: boolean;
  /** The colour encoding, if it is not sRGB and no profile describes it. */
  encoding: Encoding | undefined;
  isDeep: boolean;
}

/** Decodes a whole image, and makes a thumbnail if the job has a thumbnail spec. Throws if the image cannot be decoded. */
export async function draw(job: LoadedJob): Promise<DecoderReply> {
  if (job.format === 'ico') return drawIcons(job);
  const source = await sourceOf(job);
  return source === undefined ? 'does not decode' : thumbnail(source);
}

async function sourceOf(given: LoadedJob): Promise<SourceImage | undefined> {
  const job =
    given.format === 'png'
      ? {
          ...given,
          bytes: withWholePalette(Buffer.from(given.bytes.buffer, given.bytes.byteOffset, given.bytes.length)),
        }
      : given;
  const plain = { job, hasAlpha: false, ignoreIcc: false, encoding: undefined, isDeep: false };
  // The allow-list has parsed the SVG already. Measured: libvips would parse it twice more, in a quarter of the time of a small
  // image.
  if (job.format === 'svg') return { ...plain, job: await rewrittenForLibrsvg(job), hasAlpha: true };
  if (isPlain(job)) return plain;
  const { format, hasAlpha, icc, depth } = await open(job).metadata();
  if (format !== (job.format === 'avif' ? 'heif' : job.format)) return undefined;
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length);
  const frame = format === 'gif' ? smallFrame(bytes) : undefined;
  const { encoding, isProfileIgnored } = coloursOf(bytes, job.format);
  const ignoreIcc = isProfileIgnored || (icc !== undefined && (isSrgbProfile(icc) || !isImageProfile(icc)));
  const onCanvas = frame && { ...job, bytes: await placeOnCanvas(job, frame), format: 'png' as const };
  return {
    job: onCanvas ?? job,
    hasAlpha: hasAlpha || frame !== undefined,
    ignoreIcc,
    encoding,
    isDeep: depth !== 'uchar',
  };
}

/** Constructs that librsvg may draw differently from browsers. Most drawings have none, and are not parsed again. */
const DRAWN_DIFFERENTLY =
  /\d(?:mm|cm|in|p[tc]|q|r?e[mx])\b|\b(?:hsla?|hwb|(?:ok)?l(?:ab|ch)|color|rgba?)\(|<(?:\w+:)?(?:style|pattern|text|\w+Gradient|mask|clipPath|filter)[\s>]|\sstyle=|points=|auto|stroke-width=["']?\s*-|filter=|preserveAspectRatio|\d\.(?!\d)|\d{7}|\de\+?\d|<(?:\w+:)?svg\b[^>]*\s(?:transform|opacity)\s*=/i;

/** Returns the job with its SVG rewritten so that librsvg draws it as browsers do. */
async function rewrittenForLibrsvg(job: LoadedJob): Promise<LoadedJob> {
  const text = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length).toString();
  if (!DRAWN_DIFFERENTLY.test(text)) return job;
  const { forRenderer } = await import('../../core/image/svg/for-renderer.ts');
  return { ...job, bytes: Buffer.from(forRenderer(text)) };
}

/** Whether nothing in the header matters: no profile, and no alpha. Measured: reading it takes a seventh of the time of a small image. */
function isPlain({ bytes, format, spec }: LoadedJob): boolean {
  if (format !== 'jpeg' && (format !== 'png' || spec?.opaque !== spec?.transparent)) return false;
  const sniffed = sniffFormat(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [header, ...chunks] =
    format === 'jpeg'
      ? [buffer, 'ICC_PROFILE']
      : [buffer.subarray(0, buffer.indexOf('IDAT')), 'iCCP', 'gAMA', 'cHRM', 'cICP'];
  return 'format' in sniffed && sniffed.format === format && chunks.every((name) => !header.includes(name));
}

/** Decodes the PNG icons of an ICO, which libvips does not read. Its other icons were checked without decoding. */
async function drawIcons(job: LoadedJob): Promise<DecoderReply> {
  for (const bytes of pngIcons(Buffer.from(job.bytes))) {
    const reply = await draw({ ...job, spec: undefined, bytes, format: 'png' });
    if (reply !== 'decodes') return reply;
  }
  if (job.spec === undefined) return 'decodes';
  const icon = largestIcon(Buffer.from(job.bytes));
  if ('png' in icon) return draw({ ...job, bytes: icon.png, format: 'png' });
  const { rgba, width, height } = icon;
  const bytes = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return draw({ ...job, bytes, format: 'png' });
}

/** Returns the displayed size of an image, or its sRGB pixels at a size. Throws if the image cannot be decoded. */
export async function pixelsOf(
  job: LoadedJob,
  request: NonNullable<Job['pixels']>,
): Promise<Decoded | 'does not decode'> {
  const source = await sourceOf(job);
  if (source === undefined) return 'does not decode';
  const { width, height, format, autoOrient } = await open(source.job).metadata();
  if (request === 'size') return { ...(format === 'webp' ? { width, height } : autoOrient), rgba: new Uint8Array() };
  const image = await inSrgb(upright(source).resize({ ...request, fit: 'fill' }), source);
  const rgba = await image.ensureAlpha().raw().toBuffer();
  return { ...request, rgba };
}

/**
 * Makes a thumbnail by the contract: inside the box, never enlarged, upright, in sRGB, without metadata. An SVG fills the box: sharp draws it at
 * the requested size, not at its nominal size.
 */
async function thumbnail(source: SourceImage): Promise<DecoderReply> {
  const { job, hasAlpha } = source;
  const { spec, isAnalysed = false } = job;
  // Without a thumbnail, a logo is drawn at the size of a logo thumbnail. An SVG may have any nominal size, and the analysis
  // must not depend on whether there is a thumbnail.
  const [width, height] = spec?.canvas === 'maskable' ? SAFE_BOX : (spec ?? LOGO_THUMBNAIL).box;
  const isSvg = job.format === 'svg';
  const resized = await inSrgb(
    upright(source).resize({ width, height, fit: 'inside', withoutEnlargement: !isSvg }),
    source,
  );
  // Not `stats()`: measured with sharp 0.35.5, it resolves for half of the truncated images when several run at once.
  if (spec === undefined)
    return isAnalysed
      ? { analysis: await analysisOf(resized) }
      : resized
          .raw()
          .toBuffer()
          .then(() => 'decodes');
  if (spec.canvas !== undefined) return { data: await onSquare(resized, spec), format: 'png' };
  const dependsOnPixels = spec.opaque !== spec.transparent && hasAlpha;
  if (!dependsOnPixels && !isAnalysed) return { data: await encode(resized, spec.opaque, spec), format: spec.opaque };
  // The pixels are read first if the format depends on them, so that the image is decoded once.
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
  const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const format = dependsOnPixels && !isOpaque(data, info, isSvg) ? spec.transparent : spec.opaque;
  return { data: await encode(image, format, spec), format, ...(isAnalysed && { analysis: analyseLogo(data, info) }) };
}

/** The largest square, in pixels, inside the safe circle of a maskable icon, which has 80 % of its width. */
const SAFE_BOX = [289, 289] as const;

async function onSquare(image: Sharp, { box, canvas, compression = 9 }: ThumbnailSpec): Promise<Buffer> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isMaskable = canvas === 'maskable';
  const side = canvas === 'tight' ? Math.max(width, height) : box[0];
  const [left, top] = [Math.floor((side - width) / 2), Math.floor((side - height) / 2)];
  const background = isMaskable ? surroundingOf(data, info) : { r: 0, g: 0, b: 0, alpha: 0 };
  const drawn = sharp(data, { raw: { width, height, channels: 4 } });
  return (isMaskable ? drawn.flatten({ background }) : drawn)
    .extend({ left, top, right: side - width - left, bottom: side - height - top, background })
    .png({ compressionLevel: compression })
    .toBuffer();
}

/** Returns the colour around an image: the colour of its corner if that is opaque, otherwise a background on which it is visible. */
function surroundingOf(rgba: Buffer, info: OutputInfo): { r: number; g: number; b: number } | string {
  const [r = 0, g = 0, b = 0, alpha] = rgba;
  if (alpha === 255) return { r, g, b };
  return BACKGROUNDS[analyseLogo(rgba, info).faint.light > MAX_FAINT ? 'dark' : 'light'];
}

/** Turns an image upright as browsers do: they ignore the orientation in a WebP. */
function upright({ job, ignoreIcc }: SourceImage): Sharp {
  const image = open(job, ignoreIcc);
  return job.format === 'webp' ? image : image.autoOrient();
}

/** Converts an image to sRGB from the colour space of its file. */
async function inSrgb(image: Sharp, { encoding, isDeep }: SourceImage): Promise<Sharp> {
  // Otherwise libvips leaves channels of 16 bits in Display P3.
  const converted = (isDeep ? image.pipelineColourspace('srgb') : image).toColourspace('srgb');
  if (encoding === undefined) return converted;
  const { data, info } = await converted.raw().toBuffer({ resolveWithObject: true });
  convertToSrgb(data, info.channels, encoding);
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Places a frame on the transparent canvas of its GIF; libvips would fill the canvas with black. */
function placeOnCanvas(job: LoadedJob, { left, top, width, height, canvas }: Frame): Promise<Buffer> {
  const [right, bottom] = [canvas.width - left - width, canvas.height - top - height];
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return open(job)
    .extract({ left, top, width, height })
    .ensureAlpha()
    .extend({ left, top, right, bottom, background })
    .png()
    .toBuffer();
}

async function analysisOf(image: Sharp): Promise<LogoAnalysis> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return analyseLogo(data, info);
}

function encode(
  image: Sharp,
  format: ThumbnailSpec['opaque' | 'transparent'],
  { quality = 80, compression = 9 }: ThumbnailSpec,
) {
  const encoded = {
    png: () => image.png({ compressionLevel: compression }),
    // Alpha is dropped, not blended with black: pixels at the edge of an SVG have its colour but half its alpha.
    jpeg: () => image.removeAlpha().jpeg({ quality }),
    webp: () => image.webp({ quality }),
  }[format]();
  return encoded.toBuffer();
}

/**
 * Whether no pixel is transparent; alpha is the last channel.
 * @param isSvg - the outermost pixels of an SVG may be partly transparent, and are ignored
 */
function isOpaque(data: Buffer, { width, height, channels }: OutputInfo, isSvg: boolean): boolean {
  const margin = isSvg ? 1 : 0;
  for (let y = margin; y < height - margin; y++)
    for (let x = margin; x < width - margin; x++) if (data[(y * width + x + 1) * channels - 1] !== 255) return false;
  return true;
}

/** @param ignoreIcc - measured: converting through a profile that only says sRGB costs 9 % and changes nothing */
function open({ bytes, format, pixelLimit }: LoadedJob, ignoreIcc = false): Sharp {
  // No limit for an SVG: it is drawn at the requested size, whatever its nominal size.
  return sharp(bytes, { ignoreIcc, limitInputPixels: format === 'svg' ? false : pixelLimit });
}

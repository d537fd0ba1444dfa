import { createRequire } from 'node:module';
import type { default as SharpModule, OutputInfo, Sharp } from 'sharp';
import { type Look, lookAt, MAX_FAINT } from '../image/advice-look.ts';
import { BACKGROUNDS } from '../image/backgrounds.ts';
import { sniffFormat } from '../image/format.ts';
import { largestIcon, pngIcons } from '../image/container/ico.ts';
import { coloursOf, convertToSrgb, type Encoding } from '../image/colours.ts';
import { type Frame, smallFrame } from '../image/container/gif.ts';
import { isSrgbProfile } from '../image/profile.ts';
import { LOGO_THUMBNAIL, type ThumbnailSpec } from '../theme/thumbnail-spec.ts';
import type { Decoded, Reply, Job } from './job.ts';
import { tooOld } from './versions.ts';

/** Required, not imported: measured, sharp's ES modules take 0.06 s longer to load, and every process pays that. */
const sharp = createRequire(import.meta.url)('sharp') as typeof SharpModule;

const outdated = tooOld(sharp.versions);
if (outdated !== undefined) throw new Error(outdated);

sharp.cache(false); // no image is decoded twice
sharp.concurrency(1); // processes run side by side instead: measured faster, at half the memory
// Only what is published, and only from memory: a path in an image leads nowhere.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** A job with its bytes in memory. */
type LoadedJob = Job & { bytes: Uint8Array };

/** An image, and what its header says of how to draw it. */
interface Source {
  job: LoadedJob;
  hasAlpha: boolean;
  /** Whether the colour profile says sRGB, or browsers ignore it. */
  ignoreIcc: boolean;
  /** How the pixels are coded, if not as sRGB and a profile does not say it. */
  encoding: Encoding | undefined;
  /** Whether a channel has more than 8 bits. */
  isDeep: boolean;
}

/** Decodes a whole image, and makes a thumbnail of it if the job has a thumbnail spec. Throws if the image is not there. */
export async function draw(job: LoadedJob): Promise<Reply> {
  if (job.format === 'ico') return drawIcons(job);
  const source = await sourceOf(job);
  return source === undefined ? 'does not decode' : thumbnail(source);
}

async function sourceOf(job: LoadedJob): Promise<Source | undefined> {
  const plain = { job, hasAlpha: false, ignoreIcc: false, encoding: undefined, isDeep: false };
  // The allow-list has parsed all of it, and libvips would do so twice: measured, a quarter of the time of a small one.
  if (job.format === 'svg') return { ...plain, job: await drawable(job), hasAlpha: true };
  if (isPlain(job)) return plain;
  const { format, hasAlpha, icc, depth } = await open(job).metadata();
  if (format !== (job.format === 'avif' ? 'heif' : job.format)) return undefined;
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length);
  const frame = format === 'gif' ? smallFrame(bytes) : undefined;
  const { encoding, isProfileIgnored } = coloursOf(bytes, job.format);
  const ignoreIcc = isProfileIgnored || (icc !== undefined && isSrgbProfile(icc));
  const onCanvas = frame && { ...job, bytes: await placed(job, frame), format: 'png' as const };
  return {
    job: onCanvas ?? job,
    hasAlpha: hasAlpha || frame !== undefined,
    ignoreIcc,
    encoding,
    isDeep: depth !== 'uchar',
  };
}

/** Constructs that librsvg may draw otherwise than browsers. Most drawings have none, and are not parsed again. */
const DIFFERENT =
  /\d(?:mm|cm|in|p[tc]|q|r?e[mx])\b|\b(?:hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\(|<style|style=["'][^"']*(?:transform|blur)|points=|auto|stroke-width=["']?\s*-|filter=["']?\s*blur|<(?:\w+:)?text[\s>]|<(?:\w+:)?svg\b[^>]*\s(?:transform|style)\s*=/i;
/** A property that is not in lower case. */
const UPPER = /style=["'](?:[^"']*;)?\s*[a-z-]*[A-Z]/;

/** An SVG in the terms of librsvg. */
async function drawable(job: LoadedJob): Promise<LoadedJob> {
  const text = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length).toString();
  if (!DIFFERENT.test(text) && !UPPER.test(text)) return job;
  const { forRenderer } = await import('../image/svg/for-renderer.ts');
  const drawn = forRenderer(text);
  return drawn === text ? job : { ...job, bytes: Buffer.from(drawn) };
}

/** Whether nothing of the header is asked for: no profile, and no alpha. Measured, reading it takes a seventh of the time of a small image. */
function isPlain({ bytes, format, spec }: LoadedJob): boolean {
  if (format !== 'jpeg' && (format !== 'png' || spec?.opaque !== spec?.transparent)) return false;
  const sniffed = sniffFormat(bytes);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const names = format === 'jpeg' ? ['ICC_PROFILE'] : ['iCCP', 'gAMA', 'cHRM', 'cICP'];
  return 'format' in sniffed && sniffed.format === format && names.every((name) => !all.includes(name));
}

/** libvips does not read ICO; all of it but the icons that are PNG was checked without decoding. */
async function drawIcons(job: LoadedJob): Promise<Reply> {
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

/** The size of an image as it is shown, or its pixels in sRGB at a size. Throws if the image is not there. */
export async function pixelsOf(
  job: LoadedJob,
  asked: NonNullable<Job['pixels']>,
): Promise<Decoded | 'does not decode'> {
  const source = await sourceOf(job);
  if (source === undefined) return 'does not decode';
  const { width, height, format, autoOrient } = await open(source.job).metadata();
  if (asked === 'size') return { ...(format === 'webp' ? { width, height } : autoOrient), rgba: new Uint8Array() };
  const image = await inSrgb(upright(source).resize({ ...asked, fit: 'fill' }), source);
  const rgba = await image.ensureAlpha().raw().toBuffer();
  return { ...asked, rgba };
}

/**
 * Makes a thumbnail as the contract says: inside the box, never enlarged, upright, sRGB, without metadata.
 * An SVG fills the box: sharp draws it at the size that it is resized to, not at its nominal size.
 */
async function thumbnail(source: Source): Promise<Reply> {
  const { job, hasAlpha } = source;
  const { spec, isLookedAt = false } = job;
  // Without a thumbnail, in the size of that of a logo, since an SVG may name any size: so a logo looks the same with one and without.
  const [width, height] = spec?.canvas === 'maskable' ? SAFE_BOX : (spec ?? LOGO_THUMBNAIL).box;
  const isSvg = job.format === 'svg';
  const resized = await inSrgb(
    upright(source).resize({ width, height, fit: 'inside', withoutEnlargement: !isSvg }),
    source,
  );
  // Not by `stats()`: measured with sharp 0.35.5, that resolves for half of the truncated images when several run at once.
  if (spec === undefined)
    return isLookedAt
      ? { look: await lookOf(resized) }
      : resized
          .raw()
          .toBuffer()
          .then(() => 'decodes');
  if (spec.canvas !== undefined) return { data: await onSquare(resized, spec), format: 'png' };
  const dependsOnPixels = spec.opaque !== spec.transparent && hasAlpha;
  if (!dependsOnPixels && !isLookedAt) return { data: await encode(resized, spec.opaque, spec), format: spec.opaque };
  // Pixels come first where the format depends on them: the image itself is decoded once.
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true });
  const image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const format = dependsOnPixels && !isOpaque(data, info, isSvg) ? spec.transparent : spec.opaque;
  return { data: await encode(image, format, spec), format, ...(isLookedAt && { look: lookAt(data, info) }) };
}

/** The largest square in the circle that no mask cuts off, which has 80 % of the width of a maskable icon. */
const SAFE_BOX = [289, 289] as const;

/** An icon: the image in the middle of a square. */
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

/** The colour around an image: its own if it reaches into the corner, otherwise one on which it can be seen. */
function surroundingOf(rgba: Buffer, info: OutputInfo): { r: number; g: number; b: number } | string {
  const [r = 0, g = 0, b = 0, alpha] = rgba;
  if (alpha === 255) return { r, g, b };
  return BACKGROUNDS[lookAt(rgba, info).faint.light > MAX_FAINT ? 'dark' : 'light'];
}

/** An image as browsers turn it: they ignore what a WebP says of the camera. */
function upright({ job, ignoreIcc }: Source): Sharp {
  const image = open(job, ignoreIcc);
  return job.format === 'webp' ? image : image.autoOrient();
}

/** An image in sRGB, whatever its file says its colours are. */
async function inSrgb(image: Sharp, { encoding, isDeep }: Source): Promise<Sharp> {
  // Otherwise libvips converts channels of 16 bits to Display P3, and leaves them there.
  const converted = (isDeep ? image.pipelineColourspace('srgb') : image).toColourspace('srgb');
  if (encoding === undefined) return converted;
  const { data, info } = await converted.raw().toBuffer({ resolveWithObject: true });
  convertToSrgb(data, info.channels, encoding);
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** A frame on the transparent canvas of its GIF: libvips makes the rest black. */
function placed(job: LoadedJob, { left, top, width, height, canvas }: Frame): Promise<Buffer> {
  const [right, bottom] = [canvas.width - left - width, canvas.height - top - height];
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return open(job)
    .extract({ left, top, width, height })
    .ensureAlpha()
    .extend({ left, top, right, bottom, background })
    .png()
    .toBuffer();
}

async function lookOf(image: Sharp): Promise<Look> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return lookAt(data, info);
}

function encode(
  image: Sharp,
  format: ThumbnailSpec['opaque' | 'transparent'],
  { quality = 80, compression = 9 }: ThumbnailSpec,
) {
  const encoded = {
    png: () => image.png({ compressionLevel: compression }),
    // Alpha is dropped, not blended with black: where an SVG ends within a pixel, the pixel has its colour but half its alpha.
    jpeg: () => image.removeAlpha().jpeg({ quality }),
    webp: () => image.webp({ quality }),
  }[format]();
  return encoded.toBuffer();
}

/**
 * Whether no pixel is transparent; alpha is the last channel.
 * @param isSvg - where its sides do not fall on whole pixels, the outermost ones of an SVG are transparent in part
 */
function isOpaque(data: Buffer, { width, height, channels }: OutputInfo, isSvg: boolean): boolean {
  const margin = isSvg ? 1 : 0;
  for (let y = margin; y < height - margin; y++)
    for (let x = margin; x < width - margin; x++) if (data[(y * width + x + 1) * channels - 1] !== 255) return false;
  return true;
}

/** @param ignoreIcc - measured: converting through a profile that only says sRGB costs 9 % and changes nothing */
function open({ bytes, format, pixelLimit }: LoadedJob, ignoreIcc = false): Sharp {
  // An SVG is drawn at the size that is asked for: its nominal size says nothing of the work.
  return sharp(bytes, { ignoreIcc, limitInputPixels: format === 'svg' ? false : pixelLimit });
}

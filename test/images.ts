import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';

/** A colour in 8-bit RGB. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const RED: Rgb = [230, 20, 30];
export const GREEN: Rgb = [20, 170, 60];
export const BLUE: Rgb = [30, 60, 220];
export const YELLOW: Rgb = [240, 210, 40];

/** Four contrasting colours, and four colours within the gamut of ink. */
export const VIVID = [RED, GREEN, BLUE, YELLOW] as const;
export const MUTED = [
  [170, 90, 90],
  [100, 140, 100],
  [100, 110, 150],
  [180, 170, 110],
] as const;
type Colours = readonly [Rgb, Rgb, Rgb, Rgb];

/** An image before it is encoded. */
export type Drawing = Sharp;

type Colour = (x: number, y: number) => readonly number[];

/** Draws an image pixel by pixel, with as many channels as the colour has. */
export function draw(width: number, height: number, colour: Colour): Drawing {
  const channels = colour(0, 0).length as 3 | 4;
  const pixels = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colour(x, y), (y * width + x) * channels);
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Draws four colours: top left, top right, bottom left, bottom right. Every rotation and mirror image looks different. */
export function quarters(width: number, height: number, colours: Colours = VIVID): Drawing {
  return draw(width, height, quarterAt(width, height, colours));
}

function quarterAt(width: number, height: number, colours: Colours = VIVID): (x: number, y: number) => Rgb {
  return (x, y) => colours[y < height / 2 ? (x < width / 2 ? 0 : 1) : x < width / 2 ? 2 : 3];
}

/** Draws a single colour. */
export function solidImage(width: number, height: number, colour: Rgb = BLUE): Drawing {
  return sharp({ create: { width, height, channels: 3, background: { r: colour[0], g: colour[1], b: colour[2] } } });
}

/** Draws detail everywhere, so that quality affects the size. Each size always gets the same image. */
export function detailedImage(width: number, height: number): Drawing {
  return draw(width, height, (x, y) => [
    (x * 7 + y * 3) % 256,
    Math.round(127 + 120 * Math.sin(x / 3) * Math.cos(y / 5)),
    (x ^ y) % 256,
  ]);
}

/** Draws a disc on a transparent background. */
export function disc(width: number, height: number, [red, green, blue]: Rgb = RED): Drawing {
  return draw(width, height, (x, y) => {
    const distance = Math.hypot((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5);
    return [red, green, blue, distance < 0.4 ? 255 : 0];
  });
}

/** Draws an image whose alpha channel is opaque. */
export function opaqueWithAlpha(width: number, height: number): Drawing {
  const colour = quarterAt(width, height);
  return draw(width, height, (x, y) => [...colour(x, y), 255]);
}

/** Returns the position of a stored pixel in the upright image, by EXIF orientation (EXIF 2.32, tag 0x0112). */
const UPRIGHT: Record<number, (column: number, row: number, width: number, height: number) => [x: number, y: number]> =
  {
    1: (column, row) => [column, row],
    2: (column, row, width) => [width - 1 - column, row],
    3: (column, row, width, height) => [width - 1 - column, height - 1 - row],
    4: (column, row, _, height) => [column, height - 1 - row],
    5: (column, row) => [row, column],
    6: (column, row, width) => [width - 1 - row, column],
    7: (column, row, width, height) => [width - 1 - row, height - 1 - column],
    8: (column, row, _, height) => [row, height - 1 - column],
  };

/** Returns a JPEG from a rotated camera. Turned upright, it shows {@link quarters} of the size. */
export async function orientedJpeg(width: number, height: number, orientation: number): Promise<Buffer> {
  const upright = UPRIGHT[orientation];
  if (upright === undefined) throw new Error(`${orientation} is no EXIF orientation.`);
  const [columns, rows] = orientation < 5 ? [width, height] : [height, width];
  const colour = quarterAt(width, height);
  return draw(columns, rows, (column, row) => colour(...upright(column, row, width, height)))
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Returns a JPEG with all the metadata that cameras and editors write. */
export async function jpegWithMetadata(width: number, height: number): Promise<Buffer> {
  return quarters(width, height)
    .withExif({ IFD0: { Copyright: 'SECRET-COPYRIGHT' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '43/1 28/1 5/1' } })
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>',
    )
    .withIccProfile('p3')
    .jpeg({ quality: 95 })
    .toBuffer();
}

export async function cmykJpeg(drawing: Drawing): Promise<Buffer> {
  return drawing
    .toColourspace('cmyk')
    .withIccProfile('cmyk')
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

export async function png16(drawing: Drawing): Promise<Buffer> {
  return drawing.toColourspace('rgb16').png().toBuffer();
}

/** Returns an SVG of a small nominal size: a black square in the middle half of a white background, with its edges between pixels. */
export function squareSvg(width: number, height: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>` +
      `<rect x="${width / 4}" y="${height / 4}" width="${width / 2}" height="${height / 2}" fill="#000"/></svg>`,
  );
}

/** Returns the pixels of an image as a viewer shows them, in sRGB with alpha. */
export interface Pixels {
  width: number;
  height: number;
  at: (x: number, y: number) => readonly [red: number, green: number, blue: number, alpha: number];
}

export async function pixelsOf(image: Buffer | string): Promise<Pixels> {
  const bytes = typeof image === 'string' ? await readFile(image) : image;
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    at: (x, y) => {
      const start = (y * info.width + x) * 4;
      return [data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0, data[start + 3] ?? 0];
    },
  };
}

/** Returns the difference of two colours in the channel that differs most. */
export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.max(...[0, 1, 2].map((channel) => Math.abs((a[channel] ?? 0) - (b[channel] ?? 0))));
}

// Images of every format, with a canary in every place where metadata may be; and seeded corruption of files.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** @typedef {'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'svg' | 'ico'} Format */
/** @typedef {{ name: string, format: Format, bytes: Buffer }} Sample */

/** Returns a drawing that differs from its rotations and mirror images, with a gradient so that every pixel is different. */
function drawing(width = 40, height = 24) {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => {
      const [channel, x, y] = [at % 3, Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
      return channel === 0 ? x * 6 : channel === 1 ? y * 10 : x < width / 2 && y < height / 2 ? 200 : 20;
    }),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/**
 * Returns a drawing with the metadata that cameras and editors write, as far as sharp supports it.
 * @param {string} canary
 */
function drawingWithMetadata(canary) {
  return drawing()
    .withExif({
      IFD0: { Copyright: canary, ImageDescription: canary },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '43/1 28/1 5/1', GPSAreaInformation: canary },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!--${canary}--></x:xmpmeta>`);
}

/**
 * Returns a PNG chunk (PNG specification, §5.3).
 * @param {string} type
 * @param {Buffer | string} content
 */
export function pngChunk(type, content) {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}

/** @type {(png: Buffer, chunks: readonly Buffer[]) => Buffer} */
const withPngChunks = (png, chunks) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/**
 * Returns a JPEG segment (ITU-T T.81, §B.1.1.4).
 * @param {number} marker
 * @param {Buffer | string} content
 */
function jpegSegment(marker, content) {
  const body = Buffer.from(content);
  const segment = Buffer.alloc(4 + body.length);
  segment.writeUInt16BE(0xff00 + marker);
  segment.writeUInt16BE(2 + body.length, 2);
  body.copy(segment, 4);
  return segment;
}

/** @type {(jpeg: Buffer, segments: readonly Buffer[]) => Buffer} */
const withJpegSegments = (jpeg, segments) => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/**
 * Returns a RIFF chunk.
 * @param {string} type
 * @param {Buffer | string} content
 */
function riffChunk(type, content) {
  const body = Buffer.from(content);
  const chunk = Buffer.alloc(8 + body.length + (body.length % 2));
  chunk.write(type);
  chunk.writeUInt32LE(body.length, 4);
  body.copy(chunk, 8);
  return chunk;
}

/** @type {(webp: Buffer, chunks: readonly Buffer[]) => Buffer} */
function withWebpChunks(webp, chunks) {
  const file = Buffer.concat([webp, ...chunks]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/**
 * Returns an ISO base media box.
 * @param {string} type
 * @param {Buffer | string} content
 */
export function isoBox(type, content) {
  const body = Buffer.from(content);
  const box = Buffer.alloc(8 + body.length);
  box.writeUInt32BE(box.length);
  box.write(type, 4);
  body.copy(box, 8);
  return box;
}

/**
 * Returns a chain of GIF sub-blocks (GIF89a, §15).
 * @param {number} label
 * @param {readonly string[]} blocks
 */
function gifExtension(label, blocks) {
  const parts = blocks.flatMap((block) => [Buffer.from([block.length]), Buffer.from(block)]);
  return Buffer.concat([Buffer.from([0x21, label]), ...parts, Buffer.from([0])]);
}

/**
 * Returns an ICO with these icons, and bytes before them that no entry lists.
 * @param {readonly { size: number, bytes: Buffer }[]} icons
 */
export function icoOf(icons, gap = '') {
  const head = Buffer.alloc(6 + 16 * icons.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(icons.length, 4);
  let start = head.length + gap.length;
  for (const [index, { size, bytes }] of icons.entries()) {
    const at = 6 + 16 * index;
    head.fill(size % 256, at, at + 2);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(bytes.length, at + 8);
    head.writeUInt32LE(start, at + 12);
    start += bytes.length;
  }
  return Buffer.concat([head, Buffer.from(gap), ...icons.map(({ bytes }) => bytes)]);
}

/** Returns an icon with 32 bits per pixel: header, pixels, mask (Win32, BITMAPINFOHEADER). */
export function bitmapIcon(size = 16) {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(size * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  return Buffer.concat([header, Buffer.alloc(size * size * 4, 0x7f), Buffer.alloc(Math.ceil(size / 32) * 4 * size)]);
}

/**
 * Returns images with the canary in every optional place.
 * @param {string} canary
 * @returns {Promise<Sample[]>}
 */
export async function sampleImages(canary) {
  const [png, jpeg, progressive, lossy, lossless, avif, gif, icon] = await Promise.all([
    drawingWithMetadata(canary).png().toBuffer(),
    drawingWithMetadata(canary).withIccProfile('p3').jpeg({ quality: 90 }).toBuffer(),
    drawingWithMetadata(canary).jpeg({ progressive: true }).toBuffer(),
    drawingWithMetadata(canary).webp().toBuffer(),
    drawingWithMetadata(canary).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
    drawingWithMetadata(canary).ensureAlpha(0.5).avif({ effort: 0 }).toBuffer(),
    drawing().gif().toBuffer(),
    drawing(32, 32).png().toBuffer(),
  ]);
  const pngText = [
    pngChunk('tEXt', `Comment\0${canary}`),
    pngChunk('zTXt', Buffer.concat([Buffer.from(`${canary}\0\0`), deflateSync(canary)])),
    pngChunk('iTXt', `Comment\0\0\0\0\0${canary}`),
    pngChunk('tIME', Buffer.from([7, 234, 1, 1, 1, 1, 1])),
    pngChunk('prVt', canary),
    pngChunk('hIST', canary),
  ];
  const thumbnail = Buffer.concat([
    Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x0c\x01', 'latin1'),
    Buffer.alloc(36, canary),
  ]);
  const jpegExtras = [
    jpegSegment(0xe0, thumbnail),
    jpegSegment(0xe0, `JFXX\0\x10${canary}`),
    jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${canary}`),
    jpegSegment(0xe2, `MPF\0${canary}`),
    jpegSegment(0xec, `Ducky${canary}`),
    jpegSegment(0xed, `Photoshop 3.0\x008BIM${canary}`),
    jpegSegment(0xee, `Adobe\0d\0\0\0\0\x01${canary}`),
    jpegSegment(0xef, canary),
    Buffer.from([0xff, 0xff]),
    jpegSegment(0xfe, canary),
  ];
  const gifExtras = [
    gifExtension(0xfe, [canary]),
    gifExtension(0xff, ['XMP DataXMP', canary]),
    gifExtension(0x01, ['x'.repeat(12), canary]),
  ];
  const freeSpace = ['free', 'skip'].map((type) => isoBox(type, canary));
  const svg = `<?xml version="1.0"?><!-- ${canary} --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><metadata id="m"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" r:about="/>"/><!-- > -->${canary}</metadata><rect width="20" height="9" fill="#c03"/><!--${canary}--><metadata/></svg>`;
  const describedIcon = withPngChunks(icon, pngText);
  const surplus = Buffer.concat([bitmapIcon(), Buffer.from(canary)]);
  /** @type {[string, Format, Buffer][]} */
  const samples = [
    ['png', 'png', withPngChunks(png, pngText)],
    ['png, interlaced', 'png', withPngChunks(await drawing().png({ progressive: true }).toBuffer(), pngText)],
    ['png, palette', 'png', withPngChunks(await drawing().png({ palette: true }).toBuffer(), pngText)],
    ['png, 16 bits', 'png', withPngChunks(await drawing().toColourspace('rgb16').png().toBuffer(), pngText)],
    ['jpeg', 'jpeg', withJpegSegments(jpeg, jpegExtras)],
    ['jpeg, progressive', 'jpeg', withJpegSegments(progressive, jpegExtras.slice(0, -4))],
    [
      'jpeg, cmyk',
      'jpeg',
      withJpegSegments(await drawing().toColourspace('cmyk').jpeg().toBuffer(), jpegExtras.slice(1, 6)),
    ],
    [
      'jpeg, grey',
      'jpeg',
      withJpegSegments(await drawing().toColourspace('b-w').jpeg().toBuffer(), jpegExtras.slice(1, 6)),
    ],
    // Phones write gain and depth maps this way.
    ['jpeg, two images', 'jpeg', Buffer.concat([jpeg, Buffer.alloc(700), withJpegSegments(jpeg, jpegExtras)])],
    ['webp, lossy', 'webp', withWebpChunks(lossy, [riffChunk('junk', canary), riffChunk('XMP ', canary)])],
    ['webp, lossless', 'webp', withWebpChunks(lossless, [riffChunk('EXIF', canary)])],
    ['webp, plain', 'webp', withWebpChunks(await drawing().webp().toBuffer(), [riffChunk('junk', `${canary}!`)])],
    ['avif', 'avif', Buffer.concat([avif, ...freeSpace, isoBox('uuid', `0123456789abcdef${canary}`)])],
    ['avif, opaque', 'avif', await drawingWithMetadata(canary).avif({ effort: 0 }).toBuffer()],
    ['gif', 'gif', Buffer.concat([gif.subarray(0, -1), ...gifExtras, gif.subarray(-1)])],
    ['svg', 'svg', Buffer.from(svg)],
    [
      'ico',
      'ico',
      icoOf(
        [
          { size: 32, bytes: describedIcon },
          { size: 16, bytes: surplus },
        ],
        canary,
      ),
    ],
  ];
  return samples.map(([name, format, bytes]) => ({ name, format, bytes }));
}

/**
 * Returns a generator of numbers from 0 up to 1, determined by the seed (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Corrupts an image: truncation, flipped bits, wrong lengths, moved, duplicated, blanked or lost parts.
 * @param {Buffer} image
 * @param {() => number} random
 */
export function corrupted(image, random) {
  let bytes = Buffer.from(image);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  const range = () => {
    const start = below(bytes.length);
    return [start, Math.min(bytes.length, start + 1 + below(random() < 0.8 ? 40 : bytes.length))];
  };
  const ways = [
    () => bytes.subarray(0, below(bytes.length)),
    () => {
      for (let flips = 1 + below(8); flips > 0; flips--) {
        const at = below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      }
      return bytes;
    },
    () => {
      const wrongLength =
        [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, bytes.length][below(13)] ?? 0;
      const [size, at] = [[1, 2, 4][below(3)] ?? 1, below(Math.max(1, Math.min(bytes.length, 400) - 4))];
      const value = wrongLength % 256 ** size;
      if (at + size > bytes.length) return bytes;
      if (random() < 0.5) bytes.writeUIntBE(value, at, size);
      else bytes.writeUIntLE(value, at, size);
      return bytes;
    },
    () => {
      const [start = 0, end = 0] = range();
      const at = below(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(start, end), bytes.subarray(at)]);
    },
    () => {
      const [start = 0, end = 0] = range();
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    },
    () => {
      const [start = 0, end = 0] = range();
      return bytes.fill(random() < 0.5 ? 0 : 0xff, start, end);
    },
  ];
  for (let steps = 1 + below(3); steps > 0 && bytes.length > 0; steps--) bytes = ways[below(ways.length)]?.() ?? bytes;
  return bytes;
}

import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import {
  BLUE,
  cmykJpeg,
  GREEN,
  RED,
  displayP3Png,
  ico,
  jpegWithMetadata,
  orientedJpeg,
  plain,
  png16,
  quarters,
  squareSvg,
} from '../images.ts';
import { type Case, logo } from './case.ts';

const png = await quarters(48, 32).png().toBuffer();
const jpeg = await quarters(48, 32).jpeg().toBuffer();
const icon = await ico(32);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/** A PNG with large dimensions in its header and hardly any data. */
function claimedPng(width: number, height: number, { interlaced = false } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, interlaced ? 1 : 0], 8);
  const signature = png.subarray(0, 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function patched(bytes: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  patch(copy);
  return copy;
}

const script = Buffer.from('<script>alert(1)</script>');
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(30)]);
const progressive = await plain(64, 64).jpeg({ progressive: true }).toBuffer();
const avif = await plain(64, 64).avif().toBuffer();
const oriented = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((way) => orientedJpeg(32, 16, way)));
const tiff = await quarters(16, 16).tiff().toBuffer();
const still = await Promise.all([RED, GREEN, BLUE].map((colour) => plain(16, 16, colour).png().toBuffer()));
const frames = sharp(still, { join: { animated: true } });
const bomb = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(64 * 2 ** 20))]));
/** Formats by their first bytes, padded to a length that is enough for detection. */
const foreign: readonly (readonly [string, string, string])[] = [
  ['BMP', 'bmp', 'BM\u009a\0\0\0'],
  ['PSD', 'psd', '8BPS\0\u0001'],
  ['PDF', 'pdf', '%PDF-1.7\n'],
  ['JPEG 2000', 'jp2', '\0\0\0\u000cjP  \r\n\u0087\n'],
  ['OpenEXR', 'exr', 'v/1\u0001'],
  ['HEIC', 'heic', '\0\0\0\u0018ftypheic\0\0\0\0mif1heic'],
];
const bytesOf = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(200)]);

export const images: readonly Case[] = [
  logo('an empty image', 'a.png', '', 'image/empty'),
  logo('a PNG that claims 16384² pixels', 'a.png', claimedPng(16_384, 16_384), 'image/too-many-pixels'),
  logo(
    'an AVIF that claims 12000² pixels',
    'a.avif',
    patched(avif, (copy) => {
      const size = copy.indexOf('ispe') + 8;
      copy.writeUInt32BE(12_000, size);
      copy.writeUInt32BE(12_000, size + 4);
    }),
    'image/too-many-pixels',
  ),
  logo(
    'an interlaced PNG that claims 16383² pixels',
    'a.png',
    claimedPng(16_383, 16_383, { interlaced: true }),
    'image/too-many-pixels',
  ),
  logo(
    'a progressive JPEG that claims 16383² pixels',
    'a.jpg',
    patched(progressive, (copy) => {
      const frame = copy.indexOf(Buffer.from([0xff, 0xc2]));
      copy.writeUInt16BE(16_383, frame + 5);
      copy.writeUInt16BE(16_383, frame + 7);
    }),
    'image/too-many-pixels',
  ),
  logo('a PNG that claims 2³¹−1 squared', 'a.png', claimedPng(2 ** 31 - 1, 2 ** 31 - 1), 'image/too-many-pixels'),
  logo('a PNG without dimensions', 'a.png', claimedPng(0, 0), 'image/corrupt'),
  logo('an image of one pixel', 'a.png', await plain(1, 1).png().toBuffer(), 'image/too-small'),
  logo('an image of one row', 'a.png', await plain(10_000, 1).png().toBuffer(), 'image/aspect-ratio'),
  logo('half a JPEG', 'a.jpg', jpeg.subarray(0, jpeg.length >> 1), 'image/corrupt'),
  logo('a PNG without its last byte', 'a.png', png.subarray(0, -1), 'image/corrupt'),
  logo(
    'a PNG with corrupt pixels',
    'a.png',
    patched(png, (copy) => copy.fill(0, copy.indexOf('IDAT') + 8, copy.indexOf('IDAT') + 20)),
    'image/corrupt',
  ),
  logo(
    'a PNG header with a wrong checksum',
    'a.png',
    patched(png, (copy) => copy.writeUInt32BE(1, 29)),
    'image/corrupt',
  ),
  logo('a PNG with a script after its end', 'a.png', Buffer.concat([png, script]), 'image/trailing-data'),
  logo(
    'a PNG with a script in its last chunk',
    'a.png',
    Buffer.concat([png.subarray(0, -12), chunk('IEND', script)]),
    'image/corrupt',
  ),
  logo('a JPEG that is also a ZIP', 'a.jpg', Buffer.concat([jpeg, zip]), 'image/trailing-data'),
  logo('two JPEGs and a ZIP', 'a.jpg', Buffer.concat([jpeg, jpeg, zip]), 'image/trailing-data'),
  logo('a JPEG followed by another', 'a.jpg', Buffer.concat([jpeg, jpeg]), 'fine'),
  logo('an SVG called .png', 'a.png', squareSvg(8, 8), 'image/extension'),
  logo('an HTML page called .svg', 'a.svg', '<!doctype html><title>a</title>', 'image/format'),
  logo('a PNG called .jpg', 'a.jpg', png, 'image/extension'),
  logo('an animated GIF', 'a.gif', await frames.clone().gif().toBuffer(), 'image/animated'),
  logo('an animated WebP', 'a.webp', await frames.clone().webp().toBuffer(), 'image/animated'),
  logo('a TIFF', 'a.tiff', tiff, 'image/format'),
  logo('HEIC', 'a.heic', bytesOf('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'), 'image/format'),
  ...foreign.map(([name, extension, start]) =>
    logo(`${name} as a logo`, `a.${extension}`, bytesOf(start), 'image/format'),
  ),
  logo('a JPEG in CMYK', 'a.jpg', await cmykJpeg(quarters(16, 16)), 'image/cmyk'),
  logo('a PNG of 16 bits', 'a.png', await png16(quarters(16, 16)), 'fine'),
  ...oriented.map((bytes, index) => logo(`orientation ${index + 1}`, 'a.jpg', bytes, 'fine')),
  logo('GPS in a JPEG', 'a.jpg', await jpegWithMetadata(16, 16), 'fine'),
  logo('a Display P3 profile', 'a.png', await displayP3Png(quarters(16, 16)), 'fine'),
  logo(
    'a comment that unpacks to 64 MiB',
    'a.png',
    Buffer.concat([png.subarray(0, 33), bomb, png.subarray(33)]),
    'fine',
  ),
  logo('a TIFF called .png', 'a.png', tiff, 'image/format'),
  { ...logo('a good icon', 'a.ico', icon, 'fine'), files: icoFiles(icon) },
  {
    ...logo('an icon that points beyond its end', 'a.ico', icon, 'image/corrupt', 'meadow/theme.yaml:5:10'),
    files: icoFiles(patched(icon, (copy) => copy.writeUInt32LE(1e6, 18))),
  },
  {
    ...logo('an icon that claims more than it has', 'a.ico', icon, 'image/corrupt', 'meadow/theme.yaml:5:10'),
    files: icoFiles(patched(icon, (copy) => copy.writeUInt32LE(65_535 ** 2, 14))),
  },
  {
    ...logo('a cursor called .ico', 'a.ico', icon, 'image/format', 'meadow/theme.yaml:5:10'),
    files: icoFiles(patched(icon, (copy) => copy.writeUInt16LE(2, 2))),
  },
  logo('an image over 25 MiB', 'a.png', Buffer.alloc(25 * 2 ** 20 + 1), 'image/too-large'),
];

function icoFiles(bytes: Buffer): Record<string, string | Buffer> {
  return {
    'meadow/theme.yaml': 'extends: harbor\nid: 2\nname: Meadow\nlogo: logo.svg\nfavicon: a.ico\n',
    'meadow/a.ico': bytes,
  };
}

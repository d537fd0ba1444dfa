import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { AlphaScan } from '../../../src/image/surplus/png-alpha.ts';
import { unpackPng } from '../../../src/image/surplus/png.ts';
import { pngChunk } from '../../long/sample-images.js';

const [WIDTH, HEIGHT] = [5, 4];
const ALL = Array.from({ length: WIDTH * HEIGHT }, (_, at) => at);

/** Pixels of mixed colours, all opaque but one, if there is one. */
function pixelsWith(samples: number, transparent?: number): Buffer {
  const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT * samples }, (_, at) => (at * 89 + 7) % 256));
  for (const at of ALL) pixels[at * samples + samples - 1] = at === transparent ? 254 : 255;
  return pixels;
}

/** Rows filtered as PNG 3rd edition, §9.2, has it. */
function filtered(pixels: Buffer, samples: number, filterOf: (row: number) => number): Buffer {
  const length = WIDTH * samples;
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const at = (column: number, above: number): number =>
      column < 0 || row - above < 0 ? 0 : (pixels[(row - above) * length + column] as number);
    const predicted = (column: number): number => {
      const [left, up, corner] = [at(column - samples, 0), at(column, 1), at(column - samples, 1)];
      const [nearLeft, nearUp, nearCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
        number,
        number,
        number,
      ];
      const paeth = nearLeft <= nearUp && nearLeft <= nearCorner ? left : nearUp <= nearCorner ? up : corner;
      return [0, left, up, (left + up) >> 1, paeth][filterOf(row)] as number;
    };
    const differences = Array.from({ length }, (_, column) => (at(column, 0) - predicted(column)) & 255);
    return Buffer.from([filterOf(row), ...differences]);
  });
  return Buffer.concat(rows);
}

function png(unpacked: Buffer, type: number): Buffer {
  const header = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, type, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(unpacked)),
    pngChunk('IEND', ''),
  ]);
}

describe.each([
  ['RGBA', 6, 4],
  ['grey with alpha', 4, 2],
] as const)('%s', (_, type, samples) => {
  test.each([
    ['none', () => 0],
    ['sub', () => 1],
    ['up', () => 2],
    ['average', () => 3],
    ['paeth', () => 4],
    ['one after the other', (row: number) => 4 - row],
    ['another order', (row: number) => (row * 2 + 1) % 5],
  ] as const)('is opaque unless one pixel is not, by its filtered bytes: %s', async (__, filterOf) => {
    for (const transparent of [undefined, ...ALL]) {
      const image = png(filtered(pixelsWith(samples, transparent), samples, filterOf), type);
      const { isOpaque } = await sharp(image).stats();
      expect(isOpaque).toBe(transparent === undefined);
      expect(await unpackPng(image)).toEqual({ surplus: 0, isOpaque });
    }
  });

  test('is scanned in chunks of any size', () => {
    const [opaque, last] = [undefined, ALL.at(-1)].map((at) => filtered(pixelsWith(samples, at), samples, () => 4)) as [
      Buffer,
      Buffer,
    ];
    const scanned = (bytes: Buffer, size: number): boolean | undefined => {
      const pixels = { width: WIDTH, height: HEIGHT, depth: 8, type, isInterlaced: false, colours: 0 };
      const scan = AlphaScan.of(pixels);
      for (let at = 0; at < bytes.length; at += size) scan?.push(bytes.subarray(at, at + size));
      return scan?.isOpaque;
    };
    for (let size = 1; size <= opaque.length; size++) {
      expect(scanned(opaque, size)).toBe(true);
      expect(scanned(last, size)).toBe(false);
    }
  });
});

test.each([
  ['interlaced', (image: Sharp) => image.png({ progressive: true })],
  ['of 16 bits', (image: Sharp) => image.toColourspace('rgb16').png()],
  ['with a palette', (image: Sharp) => image.png({ palette: true })],
  ['without alpha', (image: Sharp) => image.removeAlpha().png()],
] as const)('an image %s is left to a decoder', async (_, encode) => {
  const raw = { width: WIDTH, height: HEIGHT, channels: 4 } as const;
  const image = await encode(sharp(pixelsWith(4, 3), { raw })).toBuffer();
  expect(await unpackPng(image)).toEqual({ surplus: 0, isOpaque: undefined });
});

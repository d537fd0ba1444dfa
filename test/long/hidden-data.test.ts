import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp, { type JpegOptions } from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { Format } from '../../src/image/format.ts';
import { readContainer } from '../../src/image/container.ts';
import { pngIcons } from '../../src/image/container/ico.ts';
import { gifSurplus } from '../../src/image/surplus/gif.ts';
import { jpegSurplus } from '../../src/image/surplus/jpeg.ts';
import { unpackPng } from '../../src/image/surplus/png.ts';
import { shortenedWebps } from '../../src/image/surplus/webp.ts';
import { Decoders } from '../../src/io/decoder/pool.ts';
import { jpegSegment, multiImageJpeg, pngChunk, sampleImages } from './sample-images.js';
import { withHiddenData } from './hidden-data.js';
import { quarters } from '../images.ts';

const PAYLOAD = Buffer.from('SMUGGLED<script>alert(1)</script>PK\x03\x04...');
const samples = (await sampleImages('CANARY-1d07')).filter(({ format }) => format !== 'svg');
const decoders = new Decoders();

afterAll(() => decoders.close());

function published(bytes: Buffer, format: Format): Buffer | undefined {
  const structure = readContainer(bytes, format);
  return 'published' in structure && structure.frames === 1 ? structure.published : undefined;
}

async function pngSurplus(png: Buffer): Promise<number | undefined> {
  return (await unpackPng(png))?.surplus;
}

/** What a decoder says of what is published. */
async function decoded(bytes: Buffer, format: Format): Promise<unknown> {
  const icons = format === 'ico' ? pngIcons(bytes) : [bytes];
  const job = { format: format === 'ico' ? 'png' : format, pixelLimit: 1e6, spec: undefined } as const;
  for (const icon of icons) {
    const answer = await decoders.run({ ...job, bytes: icon }, { time: 10_000, memory: 1e9 });
    if (answer !== 'decodes') return answer;
  }
  return 'decodes';
}

const known = new Map<string, Promise<string | undefined>>();

/** The pixels of a file; nothing of what does not decode, or of an ICO, which sharp does not read. */
async function pixels(bytes: Buffer): Promise<string | undefined> {
  const key = createHash('sha256').update(bytes).digest('hex');
  const found =
    known.get(key) ??
    sharp(bytes)
      .raw()
      .toBuffer()
      .then(
        (data) => data.toString('base64'),
        () => undefined,
      );
  known.set(key, found);
  return found;
}

describe.each(samples)('$name', ({ bytes, format }) => {
  const all = withHiddenData({ bytes, format }, PAYLOAD);

  test(
    'publishes a payload nowhere: it is refused, cut off, or changes what is seen',
    { timeout: 120_000 },
    async () => {
      expect(all.length).toBeGreaterThan(30);
      const seen = await pixels(bytes);
      const leaks: string[] = [];
      const look = async ({ place, bytes: file }: (typeof all)[number]): Promise<void> => {
        const image = published(file, format);
        if (image === undefined) return;
        const [before, after] = format === 'ico' ? [] : await Promise.all([pixels(file), pixels(image)]);
        const isIn = image.includes(PAYLOAD.subarray(0, 12));
        // What is cut off changes nothing; and what changes the pixels is a part of the image.
        if (before !== undefined && before !== after) leaks.push(`${place}: other pixels`);
        if (isIn && (await decoded(image, format)) === 'decodes' && after === seen) leaks.push(place);
      };
      for (let at = 0; at < all.length; at += 4) await Promise.all(all.slice(at, at + 4).map(look));
      expect(leaks).toEqual([]);
    },
  );

  test('is accepted without it', async () => {
    expect(await decoded(published(bytes, format) as Buffer, format)).toBe('decodes');
  });
});

describe('after the end', () => {
  const jpeg = samples.find(({ name }) => name === 'jpeg, progressive')?.bytes as Buffer;
  const png = samples.find(({ name }) => name === 'png')?.bytes as Buffer;
  const zeros = Buffer.alloc(999);
  const other = Buffer.alloc(12, 'ab');

  test.each(samples)('zeros are cut off: $name', ({ bytes, format }) => {
    expect(published(Buffer.concat([bytes, zeros]), format)).toEqual(published(bytes, format));
    expect(readContainer(Buffer.concat([bytes, zeros, Buffer.from('x')]), format)).toEqual({ trailing: 1000 });
  });

  test('a repeated IEND is cut off', () => {
    const end = png.subarray(-12);
    expect(published(Buffer.concat([png, end, end, zeros]), 'png')).toEqual(published(png, 'png'));
    expect(readContainer(Buffer.concat([png, end, other]), 'png')).toEqual({ trailing: 12 });
    expect(readContainer(Buffer.concat([png, pngChunk('IEND', PAYLOAD)]), 'png')).toHaveProperty('trailing');
  });

  test.each([
    ['one', multiImageJpeg(jpeg, jpeg)],
    ['one after zeros', multiImageJpeg(jpeg, jpeg, [], 4000)],
    ['two', Buffer.concat([multiImageJpeg(jpeg, jpeg), jpeg])],
    ['one that no segment names', Buffer.concat([jpeg, jpeg])],
    ['one with zeros after it', Buffer.concat([multiImageJpeg(jpeg, jpeg), zeros])],
  ])('further JPEGs are cut off: %s', (_, file) => {
    const image = published(file, 'jpeg');
    expect(image).toEqual(published(jpeg, 'jpeg'));
    expect(image?.includes('MPF')).toBe(false);
  });

  test.each([
    ['is cut off', jpeg.subarray(0, -1)],
    ['has no pixels', Buffer.concat([jpeg.subarray(0, 20), jpeg.subarray(-2)])],
    ['has something before it', Buffer.concat([Buffer.from('x'), jpeg])],
    ['has something after it', Buffer.concat([jpeg, PAYLOAD])],
    ['is a PNG', png],
  ])('a further JPEG that %s is refused', (_, tail) => {
    expect(readContainer(Buffer.concat([jpeg, tail]), 'jpeg')).toHaveProperty('trailing');
  });
});

describe('a part that is needed', () => {
  test('of a PNG comes once, in its place', async () => {
    const png = await quarters(8, 8).png().toBuffer();
    const gamma = pngChunk('gAMA', Buffer.from([0, 0, 177, 143]));
    const density = pngChunk('pHYs', Buffer.alloc(9, 1));
    const colour = pngChunk('bKGD', Buffer.alloc(6));
    const palette = pngChunk('PLTE', Buffer.alloc(12));
    const withChunks = (...chunks: Buffer[]): Buffer =>
      Buffer.concat([png.subarray(0, 33), ...chunks, pngChunk('IDAT', idatOf(png)), png.subarray(-12)]);
    const late = (chunk: Buffer): Buffer => Buffer.concat([withChunks().subarray(0, -12), chunk, png.subarray(-12)]);
    for (const fine of [
      withChunks(gamma, density),
      withChunks(density, gamma),
      withChunks(gamma, palette, colour, density),
    ])
      expect(published(fine, 'png')).toEqual(fine);
    for (const [bytes, damage] of [
      [withChunks(gamma, gamma), 'it has two gAMA chunks'],
      [withChunks(palette, gamma), 'its gAMA chunk comes too late'],
      [withChunks(colour, palette), 'its PLTE chunk comes too late'],
      [late(gamma), 'its gAMA chunk comes too late'],
      [late(density), 'its pHYs chunk comes too late'],
      [withChunks(pngChunk('gAMA', Buffer.alloc(5))), 'its gAMA chunk has the wrong length'],
      [withChunks(pngChunk('PLTE', Buffer.alloc(13))), 'its PLTE chunk has the wrong length'],
      [withChunks(pngChunk('PLTE', Buffer.alloc(771))), 'its PLTE chunk has the wrong length'],
      [withChunks(pngChunk('bKGD', Buffer.alloc(18_000_000))), 'its bKGD chunk has the wrong length'],
    ] as const)
      expect(readContainer(bytes, 'png')).toEqual({ damage });
  });

  test('of a WebP comes once, in its place', async () => {
    const webp = await quarters(8, 8).ensureAlpha(0.5).withIccProfile('p3').webp().toBuffer();
    const parts = new Map<string, Buffer>();
    for (let at = 12; at < webp.length; at += parts.get(webp.toString('latin1', at, at + 4))?.length ?? Infinity) {
      const length = webp.readUInt32LE(at + 4);
      parts.set(webp.toString('latin1', at, at + 4), webp.subarray(at, at + 8 + length + (length % 2)));
    }
    const made = (...names: string[]): Buffer => {
      const file = Buffer.concat([webp.subarray(0, 12), ...names.map((name) => parts.get(name) as Buffer)]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    };
    expect(published(made('VP8X', 'ICCP', 'ALPH', 'VP8 '), 'webp')).toBeDefined();
    expect(published(made('VP8 ', 'ICCP'), 'webp')).toBeUndefined();
    for (const [names, damage] of [
      [['VP8X', 'ICCP', 'ICCP', 'ALPH', 'VP8 '], 'it has two ICCP chunks'],
      [['VP8X', 'ICCP', 'ALPH', 'ALPH', 'VP8 '], 'it has two ALPH chunks'],
      [['VP8X', 'ALPH', 'ICCP', 'VP8 '], 'its ICCP chunk comes too late'],
      [['VP8X', 'ALPH', 'VP8 ', 'ICCP'], 'its ICCP chunk comes too late'],
      [['VP8X', 'ICCP', 'VP8 ', 'ALPH'], 'its ALPH chunk comes too late'],
      [['VP8X', 'VP8 ', 'VP8 '], 'it contains two images'],
    ] as const)
      expect(readContainer(made(...names), 'webp')).toEqual({ damage });
  });
});

describe('a colour profile', () => {
  test('is in as many parts as it says, in their order, and as long as it says', async () => {
    const jpeg = await quarters(8, 8).withIccProfile('p3').jpeg().toBuffer();
    const { icc } = await sharp(jpeg).metadata();
    const plain = await quarters(8, 8).jpeg().toBuffer();
    const withParts = (...parts: [number: number, count: number, content: Buffer][]): Buffer =>
      Buffer.concat([
        plain.subarray(0, 2),
        ...parts.map(([number, count, content]) =>
          jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([number, count]), content])),
        ),
        plain.subarray(2),
      ]);
    const profile = icc as Buffer;
    const [first, second] = [profile.subarray(0, 200), profile.subarray(200)];
    const longer = Buffer.concat([profile, PAYLOAD]);
    const counted = Buffer.from(longer);
    counted.writeUInt32BE(counted.length);
    expect(published(withParts([1, 1, profile]), 'jpeg')).toBeDefined();
    expect(published(withParts([1, 2, first], [2, 2, second]), 'jpeg')).toBeDefined();
    for (const forged of [
      withParts([1, 1, longer]),
      withParts([1, 2, profile]),
      withParts([1, 1, profile], [2, 1, PAYLOAD]),
      withParts([2, 2, second], [1, 2, first]),
      withParts([1, 2, first], [1, 2, second]),
      withParts([0, 1, profile]),
      withParts([1, 1, profile], [1, 1, profile]),
      withParts([1, 1, Buffer.alloc(0)]),
      withParts([1, 1, Buffer.alloc(300, 'x')]),
    ])
      expect(readContainer(forged, 'jpeg')).toMatchObject({ damage: expect.stringContaining('colour profile') });
  });

  test('of a PNG ends where its compression ends', async () => {
    const { icc } = await sharp(await quarters(8, 8).withIccProfile('p3').jpeg().toBuffer()).metadata();
    const png = await quarters(8, 8).png().toBuffer();
    const withProfile = (packed: Buffer): Buffer =>
      Buffer.concat([
        png.subarray(0, 33),
        pngChunk('iCCP', Buffer.concat([Buffer.from('p3\0\0'), packed])),
        png.subarray(33),
      ]);
    const packed = deflateSync(icc as Buffer);
    expect(published(withProfile(packed), 'png')).toBeDefined();
    const bomb = deflateSync(Buffer.concat([icc as Buffer, Buffer.alloc(64 * 2 ** 20)]));
    for (const forged of [Buffer.concat([packed, PAYLOAD]), bomb, packed.subarray(0, -1), PAYLOAD])
      expect(readContainer(withProfile(forged), 'png')).toEqual({ damage: 'its iCCP chunk has the wrong length' });
  });
});

/** What the chunks IDAT of a PNG hold. */
function idatOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT');
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

/** A grey JPEG of one colour, in so many blocks with a restart after each: all of them are coded alike. */
async function restartedJpeg(blocks: number, extra = Buffer.alloc(0)): Promise<Buffer> {
  const one = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#abc' } })
    .toColourspace('b-w')
    .jpeg()
    .toBuffer();
  const header = one.indexOf(Buffer.from([0xff, 0xc0]));
  const start = one.indexOf(Buffer.from([0xff, 0xda]));
  const coded = start + 2 + one.readUInt16BE(start + 2);
  const block = one.subarray(coded, -2);
  const head = Buffer.from(one.subarray(0, coded));
  head.writeUInt16BE(8 * blocks, header + 5);
  const scan = Array.from({ length: blocks }, (_, index) => [
    block,
    index === 1 ? extra : Buffer.alloc(0),
    index < blocks - 1 ? Buffer.from([0xff, 0xd0 + (index % 8)]) : Buffer.alloc(0),
  ]).flat();
  return Buffer.concat([
    head.subarray(0, header),
    jpegSegment(0xdd, Buffer.from([0, 1])),
    head.subarray(header),
    ...scan,
    one.subarray(-2),
  ]);
}

describe('surplus', () => {
  test('of a JPEG is counted between restarts, too', async () => {
    const jpeg = await restartedJpeg(20);
    expect((await sharp(jpeg).stats()).isOpaque).toBe(true);
    expect(jpegSurplus(jpeg)).toBe(0);
    expect(jpegSurplus(await restartedJpeg(20, PAYLOAD))).toBe(PAYLOAD.length);
    expect(jpegSurplus(await restartedJpeg(20, Buffer.alloc(9)))).toBe(0);
  });

  test.each([
    ['colour', () => quarters(100, 60)],
    ['all samples', () => quarters(100, 60), { chromaSubsampling: '4:4:4' }],
    ['grey', () => quarters(33, 17).toColourspace('b-w')],
    ['cmyk', () => quarters(33, 17).toColourspace('cmyk')],
    ['one block', () => quarters(3, 2)],
    ['coarse', () => quarters(90, 90), { quality: 1 }],
    ['fine', () => quarters(90, 90), { quality: 100 }],
  ] as const)('of a JPEG is counted before its end: %s', async (_, draw, options?: JpegOptions) => {
    const jpeg = await draw().jpeg(options).toBuffer();
    expect(jpegSurplus(jpeg)).toBe(0);
    const stuffed = Buffer.concat([PAYLOAD, Buffer.from([0xff, 0, 7])]);
    expect(jpegSurplus(Buffer.concat([jpeg.subarray(0, -2), stuffed, jpeg.subarray(-2)]))).toBe(PAYLOAD.length + 2);
    expect(jpegSurplus(Buffer.concat([jpeg.subarray(0, -4), jpeg.subarray(-2)]))).toBeUndefined();
  });

  test.each([
    ['colour', {}],
    ['interlaced', { progressive: true }],
    ['palette', { palette: true }],
    ['one bit', { palette: true, colours: 2 }],
  ] as const)('of a PNG is counted after its compression: %s', async (_, options) => {
    for (const [width, height] of [
      [1, 1],
      [3, 7],
      [100, 9],
    ] as const) {
      const png = await quarters(width, height).png(options).toBuffer();
      expect(await pngSurplus(png)).toBe(0);
      const added = (bytes: Buffer): Buffer =>
        Buffer.concat([png.subarray(0, -12), pngChunk('IDAT', bytes), png.subarray(-12)]);
      expect(await pngSurplus(added(PAYLOAD))).toBe(PAYLOAD.length);
      expect(await pngSurplus(added(Buffer.alloc(3)))).toBe(0);
    }
  });

  test('of a PNG is what unpacks to more than its pixels, and what does not unpack', async () => {
    const row = Buffer.from([0, 1, 2, 3]);
    const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
    const png = (packed: Buffer): Buffer =>
      Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        pngChunk('IHDR', header),
        pngChunk('IDAT', packed),
        pngChunk('IEND', ''),
      ]);
    expect(await pngSurplus(png(deflateSync(row)))).toBe(0);
    expect(await pngSurplus(png(deflateSync(Buffer.concat([row, PAYLOAD]))))).toBe(PAYLOAD.length);
    expect(await pngSurplus(png(deflateSync(row).subarray(0, -4)))).toBe(0);
    expect(await pngSurplus(png(deflateSync(row.subarray(1))))).toBe(0);
    expect(await pngSurplus(png(PAYLOAD))).toBeUndefined();
  });

  test('of a GIF is counted after its codes', async () => {
    for (const [width, height] of [
      [1, 1],
      [30, 20],
      [300, 200],
    ] as const) {
      const gif = await quarters(width, height).gif().toBuffer();
      expect(gifSurplus(gif)).toBe(0);
      const block = Buffer.concat([Buffer.from([PAYLOAD.length]), PAYLOAD]);
      expect(gifSurplus(Buffer.concat([gif.subarray(0, -2), block, gif.subarray(-2)]))).toBe(PAYLOAD.length);
    }
  });

  test('of a WebP may be in any of its partitions', async () => {
    // 64 × 64 pixels in two partitions of coefficients, which sharp does not write.
    const webp = Buffer.from(PARTITIONED, 'base64');
    const shortened = shortenedWebps(webp);
    expect(shortened).toHaveLength(3);
    for (const one of shortened) expect(await pixels(one)).toBeUndefined();
    const start = 20;
    const first = start + 10 + (webp.readUIntLE(start, 3) >> 5);
    const second = first + 3 + webp.readUIntLE(first, 3);
    const ends = [
      {
        end: first,
        grow: (file: Buffer) => file.writeUIntLE(webp.readUIntLE(start, 3) + 32 * PAYLOAD.length, start, 3),
      },
      {
        end: second,
        grow: (file: Buffer) => file.writeUIntLE(webp.readUIntLE(first, 3) + PAYLOAD.length, first, 3),
      },
      { end: start + webp.readUInt32LE(16), grow: () => 0 },
    ];
    for (const [index, { end, grow }] of ends.entries()) {
      const file = Buffer.concat([webp.subarray(0, end), PAYLOAD, webp.subarray(end)]);
      for (const at of [4, 16]) file.writeUInt32LE(webp.readUInt32LE(at) + PAYLOAD.length, at);
      grow(file);
      expect(await pixels(file)).toBe(await pixels(webp));
      expect(await pixels(shortenedWebps(file)[index] as Buffer)).toBeDefined();
      expect(await decoded(published(file, 'webp') as Buffer, 'webp')).toBe('holds more');
    }
    expect(await decoded(webp, 'webp')).toBe('decodes');
  });

  test.each([
    ['transparency', 'ALPH', { quality: 50 }],
    ['lossless pixels', 'VP8L', { lossless: true }],
  ] as const)('of a WebP may be in its %s', async (_, type, options) => {
    const raw = { width: 64, height: 48, channels: 4 } as const;
    const pixelsOf = (at: number): number => (at % 4 === 3 ? (at >> 5) & 255 : (at * 7) & 255);
    const webp = await sharp(Buffer.from(Array.from({ length: 64 * 48 * 4 }, (__, at) => pixelsOf(at))), { raw })
      .webp(options)
      .toBuffer();
    expect(await decoded(webp, 'webp')).toBe('decodes');
    const start = webp.indexOf(type);
    const length = webp.readUInt32LE(start + 4);
    expect(type !== 'ALPH' || webp.readUInt8(start + 8) % 4 === 1).toBe(true);
    const end = start + 8 + length;
    const padding = Buffer.alloc((length + PAYLOAD.length) % 2);
    const file = Buffer.concat([webp.subarray(0, end), PAYLOAD, padding, webp.subarray(end + (length % 2))]);
    file.writeUInt32LE(file.length - 8, 4);
    file.writeUInt32LE(length + PAYLOAD.length, start + 4);
    expect(await pixels(file)).toBe(await pixels(webp));
    expect(await decoded(file, 'webp')).toBe('holds more');
  });
});

const PARTITIONED =
  'UklGRvoAAABXRUJQVlA4IO4AAACQBQCdASpAAEAAP3Gmxlw0rCekMBQLApBuCWxsIrAK9ZibYwwAdvb/xfTtrhZFiOFplvVwAAByAAD+3+HOPr77auF/7g4g4gqVjO4mjit6ck/YfBOsQpvP31w+POSPejs6tPVfbZxdFzZTsKFI+Vksm0WlYVSe6/4wxGGmZYU5gWvv2/Kh856sphD/lHRogIOAjwTRswlNTFI4GdvZbS3al6x+z9oK9HZQQADhjQiIuiHtZWEKYEfM1SG8f74K9wHyzAzulc9LkAPtJfvEGMwuFBe+bCKSoxg5ignv6DatZy0he00JKHJkEZF7H1AA';

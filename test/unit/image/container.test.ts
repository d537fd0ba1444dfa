import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type BitmapFormat, readContainer, type ContainerHeader } from '../../../src/core/image/container.ts';
import { smallFrame } from '../../../src/core/image/container/gif.ts';
import { checkSvgFile, withoutMetadata } from '../../../src/core/image/svg/file.ts';
import {
  bitmapIcon,
  icoOf,
  isoBox,
  pngChunk,
  randomFrom,
  type Sample,
  sampleImages,
  corrupted,
} from '../../long/sample-images.js';
import { orientedJpeg, quarters } from '../../images.ts';
import { sampledRuns } from '../../long-test.ts';

const CANARY = 'CANARY-7f3a';
type BitmapSample = Sample & { format: BitmapFormat };
const samples = (await sampleImages(CANARY)).filter((sample): sample is BitmapSample => sample.format !== 'svg');

function sampleOf(name: string): BitmapSample {
  const match = samples.find((sample) => sample.name === name);
  if (match === undefined) throw new Error(`There is no sample ${name}.`);
  return match;
}

function readHeader(bytes: Buffer, format: BitmapFormat): ContainerHeader {
  const structure = readContainer(bytes, format);
  if (!('published' in structure)) throw new Error(JSON.stringify(structure));
  return structure;
}

/** Returns the size of an image, and its pixels as a viewer shows them. */
async function visiblePixels(bytes: Buffer): Promise<{ width: number; height: number; pixels: string }> {
  const { data, info } = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data.toString('base64') };
}

describe.each(samples)('$name', ({ bytes, format }) => {
  test('is published without metadata, and with identical pixels', async () => {
    expect(bytes.includes(CANARY)).toBe(true);
    const { published, width, height, isAnimated } = readHeader(bytes, format);
    expect(published.includes(CANARY)).toBe(false);
    expect(isAnimated).toBe(false);
    if (format === 'ico') return;
    expect(await visiblePixels(published)).toEqual(await visiblePixels(bytes));
    const { exif, xmp, iptc, comments, icc } = await sharp(published).metadata();
    // An AVIF keeps the space of EXIF and XMP, filled with zeros.
    const remainingBlocks = [exif, xmp, iptc].filter((block) => block?.some((byte) => byte !== 0));
    expect({ said: remainingBlocks, comments }).toEqual({ said: [], comments: undefined });
    expect(icc).toEqual((await sharp(bytes).metadata()).icc);
    expect([width, height]).toEqual([40, 24]);
  });

  test('has nothing left to remove once it is published', () => {
    const { published, ...header } = readHeader(bytes, format);
    expect(readHeader(published, format)).toEqual({ ...header, published });
  });

  test('is recognised as truncated wherever it is cut, and has an end', () => {
    const endOfFirst = format === 'jpeg' ? bytes.indexOf(Buffer.from([0xff, 0xd9])) + 2 : bytes.length;
    for (let length = 0; length < bytes.length; length++) {
      const truncated = readContainer(bytes.subarray(0, length), format);
      // An AVIF may lack its last box, or the last of several images, and a GIF what follows its image.
      const mayBeComplete = format === 'avif' || format === 'gif' || length >= endOfFirst;
      if (!('damage' in truncated) && !mayBeComplete) expect({ length, cut: truncated }).toBe('damage');
    }
    const tail = '<script>PK\x03\x04';
    const trailing = readContainer(Buffer.concat([bytes, Buffer.from(tail)]), format);
    expect(trailing).toEqual(readHeader(bytes, format));
  });
});

test('is parsed without an exception however it is corrupted, and the published file is complete', () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.integer(), ({ bytes, format }, seed) => {
      const structure = readContainer(corrupted(bytes, randomFrom(seed)), format);
      if (!('published' in structure) || structure.isAnimated) return;
      const publishedHeader = readHeader(structure.published, format);
      expect({ ...publishedHeader, published: publishedHeader.published.toString('hex') }).toEqual({
        ...structure,
        published: structure.published.toString('hex'),
      });
    }),
    { numRuns: sampledRuns(10_000) },
  );
});

test('a scan header that decoders accept is completed', async () => {
  const bytes = Buffer.from(await quarters(40, 24).jpeg().toBuffer());
  const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
  const end = scan + 2 + bytes.readUInt16BE(scan + 2);
  bytes.set([0, 0, 0], end - 3);
  const { published } = readHeader(bytes, 'jpeg');
  expect([
    ...published.subarray(published.indexOf(Buffer.from([0xff, 0xda]))).subarray(end - scan - 3, end - scan),
  ]).toEqual([0, 63, 0]);
  await expect(sharp(published).raw().toBuffer()).resolves.toBeDefined();
});

test('a JPEG with restart markers keeps them, and its pixels', async () => {
  // Scans of a single block each, with the tables of the standard: a restart sets the prediction to zero, as a start does.
  const [first, second] = (await Promise.all(
    ['black', 'white'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .greyscale()
        .jpeg({ optimiseCoding: false })
        .toBuffer(),
    ),
  )) as [Buffer, Buffer];
  const scanOf = (jpeg: Buffer): number => jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const dataOf = (jpeg: Buffer): Buffer => jpeg.subarray(scanOf(jpeg) + 2 + jpeg.readUInt16BE(scanOf(jpeg) + 2), -2);
  const header = Buffer.from(first.subarray(0, scanOf(first) + 2 + first.readUInt16BE(scanOf(first) + 2)));
  header.writeUInt16BE(16, header.indexOf(Buffer.from([0xff, 0xc0])) + 7);
  const interval = Buffer.from([0xff, 0xdd, 0, 4, 0, 1]);
  const restart = Buffer.from([0xff, 0xd0]);
  const [start, scan] = [header.subarray(0, scanOf(header)), header.subarray(scanOf(header))];
  const bytes = Buffer.concat([start, interval, scan, dataOf(first), restart, dataOf(second), first.subarray(-2)]);
  expect((await visiblePixels(bytes)).width).toBe(16);
  const commented = Buffer.concat([
    bytes.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, 6]),
    Buffer.from('Jane'),
    bytes.subarray(2),
  ]);
  const { published } = readHeader(commented, 'jpeg');
  expect([published.includes('Jane'), published.includes(restart)]).toEqual([false, true]);
  expect(await visiblePixels(published)).toEqual(await visiblePixels(bytes));
});

test('a GIF without an end gets one', async () => {
  const bytes = await quarters(40, 24).gif().toBuffer();
  expect(readHeader(bytes.subarray(0, -1), 'gif').published).toEqual(bytes);
});

test('a GIF may have an image that does not cover its canvas', async () => {
  const bytes = await quarters(40, 24).gif().toBuffer();
  expect(smallFrame(bytes)).toBeUndefined();
  bytes.writeUInt16LE(100, 6);
  expect(smallFrame(bytes)).toEqual({ left: 0, top: 0, width: 40, height: 24, canvas: { width: 100, height: 24 } });
});

describe('the camera orientation', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('%i is the only value left of the EXIF block', async (orientation) => {
    const upright = await visiblePixels(await orientedJpeg(48, 24, 1));
    const jpeg = await orientedJpeg(48, 24, orientation);
    for (const [format, bytes] of [
      ['jpeg', jpeg],
      ['png', await sharp(jpeg).keepExif().png().toBuffer()],
    ] as const) {
      const { published } = readHeader(bytes, format);
      const { exif, orientation: orientationLeft } = await sharp(published).metadata();
      expect(orientationLeft ?? 1).toBe(orientation);
      expect(exif?.length ?? 0).toBeLessThanOrEqual(32);
      expect(published.length).toBeLessThan(bytes.length);
      const { width, height, pixels } = await visiblePixels(published);
      expect({ width, height }).toEqual({ width: upright.width, height: upright.height });
      expect(pixels).toBe((await visiblePixels(bytes)).pixels);
    }
  });
});

describe('PNG', () => {
  test('is animated if its pixels are not shown', async () => {
    const png = await quarters(8, 8).png().toBuffer();
    const hidden = Buffer.concat([
      png.subarray(0, 33),
      pngChunk('acTL', Buffer.alloc(8, 1)),
      png.subarray(33, -12),
      pngChunk('fcTL', Buffer.alloc(26)),
      png.subarray(-12),
    ]);
    expect(readHeader(hidden, 'png').isAnimated).toBe(true);
  });
});

test('a JPEG does not announce a thumbnail that was removed', () => {
  const { published } = readHeader(sampleOf('jpeg').bytes, 'jpeg');
  const jfif = published.indexOf('JFIF\0');
  expect(published.subarray(jfif + 12, jfif + 16)).toEqual(Buffer.from([0, 0, 0xff, 0xee]));
});

describe('AVIF', () => {
  test('is recognised as animated by its box', () => {
    const animation = Buffer.concat([isoBox('ftyp', 'avis\0\0\0\0avif'), isoBox('moov', ''), isoBox('mdat', 'x')]);
    expect(readHeader(animation, 'avif').isAnimated).toBe(true);
  });
});

describe('ICO', () => {
  const bitmap = bitmapIcon(16);
  const entry = (start: number, length = bitmap.length): Buffer => {
    const bytes = icoOf([{ size: 16, bytes: bitmap }]);
    bytes.writeUInt32LE(length, 14);
    bytes.writeUInt32LE(start, 18);
    return bytes;
  };

  test('is published unchanged if there is nothing to remove', async () => {
    const png = await quarters(256, 256).png().toBuffer();
    const bytes = icoOf([
      { size: 256, bytes: png },
      { size: 16, bytes: bitmap },
    ]);
    expect(readHeader(bytes, 'ico').published).toBe(bytes);
  });

  test.each([
    ['lists none', () => icoOf([]), 'its directory lists no icon'],
    [
      'lists 33',
      () => icoOf(Array.from({ length: 33 }, () => ({ size: 16, bytes: bitmap }))),
      'its directory lists 33 icons; the maximum is 32',
    ],
    ['ends within an icon', () => entry(22).subarray(0, -1), 'one of its icons is outside the file'],
    ['has an icon without bytes', () => entry(22, 0), 'one of its icons is outside the file'],
    ['has an icon that is cut off', () => entry(22, 1000), 'one of its icons is truncated'],
    [
      'has an icon that is no image',
      () => icoOf([{ size: 16, bytes: Buffer.alloc(2000, 'x') }]),
      'one of its icons is neither a PNG nor a plain bitmap',
    ],
    [
      'lists an icon with the wrong size',
      () => icoOf([{ size: 32, bytes: bitmap }]),
      'its directory lists an icon as 32×32 pixels, but it is 16×16',
    ],
  ])('is rejected if it %s', (_, make, damage) => {
    expect(readContainer(make(), 'ico')).toEqual({ damage });
  });
});

test('comments, RDF, XMP and Illustrator data are removed from an SVG, even outside its metadata', () => {
  const privateParts = [
    '<!-- Jane -->',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>Jane</rdf:li></rdf:RDF>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><metadata>Jane<!-- J --></metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>',
    '<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
    '<i:pgf xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/" id="adobe_illustrator_pgf">eJzt</i:pgf>',
    '<s:metadata xmlns:s="http://www.w3.org/2000/svg">Jane</s:metadata><metadata/>\r\n<!---->',
  ];
  const svg = (content: string): string =>
    `\ufeff<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>é👩</title>${content}<path/></svg>`;
  for (const text of privateParts) {
    const bytes = Buffer.from(`<!-- a -->\n${svg(`<g>${text}</g>`).slice(1)}<!-- b -->`);
    const checked = checkSvgFile({ file: 'a.svg', bytes }, () => undefined);
    if (checked?.isAccepted !== true) expect.fail(text);
    const lineEnd = text.includes('\r') ? '\r\n' : '';
    expect(withoutMetadata(bytes, checked).toString()).toBe(`\n${svg(`<g>${lineEnd}</g>`).slice(1)}`);
  }
  const commented = Buffer.from(svg('<!-- a -->'));
  const checked = checkSvgFile({ file: 'a.svg', bytes: commented }, () => undefined);
  expect(checked && withoutMetadata(commented, checked).toString()).toBe(svg(''));
});

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Metadata } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, type BuildResult } from '../src/index.ts';
import type { ThemeRecord } from '../src/core/document/record.ts';
import {
  cmykJpeg,
  detailedImage,
  disc,
  distance,
  draw,
  GREEN,
  jpegWithMetadata,
  MUTED,
  opaqueWithAlpha,
  orientedJpeg,
  pixelsOf,
  png16,
  quarters,
  RED,
  type Rgb,
  squareSvg,
  VIVID,
} from './images.ts';
import { pngChunk } from './long/sample-images.js';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const LOGO = 'logo_site';
const BANNER = 'default_group_banner';

interface Case {
  field: typeof LOGO | typeof BANNER;
  file: string;
  bytes: Buffer;
}

interface PublishedImage {
  /** File names without folders. */
  original: string;
  thumbnail: string;
  bytes: Buffer;
  originalBytes: Buffer;
  metadata: Metadata;
}

let cases: Record<string, Case>;
let site: SiteFolder;
let result: BuildResult;
let records: Map<string, ThemeRecord>;

beforeAll(async () => {
  cases = await makeCases();
  const themes = Object.entries(cases).map(([slug, { field, file, bytes }]) => [
    slug,
    { fields: { [field]: file }, images: { [file]: bytes } },
  ]);
  site = await makeSite({
    themes: {
      base: {},
      ...Object.fromEntries(themes),
    },
  });
  result = await build(site);
  const codes = new Set(result.diagnostics.map(({ code }) => code));
  // The images are small and simple, which causes advice.
  const advice = ['image/faint', 'image/opaque-background', 'image/small'];
  expect(codes).toEqual(new Set(['image/cmyk', ...advice]));
  const list = JSON.parse(await readFile(path.join(site.outDir, 'api/v2/theme/index.json'), 'utf8')) as ThemeRecord[];
  records = new Map(list.map((record) => [record.name, record]));
});

afterAll(() => removeSite(site));

async function makeCases(): Promise<Record<string, Case>> {
  const logo = (file: string, bytes: Buffer): Case => ({ field: LOGO, file, bytes });
  const banner = (file: string, bytes: Buffer): Case => ({ field: BANNER, file, bytes });
  const [transparent, photo] = [disc(300, 200), quarters(120, 60)];
  const oriented = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(async (orientation) => [
      `oriented-${orientation}`,
      banner('banner.jpg', await orientedJpeg(48, 24, orientation)),
    ]),
  );
  return {
    'logo-wide': logo('logo.png', await quarters(1000, 300).png().toBuffer()),
    'logo-tall': logo('logo.png', await quarters(301, 997).png().toBuffer()),
    'logo-line': logo('logo.png', await quarters(1000, 2).png().toBuffer()),
    'logo-small': logo('logo.png', await quarters(40, 30).png().toBuffer()),
    'logo-transparent': logo('logo.png', await transparent.clone().png().toBuffer()),
    'logo-webp': logo('logo.webp', await transparent.clone().webp({ lossless: true }).toBuffer()),
    'logo-avif': logo('logo.avif', await quarters(64, 32).avif({ quality: 90 }).toBuffer()),
    'logo-gif': logo('logo.gif', await quarters(64, 32).gif().toBuffer()),
    'logo-jpeg': logo('logo.jpg', await quarters(64, 32).jpeg({ quality: 95 }).toBuffer()),
    'logo-svg': logo('logo.svg', squareSvg(16, 8)),
    'logo-svg-large': logo('logo.svg', squareSvg(12_000, 6000)),
    'logo-svg-tiny': logo('logo.svg', squareSvg(1, 1)),
    'logo-svg-bare': logo(
      'logo.svg',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 16"><rect x="2" y="4" width="4" height="8"/></svg>',
      ),
    ),
    'banner-wide': banner('banner.png', await quarters(3000, 1000).png({ compressionLevel: 1 }).toBuffer()),
    'banner-tall': banner('banner.jpg', await quarters(500, 2750).jpeg().toBuffer()),
    'banner-small': banner('banner.png', await quarters(120, 61).png().toBuffer()),
    'banner-svg': banner('banner.svg', squareSvg(160, 90)),
    'banner-svg-odd': banner('banner.svg', squareSvg(161, 77)),
    'banner-svg-transparent': banner(
      'banner.svg',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><circle cx="20" cy="10" r="8" fill="#e6141e"/></svg>',
      ),
    ),
    'banner-opaque-alpha': banner('banner.png', await opaqueWithAlpha(120, 60).png().toBuffer()),
    'banner-opaque-alpha-16': banner('banner.png', await png16(opaqueWithAlpha(120, 60))),
    'banner-transparent': banner('banner.png', await transparent.clone().png().toBuffer()),
    'banner-almost-opaque': banner(
      'banner.png',
      await draw(60, 60, (x, y) => [...GREEN, x === 30 && y === 30 ? 0 : 255])
        .png()
        .toBuffer(),
    ),
    'banner-vanishing': banner(
      'banner.png',
      await draw(4400, 60, (x, y) => [...GREEN, x === 30 && y === 30 ? 254 : 255])
        .png()
        .toBuffer(),
    ),
    'banner-detailed': banner('banner.png', await detailedImage(200, 100).png().toBuffer()),
    'banner-detailed-alpha': banner('banner.png', await detailedImage(200, 100).ensureAlpha(0.5).png().toBuffer()),
    'banner-grey': banner('banner.png', await photo.clone().greyscale().png().toBuffer()),
    'banner-metadata': banner('banner.jpg', await jpegWithMetadata(64, 32)),
    'banner-16': banner('banner.png', await png16(quarters(64, 32))),
    'banner-cmyk': banner('banner.jpg', await cmykJpeg(quarters(64, 32, MUTED))),
    // A comment that unpacks to 64 MiB.
    'logo-bomb': logo('logo.png', await withZipBomb()),
    'name-odd': logo('Über Größe (FINAL) 2.PNG', await quarters(10, 10).png().toBuffer()),
    'name-foreign': logo('日本.png', await quarters(11, 10).png().toBuffer()),
    'name-folder': logo('pictures/site.v2.png', await quarters(12, 10).png().toBuffer()),
    ...Object.fromEntries(oriented),
  };
}

async function withZipBomb(): Promise<Buffer> {
  const png = await quarters(20, 10).png().toBuffer();
  const bomb = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(64 * 2 ** 20))]);
  return Buffer.concat([png.subarray(0, 33), pngChunk('zTXt', bomb), png.subarray(33)]);
}

async function readPublished(slug: string): Promise<PublishedImage> {
  const { field } = cases[slug] as Case;
  const record = records.get(slug);
  if (record === undefined) throw new Error(`The theme ${slug} was not published.`);
  const [original, thumbnail] = [record[field].original, record[field].thumbnail].map((url) => {
    expect(url).toMatch(new RegExp(`^${BASE_URL}/media/${slug}/[^/]+$`));
    return url.slice(BASE_URL.length + 1);
  }) as [string, string];
  const bytes = await readFile(path.join(site.outDir, thumbnail));
  return {
    original: path.basename(original),
    thumbnail: path.basename(thumbnail),
    bytes,
    originalBytes: await readFile(path.join(site.outDir, original)),
    metadata: await sharp(bytes).metadata(),
  };
}

/** Checks the four colours of `quarters` in their places. */
async function expectQuarters(bytes: Buffer, tolerance: number, expected: readonly Rgb[] = VIVID): Promise<void> {
  const { width, height, at } = await pixelsOf(bytes);
  const actual = [0.2, 0.8].flatMap((down) =>
    [0.2, 0.8].map((right) => at(Math.floor(width * right), Math.floor(height * down))),
  );
  const offsets = expected
    .map((colour, index) => distance(colour, actual[index] ?? []))
    .filter((off) => off > tolerance);
  expect(offsets, `colours ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`).toEqual([]);
}

describe('a thumbnail', () => {
  test.each([
    ['logo-wide', 250, 75, 'png'],
    ['logo-tall', 75, 250, 'png'],
    ['logo-line', 250, 1, 'png'],
    ['banner-wide', 2200, 733, 'jpeg'],
    ['banner-tall', 400, 2200, 'jpeg'],
    // Images are never enlarged.
    ['logo-small', 40, 30, 'png'],
    ['banner-small', 120, 61, 'jpeg'],
    // An SVG is rendered at the target size, whatever its nominal size.
    ['logo-svg', 250, 125, 'png'],
    ['logo-svg-large', 250, 125, 'png'],
    ['logo-svg-tiny', 250, 250, 'png'],
    ['logo-svg-bare', 125, 250, 'png'],
    ['banner-svg', 2200, 1238, 'jpeg'],
    ['banner-svg-odd', 2200, 1052, 'jpeg'],
    ['logo-webp', 250, 167, 'png'],
    ['logo-avif', 64, 32, 'png'],
    ['logo-gif', 64, 32, 'png'],
    ['logo-jpeg', 64, 32, 'png'],
    ['banner-grey', 120, 60, 'jpeg'],
    // An opaque alpha channel is not transparency, but a single transparent pixel is.
    ['banner-opaque-alpha', 120, 60, 'jpeg'],
    ['banner-opaque-alpha-16', 120, 60, 'jpeg'],
    ['banner-transparent', 300, 200, 'webp'],
    ['banner-svg-transparent', 2200, 1100, 'webp'],
    ['banner-almost-opaque', 60, 60, 'webp'],
    ['banner-vanishing', 2200, 30, 'jpeg'],
  ])('of %s has %i×%i pixels as %s', async (slug, width, height, format) => {
    const { metadata, thumbnail } = await readPublished(slug);
    expect(Math.abs(metadata.width - width)).toBeLessThanOrEqual(1);
    expect(Math.abs(metadata.height - height)).toBeLessThanOrEqual(1);
    expect(Math.max(metadata.width, metadata.height)).toBeLessThanOrEqual(slug.startsWith('logo') ? 250 : 2200);
    expect(metadata.format).toBe(format);
    expect(path.extname(thumbnail)).toBe(format === 'jpeg' ? '.jpg' : `.${format}`);
  });

  test.each(['logo-transparent', 'logo-webp', 'banner-transparent', 'banner-svg-transparent'])(
    '%s retains its alpha channel',
    async (slug) => {
      const { bytes } = await readPublished(slug);
      const { width, height, at } = await pixelsOf(bytes);
      expect(at(0, 0)[3]).toBe(0);
      const middle = at(width >> 1, height >> 1);
      expect(middle[3]).toBe(255);
      expect(distance(middle, RED)).toBeLessThanOrEqual(12);
    },
  );

  test('is JPEG or WebP at quality 80', async () => {
    const source = (cases['banner-detailed'] as Case).bytes;
    const jpeg = await readPublished('banner-detailed');
    expect(firstQuantum(jpeg.bytes)).toBe(6); // 16 × (200 − 2 × 80) %, rounded (ITU T.81, annex K.1, as libjpeg scales it)
    expect(jpeg.bytes).toEqual(await sharp(source).jpeg({ quality: 80 }).toBuffer());

    const transparent = (cases['banner-detailed-alpha'] as Case).bytes;
    const webp = await readPublished('banner-detailed-alpha');
    expect(webp.bytes).toEqual(await sharp(transparent).webp({ quality: 80 }).toBuffer());
    expect(webp.bytes).not.toEqual(await sharp(transparent).webp({ quality: 79 }).toBuffer());
  });
});

/** Returns the first entry of the first quantisation table of a JPEG, which depends on the quality. */
function firstQuantum(jpeg: Buffer): number | undefined {
  return jpeg[jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 5];
}

describe('content', () => {
  test.each([
    ...'logo-wide logo-avif logo-gif logo-jpeg banner-wide banner-tall banner-opaque-alpha'.split(' '),
    ...'banner-opaque-alpha-16 banner-16'.split(' '),
  ])('%s shows the content of the original', async (slug) => expectQuarters((await readPublished(slug)).bytes, 14));

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i is applied', async (orientation) => {
    const { bytes, metadata } = await readPublished(`oriented-${orientation}`);
    expect([metadata.width, metadata.height]).toEqual([48, 24]);
    expect(metadata.orientation).toBeUndefined();
    await expectQuarters(bytes, 14);
  });
});

describe('colours and metadata', () => {
  test('all thumbnails are 8-bit sRGB, without a profile or metadata', async () => {
    for (const slug of Object.keys(cases)) {
      const { metadata, bytes } = await readPublished(slug);
      const { icc, exif, xmp, iptc, orientation, space, depth } = metadata;
      expect({ slug, icc, exif, xmp, iptc, orientation, space, depth }).toEqual({
        slug,
        space: 'srgb',
        depth: 'uchar',
      });
      expect(bytes.includes('SECRET')).toBe(false);
    }
    const source = await sharp((cases['banner-metadata'] as Case).bytes).metadata();
    expect([source.exif, source.xmp, source.icc].every(Boolean)).toBe(true);
  });

  test('CMYK is converted back to the original sRGB colours', async () => {
    const { bytes, metadata } = await readPublished('banner-cmyk');
    expect((await sharp((cases['banner-cmyk'] as Case).bytes).metadata()).space).toBe('cmyk');
    expect(metadata.channels).toBe(3);
    await expectQuarters(bytes, 20, MUTED); // the round trip is not exact
  });
});

describe('names', () => {
  test('a thumbnail name consists of the stem, the hash of its bytes and the size', async () => {
    for (const [slug, { field, bytes }] of Object.entries(cases)) {
      const actual = await readPublished(slug);
      const marker = field === LOGO ? '250x250\\.png' : '2200x2200-80\\.(?:jpg|webp)';
      const [, stem, hash] =
        new RegExp(`^([A-Za-z0-9_-]+)\\.([0-9a-f]{16})-thumbnail-${marker}$`).exec(actual.thumbnail) ?? [];
      expect(hash, actual.thumbnail).toBe(sha256(actual.bytes).slice(0, 16));
      // The hash belongs to the published bytes, not to the authored ones.
      expect(actual.original).toMatch(
        new RegExp(`^${stem}\\.${sha256(actual.originalBytes).slice(0, 16)}\\.(?:png|jpg|webp|avif|gif|svg)$`),
      );
      const hasMetadata = /^banner-metadata$|^logo-bomb$|^oriented-/.test(slug);
      expect(actual.originalBytes.equals(bytes), slug).toBe(!hasMetadata);
    }
  });

  test.each([
    ['logo-wide', 'logo.'],
    ['name-odd', 'Uber-Gro-e-FINAL-2.'],
    ['name-foreign', 'picture.'],
    ['name-folder', 'site-v2.'],
  ])('%s starts with %s', async (slug, stem) => {
    const { original, thumbnail } = await readPublished(slug);
    expect([original, thumbnail].every((name) => name.startsWith(stem))).toBe(true);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { build, check } from '../src/index.ts';
import { multiImageJpeg, pngChunk, sampleImages } from './long/sample-images.js';
import { detailed, ico, quarters, squareSvg } from './images.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const CANARY = 'CANARY-90c2';
const TAIL = Buffer.from(`<script>PK\x03\x04${CANARY}`);

let site: SiteFolder | undefined;
afterEach(() => removeSite(site));

const jpeg = await detailed(64, 40).jpeg().toBuffer();
const png = await detailed(64, 40).png().toBuffer();
const further = quarters(32, 20).withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!--${CANARY}--></x:xmpmeta>`).jpeg();
const ultraHdr = (await sampleImages(CANARY)).find(({ name }) => name === 'jpeg, ultra hdr')?.bytes as Buffer;

it('publishes photos of phones without the additional images and trailing zeros', async () => {
  const images = {
    'hdr.jpg': ultraHdr,
    'two.jpg': multiImageJpeg(jpeg, await further.toBuffer(), [], 512),
    'zeros.jpg': Buffer.concat([jpeg, Buffer.alloc(4096)]),
    'ended-twice.png': Buffer.concat([png, pngChunk('IEND', ''), Buffer.alloc(64)]),
  };
  site = await makeSite({
    themes: {
      harbor: {
        images,
        fields: {
          logo: 'hdr.jpg',
          logo_inverse: 'two.jpg',
          compact_logo: 'zeros.jpg',
          compact_logo_inverse: 'ended-twice.png',
        },
      },
    },
  });
  const { ok, diagnostics } = await build(site);
  expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
  const media = path.join(site.outDir, 'media/harbor');
  const files = await readdir(media);
  for (const file of files) {
    const bytes = await readFile(path.join(media, file));
    expect({ file, leaks: [CANARY, 'MPF\0', 'hdrgm', '21496'].filter((text) => bytes.includes(text)) }).toEqual({
      file,
      leaks: [],
    });
  }
  for (const [name, bytes] of Object.entries(images)) {
    const [stem, extension] = name.split('.') as [string, string];
    const file = files.find((one) => new RegExp(`^${stem}\\.[0-9a-f]{16}\\.${extension}$`).test(one)) ?? '';
    const original = await readFile(path.join(media, file));
    expect(original.length).toBeLessThan(bytes.length);
    expect(await sharp(original).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
    if (extension === 'jpg') expect(original.indexOf(Buffer.from([0xff, 0xd9]))).toBe(original.length - 2);
  }
});

it.each([
  ['after a JPEG', 'jpg', Buffer.concat([jpeg, TAIL]), 'image/trailing-data'],
  ['after two JPEGs', 'jpg', Buffer.concat([multiImageJpeg(jpeg, jpeg), TAIL]), 'image/trailing-data'],
  ['between two JPEGs', 'jpg', Buffer.concat([jpeg, TAIL, jpeg]), 'image/trailing-data'],
  ['after zeros', 'jpg', Buffer.concat([jpeg, Buffer.alloc(64), TAIL]), 'image/trailing-data'],
  ['after a second IEND', 'png', Buffer.concat([png, pngChunk('IEND', ''), TAIL]), 'image/trailing-data'],
  ['in IEND', 'png', Buffer.concat([png.subarray(0, -12), pngChunk('IEND', TAIL)]), 'image/corrupt'],
  [
    'in IDAT',
    'png',
    Buffer.concat([png.subarray(0, -12), pngChunk('IDAT', TAIL), png.subarray(-12)]),
    'image/hidden-data',
  ],
  ['before EOI', 'jpg', Buffer.concat([jpeg.subarray(0, -2), TAIL, jpeg.subarray(-2)]), 'image/hidden-data'],
])('rejects a payload %s', async (_, extension, bytes, code) => {
  const file = `odd.${extension}`;
  site = await makeSite({
    themes: {
      harbor: { images: { [file]: bytes }, fields: { compact_logo: file } },
    },
  });
  const { ok, diagnostics } = await build(site);
  expect(ok).toBe(false);
  expect(diagnostics).toMatchObject([{ code, location: { file: expect.stringMatching(/harbor\/theme\.yaml$/) } }]);
  expect(existsSync(site.outDir)).toBe(false);
});

const svg = (attributes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M0 0h9v9z"/></svg>`;

it.each([
  ['a PNG of 32 × 32', 'png', await quarters(32, 32).png().toBuffer(), undefined],
  ['a PNG of 31 × 31', 'png', await quarters(31, 31).png().toBuffer(), 'is only 31×31 pixels.'],
  ['a PNG of 64 × 32', 'png', await quarters(64, 32).png().toBuffer(), 'is not square: it is 64×32 pixels.'],
  ['a JPEG of 40 × 41', 'jpg', await quarters(40, 41).jpeg().toBuffer(), 'is not square: it is 40×41 pixels.'],
  ['an ICO of 32 × 32', 'ico', await ico(32), undefined],
  ['an ICO of 16 × 16', 'ico', await ico(16), 'is only 16×16 pixels.'],
  ['an SVG of 8 × 8', 'svg', squareSvg(8, 8), undefined],
  ['an SVG of 40 × 24', 'svg', squareSvg(40, 24), 'is not square: it is 40×24.'],
  ['an SVG with a square view box', 'svg', Buffer.from(svg("viewBox='0 0 1e1 10.01'")), undefined],
  [
    'an SVG with a wide view box',
    'svg',
    Buffer.from(svg('viewBox="0, 0, 20, 10" width="100%"')),
    'is not square: it is 20×10.',
  ],
  [
    'an SVG with equal width and height',
    'svg',
    Buffer.from(svg('width="1in" height="96px" viewBox="0 0 20 10"')),
    undefined,
  ],
  [
    'an SVG with another in a comment',
    'svg',
    Buffer.from(`<!-- <svg width="9" height="1"> -->${svg('viewBox="0 0 9 9"')}`),
    undefined,
  ],
])('warns of a favicon that is not square or too small: %s', async (_, extension, bytes, message) => {
  const favicon = `icon.${extension}`;
  site = await makeSite({ themes: { harbor: { images: { [favicon]: bytes }, fields: { favicon } } } });
  const { ok, diagnostics } = await check(site);
  expect(ok).toBe(true);
  expect(diagnostics.map((one) => `${one.code} ${one.severity} ${one.message}`)).toEqual(
    message === undefined ? [] : [`image/favicon warning The favicon \`${favicon}\` ${message}`],
  );
});

it('does not warn of other images that are not square', async () => {
  const logo = await quarters(64, 32).png().toBuffer();
  site = await makeSite({ themes: { harbor: { images: { 'logo.png': logo }, fields: { logo: 'logo.png' } } } });
  expect((await check(site)).diagnostics).toEqual([]);
});

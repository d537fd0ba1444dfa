import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { build } from '../src/index.ts';
import { plain } from './images.ts';
import { longTest } from './long-test.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

let site: SiteFolder | undefined;

afterEach(() => removeSite(site));

/** The output of a build of the default theme with one more image, under limits of `site.yaml`. */
async function messages(limits: Record<string, number>, name: string, bytes: Buffer): Promise<string[]> {
  await removeSite(site);
  site = await makeSite({
    site: { base_url: BASE_URL, limits },
    themes: { harbor: { fields: { default_group_banner: name }, images: { [name]: bytes } } },
  });
  const { diagnostics } = await build(site);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

function svg(content: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`);
}

test('picture_bytes limits the size of a file', async () => {
  const noise = Buffer.from(Array.from({ length: 320 * 16 * 3 }, (_, at) => ((at * at * at) % 251) ^ (at % 241)));
  const png = await sharp(noise, { raw: { width: 320, height: 16, channels: 3 } })
    .png()
    .toBuffer();
  expect(await messages({ picture_bytes: png.length }, 'noise.png', png)).toEqual([]);
  expect(await messages({ picture_bytes: png.length - 1 }, 'noise.png', png)).toEqual([
    expect.stringContaining(`the limit is ${(png.length - 1).toLocaleString('en')} bytes`),
  ]);
});

test('picture_pixels and avif_pixels limit width × height', async () => {
  const png = await plain(400, 100).png().toBuffer();
  const avif = await plain(400, 100).avif().toBuffer();
  expect(await messages({ picture_pixels: 40_000, avif_pixels: 40_000 }, 'logo.png', png)).toEqual([]);
  expect(await messages({ picture_pixels: 40_000, avif_pixels: 40_000 }, 'logo.avif', avif)).toEqual([]);
  expect(await messages({ picture_pixels: 39_999 }, 'logo.png', png)).toEqual([
    expect.stringContaining('image/too-many-pixels'),
  ]);
  expect(await messages({ avif_pixels: 39_999 }, 'logo.avif', avif)).toEqual([
    expect.stringContaining('image/too-many-pixels'),
  ]);
});

longTest('decode_seconds and decode_bytes limit the decoding of an image', async () => {
  const slow = svg(
    `<filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(40)}</filter><rect width="99" height="99" filter="url(#f)"/>`,
  );
  const large = svg(
    '<pattern id="p" width="1400" height="1400" patternUnits="userSpaceOnUse"><rect width="1400" height="1400"/></pattern><rect width="99" height="99" fill="url(#p)"/>',
  );
  expect(await messages({ decode_seconds: 1 }, 'slow.svg', slow)).toEqual([
    'image/too-expensive: `slow.svg` takes more than 1 second to decode.',
  ]);
  expect(await messages({ decode_bytes: 300_000_000, decode_seconds: 60 }, 'large.svg', large)).toEqual([
    'image/too-expensive: `large.svg` takes more than 0.3 GB of memory to decode.',
  ]);
});

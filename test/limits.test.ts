import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { build } from '../src/index.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

let site: SiteFolder | undefined;

afterEach(() => removeSite(site));

/** Returns the output of a build of the default theme with one more image, under limits of `site.yaml`. */
async function messages(limits: Record<string, number>, name: string, bytes: Buffer): Promise<string[]> {
  await removeSite(site);
  site = await makeSite({
    site: { base_url: BASE_URL, limits },
    themes: { harbor: { fields: { default_group_banner: name }, images: { [name]: bytes } } },
  });
  const { diagnostics } = await build(site);
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
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

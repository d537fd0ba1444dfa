import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Assets } from '../src/client/types.ts';
import { build } from '../src/index.ts';
import { readPage } from './docs/pages.ts';
import { pixelsOf, type Pixels, png16, quarters } from './images.ts';
import { bitmapIcon, icoOf } from './long/sample-images.js';
import { skip } from './skip.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder, treeHashes } from './site-folder.ts';

const PALETTE = ['#123456', ...Array.from({ length: 8 }, (_, at) => `hsl(${at * 40},50%,50%)`)];
const svg = (content: string, box = '0 0 100 100'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`);
const RED = '<circle cx="50" cy="50" r="50" fill="#c00"/>';

let site: SiteFolder;
let assets: Assets;

const documentOf = (name: string): Promise<string> => readFile(path.join(site.outDir, 'api/v2/theme', name), 'utf8');
const theme = (favicon: string, images: Record<string, Buffer>, fields = {}) => ({
  fields: { favicon, palette_preview: PALETTE, ...fields },
  images,
});

/** Returns the pixels of an image in assets.json. */
const readPixels = (url = ''): Promise<Pixels> =>
  pixelsOf(path.join(site.outDir, 'media', url.slice(`${BASE_URL}/media/`.length)));

beforeAll(async () => {
  site = await makeSite({
    site: {
      base_url: BASE_URL,
      roles: { primary: 1, accent: 3 },
      web_app: { short_name: 'Community', start_url: '/start', scope: '/', display: 'minimal-ui' },
    },
    themes: {
      round: theme(
        'favicon.svg',
        { 'favicon.svg': svg(RED) },
        { name: 'Round "1"', palette_dark: PALETTE.toReversed() },
      ),
      white: theme('favicon.svg', { 'favicon.svg': svg(RED.replace('#c00', '#fff')) }),
      full: theme('favicon.png', { 'favicon.png': await quarters(512, 512).png().toBuffer() }),
      wide: theme(
        'favicon.png',
        { 'favicon.png': await quarters(60, 40).png().toBuffer(), 'wide.svg': svg(RED, '0 0 420 100') },
        { logo: 'wide.svg' },
      ),
      old: theme('favicon.ico', { 'favicon.ico': halfIcon() }),
      heir: { fields: { extends: 'round', favicon: undefined, palette_preview: undefined } },
      repainted: { fields: { extends: 'round', favicon: undefined, palette_preview: PALETTE } },
    },
  });
  await build(site);
  assets = JSON.parse(await documentOf('assets.json')) as Assets;
});
afterAll(() => removeSite(site));

/** Returns an ICO of 16 pixels per side with a bitmap, half of it transparent. */
function halfIcon(): Buffer {
  const bitmap = bitmapIcon(16);
  for (let at = 0; at < 16 * 16; at++) bitmap.set([10, 20, 200, at < 128 ? 255 : 0], 40 + at * 4);
  return icoOf([{ size: 16, bytes: bitmap }]);
}

describe('the icon', () => {
  test('is square and at most 192 pixels, with the image in the middle, never enlarged', async () => {
    const file = (slug: string) => pixelsOf(path.join(site.outDir, `api/v2/theme/config/${slug}.png`));
    const [round, full, wide, old] = await Promise.all(['round', 'full', 'wide', 'old'].map(file));
    expect([round, full, wide, old].map((icon) => [icon?.width, icon?.height])).toEqual([
      [192, 192],
      [192, 192],
      [60, 60],
      [16, 16],
    ]);
    expect(round?.at(96, 96)).toEqual([204, 0, 0, 255]);
    expect(round?.at(0, 0)[3]).toBe(0);
    expect(wide?.at(30, 5)[3]).toBe(0);
    expect(wide?.at(30, 15)[3]).toBe(255);
    // A bitmap starts with its bottom row.
    for (const y of [8, 15]) expect(old?.at(8, y)).toEqual([200, 20, 10, 255]);
    for (const y of [0, 7]) expect(old?.at(8, y)[3]).toBe(0);
  });
});

describe('a favicon that is an icon as it is', () => {
  const files = async () => {
    const plain = await quarters(64, 64).png().toBuffer();
    // Behind the header, with gamma 1.
    const gamma = Buffer.from('0000000467414d41000186a031e8965f', 'hex');
    return {
      plain,
      indexed: await quarters(192, 192).png({ palette: true }).toBuffer(),
      large: await quarters(193, 193).png().toBuffer(),
      wide: await quarters(64, 32).png().toBuffer(),
      deep: await png16(quarters(64, 64)),
      interlaced: await quarters(64, 64).png({ progressive: true }).toBuffer(),
      profile: await quarters(64, 64).withIccProfile('p3').png().toBuffer(),
      gamma: Buffer.concat([plain.subarray(0, 33), gamma, plain.subarray(33)]),
    };
  };

  test('is not decoded, and published once more under the name of the icon; any other is decoded', async () => {
    const favicons = await files();
    const decodes: Record<string, number> = {};
    for (const [name, favicon] of Object.entries(favicons)) {
      const one = await makeSite({ themes: { harbor: theme('favicon.png', { 'favicon.png': favicon }) } });
      const result = await build(one);
      if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
      decodes[name] = result.rendered;
      const icon = await readFile(path.join(one.outDir, 'api/v2/theme/config/harbor.png'));
      const names = Object.keys(await treeHashes(one.outDir)).filter((file) => file.includes('/favicon.'));
      const isOwnIcon = ['plain', 'indexed'].includes(name);
      expect(icon.equals(favicon)).toBe(isOwnIcon);
      expect(names).toHaveLength(isOwnIcon ? 1 : 2);
      await removeSite(one);
    }
    const { plain = 0, indexed, ...others } = decodes;
    expect(indexed).toBe(plain);
    expect(new Set(Object.values(others))).toEqual(new Set([plain + 1]));
  });

  test('is decoded if it is damaged, and reported', async () => {
    const { plain } = await files();
    const at = plain.indexOf('IDAT') + 12;
    plain.writeUInt8(plain.readUInt8(at) ^ 0xff, at);
    const damaged = await makeSite({ themes: { harbor: theme('favicon.png', { 'favicon.png': plain }) } });
    const { diagnostics } = await build(damaged);
    expect(diagnostics.map(({ code }) => code)).toContain('image/corrupt');
    await removeSite(damaged);
  });
});

describe('the maskable icon', () => {
  test('has the image inside the circle that no mask cuts off, on a contrasting background', async () => {
    for (const [id, background] of [
      ['1', [255, 255, 255, 255]],
      ['2', [21, 25, 34, 255]],
      // The colour of the image reaches into the corner.
      ['3', [230, 20, 30, 255]],
    ] as const) {
      const icon = await readPixels(assets[id]?.icons.maskable_icon?.url);
      expect([icon.width, icon.height]).toEqual([512, 512]);
      for (let y = 0; y < 512; y += 3)
        for (let x = 0; x < 512; x += 3)
          if (Math.hypot(x - 255.5, y - 255.5) > 0.4 * 512) expect(icon.at(x, y)).toEqual(background);
    }
  });
});

describe('assets.json', () => {
  test('matches the schema of the OpenAPI description, and states the sizes of its images', async () => {
    const description = JSON.parse(await readFile(path.join(site.outDir, 'schema/openapi.json'), 'utf8')) as object;
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    formats.default(ajv);
    ajv.addVocabulary(Object.keys(description));
    const validate = ajv.addSchema(description, 'openapi').getSchema('openapi#/components/schemas/Assets');
    expect(validate?.(assets), JSON.stringify(validate?.errors)).toBe(true);
    expect(Object.keys(assets)).toHaveLength(7);
    for (const { logos, icons } of Object.values(assets))
      for (const { url, width, height } of [...Object.values(logos), ...Object.values(icons)]) {
        const image = await readPixels(url);
        expect([image.width, image.height]).toEqual([width, height]);
      }
  });

  test('has logos that fit their boxes, and a text colour for each colour', () => {
    expect(assets['4']?.logos.logo).toMatchObject({ width: 600, height: 143 });
    expect(assets['4']?.logos.compact_logo).toMatchObject({ width: 256, height: 256 });
    const { palette, palette_dark: dark, roles } = assets['1'] ?? {};
    expect(palette?.[0]).toEqual({
      colour: { colorSpace: 'srgb', components: [0.0706, 0.2, 0.3294], hex: '#123354' },
      text: { colorSpace: 'srgb', components: [1, 1, 1], hex: '#ffffff' },
    });
    expect(dark?.at(-1)).toEqual(palette?.[0]);
    expect(roles).toEqual({ primary: palette?.[0], accent: palette?.[2] });
    expect(assets['1']?.roles_dark).toEqual({ primary: dark?.[0], accent: dark?.[2] });
    expect(assets['1']?.modes).toEqual({
      light: { logo: 'logo', compact_logo: 'compact_logo' },
      dark: { logo: 'logo_inverse', compact_logo: 'compact_logo_inverse' },
    });
    expect(assets['6']?.palette_dark).toEqual(dark);
    // An inherited value would belong to another palette.
    expect(assets['7']).not.toHaveProperty('palette_dark');
  });
});

test('the printed jq line makes tokens that a parser of the Design Tokens format accepts', async (context) => {
  if (spawnSync('jq', ['--version']).status !== 0) skip(context, 'jq is not installed.');
  const filter = /`jq '(\.\["2"\][^`]*)'`/.exec(readPage('docs/clients.md'))?.[1] ?? '';
  const tokens = execFileSync('jq', [filter], { input: await documentOf('assets.json'), encoding: 'utf8' });
  // By a variable: its types would bring those of browsers.
  const parser: string = '@terrazzo/parser';
  const { defineConfig, parse } = (await import(parser)) as {
    defineConfig: (config: object, options: object) => object;
    parse: (inputs: readonly object[], options: object) => Promise<{ tokens: object }>;
  };
  const config = defineConfig({}, { cwd: new URL('file:///') });
  const parseTokens = (src: string) => parse([{ filename: new URL('file:///tokens.json'), src }], { config });
  expect(Object.keys((await parseTokens(tokens)).tokens)).toHaveLength(9);
  await expect(parseTokens(tokens.replace(/"\$value": \{[^}]*\}/, '"$value": "#123456"'))).rejects.toThrow('color');
});

test('the manifest has the name and the icons of the theme, and the settings of the site', async () => {
  expect(JSON.parse(await documentOf('config/round.webmanifest'))).toEqual({
    id: '/start',
    name: 'Round "1"',
    short_name: 'Community',
    start_url: '/start',
    scope: '/',
    display: 'minimal-ui',
    theme_color: '#123354',
    background_color: '#ffffff',
    icons: [
      { src: assets['1']?.icons.icon.url, sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: assets['1']?.icons.large_icon?.url, sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: assets['1']?.icons.maskable_icon?.url, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
});

test('the stylesheet has ratios and roles, and the dark palette only in dark mode', async () => {
  const css = await documentOf('config/round.css');
  const [light = '', dark = ''] = css.split('@media');
  expect(light).toContain('--theme-primary: var(--theme-palette-1);\n--theme-on-primary: var(--theme-on-palette-1);');
  expect(light).toMatch(/--theme-palette-1: hsl\(210,65%,20%\);/);
  expect(dark).toMatch(/^ screen and \(prefers-color-scheme: dark\)[^}]*--theme-palette-9: hsl\(210,65%,20%\);/);
  expect(await documentOf('config/wide.css')).toContain('--theme-logo-ratio: 600 / 143;');
  expect(await documentOf('config/full.css')).not.toMatch(/@media[^}]*--theme-palette/);
});

test('`derived: false` publishes no icons, no app manifests and no assets.json', async () => {
  const plain = await makeSite({ site: { base_url: BASE_URL, derived: false, web_app: {} } });
  const { diagnostics } = await build(plain);
  const files = Object.keys(await treeHashes(plain.outDir));
  await removeSite(plain);
  expect(diagnostics).toEqual([]);
  expect(files.filter((file) => /assets|webmanifest|config\/.*png|600x200|192x192/.test(file))).toEqual([]);
});

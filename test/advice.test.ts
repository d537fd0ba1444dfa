// Logo advice needs decoded pixels. It must be the same whether the images are decoded or come from the cache.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { build, check } from '../src/index.ts';
import { run } from './command-line.ts';
import { draw } from './images.ts';
import { ANY_IMAGE_FIELDS } from '../src/core/theme/fields/fields.ts';
import { themeFields, yamlOf } from './theme-yaml.js';
import { buildSite, makeSite, readTree, removeSite, type SiteFolder, type ThemeParts } from './site-folder.ts';

/** A dark image on a transparent background. */
const INK = await draw(60, 20, (x) => [20, 24, 32, x > 9 && x < 50 ? 255 : 0])
  .png()
  .toBuffer();

let site: SiteFolder;
afterEach(() => removeSite(site));

/** Returns the diagnostics as `CODE THEME: message`. */
function summarize({ diagnostics }: Awaited<ReturnType<typeof check>>): string[] {
  return diagnostics.map(
    ({ code, message, location }) => `${code} ${path.basename(path.dirname(location.file))}: ${message}`,
  );
}

async function createSite(themes: Record<string, ThemeParts>): Promise<SiteFolder> {
  site = await makeSite({ themes });
  return site;
}

const DARK = { fields: { logo_inverse: 'ink.png' }, images: { 'ink.png': INK } };
const FAINT =
  'image/faint harbor: `ink.png` is nearly invisible in dark mode: its contrast with the background is below 1.5:1.';

describe('advice on logos', () => {
  test('is the same in a cold build, in a build with the cache, and in a build without changes', async () => {
    await createSite({ harbor: DARK });
    const cold = await build(site);
    expect(summarize(cold)).toEqual([FAINT]);
    const withCache = await buildSite(site);
    expect([summarize(withCache), withCache.rendered]).toEqual([[FAINT], 0]);
    await writeFile(path.join(site.themesDir, 'users.csv'), 'user,theme\nann,harbor\n');
    const afterChange = await buildSite(site);
    expect([summarize(afterChange), afterChange.rendered]).toEqual([[FAINT], 0]);
    await rm(site.outDir, { recursive: true });
    const cached = await buildSite(site);
    expect([summarize(cached), cached.rendered]).toEqual([[FAINT], 0]);
    expect(summarize(await check(site))).toEqual([FAINT]);
  });

  test('is reported if another process rendered the cached images', async () => {
    await createSite({ harbor: DARK });
    for (const shard of ['1/2', '2/2']) await run(['check', '--shard', shard], { cwd: site.root });
    const { stdout, code } = await run(['build'], { cwd: site.root });
    expect(code).toBe(0);
    expect(stdout).toContain('0 images rendered');
    expect(stdout).toContain('[image/faint]');
  });

  test('stops a strict build from publishing', async () => {
    await createSite({ harbor: DARK });
    expect(await build({ ...site, strict: true })).toMatchObject({ ok: false });
    expect(await readTree(site.outDir)).toEqual(new Map());
  });

  test('is reported for an image that was rendered before a field used it as a logo', async () => {
    await createSite({ harbor: { fields: { logo_site: 'ink.svg' }, images: { 'ink.svg': inkSvg() } } });
    expect(summarize(await build(site))).toEqual([]);
    const fields = path.join(site.themesDir, 'harbor/theme.yaml');
    await writeFile(fields, yamlOf(themeFields('harbor', 0, { logo_inverse: 'ink.svg', logo_site: 'ink.svg' })));
    const rebuilt = await buildSite(site);
    expect(rebuilt.diagnostics.map(({ code }) => code)).toEqual(['image/faint']);
    expect(rebuilt.rendered).toBe(1);
  });

  test('mentions the theme that shows an inherited logo in another mode', async () => {
    const harbor = { ...DARK, fields: { ...DARK.fields, dark_mode_logo_type: 'NORMAL' } };
    const child = { fields: { ...inheritedFields(), extends: 'harbor', dark_mode_logo_type: 'INVERSE' } };
    await createSite({ harbor, meadow: child, ridge: child });
    expect(summarize(await build(site))).toEqual([FAINT.replace('mode:', 'mode of the theme `meadow`:')]);
  });
});

function inkSvg(): Buffer {
  return Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><path d="M5 5h40v9h-40z"/></svg>');
}

/** Returns `undefined` for every field that a theme can inherit. */
function inheritedFields(): Record<string, undefined> {
  return Object.fromEntries(['palette_preview', ...ANY_IMAGE_FIELDS].map((field) => [field, undefined]));
}

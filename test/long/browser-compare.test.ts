import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlReport, type ShownImages } from '../../src/compare/html-report.ts';
import type { Pixels } from '../../src/image/pixels.ts';
import { differs, same } from '../../src/compare/result.ts';
import { describeInChromium, expectGoodLayout, launch, openPage } from '../browser/chromium.ts';

const HOSTILE = '</h1><script>document.title="run"</script><img src=x onerror=alert(1)>\u202e';

function pixels(width: number, height: number, alpha: number): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set([at % 251, (at * 7) % 253, 90, alpha], at);
  return { width, height, rgba };
}

const COMPARED = [
  same('themes', 'theme 1 name'),
  differs('themes', 'theme 1 logo', 'PNG 512×128', 'PNG 512×128, other pixels: mean 3.00, max 90 of 255'),
  differs('themes', 'theme 2 name', `"${HOSTILE}"`, 'a'.repeat(300)),
  { group: 'themes', what: 'theme 1 logo_site.thumbnail', class: 'equal', old: 'SVG', new: 'PNG 250×60' } as const,
  { ...differs('responses', 'LIST GET Vary', 'Accept, Cookie', 'Accept'), accepted: HOSTILE },
];
const IMAGES: ShownImages[] = [
  { what: 'theme 1 logo_site.thumbnail', pixels: { old: pixels(250, 60, 255), new: pixels(250, 60, 250) } },
  { what: 'theme 1 logo', pixels: { old: pixels(512, 128, 255), new: pixels(512, 128, 0) } },
  { what: 'theme 2 logo', pixels: undefined },
];

describeInChromium('the page that `themecast compare --html` writes', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await launch();
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-report-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is accessible, shows both images and their difference, and runs nothing', { timeout: 60_000 }, async () => {
    const comparison = {
      themes: 2,
      names: new Map([['2', HOSTILE]]),
      compared: COMPARED,
      notCompared: 0,
      warnings: [],
      hints: [HOSTILE],
      notes: [HOSTILE],
      unused: [{ what: HOSTILE, reason: 'x' }],
    };
    const file = path.join(folder, 'report.html');
    await writeFile(file, htmlReport(comparison, IMAGES, { old: 'https://old.example.org', new: HOSTILE }));
    const { page } = await openPage(browser, {});
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toBe('Comparison: 2 themes: 1 field same, 1 image equal, 1 accepted, 2 differ');
    expect(requests.filter((url) => !url.startsWith('data:image/png;base64,'))).toEqual([pathToFileURL(file).href]);
    // Folded away: they are equal.
    expect(await page.textContent('summary')).toBe('1 image of other bytes, equal within the tolerance');
    expect(await page.isVisible('text=theme 1 logo_site.thumbnail')).toBe(false);
    await page.click('summary');
    expect(await page.isVisible('text=theme 1 logo_site.thumbnail')).toBe(true);
    // Those that differ first; each twice, on light and on dark, and the difference.
    const drawn = await page.evaluate<[string, number][]>(
      '[...document.images].map((one) => [one.alt, one.naturalWidth])',
    );
    expect(drawn).toEqual([
      ...['OLD', 'OLD', 'NEW', 'NEW'].map((side) => [`${side} theme 1 logo`, 512]),
      ['Difference of theme 1 logo', 512],
      ...['OLD', 'OLD', 'NEW', 'NEW'].map((side) => [`${side} theme 1 logo_site.thumbnail`, 125]),
      ['Difference of theme 1 logo_site.thumbnail', 125],
    ]);
    await expectGoodLayout(page);
  });
});

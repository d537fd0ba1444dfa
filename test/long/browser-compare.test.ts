import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { htmlReport, ImageFigures } from '../../src/compare/html-report.ts';
import type { Pixels } from '../../src/image/pixels.ts';
import { differs, same } from '../../src/compare/result.ts';
import { describeInChromium, expectGoodLayout, launch, openPage } from '../browser/chromium.ts';

const HOSTILE = '</h1><script>document.title="run"</script><img src=x onerror=alert(1)>\u202e';

function pixels(width: number, height: number, alpha: number): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set([at % 251, (at * 7) % 253, 90, alpha], at);
  return { width, height, rgba };
}

const LOGO = differs('themes', 'theme 1 logo', 'PNG 512×128', 'PNG 512×128, other pixels: mean 3.00, max 90 of 255');
const COMPARED = [
  same('themes', 'theme 1 name'),
  LOGO,
  differs('themes', 'theme 2 name', `"${HOSTILE}"`, 'a'.repeat(300)),
  { ...differs('responses', 'LIST GET Vary', 'Accept, Cookie', 'Accept'), accepted: HOSTILE },
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
      compared: COMPARED,
      hints: [HOSTILE],
      notes: [HOSTILE],
      unused: [{ what: HOSTILE, reason: 'x' }],
    };
    const images = new ImageFigures();
    images.add(LOGO, { old: pixels(512, 128, 255), new: pixels(512, 128, 0) });
    const file = path.join(folder, 'report.html');
    await writeFile(file, htmlReport(comparison, images, { old: 'https://old.example.org', new: HOSTILE }));
    const { page } = await openPage(browser, {});
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toBe('Comparison: 2 themes: 1 field same, 0 images equal, 1 accepted, 2 differ');
    expect(requests.filter((url) => !url.startsWith('data:image/png;base64,'))).toEqual([pathToFileURL(file).href]);
    // Each twice, on light and on dark, and the difference.
    const drawn = await page.evaluate<[string, number][]>(
      '[...document.images].map((one) => [one.alt, one.naturalWidth])',
    );
    expect(drawn).toEqual([
      ...['OLD', 'OLD', 'NEW', 'NEW'].map((side) => [`${side} theme 1 logo`, 512]),
      ['Difference of theme 1 logo', 512],
    ]);
    await expectGoodLayout(page);
  });
});

import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { describeInChromium, expectGoodLayout, launch, openPage } from '../browser/chromium.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../themes');
const HOSTILE = `</h1><script>document.title='run'</script><img src=x onerror=alert(1)>`;

describeInChromium('the page that `themecast diff --html` writes', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    browser = await launch();
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-diff-'));
    for (const side of ['before', 'themes']) await cp(EXAMPLE, path.join(folder, side), { recursive: true });
    const file = (name: string): string => path.join(folder, 'themes', name);
    const edit = async (name: string, from: string, to: string): Promise<void> => {
      const text = await readFile(file(name), 'utf8');
      await writeFile(
        file(name),
        text.replace(from, () => to),
      );
      expect(text).toContain(from);
    };
    await edit('harbor/theme.yaml', 'name: Harbor', `name: "${HOSTILE}"`);
    await edit('harbor/theme.yaml', 'is_default: true', 'is_default: false');
    await edit('meadow/theme.yaml', 'name: Meadow', 'name: Meadow\nis_default: true');
    await edit('harbor/theme.yaml', '"#0e6a80"', '"#ff8800"');
    await cp(file('meadow/logo.svg'), file('harbor/logo.svg'));
    await cp(path.join(EXAMPLE, 'nightfall'), file('wood'), { recursive: true });
    await edit('wood/theme.yaml', 'id: 3', 'id: 9');
    await rm(file('nightfall'), { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([['light'], ['dark']] as const)(
    'is accessible in %s mode, also on a phone, and runs no scripts and sends no requests',
    { timeout: 120_000 },
    async (colorScheme) => {
      const { code } = await run(['diff', './before', '--html', 'review.html'], { cwd: folder });
      expect(code).toBe(1);
      const file = path.join(folder, 'review.html');
      expect((await stat(file)).size).toBeLessThan(10_000_000);
      const { page } = await openPage(browser, { colorScheme });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      expect(await page.title()).toBe('1 new, 1 removed, 2 changed; 1 user sees another theme');
      expect(requests.filter((url) => !url.startsWith('data:image/'))).toEqual([pathToFileURL(file).href]);
      expect(await page.locator('h2', { hasText: 'script' }).count()).toBe(1);
      // The logo before and after, on light and on dark, at the configured height.
      const heights = await page
        .locator('section', { hasText: 'script' })
        .locator('.ground img')
        .evaluateAll((images) => images.map((image) => image.clientHeight));
      expect(heights).toEqual([40, 40, 40, 40]);
      expect(await page.locator('rect[stroke="#000"]').count()).toBe(2);
      // New and removed themes are visible without a click, and in print.
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        for (const kind of ['new', 'removed']) {
          const images = page.locator('section', { has: page.locator(`.badge.${kind}`) }).locator('.figures img');
          expect(
            await images.evaluateAll((all) => all.filter((image) => image.checkVisibility()).length),
          ).toBeGreaterThan(5);
        }
        expect(await page.locator('.strip svg:visible').count()).toBe(4 * 9);
      }
      await page.emulateMedia({ media: null });
      await page.locator('summary').first().click();
      await expectGoodLayout(page);
      await page.setViewportSize({ width: 390, height: 800 });
      await expectGoodLayout(page);
      await page.close();
    },
  );
});

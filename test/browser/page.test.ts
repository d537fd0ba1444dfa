import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileSize } from '../../src/document/file-size.ts';
import { build } from '../../src/index.ts';
import { serve, type Serving } from '../../src/io/http/serve.ts';
import { describeInChromium, expectGoodLooks, launch, loadImages, openPage } from './chromium.ts';

describeInChromium('the browsable pages of the themes of this repository', () => {
  let folder: string;
  let serving: Serving;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-browser-'));
    const [outDir, edgeOutDir] = [path.join(folder, 'dist'), path.join(folder, 'edge')];
    const themesDir = path.join(import.meta.dirname, '../../themes');
    await build({ themesDir, outDir, edgeOutDir });
    serving = await serve({ outDir, edgeOutDir, port: 0 });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    serving?.server.closeAllConnections();
    serving?.server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('show every picture, fit, are accessible and keep to their own policy', async () => {
    const { page, complaints, origins, close } = await openPage(browser, {});
    await page.context().addCookies([{ name: 'uid', value: 'u-1002', url: serving.url }]);
    for (const [target, title, themes] of [
      ['/api/v2/theme/?format=api', 'Theme List', ['Harbor', 'Meadow', 'Nightfall']],
      ['/api/v2/theme/config/?format=api', 'Config', ['Nightfall']],
    ] as const) {
      await page.goto(serving.url + target);
      expect(await page.title()).toContain(title);
      for (const theme of themes) expect(await page.getByRole('heading', { name: theme }).count()).toBe(1);
      await loadImages(page);
      await expectGoodLooks(page);
    }
    await page.goto(serving.url);
    expect(page.url()).toBe(`${serving.url}/api/v2/theme/?format=api`);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([new URL(serving.url).origin]);
    await close();
  });

  it('show every picture under another name of this machine, too', async () => {
    const { page, complaints, origins, close } = await openPage(browser, {});
    const url = serving.url.replace('127.0.0.1', 'localhost');
    await page.goto(url);
    await loadImages(page);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
    await close();
  });

  it('say how large the files of a theme are', async () => {
    const { page, close } = await openPage(browser, {});
    await page.goto(`${serving.url}/api/v2/theme/?format=api`);
    const manifest = await readFile(path.join(folder, 'dist/manifest.json'), 'utf8');
    const { files } = JSON.parse(manifest) as { files: { path: string; bytes: number }[] };
    const own = files.filter((file) => file.path.startsWith('media/meadow/'));
    const sum = own.reduce((bytes, file) => bytes + file.bytes, 0);
    const card = page.getByRole('article', { name: 'Meadow' });
    expect(await card.locator('.total').textContent()).toBe(`${own.length} files, ${fileSize(sum)}`);
    await close();
  });

  it('work without JavaScript: parts of the page are reached, and what is out of view is found', async () => {
    const viewport = { width: 390, height: 800 };
    const { page, complaints, close } = await openPage(browser, { javaScriptEnabled: false, viewport });
    await page.goto(`${serving.url}/api/v2/theme/?format=api`);
    const answer = page.getByRole('region', { name: 'Response body of OPTIONS' });
    expect(await answer.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'OPTIONS' }).click();
    await answer.waitFor({ state: 'visible' });
    await page.getByRole('link', { name: 'Nightfall', exact: true }).click();
    const { y } = (await page.getByRole('heading', { name: 'Nightfall' }).boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(300);
    await page.getByRole('link', { name: 'Config', exact: true }).click();
    await page.getByRole('link', { name: 'Theme List' }).click();
    await page.waitForURL(/theme\/(?:\?|$)/);
    expect(complaints).toEqual([]);
    await close();
  });
});

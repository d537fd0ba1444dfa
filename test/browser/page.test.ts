import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { serve, type Serving } from '../../src/compiler/serve/serve.ts';
import { describeInChromium, expectGoodLayout, launch, loadImages, openPage } from './chromium.ts';

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

  it('show every image, fit the screen, are accessible and comply with their content security policy', async () => {
    const { page, pageErrors, origins, close } = await openPage(browser, {});
    await page.context().addCookies([{ name: 'uid', value: 'u-1002', url: serving.url }]);
    for (const [target, title, themes] of [
      ['/api/v2/theme/?format=api', 'Theme List', ['Harbor', 'Meadow', 'Nightfall']],
      ['/api/v2/theme/config/?format=api', 'Config', ['Nightfall']],
    ] as const) {
      await page.goto(serving.url + target);
      expect(await page.title()).toContain(title);
      for (const theme of themes) expect(await page.getByRole('heading', { name: theme }).count()).toBe(1);
      await loadImages(page);
      await expectGoodLayout(page);
    }
    await page.goto(serving.url);
    expect(page.url()).toBe(`${serving.url}/api/v2/theme/?format=api`);
    expect(pageErrors).toEqual([]);
    expect([...origins]).toEqual([new URL(serving.url).origin]);
    await close();
  });
});

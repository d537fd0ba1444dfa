import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { serve, type Serving } from '../../src/io/serve.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

if (!existsSync(CHROMIUM) && process.env['CI'] === undefined) {
  const reason = 'Chromium is not installed, so the pages are not opened in a browser.';
  process.stderr.write(`${reason}\n`);
  it.skip(reason, () => undefined);
} else {
  describe('the browsable pages of the themes of this repository, in Chromium', () => {
    let folder: string;
    let serving: Serving;
    let browser: Browser;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-browser-'));
      const [outDir, edgeOutDir] = [path.join(folder, 'dist'), path.join(folder, 'edge')];
      const port = await freePort();
      const themesDir = path.join(import.meta.dirname, '../../themes');
      await build({ themesDir, outDir, edgeOutDir, baseUrl: `http://127.0.0.1:${port}` });
      serving = await serve({ outDir, edgeOutDir, port });
      browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    });
    afterAll(async () => {
      await browser?.close();
      serving?.server.closeAllConnections();
      serving?.server.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const)('show every picture and keep to their own policy (%s, %d pixels wide)', async (colorScheme, width) => {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 900 },
        javaScriptEnabled: true,
      });
      await context.addCookies([{ name: 'uid', value: 'u-1002', url: serving.url }]);
      const page = await context.newPage();
      const complaints: string[] = [];
      const origins = new Set<string>();
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
      });
      page.on('request', (request) => origins.add(new URL(request.url()).origin));

      for (const [target, title, themes] of [
        ['/api/v2/theme/?format=api', 'Theme List', ['Harbor', 'Meadow', 'Nightfall']],
        ['/api/v2/theme/config/?format=api', 'Config', ['Nightfall']],
      ] as const) {
        await page.goto(serving.url + target);
        expect(await page.title()).toContain(title);
        for (const theme of themes) expect(await page.getByRole('heading', { name: theme }).count()).toBe(1);
        // Pictures load when they come near the view.
        for (const image of await page.locator('img').all()) {
          await image.scrollIntoViewIfNeeded();
          await image.evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode());
        }
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow).toBeLessThanOrEqual(0);
      }
      expect(complaints).toEqual([]);
      expect([...origins]).toEqual([new URL(serving.url).origin]);
      await context.close();
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

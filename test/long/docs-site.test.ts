import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listening } from '../listening.ts';
import { describeInChromium, expectAccessible, launch } from '../browser/chromium.ts';
import { PAGES, ROOT } from '../docs/pages.ts';
import { skipAll } from '../skip.ts';

const SITE = path.join(ROOT, 'scripts/docs/.vitepress/dist');
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

if (!existsSync(SITE)) skipAll('the site of the documentation', 'It has not been built with `npm run docs`.');
else
  describeInChromium('the site of the documentation', () => {
    let server: Listening;
    let browser: Browser;
    const url = (name: string): string => `${server.url}/${name}`;
    beforeAll(async () => {
      server = await listening((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const name = pathname === '/' ? '/index.html' : `${pathname}${path.extname(pathname) === '' ? '.html' : ''}`;
        readFile(path.join(SITE, name)).then(
          (bytes) => response.setHeader('Content-Type', TYPES[path.extname(name).slice(1)] ?? '').end(bytes),
          () => response.writeHead(404).end(),
        );
      });
      browser = await launch();
    });
    afterAll(async () => {
      await browser.close();
      await server.stop();
    });

    it('has every page of docs/', () => {
      const pages = PAGES.filter((page) => /^docs\/[\w-]+\.md$/.test(page));
      expect(pages.filter((page) => !existsSync(path.join(SITE, page.replace(/^docs\/(.*)md$/, '$1html'))))).toEqual(
        [],
      );
    });

    it.each(['light', 'dark'] as const)('is accessible, %s, and requests nothing elsewhere', async (colorScheme) => {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const requested = new Set<string>();
      page.on('request', (request) => requested.add(new URL(request.url()).origin));
      for (const name of ['', 'start', 'cli', 'clients', 'diagnostics', 'benchmarks']) {
        await page.goto(url(name));
        // The name of VitePress's search button lacks the keys that it shows.
        await page.evaluate(`document.querySelector('.DocSearch-Button-Keys')?.remove()`);
        await expectAccessible(page, `${name}, ${colorScheme}`);
      }
      expect([...requested].filter((origin) => origin.startsWith('http'))).toEqual([new URL(url('')).origin]);
      await context.close();
    });

    it('is searched without a service', async () => {
      const page = await browser.newPage();
      await page.goto(url('start'));
      await page.click('.DocSearch-Button');
      await page.fill('.VPLocalSearchBox input', 'keyed look-ups');
      await page.locator('.VPLocalSearchBox li', { hasText: 'At scale' }).first().waitFor();
      await page.close();
    });
  });

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listening } from '../listening.ts';
import type { Host } from '../hosts/contract.ts';
import { NGINX, startNginx } from '../hosts/nginx-process.ts';
import { reportMissing } from '../hosts/process.ts';
import { type PublishedSite, publishSite, removeSite } from '../hosts/site.ts';
import { describeInChromium, launch } from './chromium.ts';
import { longTest } from '../long-test.ts';

const USER = { name: 'uid', value: 'tom' };

if (NGINX === undefined) reportMissing('nginx');
else
  describeInChromium('the stylesheet of CONFIG on real nginx', () => {
    let browser: Browser;
    let pages: Listening;
    let site: PublishedSite;
    let host: Host;
    const at = (hostname: string) => `http://${hostname}:${pages.port}`;

    beforeAll(async () => {
      // The query of this page contains the attributes of its link.
      pages = await listening((request, response) => {
        const attributes = decodeURIComponent(request.url?.split('?')[1] ?? '');
        response.setHeader('Content-Type', 'text/html');
        response.end(`<!doctype html><title>Page</title><link rel="stylesheet" ${attributes}>`);
      });
      browser = await launch(['--host-resolver-rules=MAP * 127.0.0.1']);
      site = await publishSite({ cors: { allowed_origins: [at('allowed.example.net')] } });
      host = await startNginx(site);
    });
    afterAll(async () => {
      await browser.close();
      await host.stop();
      await removeSite(site);
      await pages.stop();
    });

    /** Loads the stylesheet as the user, in a page of a host, and returns the theme name that the page can read. */
    async function readFrom(hostname: string, attributes = '', service = host): Promise<string> {
      const context = await browser.newContext();
      const url = `http://themes.example.org:${service.port}/api/v2/theme/config/?format=css`;
      await context.addCookies([{ ...USER, domain: 'themes.example.org', path: '/' }]);
      const page = await context.newPage();
      await page.goto(`${at(hostname)}/?${encodeURIComponent(`href="${url}" ${attributes}`)}`);
      const name = await page.evaluate<string>(
        "getComputedStyle(document.documentElement).getPropertyValue('--theme-name').trim()",
      );
      await context.close();
      return name;
    }

    longTest('serves the theme of the user to a page of the same site, before the page has loaded', async () => {
      expect(await readFrom('app.example.org')).toBe('"meadow"');
      expect(await readFrom('example.org')).toBe('"meadow"');
    });

    it('serves no theme to a page of another site', async () => {
      expect(await readFrom('evil.example.net')).toBe('');
      expect(await readFrom('evil.example.net', 'crossorigin="use-credentials"')).toBe('');
    });

    it('serves the theme to an allowed origin that uses CORS', async () => {
      expect(await readFrom('allowed.example.net', 'crossorigin="use-credentials"')).not.toBe('');
      expect(await readFrom('allowed.example.net')).toBe('');
    });
  });

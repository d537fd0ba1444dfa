import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/compiler/build.ts';
import { serve } from '../../src/compiler/serve/serve.ts';
import { describeInChromium, launch } from '../browser/chromium.ts';
import { NGINX, startNginxIn } from '../hosts/nginx-process.ts';
import { freePort, reportMissing } from '../hosts/process.ts';
import { squareSvg } from '../images.ts';
import { type Listening, listening } from '../listening.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const COLOURS = { harbor: '#ff0000', meadow: '#00ff00', nightfall: '#0000ff' } as const;
const USERS = [
  ['tom', 'meadow'],
  ['nancy', 'nightfall'],
] as const;
/** The colours of a tab before the first paint. */
const BLANK = ['#ffffff', '#000000'];

/** Returns a page as in docs/clients.md. The paragraph below the logo moves if the logo's height is late. */
const page = (stylesheet: string): string => `<!doctype html><title>Community</title>
<link rel="stylesheet" href="${stylesheet}">
<style>body { margin: 0; background: var(--theme-palette-1, #777); }
header img { content: var(--theme-logo); height: var(--theme-logo-height, 40px); }</style>
<header><img src="/logo.svg" alt="Our community"></header><p>Welcome`;

type Stop = () => Promise<unknown>;

async function startNginx(site: SiteFolder, port: number): Promise<Stop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-paint-'));
  await cp(path.join(site.edgeOutDir, 'nginx'), path.join(folder, 'themecast'), { recursive: true });
  for (const directory of [folder, site.root]) await chmod(directory, 0o755);
  const host = await startNginxIn(folder, 'include themecast/hash.conf; include themecast/theme-service.conf;', port);
  return () => host.stop().then(() => rm(folder, { recursive: true }));
}

async function startServe(site: SiteFolder, port: number): Promise<Stop> {
  const { server } = await serve({ ...site, port });
  return () => new Promise((resolve) => server.close(resolve));
}

/** Two hosts: nginx sends CONFIG without a validator, and the handler that `serve` runs sends an ETag. */
const HOSTS = { nginx: startNginx, 'a host that runs code': startServe };

if (NGINX === undefined) reportMissing('nginx');
else
  describeInChromium('the first paint of a page with the stylesheet of CONFIG', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch(['--host-resolver-rules=MAP *.example.org 127.0.0.1']);
    });
    afterAll(() => browser.close());

    describe.each(Object.entries(HOSTS))('on %s', (_, start) => {
      let site: SiteFolder;
      let stop: Stop;
      let pages: Listening;

      beforeAll(async () => {
        const port = await freePort();
        const url = `http://themes.example.org:${port}`;
        // base_url must be https, except on localhost.
        const settings = { base_url: `http://localhost:${port}`, identity: [{ user: { cookie: 'uid' } }] };
        site = await makeSite({
          site: settings,
          themes: Object.fromEntries(
            Object.entries(COLOURS).map(([slug, colour]) => [
              slug,
              {
                fields: { palette_preview: Array.from({ length: 9 }, () => colour), logo_height: 120 },
                images: { 'logo.svg': squareSvg(240, 120) },
              },
            ]),
          ),
          users: USERS,
        });
        const origin = { listen: `127.0.0.1:${port}`, document_root: site.outDir };
        await writeFile(
          path.join(site.themesDir, 'site.yaml'),
          JSON.stringify({ ...settings, edge: ['nginx'], origin }),
        );
        expect((await build(site)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        stop = await start(site, port);
        // The policy must allow the service in style-src and its images in img-src.
        const policy = `default-src 'none'; style-src ${url} 'unsafe-inline'; img-src 'self' http://localhost:${port}`;
        pages = await listening((request, response) => {
          if (request.url === '/logo.svg')
            return void response.setHeader('Content-Type', 'image/svg+xml').end(squareSvg(40, 40));
          response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy });
          response.end(page(`${url}/api/v2/theme/config/?format=css`));
        });
      });
      afterAll(async () => {
        await pages.stop();
        await stop();
        await removeSite(site);
      });
      /** Opens the page in a new tab. @returns the colours of all painted frames, and the layout shift */
      async function visit(context: BrowserContext): Promise<{ colours: Set<string>; shift: number }> {
        const tab = await context.newPage();
        const session = await context.newCDPSession(tab);
        const frames: Promise<string>[] = [];
        session.on('Page.screencastFrame', ({ data, sessionId }) => {
          frames.push(colourOf(Buffer.from(data, 'base64')));
          void session.send('Page.screencastFrameAck', { sessionId });
        });
        await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
        let requests = 0;
        tab.on('request', (request) => (requests += Number(request.url().includes('format=css'))));
        // This origin differs from the service, but belongs to the same site.
        await tab.goto(`http://app.example.org:${pages.port}/`);
        expect(requests).toBe(1);
        const last = await colourOf(await tab.screenshot());
        const shift = await layoutShift(tab);
        await session.send('Page.stopScreencast');
        await tab.close();
        expect(frames.length).toBeGreaterThan(0);
        return { colours: new Set([...(await Promise.all(frames)), last]), shift };
      }

      it('shows only the theme of the current user, without layout shift, even after another user or log-out', async () => {
        const context = await browser.newContext({ viewport: { width: 300, height: 300 } });
        for (const [user, theme] of [...USERS.slice(0, 1), ...USERS, ['', 'harbor']] as const) {
          await context.clearCookies();
          await context.addCookies([{ name: 'uid', value: user, domain: 'themes.example.org', path: '/' }]);
          const { colours, shift } = await visit(context);
          for (const colour of BLANK) colours.delete(colour);
          expect([user, [...colours], shift]).toEqual([user, [COLOURS[theme]], 0]);
        }
        await context.close();
      });
    });
  });

/** Returns the background colour of a screenshot, from a pixel near its bottom right corner. */
async function colourOf(png: Buffer): Promise<string> {
  const image = sharp(png).removeAlpha();
  const { width, height } = await image.metadata();
  const pixel = await image
    .extract({ left: width - 4, top: height - 4, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return `#${pixel.toString('hex')}`;
}

/** Returns the sum of all layout shifts of a page (https://wicg.github.io/layout-instability/). */
function layoutShift(tab: Page): Promise<number> {
  return tab.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);
}

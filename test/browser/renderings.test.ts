import { mkdtemp, rm } from 'node:fs/promises';
import { request as forward, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve, type Serving } from '../../src/compiler/serve/serve.ts';
import { build } from '../../src/index.ts';
import { type Listening, listening } from '../listening.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { CHROMIUM, describeInChromium, FLAGS } from './chromium.ts';

const CONFIG = '/api/v2/theme/config/';

/** Returns a square image. */
const icon = (colour: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4" fill="${colour}"/></svg>`,
  );
const wordmark = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 100"><path d="M0 0h420v100H0z" fill="#124"/></svg>',
);

describeInChromium('the icon and the web app manifest of a page', () => {
  let site: SiteFolder;
  let serving: Serving;
  let pages: Listening;
  let profiles: string;

  beforeAll(async () => {
    const theme = (name: string, colour: string) => ({
      fields: { name, favicon: 'favicon.svg', logo: 'wordmark.svg' },
      images: { 'favicon.svg': icon(colour), 'wordmark.svg': wordmark },
    });
    pages = await listening((request, response) => respond(request, response));
    site = await makeSite({
      site: { base_url: `http://localhost:${pages.port}`, web_app: { start_url: '/' } },
      themes: { harbor: theme('Harbor', '#c00'), meadow: theme('Meadow', '#080') },
      users: [
        ['ann', 'harbor'],
        ['tom', 'meadow'],
      ],
    });
    const result = await build(site);
    expect(result.diagnostics).toEqual([]);
    serving = await serve({ outDir: site.outDir, edgeOutDir: site.edgeOutDir, port: 0 });
    profiles = await mkdtemp(path.join(tmpdir(), 'themecast-profile-'));
  });
  afterAll(async () => {
    serving.server.closeAllConnections();
    serving.server.close();
    await pages.stop();
    await removeSite(site);
    await rm(profiles, { recursive: true, force: true });
  });

  /** Responds with a page of the community, or forwards a request to the theme service. */
  const respond: RequestListener = (request, response) => {
    const { url = '/', headers } = request;
    const cookie = headers.cookie ?? '';
    if (!/^\/(?:api|media)\//.test(url)) {
      response.setHeader('Content-Type', 'text/html');
      const user = /uid=(\w+)/.exec(cookie)?.[1] ?? '';
      response.end(`<!doctype html><title>Page</title><link rel="stylesheet" href="${CONFIG}?format=css">
<link rel="icon" href="${CONFIG}?format=icon&amp;for=${user}">
<link rel="manifest" href="${CONFIG}?format=webmanifest" crossorigin="use-credentials">
<style>header { display: flex } img { content: var(--theme-logo); height: 40px; aspect-ratio: var(--theme-logo-ratio) }</style>
<header><img src="data:," alt=""><h1>Community</h1></header>`);
      return;
    }
    const { port } = new URL(serving.url);
    const upstream = forward({ host: '127.0.0.1', port, path: url, method: request.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    request.pipe(upstream);
  };

  /** Runs a browser with a persistent profile, which survives restarts. */
  async function inBrowser<T>(use: (context: BrowserContext) => Promise<T>, name = 'default'): Promise<T> {
    const folder = path.join(profiles, name);
    const context = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: FLAGS });
    try {
      return await use(context);
    } finally {
      await context.close();
    }
  }

  async function visit(context: BrowserContext, target: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`http://localhost:${pages.port}${target}`);
    return page;
  }

  const logIn = (context: BrowserContext, user: string): Promise<void> =>
    context.addCookies([
      { name: 'uid', value: user, url: `http://localhost:${pages.port}`, expires: Math.ceil(Date.now() / 1000) + 3600 },
    ]);

  it("form an app that Chromium can install, with the name and icon of each user's theme", async () => {
    for (const [user, name, slug] of [
      ['ann', 'Harbor', 'harbor'],
      ['tom', 'Meadow', 'meadow'],
    ] as const) {
      const { installabilityErrors, data, errors } = await inBrowser(async (context) => {
        await logIn(context, user);
        const session = await context.newCDPSession(await visit(context, '/'));
        return {
          ...(await session.send('Page.getInstallabilityErrors')),
          ...(await session.send('Page.getAppManifest')),
        };
      });
      expect({ user, installabilityErrors, errors }).toEqual({ user, installabilityErrors: [], errors: [] });
      const manifest = JSON.parse(data ?? '') as { id: string; name: string; icons: { src: string; sizes: string }[] };
      expect(manifest).toMatchObject({ id: '/', name });
      expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
      expect(manifest.icons.every(({ src }) => src.includes(`/media/${slug}/`))).toBe(true);
    }
  });
});

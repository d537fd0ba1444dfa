import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve, type Serving } from '../../src/compiler/serve/serve.ts';
import { build } from '../../src/index.ts';
import { freePort } from '../hosts/process.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { CHROMIUM, describeInChromium, FLAGS } from './chromium.ts';

const CONFIG = '/api/v2/theme/config/';
const PAGE = `<!doctype html><title>Page</title><link rel="stylesheet" href="${CONFIG}?format=css">
<link rel="icon" href="${CONFIG}?format=icon">
<link rel="manifest" href="${CONFIG}?format=webmanifest" crossorigin="use-credentials"><h1>Community</h1>`;

/** Returns a square image. */
const icon = (colour: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4" fill="${colour}"/></svg>`,
  );

describeInChromium('the icon and the web app manifest of a page', () => {
  let site: SiteFolder;
  let serving: Serving;
  let origin: string;
  let profiles: string;

  beforeAll(async () => {
    const theme = (name: string, colour: string) => ({
      fields: { name, favicon: 'favicon.svg' },
      images: { 'favicon.svg': icon(colour) },
    });
    const port = await freePort();
    origin = `http://localhost:${port}`;
    site = await makeSite({
      site: { base_url: origin, web_app: { start_url: '/page' } },
      themes: { harbor: theme('Harbor', '#c00'), meadow: theme('Meadow', '#080') },
      users: [
        ['ann', 'harbor'],
        ['tom', 'meadow'],
      ],
    });
    expect((await build(site)).diagnostics).toEqual([]);
    serving = await serve({ outDir: site.outDir, edgeOutDir: site.edgeOutDir, port });
    profiles = await mkdtemp(path.join(tmpdir(), 'themecast-profile-'));
  });
  afterAll(async () => {
    serving.server.closeAllConnections();
    serving.server.close();
    await removeSite(site);
    await rm(profiles, { recursive: true, force: true });
  });

  it("form an app that Chromium can install, with the name and icon of each user's theme", async () => {
    for (const [user, name, slug] of [
      ['ann', 'Harbor', 'harbor'],
      ['tom', 'Meadow', 'meadow'],
    ] as const) {
      // Apps are not installable in a private context.
      const context = await chromium.launchPersistentContext(path.join(profiles, user), {
        executablePath: CHROMIUM,
        args: FLAGS,
      });
      await context.addCookies([{ name: 'uid', value: user, url: origin }]);
      const page = await context.newPage();
      await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
      await page.goto(`${origin}/page`);
      const session = await context.newCDPSession(page);
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      const { data, errors } = await session.send('Page.getAppManifest');
      await context.close();
      expect({ user, installabilityErrors, errors }).toEqual({ user, installabilityErrors: [], errors: [] });
      const manifest = JSON.parse(data ?? '') as { id: string; name: string; icons: { src: string; sizes: string }[] };
      expect(manifest).toMatchObject({ id: '/page', name });
      expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
      expect(manifest.icons.every(({ src }) => src.includes(`/media/${slug}/`))).toBe(true);
    }
  });
});

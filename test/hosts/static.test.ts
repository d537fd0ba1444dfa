import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { staticFiles } from '../../src/hosts/static/index.ts';
import { parseWrangler } from './cloudflare-process.ts';
import { type Host, serving } from './contract.ts';
import { send } from './contract/send.ts';
import { staticContract } from './contract/static.ts';
import { onPlatforms } from '../platforms.ts';
import { install } from './install.ts';
import type { PublishedSite } from './site.ts';

onPlatforms('a static folder on Cloudflare', () => {
  describe.each([
    ['at the root', ''],
    ['below a path', '/my.community'],
  ])('Cloudflare without a Worker, %s', (_, base) => {
    const vary = { list: 'Accept', config: 'Accept, Cookie' };
    const running = serving(startAssets, { base_url: `https://example.org${base}` }, { base, vary });

    staticContract(running);

    it('hides _headers and _redirects', async () => {
      for (const path of ['/_headers', '/_redirects', `${base}/_headers`])
        expect((await send(running().port, { path })).status).toBe(404);
    });

    it('forbids scripts in the browsable pages', async () => {
      for (const path of ['/api/v2/theme/browse.html', '/api/v2/theme/config/meadow.html']) {
        const { status, headers } = await send(running().port, { path });
        expect(status).toBe(200);
        expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src 'self' /);
      }
    });
  });
});

/** Serves the published folder as wrangler deploys it. */
async function startAssets(site: PublishedSite): Promise<Host> {
  const { files, folder } = await install('static', staticFiles, site);
  // The README says to copy these files.
  for (const name of ['_headers', '_redirects']) await copyFile(path.join(folder, name), path.join(site.dist, name));
  const { compatibility_date, assets } = parseWrangler(files.get('wrangler.jsonc') ?? '');
  const { html_handling, not_found_handling } = assets;
  const { Miniflare } = await import('miniflare');
  const server = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    modules: true,
    // Miniflare requires a script, but the router never calls it.
    script: 'export default { fetch: () => new Response(null, { status: 500 }) }',
    compatibilityDate: compatibility_date,
    assets: {
      directory: site.dist,
      routerConfig: { has_user_worker: false },
      assetConfig: { html_handling, not_found_handling },
    },
  });
  const { port } = await server.ready;
  return { port: Number(port), stop: () => server.dispose() };
}

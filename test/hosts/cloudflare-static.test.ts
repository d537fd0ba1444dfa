import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudflareStatic } from '../../src/hosts/cloudflare-static/index.ts';
import { parseWrangler } from './cloudflare-process.ts';
import type { Host } from './contract.ts';
import type { Running } from './contract/expected.ts';
import { REDIRECTS } from './contract/redirects.ts';
import { send, sendAll } from './contract/send.ts';
import { staticContract } from './contract/static.ts';
import { install } from './install.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

describe.each([
  ['at the root', ''],
  ['below a path', '/my.community'],
])('Cloudflare without a Worker, %s', (_, base) => {
  let host: (Running & Host) | undefined;
  beforeAll(async () => {
    const site = await publishSite({ base_url: `https://example.org${base}`, redirects: REDIRECTS });
    host = { ...(await startAssets(site)), site, base, vary: { list: 'Accept', config: 'Accept, Cookie' } };
  });
  afterAll(async () => {
    await host?.stop();
    if (host !== undefined) await removeSite(host.site);
  });
  const running = () => {
    if (host === undefined) throw new Error('The host has not started.');
    return host;
  };

  staticContract(running);

  it('redirects old paths of images for GET and HEAD, with any query', async () => {
    const { port } = running();
    const requests = Object.keys(REDIRECTS).flatMap((path) => [{ path: `${path}?v=1` }, { path, method: 'HEAD' }]);
    const answers = await sendAll(port, requests);
    const found = answers.map(({ status, headers: { location } }) => [status, location?.replace('?v=1', '')]);
    expect(found).toEqual(Object.values(REDIRECTS).flatMap((to) => [1, 2].map(() => [301, to])));
    expect((await send(port, { path: '/default-png' })).status).toBe(404);
  });

  it('hides its own two files', async () => {
    for (const path of ['/_headers', '/_redirects', `${base}/_headers`])
      expect((await send(running().port, { path })).status).toBe(404);
  });

  it('keeps scripts from the browsable pages', async () => {
    for (const path of ['/api/v2/theme/browse.html', '/api/v2/theme/config/meadow.html']) {
      const { status, headers } = await send(running().port, { path });
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src 'self' /);
    }
  });
});

describe('the adapter for Cloudflare without a Worker', () => {
  it('publishes no key', async () => {
    const { rules, mapping, ...site } = await publishSite();
    const files = cloudflareStatic.publicFiles?.({ rules, mapping, runtime: {}, report: () => undefined }) ?? [];
    expect(files.map(({ path }) => path)).toEqual(['_headers', '_redirects']);
    expect(JSON.stringify(files)).not.toMatch(/nancy|staff/);
    await removeSite({ rules, mapping, ...site });
  });
});

/** Runs the published folder as wrangler would deploy it. */
async function startAssets(site: PublishedSite): Promise<Host> {
  const { files } = await install('cloudflare-static', cloudflareStatic, site);
  const { compatibility_date, assets } = parseWrangler(files.get('wrangler.jsonc') ?? '');
  const { html_handling, not_found_handling } = assets;
  const server = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    modules: true,
    // Miniflare asks for one; the router never does.
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

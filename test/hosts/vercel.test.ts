import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { vercel, vercelJson } from '../../src/hosts/vercel/index.ts';
import { onPlatforms } from '../platforms.ts';
import { type Host, platformContractSuite } from './contract.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import { freePort, startServer } from './process.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

const PLATFORM = fileURLToPath(new URL('vercel-platform.js', import.meta.url));

/** Runs the middleware in edge-runtime, the runtime of Vercel. */
async function startVercel(site: PublishedSite): Promise<Host> {
  const { folder } = await install('vercel', vercel, site);
  const elsewhere = path.join(site.folder, 'elsewhere.json');
  await writeFile(elsewhere, JSON.stringify({ [JWKS_URL]: { keys: JWKS } }));
  const port = await freePort();
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  const args = [...flags, PLATFORM, folder, site.dist, elsewhere, String(port)];
  return startServer({ command: process.execPath, args, port, env: site.secrets });
}

interface Route {
  handle?: string;
  src?: string;
  headers?: Record<string, string>;
}

const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const IMAGE_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
};

onPlatforms('the Vercel middleware', () => {
  platformContractSuite('a Vercel middleware in edge-runtime', startVercel, { ...vercel.capabilities, media: false });
});

it('sets the headers of images for existing files only', async () => {
  const site = await publishSite({ base_url: 'https://example.org/my.community' });
  await removeSite(site);
  const { routes } = vercelJson(site.rules) as { routes: Route[] };
  const hit = routes.findIndex(({ handle }) => handle === 'hit');
  expect(routes.slice(0, hit)).toEqual([
    { src: String.raw`^/my\.community/media/(.*)$`, dest: '/media/$1' },
    { handle: 'filesystem' },
  ]);
  const headersOf = (path: string) =>
    Object.assign(
      {},
      ...routes.slice(hit).map(({ src, headers }) => (new RegExp(src ?? '$.').test(path) ? headers : {})),
    ) as object;
  for (const base of ['', '/my.community']) {
    expect(headersOf(`${base}/media/harbor/logo.svg`)).toEqual({
      ...IMAGE_HEADERS,
      'Content-Security-Policy': SVG_POLICY,
    });
    expect(headersOf(`${base}/media/harbor/logo.png`)).toEqual(IMAGE_HEADERS);
    expect(headersOf(`${base}/api/v2/theme/config/harbor.json`)).toEqual({});
  }
  expect(headersOf('/myXcommunity/media/harbor/logo.png')).toEqual({});
});

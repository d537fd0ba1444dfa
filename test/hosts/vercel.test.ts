import { describe, expect, it } from 'vitest';
import { vercel, vercelJson } from '../../src/hosts/vercel/index.ts';
import { onPlatforms } from '../platforms.ts';
import { platformContractSuite } from './contract.ts';
import { itHidesFiles } from './own-paths.ts';
import { publishSite, removeSite } from './site.ts';
import { startVercel } from './vercel-process.ts';

interface Route {
  handle?: string;
  src?: string;
  headers?: Record<string, string>;
}

const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const KEPT = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
};

onPlatforms('the Vercel middleware', () => {
  platformContractSuite('a Vercel middleware in edge-runtime', startVercel, { ...vercel.capabilities, media: false });

  describe('a Vercel middleware in edge-runtime', () => {
    itHidesFiles(startVercel);
  });
});

describe('the Vercel adapter', () => {
  it('has Vercel send the headers of the pictures, and only where there is a file', async () => {
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
      expect(headersOf(`${base}/media/harbor/logo.svg`)).toEqual({ ...KEPT, 'Content-Security-Policy': SVG_POLICY });
      expect(headersOf(`${base}/media/harbor/logo.png`)).toEqual(KEPT);
      expect(headersOf(`${base}/api/v2/theme/config/harbor.json`)).toEqual({});
    }
    expect(headersOf('/myXcommunity/media/harbor/logo.png')).toEqual({});
  });
});

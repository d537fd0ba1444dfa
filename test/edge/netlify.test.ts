import { beforeAll, describe, expect, it } from 'vitest';
import redirector from 'netlify-redirector';
import { netlify } from '../../src/edge/netlify.ts';
import { redirectsFile, siteHeaders } from '../../src/edge/netlify/rules.ts';
import type { EdgeRules } from '../../src/mapping/edge-rules.ts';
import { contractSuite, keyedContractSuite } from './contract.ts';
import { sendAll } from './contract/send.ts';
import { compressedSize } from './longest-keys.ts';
import { DENO, startNetlify } from './netlify-process.ts';
import { itHidesFiles } from './own-paths.ts';
import { reportMissing } from './process.ts';
import { publishSite, removeSite, THEMES } from './site.ts';

if (DENO === undefined) reportMissing('Deno');
else {
  contractSuite('a Netlify edge function under Deno', startNetlify, { ...netlify.capabilities, media: 'files' });
  keyedContractSuite('a Netlify edge function under Deno', startNetlify, { ...netlify.capabilities, media: 'files' });
  describe('a Netlify edge function under Deno', () => {
    itHidesFiles(startNetlify);

    it('has no picture without its headers, whatever the path that leads to it', async () => {
      const site = await publishSite({ base_url: 'https://example.org/community' });
      const host = await startNetlify(site);
      const paths = ['', '/community'].map((base) => ({ path: `${base}/media/harbor/logo.3f2a9c01.svg` }));
      const answers = await sendAll(host.port, paths);
      await host.stop();
      await removeSite(site);
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers['content-security-policy']).toMatch(/sandbox$/);
      }
    });
  });
}

const CONFIG = '/my.community/api/v2/theme/config/';
const LIST = '/my.community/api/v2/theme/';

/** A request, its cookies, and the file that it is rewritten to. */
const REWRITES: readonly (readonly [
  path: string,
  query: string,
  cookies: readonly string[],
  file: string | undefined,
])[] = [
  [LIST, '', [], '/api/v2/theme/index.json'],
  [LIST, 'format=json', [], '/api/v2/theme/index.json'],
  [LIST, 'format=api', [], '/api/v2/theme/browse.html'],
  [LIST, 'page=2&format=api', [], '/api/v2/theme/browse.html'],
  [LIST, '', ['look_meadow'], '/api/v2/theme/index.json'],
  [CONFIG, '', [], '/api/v2/theme/config/index.json'],
  [CONFIG, 'format=api', [], '/api/v2/theme/config/browse.html'],
  ...THEMES.flatMap((theme) => [
    [CONFIG, '', [`look_${theme}`], `/api/v2/theme/config/${theme}.json`] as const,
    [CONFIG, 'format=json', [`look_${theme}`], `/api/v2/theme/config/${theme}.json`] as const,
    [CONFIG, 'format=api', [`look_${theme}`], `/api/v2/theme/config/${theme}.html`] as const,
  ]),
  // Of several themes the first of the site wins; names count in full and in their case.
  [CONFIG, '', ['look_nightfall', 'look_meadow'], '/api/v2/theme/config/meadow.json'],
  [CONFIG, '', ['look_meadow2', 'xlook_meadow', 'LOOK_meadow', 'look', 'meadow'], '/api/v2/theme/config/index.json'],
  ['/my.community/media/harbor/a.png', '', [], '/media/harbor/a.png'],
  ['/elsewhere', '', ['look_meadow'], undefined],
];

describe("the rules without code, in Netlify's matcher", () => {
  let rules: EdgeRules;
  let matcher: redirector.Matcher;
  beforeAll(async () => {
    const site = await publishSite({
      base_url: 'https://example.org/my.community',
      identity: [{ names: 'theme', credential: { from: 'cookie', name: 'look' } }],
    });
    await removeSite(site);
    rules = site.rules;
    matcher = await redirector.parsePlain(redirectsFile(rules), {});
  });

  it.each(REWRITES)('rewrites %s?%s with the cookies %j to %s', (path, query, cookies, file) => {
    const match = matcher.match({
      scheme: 'https',
      host: 'example.org',
      path,
      query,
      getHeader: () => '',
      getCookie: (name) => (cookies.includes(name) ? '1' : ''),
    });
    expect(match?.to).toBe(file);
    if (match !== null) expect(match.status).toBe(200);
  });

  it('have headers for the endpoints and their files, and no path twice', () => {
    const blocks = siteHeaders(rules).trim().split('\n\n');
    const [first = ''] = blocks;
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      LIST,
      '/api/v2/theme/index.json',
      '/api/v2/theme/browse.html',
      CONFIG,
      '/api/v2/theme/config/*',
      '/media/*',
      '/media/*.svg',
      '/my.community/media/*',
      '/my.community/media/*.svg',
    ]);
    expect(blocks[5]).not.toContain('Cache-Control');
    expect(blocks[6]).toContain("\n  Content-Security-Policy: default-src 'none';");
    expect(first).toContain('\n  Allow: GET, POST, HEAD, OPTIONS\n');
    expect(blocks[3]).toContain('\n  Vary: Accept, Cookie\n');
    expect(blocks[3]).toContain('\n  Cache-Control: private, no-cache');
    expect(blocks[3]).toContain('\n  Netlify-Vary: query=format,cookie=look_harbor|look_meadow|look_nightfall\n');
  });
});

describe('the Netlify adapter', () => {
  it('fits into 20 MB with as many of the longest keys as it declares', async () => {
    expect(await compressedSize(netlify)).toBeLessThan(20 * 1024 * 1024);
  });
});

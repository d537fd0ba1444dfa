import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudfront } from '../../src/hosts/cloudfront/index.ts';
import type { IdentityRule } from '../../src/core/edge-runtime/rules.ts';
import { cloudfrontFiles, loadFunction, startCloudfrontShim } from './cloudfront-shim.ts';
import { contractSuite, itHidesFiles } from './contract.ts';
import { REDIRECTS } from './contract/redirects.ts';
import { send } from './contract/send.ts';
import { itRejectsShortSecrets } from './server-settings.ts';
import { MEDIA, type PublishedSite, publishSite, removeSite } from './site.ts';

contractSuite('CloudFront, in a shim', startCloudfrontShim, { ...cloudfront.capabilities, media: false });
itHidesFiles(startCloudfrontShim);
itRejectsShortSecrets(startCloudfrontShim);

const BY_HOSTNAME: IdentityRule[] = [
  { names: 'theme', credential: { from: 'host', themes: { 'sea.example.org': 'meadow' } } },
  { names: 'group', credential: { from: 'host' } },
];
/** Rules that together need every feature of a function. */
const IDENTITY: IdentityRule[] = [
  {
    names: 'theme',
    credential: { from: 'jwt', cookie: 'session', claim: 'theme', key: { algorithm: 'HS256', env: 'TOKEN_SECRET' } },
  },
  {
    names: 'group',
    credential: { from: 'header', name: 'X-Group', secret: { header: 'X-Secret', env: 'PROXY_SECRET' } },
  },
  { names: 'user', credential: { from: 'cookie', name: 'uid' } },
];

describe('CloudFront', () => {
  let site: PublishedSite;
  let files: Map<string, string>;
  beforeAll(async () => {
    site = await publishSite({ identity: IDENTITY, cors: { allowed_origins: ['https://app.example.org'] } });
    files = cloudfrontFiles(site);
  });
  afterAll(() => removeSite(site));

  it('adds headers to every image of the bucket, and forbids caching of unexpected responses', () => {
    const viewerResponse = loadFunction(files.get('viewer-response.js') ?? '', undefined);
    for (const [name, type] of Object.entries(MEDIA)) {
      const request = { method: 'GET', uri: `/media/harbor/${name}`, headers: {} };
      const response = { statusCode: 200, headers: { 'content-type': { value: 'binary/octet-stream' } } };
      const { headers } = viewerResponse({ request, response }) as typeof response;
      const policy = { value: "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
      expect(headers).toEqual({
        'content-type': { value: type },
        'cache-control': { value: 'public, max-age=31536000, immutable' },
        'x-content-type-options': { value: 'nosniff' },
        'referrer-policy': { value: 'same-origin' },
        'access-control-allow-origin': { value: '*' },
        ...(type === 'image/svg+xml' ? { 'content-security-policy': policy } : {}),
      });
    }
    const request = { method: 'GET', uri: '/api/v2/theme/config/meadow.json', headers: {} };
    expect(viewerResponse({ request, response: { statusCode: 206, headers: {} } })).toMatchObject({
      headers: { 'cache-control': { value: 'no-store' } },
    });
  });

  it('uses only the JavaScript of cloudfront-js-2.0', () => {
    for (const name of ['viewer-request.js', 'viewer-response.js']) {
      const code = (files.get(name) ?? '')
        .replace(/^\s*\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
      expect(code).not.toMatch(/\.\.\.|\?\.|\?\?|\bof\b|\bclass\b|\b(?:const|let|var) *[[{]|(?<!= |return )\bawait\b/);
    }
  });

  it('has room for two origins, redirects and every kind of identity rule', async () => {
    const allowed_origins = Array.from({ length: 2 }, (_, index) => `https://app-${index}.example.org:8443`);
    const identity = [...BY_HOSTNAME, ...IDENTITY];
    const large = await publishSite({ identity, cors: { allowed_origins }, redirects: REDIRECTS });
    const code = cloudfrontFiles(large).get('viewer-request.js') ?? '';
    expect(code).toContain(`https://app-1.example.org:8443`);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10_000);
    const host = await startCloudfrontShim(large);
    const headers = { Cookie: 'uid=tom', Origin: 'https://app-1.example.org:8443' };
    for (const path of ['/api/v2/theme/config/', '/schema/openapi.json']) {
      const answer = await send(host.port, { path, headers });
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': headers.Origin } });
    }
    await host.stop();
    await removeSite(large);
  });

  it('rejects origins too large for a function, and redirects too large for the store', () => {
    const origins = (length: number) => Array.from({ length }, (_, index) => `https://app-${index}.example.org`);
    const withOrigins = (length: number) =>
      cloudfrontFiles({ ...site, rules: { ...site.rules, corsOrigins: origins(length) } });
    expect(withOrigins(20).size).toBe(3);
    expect(() => withOrigins(1000)).toThrow(
      /^viewer-request[.]js has \d{5} bytes, and CloudFront accepts functions of at most 10240: list fewer/,
    );
    const redirects = { '/old/logo.svg': `/${'x'.repeat(1024)}.svg` };
    expect(() => cloudfrontFiles({ ...site, rules: { ...site.rules, redirects } })).toThrow('at most 1,024 bytes');
  });
});

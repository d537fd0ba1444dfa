import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assignment, usersOf } from '../sample-users.ts';
import { edgeOutput } from '../../src/hosts/edge-output.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { cloudfront } from '../../src/hosts/cloudfront/index.ts';
import { negotiated } from './contract/accept-matrix.ts';
import { CONFIG } from './contract/expected.ts';
import type { IdentityRule } from '../../src/edge-runtime/rules.ts';
import { NJS, startNjs } from './cloudfront-njs.ts';
import { cloudfrontFiles, loadFunction, startCloudfrontShim } from './cloudfront-shim.ts';
import { contractSuite, type Host } from './contract.ts';
import { ACCEPT_CASES, QUERY_CASES } from './contract/cases.ts';
import { REDIRECTS } from './contract/redirects.ts';
import { describeRequest, type Request, send, sendAll } from './contract/send.ts';
import { itHidesFiles } from './own-paths.ts';
import { reportMissing } from './process.ts';
import { MEDIA, type PublishedSite, publishSite, removeSite, SECRETS, templates } from './site.ts';

contractSuite('CloudFront, in a shim', startCloudfrontShim, { ...cloudfront.capabilities, media: false });
itHidesFiles(startCloudfrontShim);

const BY_HOSTNAME: IdentityRule[] = [
  { names: 'theme', credential: { from: 'host', themes: { 'sea.example.org': 'meadow' } } },
  { names: 'group', credential: { from: 'host' } },
];
/** Rules that use all features of a function. */
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

  it('adds the headers of every image in a bucket, in a simulation', () => {
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
  });

  it('forbids caching of unexpected responses, in a simulation', () => {
    const viewerResponse = loadFunction(files.get('viewer-response.js') ?? '', undefined);
    const request = { method: 'GET', uri: '/api/v2/theme/config/meadow.json', headers: {} };
    const { headers } = viewerResponse({ request, response: { statusCode: 206, headers: {} } }) as {
      headers: Record<string, unknown>;
    };
    expect(headers['cache-control']).toEqual({ value: 'no-store' });
  });

  it('keeps to the JavaScript of cloudfront-js-2.0', () => {
    for (const name of ['viewer-request.js', 'viewer-response.js']) {
      const code = (files.get(name) ?? '')
        .replace(/^\s*\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
      expect(code).not.toMatch(/\.\.\.|\?\.|\?\?|\bof\b|\bclass\b|\b(?:const|let|var) *[[{]|(?<!= |return )\bawait\b/);
    }
  });

  it('fits two origins, redirects and all kinds of identity into a function', async () => {
    const allowed_origins = Array.from({ length: 2 }, (_, index) => `https://app-${index}.example.org:8443`);
    const identity = [...BY_HOSTNAME, ...IDENTITY];
    const large = await publishSite({ identity, cors: { allowed_origins }, redirects: REDIRECTS });
    const code = cloudfrontFiles(large).get('viewer-request.js') ?? '';
    expect(code).toContain(`https://app-1.example.org:8443`);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(10_240);
    const host = await startCloudfrontShim(large);
    const headers = { Cookie: 'uid=tom', Origin: 'https://app-1.example.org:8443' };
    for (const path of ['/api/v2/theme/config/', '/schema/openapi.json']) {
      const answer = await send(host.port, { path, headers });
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': headers.Origin } });
    }
    await host.stop();
    await removeSite(large);
  });

  it('rejects origins that do not fit into a function', async () => {
    const origins = (length: number) => Array.from({ length }, (_, index) => `https://app-${index}.example.org`);
    const withOrigins = (length: number) =>
      cloudfrontFiles({ ...site, rules: { ...site.rules, corsOrigins: origins(length) } });
    expect(withOrigins(20).size).toBe(3);
    expect(() => withOrigins(1000)).toThrow(
      /^viewer-request[.]js has \d{5} bytes, and CloudFront accepts functions of at most 10240: list fewer/,
    );
  });

  it('reports users beyond 5 MB', async () => {
    const assignments = Array.from({ length: 40_000 }, (_, index): Assignment => ({
      kind: 'user',
      key: String(index).padStart(128, 'k'),
      theme: 'meadow',
    }));
    const { assigned, mapping } = await usersOf(assignments, { meadow: 1 });
    const diagnostics = new Diagnostics();
    const input = {
      rules: site.rules,
      mapping,
      runtime: {},
      templates,
      report: diagnostics.report,
    };
    const place = { file: 'themes/site.yaml' };
    await edgeOutput(['cloudfront'], input, assigned, { edge: place, identity: () => place });
    expect(diagnostics.sorted.map(({ code, message }) => [code, message])).toEqual([
      [
        'edge/too-many-users',
        'CloudFront holds at most 30,863 keys (5 MB in a key value store), but the site maps 40,000 keys.',
      ],
    ]);
  });
});

if (NJS === undefined) reportMissing('The njs module of nginx');
else {
  describe('the viewer-request function for CloudFront, in njs', () => {
    let site: PublishedSite;
    let host: Host;
    beforeAll(async () => {
      site = await publishSite({
        identity: IDENTITY,
        cors: { allowed_origins: ['https://app.example.org'] },
      });
      host = await startNjs(site, cloudfrontFiles(site));
    });
    afterAll(async () => {
      await host.stop();
      await removeSite(site);
    });

    it('negotiates exactly as the handler does', async () => {
      const requests = ACCEPT_CASES.flatMap(([accept]) =>
        QUERY_CASES.map(([query]) => ({
          path: `${CONFIG}${query}`,
          headers: accept === undefined ? {} : { Accept: accept },
        })),
      );
      const answers = await sendAll(host.port, requests);
      const words = {
        json: `${CONFIG}index.json`,
        html: `${CONFIG}browse.html`,
        css: `${CONFIG}index.css`,
        png: `${CONFIG}index.png`,
        webmanifest: `${CONFIG}index.webmanifest`,
        404: 404,
        406: 406,
      };
      for (const [index, { body }] of answers.entries()) {
        const request = requests[index] as (typeof requests)[number];
        const { uri, statusCode } = JSON.parse(body) as { uri?: string; statusCode?: number };
        const search = request.path.replace(/^[^?]*/, '');
        const expected = words[negotiated(search, request.headers.Accept ?? null)];
        expect(uri ?? statusCode, describeRequest(request)).toBe(expected);
      }
    });

    it('looks keys up, and trusts only headers with the secret', async () => {
      const secret = site.secrets['PROXY_SECRET'] ?? '';
      const cases: [Request['headers'], string][] = [
        [{}, 'index'],
        [{ Cookie: 'uid=tom' }, 'meadow'],
        [{ Cookie: 'uid=__proto__' }, 'index'],
        [{ 'X-Group': 'staff' }, 'index'],
        [{ 'X-Group': 'staff', 'X-Secret': secret }, 'nightfall'],
        [{ Cookie: `session=${token({ theme: 'meadow', exp: 4_000_000_000 })}` }, 'meadow'],
        [{ Cookie: `session=${token({ theme: 'meadow', exp: 1 })}` }, 'index'],
      ];
      for (const [headers = {}, file] of cases) {
        const { body } = await send(host.port, { path: '/api/v2/theme/config/', headers });
        expect(JSON.parse(body), JSON.stringify(headers)).toMatchObject({ uri: `/api/v2/theme/config/${file}.json` });
      }
    });

    it('handles other methods, redirects and errors itself', async () => {
      const status = async (method: string, path: string) =>
        (JSON.parse((await send(host.port, { method, path })).body) as { statusCode?: number }).statusCode;
      expect(await status('OPTIONS', '/api/v2/theme/')).toBe(200);
      expect(await status('POST', '/api/v2/theme/')).toBe(403);
      expect(await status('PUT', '/api/v2/theme/config/')).toBe(405);
      expect(await status('GET', '/api/v2/theme?x')).toBe(301);
      expect(await status('GET', '/media/../x.png')).toBe(404);
      expect(await status('GET', '/media/harbor/x.png')).toBeUndefined();
    });
  });
}

function token(claims: object): string {
  const parts = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', SECRETS.TOKEN_SECRET).update(parts.join('.')).digest('base64url');
  return [...parts, signature].join('.');
}

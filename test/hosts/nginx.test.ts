import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IdentityRule } from '../../src/core/edge-runtime/rules.ts';
import { nginx } from '../../src/hosts/nginx/index.ts';
import { briefContract, contractSuite, serving } from './contract.ts';
import { expectAnswers, expectedOf, NOT_FOUND } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { NGINX, NJS, startNginx } from './nginx-process.ts';
import { skip } from '../skip.ts';
import { missing, reportMissing } from './process.ts';
import { itRejectsShortSecrets, itSurvivesMissingFiles, itAcceptsLongestSettings } from './server-settings.ts';
import { publishSite, removeSite, textOf } from './site.ts';

const CAPABILITIES = {
  ...nginx.capabilities,
  identity: nginx.capabilities.identity.filter((source) => NJS !== undefined || source !== 'JWT (HS256)'),
  media: true,
};

/** A server that sets as much as possible for all its locations, and blocks some paths by regular expressions. */
const FOREIGN_SERVER = `
    include themecast/hash.conf;
    include themecast/maps.conf;
    types { text/foreign json html png svg; }
    default_type text/foreign;
    proxy_cache_path cache keys_zone=foreign:1m;
    proxy_cache foreign;
    proxy_cache_key foreign;
    proxy_cache_valid any 1d;
    proxy_intercept_errors on;
    proxy_set_header X-Foreign yes;
    server {
        listen 127.0.0.1:$PORT;
        root /nonexistent;
        add_header X-Foreign yes always;
        add_header Cache-Control foreign always;
        error_page 403 404 405 406 =200 /foreign;
        expires 1d;
        etag off;
        charset koi8-r;
        charset_types *;
        index index.json;
        autoindex on;
        location / { return 404 foreign; }
        location ~ \\.(?:json|html|png|svg)$ { return 418; }
        location ~ /config { return 418; }
        include themecast/locations.conf;
    }`;

/** A server with another location, and with a cache of open files that must not affect the rules. */
const SHARED_SERVER = `
    open_file_cache max=100;
    open_file_cache_valid 1h;
    include themecast/hash.conf;
    include themecast/maps.conf;
    server {
        listen 127.0.0.1:$PORT;
        include themecast/locations.conf;
        location = /elsewhere { return 200 elsewhere; }
    }`;

/** Paths that nginx normalises to an endpoint. The contract treats them as other paths. */
const OTHER_SPELLINGS = [
  ...'/api/v2/theme// /api/v2//theme/ //api/v2/theme/ /api/v2/./theme/ /api/v2/x/../theme/'.split(' '),
  ...'/api/v2/%74heme/ /api/v2/theme%2f /api/v2/theme/%2e /api/v2/theme/#x /api/v2/theme/config//'.split(' '),
  ...'/api/v2/theme//config/ /api/v2/theme/config%2f /api/v2/theme/confi%67/'.split(' '),
  ...'/api/v2/theme/config/.. /api/v2/theme/x/../config/ /api/v2//theme /api/v2/%74heme'.split(' '),
  ...'/api/v2/theme//config /api/v2/theme%2Fconfig /api/v2/theme/confi%67'.split(' '),
];

if (NGINX === undefined) {
  reportMissing('nginx');
} else {
  if (NJS === undefined) reportMissing('The njs module of nginx');
  describe('nginx, a dedicated server', () => void briefContract((site) => startNginx(site), nginx.capabilities));
  contractSuite('nginx, a shared server', (site) => startNginx(site, FOREIGN_SERVER), CAPABILITIES);

  describe.each([
    ['a dedicated server', undefined],
    ['a shared server', FOREIGN_SERVER],
  ])('nginx, %s', (_, http) => {
    // A percent-encoded path, whose hexadecimal digits may be in either case.
    const base = '/a.b/caf%C3%A9';
    const vary = { list: 'Accept', config: 'Accept, Cookie' };
    const settings = { base_url: `https://example.org${base}` };
    const running = serving((site) => startNginx(site, http), settings, { base, vary });

    it('returns 404 for another spelling of an endpoint', async () => {
      const paths = OTHER_SPELLINGS.map((path) => base + path);
      const requests = [...paths, `/${base}/api/v2/theme/`, '/a%2Eb/caf%C3%A9/api/v2/theme/config/'].flatMap((path) => [
        ...['GET', 'OPTIONS', 'POST'].map((method) => ({ method, path, headers: { Cookie: 'uid=tom' } })),
        { path: `${path}?${base}/api/v2/theme/` },
      ]);
      await expectAnswers(
        running(),
        requests.map((request) => [request, NOT_FOUND]),
      );
    });

    it('matches the raw path of an endpoint, with any query', async () => {
      const host = running();
      const json = { list: expectedOf(host, 'list', 'json'), config: expectedOf(host, 'config', 'json') };
      for (const query of ['', '?', '?//', '?%2e%2f/../', '?x#y', `?${'x'.repeat(4000)}`])
        await expectAnswers(host, [
          [{ path: `${base}/api/v2/theme/${query}` }, json.list],
          [{ path: `${base}/api/v2/theme/config/${query}` }, json.config],
          [{ path: `/a.b/caf%c3%a9/api/v2/theme/config/${query}` }, json.config],
          [{ path: `http://example.org${base}/api/v2/theme/config/${query}` }, json.config],
        ]);
    });
  });

  itAcceptsLongestSettings((site) => startNginx(site));
  itRejectsShortSecrets(
    (site) => startNginx(site),
    ['…', 'the secret, 32 to 512 characters of A–Z a–z 0–9 _ -', 'x'.repeat(31), '.*', 's'.repeat(513)],
  );

  it.for([{}, { TOKEN_SECRET: 'k'.repeat(31) }])(
    'trusts no token while the environment is %j',
    async (secrets, context) => {
      if (NJS === undefined) skip(context, missing('The njs module of nginx'));
      const key = { algorithm: 'HS256', env: 'TOKEN_SECRET' } as const;
      const byToken: IdentityRule = {
        names: 'user',
        credential: { from: 'jwt', cookie: undefined, claim: 'sub', key },
      };
      const site = { ...(await publishSite({ identity: [byToken] })), secrets };
      const host = await startNginx(site);
      const token = signedToken({ sub: 'tom', exp: Date.now() / 1000 + 60 }, Object.values(secrets)[0] ?? '');
      const headers = { Authorization: `Bearer ${token}` };
      const { status, body } = await send(host.port, { path: '/api/v2/theme/config/', headers });
      await host.stop();
      await removeSite(site);
      expect({ status, body }).toEqual({ status: 200, body: textOf(site, 'api/v2/theme/config/harbor.json') });
    },
  );

  it('blocks direct requests to the login service', async () => {
    const credential = { from: 'auth_request', url: 'https://localhost:1', header: 'X-User' } as const;
    const site = await publishSite({ identity: [{ names: 'user', credential }] });
    const host = await startNginx(site);
    const answers = [];
    for (const suffix of ['', '/', '/ask', '/nobody']) {
      const path = `/api/v2/theme/answer/login${suffix}`;
      answers.push(await send(host.port, { path, headers: { Cookie: 'session=t0' } }));
    }
    await host.stop();
    await removeSite(site);
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: '{"detail":"Not found."}' });
  });

  describe('nginx', () => {
    const running = serving((site) => startNginx(site, SHARED_SERVER));

    it('does not affect other locations of a server', async () => {
      const answer = await send(running().port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: 'elsewhere' });
      expect(Object.keys(answer.headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'date',
        'server',
      ]);
    });

    itSurvivesMissingFiles(running);
  });
}

function signedToken(claims: object, secret: string): string {
  const signed = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${signed.join('.')}.${createHmac('sha256', secret).update(signed.join('.')).digest('base64url')}`;
}

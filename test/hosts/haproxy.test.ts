import { createHmac } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { useBackend } from '../../src/hosts/haproxy/frontend.ts';
import { quoteArgument, quoteFormat, mapLine, escapeRegExp, quote } from '../../src/hosts/haproxy/syntax.ts';
import { haproxy } from '../../src/hosts/haproxy/index.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';
import type { IdentityRule, TokenKey } from '../../src/edge-runtime/rules.ts';
import type { Site } from '../../src/theme/site.ts';
import { contractSuite } from './contract.ts';
import { expectNegotiatesAsHandler } from './contract/accept-matrix.ts';
import { CONFIG, ENDPOINTS, expectAnswers, expectedOf, LIST, type Running } from './contract/expected.ts';
import { expectThemes, type ThemeCase } from './contract/identity.ts';
import { send } from './contract/send.ts';
import { HAPROXY, type Proxied, type Sections, startHaproxy } from './haproxy-process.ts';
import { reportMissing } from './process.ts';
import { contentOf, type PublishedSite, publishSite, removeSite, SECRETS, textOf } from './site.ts';

const CAPABILITIES = { ...haproxy.capabilities, media: true };

/** What HAProxy could take for its own: escapes, quotes, comments, variables, formats, ends of an argument. */
const AWKWARD = String.raw`\t \\ \" "two" 'three' \' # $HOME ${'${HOME}'} %HM %[src] a,b) (c é`;

/** A configuration that has set everything it can for all of its sections, and believes what a client says of its address. */
const FOREIGN = (site: PublishedSite): Sections => `
defaults
    mode http
    timeout connect 1s
    timeout client 10s
    timeout server 10s
    default-server ssl verify none
    http-error status 404 content-type text/foreign string foreign
    http-error status 503 content-type text/foreign string foreign
frontend other
    bind 127.0.0.1:$PORT
    http-request set-src hdr(X-Forwarded-For)
    http-request set-var(txn.theme) str(nightfall)
    http-response set-header Cache-Control foreign
    ${useBackend(site.rules)}
    default_backend elsewhere
backend elsewhere
    http-request set-var(txn.argument) ${quote(`str(${quoteArgument(AWKWARD)})`)}
    http-request return status 200 content-type text/plain string elsewhere if { path /elsewhere }
    http-request return status 200 content-type text/plain string ${quote(AWKWARD)} if { path /word }
    http-request return status 200 content-type text/plain lf-string ${quoteFormat(AWKWARD)} if { path /format }
    http-request return status 200 content-type text/plain lf-string %[var(txn.argument)] if { path /argument }
    http-request return status 404 content-type text/plain string elsewhere
`;

if (HAPROXY === undefined) {
  reportMissing('HAProxy');
} else {
  contractSuite('HAProxy, a frontend of its own', (site) => startHaproxy(site), CAPABILITIES);
  contractSuite(
    'HAProxy, a frontend that does other things too',
    (site) => startHaproxy(site, FOREIGN(site)),
    CAPABILITIES,
  );

  it('takes the longest settings without a warning, and sends long pages with them', async () => {
    const proxies = Array.from({ length: 64 }, (_, index) => `2001:db8:${index}::/48`);
    const name = `X-${'a'.repeat(62)}`;
    const rule: IdentityRule = { names: 'user', credential: { from: 'header', name, proxies } };
    const last: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'c'.repeat(64) } };
    const site = await publishSite({
      base_url: 'http://[::1]:8080/a/b',
      identity: [...Array.from({ length: 7 }, () => rule), last],
      cors: { allowed_origins: Array.from({ length: 50 }, (_, index) => `https://app-${index}.example.org:8443`) },
      allowed_hosts: Array.from({ length: 50 }, (_, index) => `${index}.${'x'.repeat(180)}.example`),
    });
    await writeFile(path.join(site.dist, LIST, 'browse.html'), 'x'.repeat(400_000));
    const host = await startHaproxy(site);
    const { status, body } = await send(host.port, {
      path: '/a/b/api/v2/theme/?format=api',
      headers: { Origin: 'https://app-49.example.org:8443' },
    });
    await host.stop();
    await removeSite(site);
    expect([status, body.length]).toEqual([200, 400_000]);
  });

  describe('HAProxy', () => {
    const vary = { list: 'Accept', config: 'Accept, Cookie' };
    const running = serve({}, vary, {}, { stale: 'gone' });

    it('negotiates exactly as the handler does', () => {
      const { port, site } = running();
      return expectNegotiatesAsHandler(port, LIST, {
        json: textOf(site, `${LIST.slice(1)}index.json`),
        html: textOf(site, `${LIST.slice(1)}browse.html`),
        not_found: site.rules.refusals.notFound,
        not_acceptable: site.rules.refusals.notAcceptable,
      });
    });

    it('reads the query from its first question mark on', async () => {
      const path = `${LIST}?a?format=api`;
      await expectAnswers(running(), [[{ path }, expectedOf(running(), 'list', 'json')]]);
    });

    it.each(['PROPFIND', 'TRACE', "A!#$&'*+.^`|~9"])('names the method %s in its refusal', async (method) => {
      const { status, body } = await send(running().port, { method, path: CONFIG });
      expect({ status, detail: JSON.parse(body) }).toEqual({
        status: 405,
        detail: { detail: `Method "${method}" not allowed.` },
      });
    });

    it('reads Accept from any of several header lines', async () => {
      const headers = { Accept: ['image/png', 'text/html'] };
      await expectAnswers(running(), [[{ path: LIST, headers }, expectedOf(running(), 'list', 'html')]]);
    });

    it.each(['word', 'format', 'argument'])('takes quoted text for what it is, as a %s', async (place) => {
      expect((await send(running().port, { path: `/${place}` })).body).toBe(AWKWARD);
    });

    it('leaves the rest of a frontend alone', async () => {
      const answer = await send(running().port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: 'elsewhere' });
      expect(Object.keys(answer.headers).toSorted()).toEqual(['connection', 'content-length', 'content-type']);
    });

    it('tells the origin nothing of the requester', async () => {
      const { port, origin } = running();
      const headers = {
        Cookie: 'uid=tom',
        Authorization: 'Bearer x',
        'X-Proxy-Secret': 'x',
        Range: 'bytes=0-1',
        'If-None-Match': '"x"',
        'Accept-Encoding': 'gzip',
        Forwarded: 'for=192.0.2.1',
      };
      for (const [method, sent, reached, kept] of [
        ['GET', `${CONFIG}?uid=tom`, `${CONFIG}meadow.json`, []],
        ['OPTIONS', CONFIG, `${CONFIG}options.json`, []],
        ['GET', `${LIST}?uid=tom`, `${LIST}index.json`, ['if-none-match']],
        ['OPTIONS', LIST, `${LIST}options.json`, []],
        ['HEAD', '/media/harbor/logo.3f2a9c01.svg?uid=tom', '/media/harbor/logo.3f2a9c01.svg', ['if-none-match']],
      ] as const) {
        await send(port, { method, path: sent, headers });
        const seen = origin.seen.at(-1);
        expect([seen?.method, seen?.url]).toEqual([method === 'OPTIONS' ? 'GET' : method, reached]);
        expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual(['host', ...kept]);
      }
    });

    it('passes on of the origin only what is its to say', async () => {
      const { port } = running();
      const page = [
        'allow',
        'cache-control',
        'connection',
        'content-length',
        'content-type',
        'date',
        'referrer-policy',
      ];
      const own = [...page, 'vary', 'x-content-type-options', 'x-frame-options'];
      const config = await send(port, { path: CONFIG });
      expect(Object.keys(config.headers).toSorted()).toEqual(own);
      const list = await send(port, { path: LIST });
      expect(Object.keys(list.headers).toSorted()).toEqual([...own, 'etag', 'last-modified'].toSorted());
      const redirect = await send(port, { path: LIST.slice(0, -1) });
      expect(redirect.headers).not.toHaveProperty('cache-control');
    });

    it('takes a theme that is not among the slugs for none', () =>
      expectThemes(running(), [[{ Cookie: 'uid=stale' }, 'harbor']]));

    it.each([
      [500, 502, '{"detail":"Bad gateway."}'],
      [503, 502, '{"detail":"Bad gateway."}'],
      [403, 404, '{"detail":"Not found."}'],
      [301, 404, '{"detail":"Not found."}'],
      [206, 404, '{"detail":"Not found."}'],
      [412, 412, '{"detail":"Precondition failed."}'],
    ])('answers in its own words when the origin answers %i', async (given, status, body) => {
      const host = running();
      host.origin.fails = (response) =>
        response.writeHead(given, { 'Cache-Control': 'public', Location: '/' }).end('<h1>origin</h1>');
      const expected = { ...expectedOf(host, 'config', 404), status, body };
      await expectAnswers(host, [[{ path: CONFIG }, expected]]);
      host.origin.fails = (response) => response.destroy();
      await expectAnswers(host, [[{ path: CONFIG }, { ...expected, status: 502, body: '{"detail":"Bad gateway."}' }]]);
      host.origin.fails = undefined;
    });

    it('answers 404 while a theme of the rules is gone, and lets nobody keep that', async () => {
      const host = running();
      await rm(path.join(host.site.dist, CONFIG, 'nightfall.json'));
      const request = { path: CONFIG, headers: { Cookie: 'uid=nancy' } };
      await expectAnswers(host, [[request, expectedOf(host, 'config', 404)]]);
    });

    it('says itself that the origin is down', async () => {
      const host = running();
      await host.origin.stop();
      const exchanges = (['list', 'config'] as const).map((kind) => {
        const expected = { ...expectedOf(host, kind, 404), status: 503, body: '{"detail":"Service unavailable."}' };
        return [{ path: ENDPOINTS[kind] }, expected] as const;
      });
      await expectAnswers(host, exchanges);
    });
  });

  describe('HAProxy, by headers', () => {
    const proxies = ['2001:db8::/32', '127.0.0.1'];
    const vouched = (env: string): IdentityRule => ({
      names: 'user',
      credential: { from: 'header', name: 'X-Vouched', secret: { header: 'X-Secret', env } },
    });
    const running = serve(
      {
        identity: [
          { names: 'user', credential: { from: 'header', name: 'X-User', proxies } },
          ...['SHORT', 'MISSING', 'PROXY_SECRET'].map(vouched),
        ],
        cors: { allowed_origins: ['https://app.example.org'] },
      },
      { list: 'Accept, Origin', config: 'Accept, X-User, X-Vouched, X-Secret, Origin' },
      { SHORT: 's'.repeat(31) },
    );

    it('believes no header that comes more than once', async () => {
      const secret = SECRETS.PROXY_SECRET;
      await expectThemes(running(), [
        [{ 'X-User': 'tom' }, 'meadow'],
        [{ 'X-User': ['nancy', 'tom'] }, 'harbor'],
        [{ 'X-User': ['', 'tom'] }, 'harbor'],
        [{ 'X-Vouched': 'tom', 'X-Secret': secret }, 'meadow'],
        [{ 'X-Vouched': ['nancy', 'tom'], 'X-Secret': secret }, 'harbor'],
        [{ 'X-Vouched': 'tom', 'X-Secret': ['wrong', secret] }, 'harbor'],
        [{ 'X-Vouched': 'tom', 'X-Secret': [secret, 'wrong'] }, 'harbor'],
      ]);
      const Origin = ['https://app.example.org', 'https://evil.example'];
      const { headers } = await send(running().port, { path: CONFIG, headers: { Origin } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('takes a secret that is short or missing for none', () =>
      expectThemes(running(), [
        [{ 'X-Vouched': 'tom', 'X-Secret': 's'.repeat(31) }, 'harbor'],
        [{ 'X-Vouched': 'tom', 'X-Secret': '' }, 'harbor'],
        [{ 'X-Vouched': 'tom' }, 'harbor'],
      ]));
  });

  describe('HAProxy, by tokens', () => {
    const claim = 'https://example.org/user.id';
    const rule = (key: TokenKey): IdentityRule => ({
      names: 'user',
      credential: { from: 'jwt', cookie: undefined, claim, key },
    });
    const running = serve(
      { identity: [rule({ algorithm: 'HS256', env: 'SHORT' }), rule({ algorithm: 'HS256', env: 'TOKEN_SECRET' })] },
      { list: 'Accept', config: 'Accept, Authorization' },
      { SHORT: 's'.repeat(31) },
      { 7_777_777: 'meadow', 1: 'nightfall', true: 'nightfall' },
    );
    const exp = Math.floor(Date.now() / 1000) + 3600;

    it.each<[claims: object, header: object, theme: ThemeCase[1]]>([
      [{ exp, [claim]: 'tom' }, {}, 'meadow'],
      [{ exp: exp + 0.5, [claim]: 'tom' }, {}, 'meadow'],
      [{ exp, [claim]: 7_777_777 }, {}, 'meadow'],
      [{ exp, [claim]: true }, {}, 'harbor'],
      [{ exp, [claim]: 1.5 }, {}, 'harbor'],
      [{ exp, 'https://example': { 'org/user': { id: 'tom' } } }, {}, 'harbor'],
      [{ exp: `${exp}`, [claim]: 'tom' }, {}, 'harbor'],
      [{ exp: -1, [claim]: 'tom' }, {}, 'harbor'],
      [{ x: { exp }, exp: -1, [claim]: 'tom' }, {}, 'harbor'],
      [{ exp: true, [claim]: 'tom' }, {}, 'harbor'],
      [{ x: { exp }, [claim]: 'tom' }, {}, 'harbor'],
      [{ exp, nbf: 'now', [claim]: 'tom' }, {}, 'harbor'],
      [{ exp, nbf: null, [claim]: 'tom' }, {}, 'harbor'],
      [{ exp, [claim]: 'tom' }, { crit: ['x'] }, 'harbor'],
      [{ exp, [claim]: 'tom' }, { alg: undefined }, 'harbor'],
    ])('gives for the claims %j and the header %j the theme %s', (claims, header, theme) =>
      expectThemes(running(), [[bearer(claims, header, SECRETS.TOKEN_SECRET), theme]]),
    );

    it('finds a claim whose name is written with escaped slashes', () => {
      const payload = `{"https:\\/\\/example.org\\/user.id":"x~y\\/z:1","exp":${exp}}`;
      return expectThemes(running(), [[signedBearer('{"alg":"HS256"}', payload, SECRETS.TOKEN_SECRET), 'meadow']]);
    });

    it('takes no token that is signed with a short secret', () =>
      expectThemes(running(), [[bearer({ exp, [claim]: 'tom' }, {}, 's'.repeat(31)), 'harbor']]));
  });
}

/**
 * Publishes a site and serves it in the foreign configuration while the tests of the enclosing `describe` run.
 * @param users - keys beyond those of the site, with their themes
 */
function serve(
  settings: Partial<Site>,
  vary: Running['vary'],
  secrets: Readonly<Record<string, string>> = {},
  users: Readonly<Record<string, string>> = {},
): () => Running & Proxied {
  let host: (Running & Proxied) | undefined;
  beforeAll(async () => {
    const published = await publishSite({ ...settings, repository_url: 'https://git.example.org/themes' });
    const added = Object.entries(users).map(([key, theme]): Assignment => ({ kind: 'user', key, theme }));
    const assignments = [...published.assignments, ...added];
    const site = {
      ...published,
      assignments,
      mapping: await mappingOf(assignments),
      secrets: { ...published.secrets, ...secrets },
    };
    host = { ...(await startHaproxy(site, FOREIGN(site))), site, base: '', vary };
  });
  afterAll(async () => {
    await host?.stop();
    if (host !== undefined) await removeSite(host.site);
  });
  return () => {
    if (host === undefined) throw new Error('HAProxy has not started.');
    return host;
  };
}

function bearer(claims: object, header: object, secret: string): { Authorization: string } {
  return signedBearer(JSON.stringify({ alg: 'HS256', ...header }), JSON.stringify(claims), secret);
}

function signedBearer(header: string, payload: string, secret: string): { Authorization: string } {
  const signed = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return { Authorization: `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}` };
}

describe('the HAProxy adapter', () => {
  it.each([
    ['80', ['bind :80', 'bind :::80 v6only']],
    ['127.0.0.1:8080', ['bind 127.0.0.1:8080']],
  ])('listens to %s with IPv4 and IPv6, unless an address is given', async (listen, lines) => {
    const site = await publishSite();
    const rules = { ...site.rules, origin: { ...site.rules.origin, listen } };
    const files = haproxy.files({ rules, mapping: site.mapping, runtime: {}, report: new Diagnostics().report });
    const [text = ''] = files.filter(({ path: name }) => name === 'theme-service.cfg').map(contentOf);
    expect(text.match(/(?<=^ +)bind .*/gm)).toEqual(lines);
    await removeSite(site);
  });

  it('writes the same files for the same rules, and no secret', async () => {
    const site = await publishSite();
    const { rules, mapping } = site;
    const input = { rules, mapping, runtime: {}, report: new Diagnostics().report };
    expect(haproxy.files(input).map(contentOf)).toEqual(haproxy.files(input).map(contentOf));
    await removeSite(site);
  });

  it.each([
    () => quote('a\nb'),
    () => quote('\0'),
    () => escapeRegExp('a^b'),
    () => mapLine('two words', 'harbor'),
    () => mapLine('# comment', 'harbor'),
    () => mapLine('', 'harbor'),
    () => mapLine('tom', '../x'),
  ])('rejects what cannot be expressed for HAProxy: %s', (write) => {
    expect(write).toThrow('cannot be expressed for HAProxy');
  });
});

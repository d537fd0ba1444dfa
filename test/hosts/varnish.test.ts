import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { quote } from '../../src/hosts/varnish/syntax.ts';
import { escapeRegExp } from '../../src/hosts/regexp.ts';
import { varnish } from '../../src/hosts/varnish/index.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';
import type { IdentityRule } from '../../src/edge-runtime/rules.ts';
import { contractSuite } from './contract.ts';
import { expectNegotiatesAsHandler } from './contract/accept-matrix.ts';
import { CONFIG, expectAnswers, expectedOf, LIST, NOT_FOUND, type Running } from './contract/expected.ts';
import { expectThemes } from './contract/identity.ts';
import { send, sendAll } from './contract/send.ts';
import { reportMissing } from './process.ts';
import { type PublishedSite, publishSite, removeSite, textOf, THEMES, type Theme } from './site.ts';
import { type Accelerated, startVarnish, VARNISH } from './varnish-process.ts';

const CAPABILITIES = { ...varnish.capabilities, media: true };

/** What VCL could take for its own: escapes, quotes, the marks of strings, blocks, comments. */
const AWKWARD = String.raw`\t \n \\ \" "two" 'three' {"x" %22 $y; } # // /* é`;

/** Every character that a key may have, and all that a pattern could read into them. */
const ALPHABET = 'A.*+?Zaz09_@:|=/~-(x)[y]{2}^$';

/** VCL that spoils whatever reaches it, and shows what becomes of text. */
const FOREIGN_VCL = `
import std;
backend elsewhere { .host = "127.0.0.1"; .port = "9"; }
include "themecast/service.vcl";

sub vcl_recv {
    set req.backend_hint = elsewhere;
    std.collect(req.http.Accept);
    if (req.url == "/elsewhere") { return (synth(200)); }
    if (req.url == "/quoted") { return (synth(700)); }
    if (req.url == "/matched" && req.http.X-Text ~ ${quote(`^(?:${escapeRegExp(ALPHABET)})$`)}) { return (synth(200)); }
    return (synth(418));
}
sub vcl_hash { hash_data(now); }
sub vcl_backend_fetch { set bereq.url = "/foreign"; }
sub vcl_backend_response { set beresp.status = 418; }
sub vcl_deliver { set resp.http.Cache-Control = "foreign"; }
sub vcl_synth {
    if (resp.status == 700) {
        set resp.status = 200;
        synthetic(${quote(AWKWARD)});
    } else {
        synthetic("elsewhere");
    }
    return (deliver);
}`;

if (VARNISH === undefined) {
  reportMissing('Varnish');
} else {
  // Once: each of its settings takes gcc a second.
  contractSuite('Varnish', (site) => startVarnish(site, { vcl: FOREIGN_VCL }), CAPABILITIES);

  it('takes the longest settings, with nothing else to do', async () => {
    const proxies = Array.from({ length: 60 }, (_, index) => `10.${index}.0.1/16`);
    const rule: IdentityRule = {
      names: 'user',
      credential: {
        from: 'header',
        name: `X-${'a'.repeat(62)}`,
        proxies: [...proxies, '2001:db8::1/32', '::1', '0.0.0.0/0', '127.0.0.1'],
      },
    };
    const last: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'c'.repeat(64) } };
    const site = await publishSite({
      base_url: 'http://[::1]:8080/a/b',
      identity: [...Array.from({ length: 7 }, () => rule), last],
      cors: { allowed_origins: Array.from({ length: 50 }, (_, index) => `https://app-${index}.example.org:8443`) },
    });
    const host = await startVarnish(site);
    const headers = { [`X-${'a'.repeat(62)}`]: 'nobody', Cookie: `${'c'.repeat(64)}=tom` };
    const { body } = await send(host.port, { path: `/a/b${CONFIG}`, headers });
    const elsewhere = await sendAll(
      host.port,
      [CONFIG, `${CONFIG}meadow.json`, '/'].map((url) => ({ path: url })),
    );
    await host.stop();
    await removeSite(site);
    expect(body).toBe(textOf(site, `${CONFIG.slice(1)}meadow.json`));
    for (const answer of elsewhere)
      expect(answer).toMatchObject({ status: 404, body: NOT_FOUND.body, headers: NOT_FOUND.headers });
  });

  it('finds each of many keys', async () => {
    const themes = new Map(
      Array.from({ length: 5000 }, (_, index): [string, Theme] => {
        const key = `${index}.`.padEnd(index % 2 === 0 ? 128 : 8, '|+');
        return [key, THEMES[index % 3] ?? 'harbor'];
      }),
    );
    const assignments = [...themes].map(([key, theme]): Assignment => ({ kind: 'user', key, theme }));
    const site = { ...(await publishSite()), assignments, mapping: await mappingOf(assignments) };
    const host = await startVarnish(site);
    const asked = [...themes].filter((_, index) => index % 7 === 0 || index > 4990);
    const answers = await sendAll(
      host.port,
      asked.map(([key]) => ({ path: CONFIG, headers: { Cookie: `uid=${key}` } })),
    );
    await host.stop();
    await removeSite(site);
    expect(answers.map(({ body }) => body)).toEqual(
      asked.map(([, theme]) => textOf(site, `${CONFIG.slice(1)}${theme}.json`)),
    );
  });

  describe('Varnish', () => {
    const identity: IdentityRule[] = [
      { names: 'user', credential: { from: 'header', name: 'X-Remote-User', proxies: ['127.0.0.1'] } },
      { names: 'user', credential: { from: 'cookie', name: 'uid' } },
    ];
    const running = serve(identity, 'Accept, X-Remote-User, Cookie');

    it('negotiates exactly as the handler does', () => {
      const { port, site } = running();
      return expectNegotiatesAsHandler(port, LIST, {
        json: textOf(site, `${LIST.slice(1)}index.json`),
        html: textOf(site, `${LIST.slice(1)}browse.html`),
        not_found: site.rules.refusals.notFound,
        not_acceptable: site.rules.refusals.notAcceptable,
      });
    });

    it('keeps one object for each theme, whoever asks for it', async () => {
      const { port, origin } = running();
      const file = `${CONFIG}meadow.json`;
      for (const headers of [
        { Cookie: 'uid=tom' },
        { Cookie: 'uid=rob; other=1', Host: 'other.example' },
        { Cookie: 'uid=default', 'Accept-Encoding': 'gzip', 'If-None-Match': '"x"' },
      ])
        expect((await send(port, { path: CONFIG, headers })).body).toContain('meadow');
      expect(origin.seen.filter(({ url }) => url === file)).toHaveLength(1);
    });

    it('tells the origin nothing of the requester', async () => {
      const { port, origin } = running();
      const headers = {
        Cookie: 'uid=nancy',
        Authorization: 'Bearer x',
        'X-Themecast-Key': 'x',
        Range: 'bytes=0-1',
        'If-None-Match': '"x"',
        'Accept-Encoding': 'gzip',
        'User-Agent': 'x',
        'X-Forwarded-For': '192.0.2.1',
      };
      const { body } = await send(port, { path: `${CONFIG}?uid=tom`, headers });
      expect(body).toContain('nightfall');
      const seen = origin.seen.at(-1);
      expect(seen?.url).toBe(`${CONFIG}nightfall.json`);
      expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
        'host',
        'x-themecast',
        'x-themecast-file',
        'x-themecast-instead',
        'x-varnish',
      ]);
    });

    it('believes nobody else what it keeps in headers of its own', async () => {
      const { port } = running();
      for (const name of ['', '-Theme', '-Key', '-File', '-Instead', '-Rendering']) {
        const headers = { [`X-Themecast${name}`]: `${CONFIG}meadow.json` };
        expect((await send(port, { path: CONFIG, headers })).body).toContain('harbor');
        expect((await send(port, { path: '/elsewhere', headers })).body).toBe('elsewhere');
      }
    });

    it.each(['PROPFIND', 'TRACE', "A!#$&'*+.^`|~9"])('names the method %s in its refusal', async (method) => {
      const { status, body } = await send(running().port, { method, path: CONFIG });
      expect({ status, detail: JSON.parse(body) }).toEqual({
        status: 405,
        detail: { detail: `Method "${method}" not allowed.` },
      });
    });

    it('believes a header that comes once, and no other', () =>
      expectThemes(running(), [
        [{ 'X-Remote-User': 'tom' }, 'meadow'],
        [{ 'X-Remote-User': ['tom', 'nancy'] }, 'harbor'],
      ]));

    it('reads the cookie from any of several header lines', async () => {
      const { port, site } = running();
      // Node would join them.
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.end(`GET ${CONFIG} HTTP/1.1\r\nHost: x\r\nCookie: a=1\r\nCookie: uid=tom\r\nConnection: close\r\n\r\n`);
      const answer = (await socket.toArray()).join('');
      expect(answer).toContain(textOf(site, `${CONFIG.slice(1)}meadow.json`));
    });

    it('reads Accept from any of several header lines', async () => {
      const headers = { Accept: ['image/png', 'text/html'] };
      await expectAnswers(running(), [[{ path: LIST, headers }, expectedOf(running(), 'list', 'html')]]);
    });

    it('takes text for what it is', async () => {
      const { port } = running();
      expect((await send(port, { path: '/quoted' })).body).toBe(AWKWARD);
      expect((await send(port, { path: '/matched', headers: { 'X-Text': ALPHABET } })).status).toBe(200);
      expect((await send(port, { path: '/matched', headers: { 'X-Text': `${ALPHABET}x` } })).status).toBe(418);
    });

    it('leaves other requests alone', async () => {
      const answer = await send(running().port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: 'elsewhere' });
      expect(answer.headers).not.toHaveProperty('x-content-type-options');
    });

    it.each([500, 503, 403, 301, 206])('answers in its own words when the origin answers %i', async (given) => {
      const host = running();
      host.origin.fails = (response) =>
        response.writeHead(given, { 'Cache-Control': 'public, max-age=60', Location: '/' }).end('<h1>origin</h1>');
      const expected = given < 500 ? NOT_FOUND : unavailable(NOT_FOUND);
      await expectAnswers(host, [[{ path: `/media/harbor/${given}.png` }, expected]]);
      host.origin.fails = undefined;
    });

    it('gives the default theme while a theme of the rules is gone', async () => {
      const host = running();
      await rm(path.join(host.site.dist, CONFIG, 'nightfall.html'));
      const headers = { Cookie: 'uid=nancy', Accept: 'text/html' };
      const { status, body } = await send(host.port, { path: CONFIG, headers });
      expect({ status, body }).toEqual({ status: 200, body: textOf(host.site, `${CONFIG.slice(1)}browse.html`) });
    });

    it('says itself that the origin is down', async () => {
      const host = running();
      await host.origin.stop();
      const request = { method: 'OPTIONS', path: LIST };
      await expectAnswers(host, [[request, unavailable(expectedOf(host, 'list', 404))]]);
    });
  });

  it('believes no header while the secret is not set, empty or short', async () => {
    const name = 'X-Remote-User';
    const secrets = { EMPTY: '', SHORT: 'x'.repeat(31) };
    const identity = ['UNSET', ...Object.keys(secrets)].map((env): IdentityRule => {
      const credential = { from: 'header', name, secret: { header: `X-${env}`, env } } as const;
      return { names: 'user', credential };
    });
    const site = await publishSite({ identity });
    const host = await startVarnish({ ...site, secrets });
    const given = [{}, { 'X-UNSET': '' }, { 'X-EMPTY': '' }, { 'X-SHORT': secrets.SHORT }];
    const answers = await sendAll(
      host.port,
      given.map((headers) => ({ path: CONFIG, headers: { [name]: 'tom', ...headers } })),
    );
    await host.stop();
    await removeSite(site);
    for (const { body } of answers) expect(body).toContain('harbor');
  });
}

describe('the Varnish adapter', () => {
  it('writes the same files for the same rules', async () => {
    const site = await publishSite();
    const { rules, mapping } = site;
    const input = { rules, mapping, runtime: {}, report: new Diagnostics().report };
    expect(varnish.files(input)).toEqual(varnish.files(input));
    await removeSite(site);
  });

  it.each(['a\nb', '\0', '"""x"}'])('rejects what cannot be expressed for Varnish: %j', (text) => {
    expect(() => quote(text)).toThrow('cannot be expressed for Varnish');
  });
});

function unavailable(expected: ReturnType<typeof expectedOf>): ReturnType<typeof expectedOf> {
  return { ...expected, status: 503, body: '{"detail":"Service unavailable."}' };
}

/** Publishes a site and serves it beside other things while the tests of the enclosing `describe` run. */
function serve(identity: IdentityRule[], vary: string): () => Running & Accelerated {
  let site: PublishedSite | undefined;
  let host: (Running & Accelerated) | undefined;
  beforeAll(async () => {
    site = await publishSite({ identity });
    host = {
      ...(await startVarnish(site, { vcl: FOREIGN_VCL })),
      site,
      base: '',
      vary: { list: 'Accept', config: vary },
    };
  });
  afterAll(async () => {
    await host?.stop();
    if (site !== undefined) await removeSite(site);
  });
  return () => {
    if (host === undefined) throw new Error('The host has not started.');
    return host;
  };
}

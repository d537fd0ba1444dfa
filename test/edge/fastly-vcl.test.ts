import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastly } from '../../src/edge/fastly.ts';
import { literal } from '../../src/edge/fastly/vcl/text.ts';
import { vclVariant } from '../../src/edge/fastly/vcl/variant.ts';
import type { IdentityRule } from '../../src/theme/identity.ts';
import { expectNegotiatesAsHandler } from './contract/accept-matrix.ts';
import { contractSuite } from './contract.ts';
import { CONFIG, LIST } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { parse, tokens } from './fastly-vcl-language.ts';
import { program, read, run, transaction } from './fastly-vcl-interpreter.ts';
import { filesOf, startFastlyVcl } from './fastly-vcl-process.ts';
import { install } from './install.ts';
import { GROUPS, type PublishedSite, publishSite, removeSite, SECRETS, THEMES, USERS } from './site.ts';
import { mappingOf } from '../mapping.ts';

const IDENTITY: readonly IdentityRule[] = [
  {
    names: 'user',
    credential: { from: 'header', name: 'X-User', secret: { header: 'X-Secret', env: 'PROXY_SECRET' } },
  },
  { names: 'group', credential: { from: 'cookie', name: 'gid' } },
  { names: 'theme', credential: { from: 'cookie', name: 'theme' } },
];

contractSuite('Fastly VCL, never run on Fastly: in an interpreter of the part of VCL that it uses', startFastlyVcl, {
  identity: { ...fastly.capabilities.identity, jwt: [] },
  caseSensitiveKeys: true,
  etag: 'content',
  media: true,
});

describe('the VCL for Fastly, never run there', () => {
  let site: PublishedSite;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    site = await publishSite({ identity: [...IDENTITY], repository_url: 'https://git.example.org/50%25/"}' });
    ({ files } = await install('fastly', fastly, site));
  });
  afterAll(() => removeSite(site));

  it('closes every string and every brace', () => {
    expect(files.has('vcl/theme-service.vcl')).toBe(true);
    for (const [name, text] of files) if (name.endsWith('.vcl')) expect(() => parse(text), name).not.toThrow();
  });

  it('has the macros of Fastly at the beginning of their lines, one for each sub', () => {
    const vcl = files.get('vcl/theme-service.vcl') ?? '';
    const subs = ['recv', 'hash', 'hit', 'miss', 'pass', 'fetch', 'deliver', 'error', 'log'];
    for (const sub of subs) expect(vcl.match(new RegExp(`^#FASTLY ${sub}$`, 'gm')), sub).toHaveLength(1);
    for (const sub of subs) expect(parse(vcl).subs.has(`vcl_${sub}`), sub).toBe(true);
  });

  it('calls only subs that there are', () => {
    const vcl = files.get('vcl/theme-service.vcl') ?? '';
    for (const [, sub = ''] of vcl.matchAll(/^\s*call (\w+);/gm)) expect([...parse(vcl).subs.keys()]).toContain(sub);
  });

  it('has every key with its theme in the table of its kind', () => {
    const { tables } = parse(files.get('vcl/tables.vcl') ?? '');
    expect(Object.fromEntries(tables.get('themecast_users') ?? [])).toEqual(USERS);
    expect(Object.fromEntries(tables.get('themecast_groups') ?? [])).toEqual(GROUPS);
    expect([...(tables.get('themecast_themes') ?? [])]).toEqual(THEMES.map((slug) => [slug, slug]));
  });

  it('holds no secret', () => {
    for (const secret of Object.values(SECRETS)) expect([...files.values()].join('')).not.toContain(secret);
  });

  it('says in its README that it has never run on Fastly', () => {
    expect(files.get('README.md')).toMatch(/never run on Fastly/);
    expect(files.get('README.md')).toContain(
      'dictionary-entry create --dictionary-id DICTIONARY_ID --key PROXY_SECRET',
    );
  });

  it('negotiates as the handler does', async () => {
    const vcl = program(files, site.secrets);
    const server = createServer(({ method = '', url = '', headersDistinct }, response) => {
      const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string[]] => [name, values]);
      const at = transaction(vcl, method, url, headers);
      run('themecast_negotiate', at);
      response.end(String(read('req.http.X-Themecast-Rendering', at)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const words = { json: 'json', html: 'html', not_found: '404', not_acceptable: '406' };
    await expectNegotiatesAsHandler((server.address() as AddressInfo).port, '/', words);
    await new Promise((resolve) => server.close(resolve));
  });

  it('believes a header that came twice as little as the handler does', async () => {
    const host = await startFastlyVcl(site);
    const { body } = await send(host.port, {
      path: CONFIG,
      headers: { 'X-Secret': SECRETS.PROXY_SECRET, 'X-User': ['nancy', 'tom'] },
    });
    expect(body).toContain(THEMES[0]);
    await host.stop();
  });

  it('tells a shield which object to fetch, and takes the word of nobody else', () => {
    const vcl = program(files, site.secrets);
    const state: [string, string[]][] = [['X-Themecast', ['config']]];
    const url = `${CONFIG}meadow.json`;
    const atShield = transaction(vcl, 'GET', url, state);
    atShield.messages.get('fastly.ff')?.values.set('visits_this_service', 1);
    expect([run('vcl_recv', atShield), read('req.url', atShield)]).toEqual([{ state: 'lookup' }, url]);
    expect(run('vcl_recv', transaction(vcl, 'GET', url, state))).toEqual({ error: 644 });
    const elsewhere = transaction(vcl, 'GET', '/elsewhere', state);
    expect([run('vcl_recv', elsewhere), read('req.http.X-Themecast', elsewhere)]).toEqual([
      { state: 'lookup' },
      undefined,
    ]);
  });

  it('sends no validator with CONFIG if those of the backend are not by content', async () => {
    const host = await startFastlyVcl(site, filesOf(site, 'time'));
    const [list, config] = [
      await send(host.port, { path: LIST }),
      await send(host.port, { path: CONFIG, headers: { Cookie: 'theme=meadow' } }),
    ];
    expect([list.headers['etag'], config.headers['etag']]).toEqual([expect.any(String), undefined]);
    expect(config.headers['last-modified']).toBeUndefined();
    expect(config.headers['server']).toBeUndefined();
    await host.stop();
  });

  it('answers for an origin that is broken, and for a file that is gone, and keeps neither', async () => {
    const answers = [500, 403, 404, 302].map((status) => ({ status, headers: { Server: 'x' }, body: '<Error/>' }));
    const host = await startFastlyVcl(site, () => answers.shift() ?? { status: 200, headers: {}, body: 'found' });
    const statuses: [number, string | undefined][] = [];
    for (let asked = 0; asked < 5; asked++) {
      const { status, headers } = await send(host.port, { path: LIST });
      statuses.push([status, headers['cache-control']]);
    }
    const refused = [503, 404, 404, 503].map((status) => [status, 'no-store']);
    expect(statuses).toEqual([...refused, [200, 'public, max-age=60']]);
    await host.stop();
  });

  it('is written for no more keys than a table holds, and the README says why it is not', async () => {
    const users = (count: number) =>
      mappingOf(
        Array.from({ length: count }, (_, index) => {
          return { kind: 'user', key: `u${index}`, theme: 'meadow' } as const;
        }),
      );
    expect(vclVariant(site.rules, await users(1000)).files.map(({ path }) => path)).toEqual([
      'vcl/theme-service.vcl',
      'vcl/tables.vcl',
    ]);
    const larger = await install('fastly', fastly, { ...site, mapping: await users(1001) });
    expect([...larger.files.keys()].filter((name) => name.startsWith('vcl/'))).toEqual([]);
    expect(larger.files.get('README.md')).toContain('There is no `vcl/` for this site: there are 1,001 users');
    expect(larger.files.get('users.ndjson')?.trimEnd().split('\n')).toHaveLength(1001);
  });

  it('is not written for tokens, and the README says so', async () => {
    const key = { algorithm: 'HS256', env: 'TOKEN_SECRET' } as const;
    const credential = { from: 'jwt', cookie: undefined, claim: 'sub', key } as const;
    const rules = { ...site.rules, identity: [...IDENTITY, { names: 'user', credential } as const] };
    const written = await install('fastly', fastly, { ...site, rules });
    expect([...written.files.keys()].filter((name) => name.startsWith('vcl/'))).toEqual([]);
    expect(written.files.get('README.md')).toContain('There is no `vcl/` for this site: site.yaml has tokens verified');
  });
});

describe('strings of VCL', () => {
  it.each(['', 'a', '"', '%', '%41', '50%', 'a"b', '{"a":"b"}', '"}', '\\"', '\\1', '{"', '}', 'é', '#', '"}x', 'x"'])(
    'reads %j back as it was',
    (text) => {
      expect(tokens(literal(text))).toEqual([{ is: 'string', text }]);
    },
  );

  it.each(['a\nb', '\0', '"} "json}'])('has no way to write %j', (text) => {
    expect(() => literal(text)).toThrow(/cannot be told/);
  });

  it.each(['"a', '"a\n"', '{"a"', '{json"a"}', 'sub x { if (a) { }', 'sub x { set a = "b" }', '?'])(
    'sees that %j is not closed',
    (vcl) => {
      expect(() => parse(vcl.startsWith('sub') ? vcl : `include ${vcl};`)).toThrow(/^(?:No |Cannot)/);
    },
  );
});

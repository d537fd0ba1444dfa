import { describe, expect, it } from 'vitest';
import type { Credential } from '../../../src/edge-runtime/rules.ts';
import { credentialHeaders, identitySchema } from '../../../src/theme/identity.ts';

const asking = (url: unknown, header: unknown = 'X-User') => [{ user: { auth_request: { url, header } } }];

const takes = (...rules: unknown[]): boolean => identitySchema.safeParse(rules).success;
const messages = (...rules: unknown[]): string[] =>
  identitySchema
    .safeParse(rules)
    .error?.issues.map((issue) => (issue.code === 'custom' ? Object.values(issue.params ?? {}).join(' | ') : '')) ?? [];

describe('a rule', () => {
  const secret = { header: 'X-Secret', env: 'PROXY_SECRET' };

  it.each([
    [{ cookie: 'uid' }, { from: 'cookie', name: 'uid' }, ['Cookie']],
    [
      { header: 'X-User', trusted_proxies: ['10.0.0.0/8'] },
      { from: 'header', name: 'X-User', proxies: ['10.0.0.0/8'] },
      ['X-User'],
    ],
    [{ header: 'X-User', shared_secret: secret }, { from: 'header', name: 'X-User', secret }, ['X-User', 'X-Secret']],
    [
      { jwt: { claim: 'sub', algorithm: 'HS256', secret_env: 'KEY' } },
      { from: 'jwt', cookie: undefined, claim: 'sub', key: { algorithm: 'HS256', env: 'KEY' } },
      ['Authorization'],
    ],
    [
      { jwt: { cookie: 't', claim: 'sub', algorithm: 'RS256', jwks_url: 'https://a.example/' } },
      { from: 'jwt', cookie: 't', claim: 'sub', key: { algorithm: 'RS256', jwksUrl: 'https://a.example/' } },
      ['Cookie'],
    ],
    [
      { jwt: { claim: 'https://a.example/user', algorithm: 'ES256', jwks_url: 'https://a.example:8443/k.json' } },
      {
        from: 'jwt',
        cookie: undefined,
        claim: 'https://a.example/user',
        key: { algorithm: 'ES256', jwksUrl: 'https://a.example:8443/k.json' },
      },
      ['Authorization'],
    ],
  ])('reads %j', (written, credential, headers) => {
    for (const names of ['user', 'group', 'theme'])
      expect(identitySchema.parse([{ [names]: written }])).toEqual([{ names, credential }]);
    expect(credentialHeaders(credential as Credential)).toEqual(headers);
  });

  it('has exactly one of user, group and theme', () => {
    const read = { cookie: 'uid' };
    const wrong = ['a rule for one of `user`, `group` and `theme` | - user: {cookie: uid}'];
    expect(messages({ user: read, group: read })).toEqual(wrong);
    expect(messages({})).toEqual(wrong);
    expect(takes({ visitor: read })).toBe(false);
  });

  it('reads from one place', () => {
    const wrong = ['read from one place: `cookie`, `header`, `jwt` or `auth_request` | user: {cookie: uid}'];
    expect(messages({ user: {} })).toEqual(wrong);
    expect(messages({ user: { cookie: 'a', header: 'B', trusted_proxies: ['::1'] } })).toEqual(wrong);
    expect(messages({ user: { cookie: 'a', jwt: { claim: 'a', algorithm: 'HS256', secret_env: 'A' } } })).toEqual(
      wrong,
    );
  });

  it('reads groups and themes from the hostname, which no Vary lists', () => {
    const themes = { 'sea.example.org': 'sea' };
    expect(identitySchema.parse([{ theme: { host: themes } }, { group: { host: true } }])).toEqual([
      { names: 'theme', credential: { from: 'host', themes } },
      { names: 'group', credential: { from: 'host' } },
    ]);
    expect(credentialHeaders({ from: 'host' })).toEqual([]);
    for (const [names, host] of [
      ['user', true],
      ['user', themes],
      ['group', false],
      ['group', themes],
      ['theme', true],
      ['theme', {}],
      ['theme', Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`h${at}.example.org`, 'sea']))],
    ] as const)
      expect(takes({ [names]: { host } }), names).toBe(false);
    expect(takes({ group: { host: true, cookie: 'a' } })).toBe(false);
  });

  it('restricts who may send a header, in exactly one way', () => {
    const wrong = [
      'a header combined with `trusted_proxies` or `shared_secret` | user: {header: X-User, trusted_proxies: [10.0.0.0/8]}',
    ];
    expect(messages({ user: { header: 'A' } })).toEqual(wrong);
    expect(messages({ user: { header: 'A', trusted_proxies: ['::1'], shared_secret: secret } })).toEqual(wrong);
    expect(messages({ user: { cookie: 'a', trusted_proxies: ['::1'] } })).toEqual(wrong);
    expect(messages({ user: { cookie: 'a', shared_secret: secret } })).toEqual(wrong);
  });

  it('has the key of its algorithm, and no other', () => {
    const wrong = [
      'a token with `secret_env` for HS256, or with `jwks_url` for RS256 and ES256 | jwt: {claim: sub, algorithm: HS256, secret_env: TOKEN_SECRET}',
    ];
    const [secret_env, jwks_url] = ['KEY', 'https://a.example/'];
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'HS256' } } })).toEqual(wrong);
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'HS256', jwks_url } } })).toEqual(wrong);
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'HS256', secret_env, jwks_url } } })).toEqual(wrong);
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'RS256' } } })).toEqual(wrong);
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'ES256', secret_env } } })).toEqual(wrong);
    expect(messages({ user: { jwt: { claim: 'a', algorithm: 'RS256', secret_env, jwks_url } } })).toEqual(wrong);
    // RFC 7518 has these too; `none` is for forging tokens.
    for (const algorithm of ['none', 'HS512', 'hs256'])
      expect(takes({ user: { jwt: { claim: 'a', algorithm, secret_env } } })).toBe(false);
  });

  it('has one to eight rules', () => {
    const rules = (count: number): unknown[] => Array.from({ length: count }, () => ({ user: { cookie: 'a' } }));
    expect([0, 1, 8, 9].map((count) => takes(...rules(count)))).toEqual([false, true, true, false]);
  });
});

describe('names', () => {
  const jwt = { claim: 'sub', algorithm: 'HS256', secret_env: 'KEY' };
  const keyed = { claim: 'sub', algorithm: 'RS256' };

  it.each([
    [
      'a cookie',
      (cookie: string) => ({ cookie }),
      ['a', 'A9_.-', 'a'.repeat(64)],
      ['', 'a b', 'a=', 'ä', 'a'.repeat(65)],
    ],
    [
      'the cookie of a token',
      (cookie: string) => ({ jwt: { ...jwt, cookie } }),
      ['a', 'A9_.-'],
      ['', 'a;', 'a'.repeat(65)],
    ],
    [
      'a header',
      (header: string) => ({ header, trusted_proxies: ['::1'] }),
      ['A', 'X-User-9', 'a'.repeat(64)],
      ['', '9', '-a', 'a_b', 'a b', 'a:', 'a'.repeat(65)],
    ],
    [
      'the header of a secret',
      (header: string) => ({ header: 'A', shared_secret: { header, env: 'A' } }),
      ['X-Secret'],
      ['', 'X Secret'],
    ],
    [
      'a variable',
      (secret_env: string) => ({ jwt: { ...jwt, secret_env } }),
      ['A', 'A_9', 'A'.repeat(64)],
      ['', 'a', '9A', '_A', 'A-B', 'A B', '$A', 'A'.repeat(65)],
    ],
    [
      'a claim',
      (claim: string) => ({ jwt: { ...jwt, claim } }),
      ['sub', 'https://a.example:1/b_c', 'a'.repeat(128)],
      ['', 'a b', '"', 'a'.repeat(129)],
    ],
    [
      'a key set',
      (jwks_url: string) => ({ jwt: { ...keyed, jwks_url } }),
      ['https://a.example/', 'https://a.example:8443/b_c.d~e-f/G9'],
      [
        'http://a.example/',
        'https://a.example',
        'https://a.example/?b',
        'https:///',
        'x https://a.example/',
        'https://a/b c',
      ],
    ],
    [
      'a proxy',
      (address: string) => ({ header: 'A', trusted_proxies: [address] }),
      ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
      ['', '10.0.0', '10.0.0.0/33', 'fd00::/129', 'localhost', '10.0.0.1 '],
    ],
  ] as const)('of %s', (_, of, right, wrong) => {
    expect(right.filter((name) => !takes({ user: of(name) }))).toEqual([]);
    expect(wrong.filter((name) => takes({ user: of(name) }))).toEqual([]);
  });

  it('of proxies, one to 64 and none twice', () => {
    const proxies = (count: number): string[] => Array.from({ length: count }, (_, at) => `10.0.0.${at}`);
    const of = (trusted_proxies: string[]): boolean => takes({ user: { header: 'A', trusted_proxies } });
    expect([0, 1, 64, 65].map((count) => of(proxies(count)))).toEqual([false, true, true, false]);
    expect(of(['::1', '::1'])).toBe(false);
  });
});

describe('auth_request', () => {
  it.each(['http://127.0.0.1:9000/whoami', 'https://login.example.org', 'http://login/a/b-c_d.e~f'])(
    'takes the URL %s',
    (url) => {
      const credential = { from: 'auth_request', url, header: 'X-User' } as const;
      expect(identitySchema.parse(asking(url))).toEqual([{ names: 'user', credential }]);
      expect(credentialHeaders(credential)).toEqual(['Cookie', 'Authorization']);
    },
  );

  it.each([
    ...'ftp://login/ login/whoami http:// http://login/?a=1 http://login/#a http://user@login/'.split(' '),
    ...'http://login:99999/ http://login/$uri http://login/a;b'.split(' '),
    'http://login/a b',
    'http://login/\n',
    '',
    9000,
  ])('refuses the URL %j', (url) => {
    expect(identitySchema.safeParse(asking(url)).success).toBe(false);
  });

  it('rejects an invalid header, and a second source', () => {
    expect(identitySchema.safeParse(asking('http://login/', 'X User')).success).toBe(false);
    const auth_request = { url: 'http://login/', header: 'X-User' };
    expect(identitySchema.safeParse([{ user: { auth_request, cookie: 'uid' } }]).success).toBe(false);
    expect(identitySchema.safeParse([{ user: { auth_request, trusted_proxies: ['10.0.0.0/8'] } }]).success).toBe(false);
  });
});

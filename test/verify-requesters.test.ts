import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import { listening } from './listening.ts';
import type { Build } from '../src/hosts/contract/published-build.ts';
import { formatVerification } from '../src/commands/verify/report.ts';
import { passes } from '../src/commands/verify/result.ts';
import type { Verification } from '../src/commands/verify/result.ts';
import { serve, type Serving } from '../src/compiler/serve/serve.ts';
import type { IdentityRule } from '../src/core/edge-runtime/rules.ts';
import { run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { idsOf, type SabotagedSite, SECRETS, startSabotagedSite } from './verify/sabotaged-site.ts';
import { CONFIG, configOf, isConfig, isJson, where, type Fault } from './verify/sabotages.ts';

let sabotaged: SabotagedSite;
let older: SiteFolder;
let stale: Serving;
const nothing: Fault = () => undefined;

beforeAll(async () => {
  sabotaged = await startSabotagedSite();
  older = await makeSite({ site: { base_url: sabotaged.server.url }, themes: { harbor: {} } });
  expect(await build(older)).toMatchObject({ ok: true, diagnostics: [] });
  stale = await serve({ ...older, port: 0 });
});
afterAll(async () => {
  stale?.server.close();
  await sabotaged.stop();
  await removeSite(older);
});
beforeEach(() => {
  sabotaged.server.upstream = Number(new URL(sabotaged.serving.url).port);
  sabotaged.server.sabotage = () => undefined;
});

/** Returns the build with other identity rules, which its host does not implement. */
const withIdentity = (identity: readonly IdentityRule[]): Build => ({
  ...sabotaged.built,
  rules: { ...sabotaged.built.rules, identity },
});

describe('requests for CONFIG', () => {
  it('cover every identity rule and theme, and print no key', async () => {
    const { server, verifyWith } = sabotaged;
    const result = await verifyWith(nothing);
    const { TOKEN_SECRET = '', PROXY_SECRET = '' } = SECRETS;
    const cookies = new Set(server.requests.flatMap(({ headers }) => headers['cookie'] ?? []));
    expect([...cookies].filter((cookie) => !/unknown|;/.test(cookie)).toSorted()).toEqual([
      'theme="meadow"',
      'theme=harbor',
      'theme=meadow',
      'theme=nightfall',
      'uid="meadow-user"',
      'uid=meadow-user',
      'uid=night-user',
    ]);
    expect(server.requests.some(({ headers }) => headers['x-proxy-secret'] === PROXY_SECRET)).toBe(true);
    expect(server.requests.some(({ headers }) => headers['authorization']?.startsWith('Bearer ') === true)).toBe(true);
    const text = formatVerification({ url: server.url }, result, 1, { colour: false, strict: false });
    expect(text).toContain('sampled: a key for each of 3 of 3 themes, with every rule');
    expect(text).toContain(
      'theme meadow → meadow (2), theme nightfall → nightfall (3), an unknown theme → harbor (1), me… → meadow (2)',
    );
    for (const secret of ['meadow-user', 'night-user', TOKEN_SECRET, PROXY_SECRET])
      expect(JSON.stringify(result) + text).not.toContain(secret);
  });

  it('include a percent-encoded key, as web frameworks send it', async () => {
    const { server, built, verifyWith } = sabotaged;
    const build = { ...built, named: [{ kind: 'user' as const, key: 'tom@example.org', theme: 'meadow' }] };
    const result = await verifyWith(nothing, { build });
    const cookies = server.requests.flatMap(({ headers }) => headers['cookie'] ?? []);
    expect(cookies).toEqual(expect.arrayContaining(['uid=tom@example.org', 'uid=tom%40example.org']));
    expect(JSON.stringify(result)).not.toContain('tom%40');
  });

  it('contain no credentials if another build is live', async () => {
    const { server, verifyWith } = sabotaged;
    server.upstream = Number(new URL(stale.url).port);
    const result = await verifyWith(nothing, { credentials: { Cookie: 'session=s3cret' } });
    expect(result.notes.join()).toContain('Stopped after one request');
    const personal = ['cookie', 'authorization', 'x-group', 'x-proxy-secret'];
    expect(server.requests.filter(({ headers }) => personal.some((name) => headers[name] !== undefined))).toEqual([]);
  });

  it('contain the credentials of the caller, which must return the theme of their owner', async () => {
    const { server, built, verifyWith } = sabotaged;
    const credentials = { Authorization: 'Bearer of-an-issuer' };
    const key = { algorithm: 'RS256' as const, jwksUrl: 'https://login.example.org/keys' };
    const byToken: IdentityRule = { names: 'user', credential: { from: 'jwt', cookie: undefined, claim: 'sub', key } };
    const named = [{ kind: 'user' as const, key: 'tom', theme: 'meadow' }];
    const build = { ...withIdentity([...built.rules.identity, byToken]), named };
    const result = await verifyWith(nothing, { build, credentials });
    expect(idsOf(result, 'failed')).toEqual(['config/theme']);
    expect(result.checks.find(({ id }) => id === 'config/asked')?.status).toBe('passed');
    const authenticated = server.requests.filter(({ headers }) => headers['authorization'] === 'Bearer of-an-issuer');
    expect(new Set(authenticated.map(({ target }) => target))).toEqual(new Set([CONFIG]));
    expect(JSON.stringify(result)).not.toContain('of-an-issuer');
  });
});

describe('credentials', () => {
  const BASE = 'https://community.example.org';
  const ALL = ['authorization', 'cookie', 'x-group', 'x-proxy-secret'];
  /** Returns the names of headers that were sent with credentials. Theme names are public. */
  const sentCredentials = (): string[] =>
    ALL.filter((name) =>
      sabotaged.server.requests.some(({ headers }) =>
        name === 'cookie'
          ? headers[name]?.includes('uid=') === true && !headers[name].includes('uid=themecast-verify')
          : headers[name] !== undefined,
      ),
    );
  const withBase = (baseUrl: string): Build => ({
    ...sabotaged.built,
    rules: { ...sabotaged.built.rules, baseUrl },
  });

  it('are sent neither to the host of images nor to the target of a redirect', async () => {
    const foreignHeaders: string[] = [];
    const foreignHost = await listening((request, response) => {
      foreignHeaders.push(JSON.stringify(request.headers));
      response.writeHead(404).end();
    });
    const { built, verifyWith } = sabotaged;
    const build = { ...built, rules: { ...built.rules, mediaUrl: `${foreignHost.url}/media` } };
    const redirectToForeign = where(
      (at) => isConfig(at) && at.request['cookie']?.startsWith('uid=') === true,
      (at) => {
        at.status = 302;
        at.headers['location'] = `${foreignHost.url}/`;
      },
    );
    await verifyWith(redirectToForeign, { build });
    await foreignHost.stop();
    expect(sentCredentials()).toEqual(ALL);
    expect(foreignHeaders.length).toBeGreaterThan(5);
    expect(foreignHeaders.join()).not.toMatch(/cookie|authorization|x-group|x-proxy-secret/);
  });

  it('are sent only by https, or within this machine', async () => {
    const { verifyAt } = sabotaged;
    const result = await verifyAt('http://community.example.org', { build: withBase('http://community.example.org') });
    expect(sentCredentials()).toEqual([]);
    expect(result.checks.find(({ id }) => id === 'config/asked')).toMatchObject({
      message: 'CONFIG was not requested for users by the cookie uid.',
      found: 'not requested: credentials are sent only by https, or within this machine',
      hint: expect.stringContaining('Verify https://community.example.org.') as string,
    });
    for (const url of [BASE, 'https://staging.example.org', 'http://127.0.0.1:8080']) {
      await verifyAt(url, { build: withBase(BASE) });
      expect(sentCredentials()).toEqual(ALL);
    }
  });
});

describe('identity rules that cannot be tested', () => {
  it('are reported, and fail with --strict', async () => {
    const { server, verifyWith } = sabotaged;
    const result = await verifyWith(nothing, { secret: () => undefined });
    expect([idsOf(result, 'failed'), idsOf(result, 'tolerated')]).toEqual([[], ['config/asked']]);
    expect([passes(result, false), passes(result, true)]).toEqual([true, false]);
    const text = formatVerification({ url: server.url }, result, 1, { colour: false, strict: true });
    const notRequested = text.split('\n').filter((line) => line.includes('CONFIG was not requested'));
    expect(notRequested).toEqual([
      '  ! CONFIG was not requested for users by the claim sub of the token in Authorization.  [config/asked]',
      '  ! CONFIG was not requested for groups by the header X-Group of a trusted proxy.  [config/asked]',
    ]);
    expect(text).toMatch(/^✘ 1 of \d+ checks tolerated, which --strict rejects/m);
    expect(text).toContain('found     not requested: TOKEN_SECRET is not in the environment here');
    expect(text).toContain('PROXY_SECRET is not in the environment here');
  });

  it('are those with a short secret, a token of an issuer, a login, or a header of a proxy', async () => {
    const jwt = { from: 'jwt' as const, cookie: undefined, claim: 'sub' };
    const result = await sabotaged.verifyWith(nothing, {
      build: withIdentity([
        { names: 'user', credential: { ...jwt, key: { algorithm: 'HS256', env: 'SHORT' } } },
        {
          names: 'user',
          credential: { ...jwt, key: { algorithm: 'RS256', jwksUrl: 'https://login.example.org/keys' } },
        },
        { names: 'group', credential: { from: 'auth_request', url: 'https://login.example.org/', header: 'X-User' } },
        { names: 'user', credential: { from: 'header', name: 'X-Remote-User', proxies: ['10.0.0.1'] } },
      ]),
      secret: () => 'short',
    });
    const notRequested = result.checks.filter(({ id }) => id === 'config/asked');
    expect(notRequested.map(({ status }) => status)).toEqual(notRequested.map(() => 'tolerated'));
    expect(notRequested.map((row) => row.found)).toEqual([
      'not requested: SHORT is shorter than the 32 bytes that hosts require',
      'not requested: only the issuer of the tokens can sign one',
      'not requested: only the login service can identify them',
      'not requested: only trusted proxies may send it',
    ]);
  });

  it('include users of a keyed mapping without `--as`', async () => {
    const { built, verifyWith } = sabotaged;
    const samples = { user: new Map<string, string>(), group: new Map<string, string>() };
    const result = await verifyWith(nothing, { build: { ...built, samples, rules: { ...built.rules, keyed: true } } });
    expect(idsOf(result, 'tolerated')).toEqual(['config/asked']);
    expect(result.checks.find(({ id }) => id === 'config/asked')?.hint).toContain('`--as USER`');
  });
});

describe('the header of a trusted proxy', () => {
  it('is reported if the host trusts it from this address', async () => {
    const { server, verifyAt, built } = sabotaged;
    const credential = { from: 'header' as const, name: 'X-Remote-User', proxies: ['10.0.0.1'] };
    const trustHeader = where(
      (at) => isConfig(at) && isJson(at) && at.request['x-remote-user'] === 'meadow-user',
      (at) => void (at.body = configOf(built, 'meadow')),
    );
    const identity = withIdentity([{ names: 'user', credential }]);
    const proxyCheckStatus = ({ checks }: Verification) =>
      checks.find(({ message = '' }) => message.endsWith('is accepted from this machine.'))?.status;
    // A loopback address is the machine itself, which may be the proxy.
    server.sabotage = (proxied) => trustHeader(proxied, built);
    expect(proxyCheckStatus(await verifyAt(server.url, { build: identity }))).toBeUndefined();
    expect(proxyCheckStatus(await verifyAt('https://staging.example.org', { build: identity }))).toBe('tolerated');
  });
});

describe('themecast verify', () => {
  const flags = (): string[] => {
    const { site, server } = sabotaged;
    return ['verify', server.url, '--out', site.outDir, '--edge-out', site.edgeOutDir, '--format', 'json'];
  };
  const checkOf = (stdout: string, id: string) =>
    (JSON.parse(stdout) as Verification).checks.find((row) => row.id === id);

  it.each([
    ['a group', ['--group', 'staff'], '', 'group 1 (…) → nightfall (3)'],
    [
      'the header of a proxy',
      ['--group', 'staff', '--header', 'X-Group=KEY', '--header', 'X-Proxy-Secret=PROXY_SECRET'],
      'staff',
      'the credentials given → nightfall (3)',
    ],
    ['a cookie', ['--as', 'tom', '--header', 'Cookie=KEY'], 'uid=tom', 'the credentials given → meadow (2)'],
  ])('sends %s', async (_title, args, KEY, label) => {
    const { code, stdout, stderr } = await run([...flags(), ...args], { env: { ...SECRETS, KEY } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(checkOf(stdout, 'config/theme')?.label).toContain(label);
  });

  it.each([
    [['--header', 'Authorization: Bearer s3cret'], '--header must be NAME=VARIABLE'],
    [['--header', 'Host=HOME'], '--header cannot be Host'],
    [['--header', 'Authorization=NO_SUCH_TOKEN'], 'the environment variable NO_SUCH_TOKEN is not set'],
    [['--header', 'Cookie=HOME', '--header', 'cookie=HOME'], 'The header cookie is given twice'],
    [['--header', 'X-Other=HOME'], 'name the one user or group of the credentials'],
    [['--as', 'tom', '--as', 'eve', '--header', 'Cookie=HOME'], 'name the one user or group'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await run([...flags(), ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/s3cret|eyJhbGciOi/);
  });
});

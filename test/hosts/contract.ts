import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capabilities as EdgeCapabilities, IdentitySource } from '../../src/hosts/adapter/adapter.ts';
import type { IdentityRule, TokenKey } from '../../src/core/edge-runtime/rules.ts';
import type { Site } from '../../src/core/theme/site/site.ts';
import { cachingContract } from './contract/caching.ts';
import { ALLOWED_ORIGINS, corsContract } from './contract/cors.ts';
import type { Running } from './contract/expected.ts';
import {
  cookieContract,
  identityOrderContract,
  namesContract,
  sharedSecretContract,
  untrustedProxyContract,
} from './contract/identity.ts';
import { absoluteFormContract, HOST_THEMES, hostnameContract } from './contract/hostnames.ts';
import { authRequestContract, loginDownContract } from './contract/login.ts';
import { JWKS_URL, tokenContract } from './contract/tokens.ts';
import { mediaContract } from './contract/media.ts';
import { methodContract, negotiationContract, renderingContract } from './contract/negotiation.ts';
import { REDIRECTS, redirectContract } from './contract/redirects.ts';
import { pathContract } from './contract/paths.ts';
import { compressionContract } from './contract/compression.ts';
import { themeContract } from './contract/theme.ts';
import { sendAll } from './contract/send.ts';
import { fileContract, undeployedContract } from './contract/files.ts';
import { type LoginService, startLoginService } from './login-service.ts';
import { type PublishedSite, publishSite, removeSite, type SiteSettings } from './site.ts';

/** A running host on 127.0.0.1. */
export interface Host {
  port: number;
  stop(): Promise<void>;
}

export type Start = (site: PublishedSite) => Promise<Host>;

/** The permitted differences between hosts. All other behaviour must be equal. */
export interface Capabilities extends Pick<EdgeCapabilities, 'identity' | 'caseSensitiveKeys' | 'etag'> {
  /** Whether the host serves images; `files` if the platform serves them before the rules run, with its errors. */
  media: boolean | 'files';
  /** Whether the host receives request targets unchanged. Servers do; code behind a server does not. */
  absoluteForm?: boolean;
  /** Whether the host ignores the case of hostnames. Default: true. */
  foldsHostnames?: boolean;
}

const byCookie = (name: string): IdentityRule => ({ names: 'user', credential: { from: 'cookie', name } });
const byHeader = (proxies: string): IdentityRule => ({
  names: 'user',
  credential: { from: 'header', name: 'X-Remote-User', proxies: [proxies] },
});

/** Returns rules that read cookies, then the hostname, whose groups are {@link GROUPS}. */
const cookieAndHostRules = (): IdentityRule[] => [
  ...(['theme', 'group', 'user'] as const).map((names): IdentityRule => ({
    names,
    credential: { from: 'cookie', name: names },
  })),
  { names: 'theme', credential: { from: 'host', themes: HOST_THEMES } },
  { names: 'group', credential: { from: 'host' } },
];

/** The expected `Vary` of a host that reads cookies and hostnames. */
const BY_COOKIE = { base: '', vary: { list: 'Accept', config: 'Accept, Cookie' } };

/** Returns the settings of a site below a path, with CORS and redirects. */
const belowPath = (...identity: IdentityRule[]): SiteSettings => ({
  base_url: 'https://example.org/my.community',
  identity,
  cors: { allowed_origins: ALLOWED_ORIGINS },
  redirects: REDIRECTS,
});

const ALGORITHMS = ['HS256', 'RS256', 'ES256'] as const;

/** Returns `describe`, or a function that ignores the tests if a host does not support their feature. */
function describeIf(isSupported: boolean): (name: string, tests: () => void) => void {
  return isSupported ? describe : () => undefined;
}

/** Tests the contract of all hosts: requests with their expected responses. */
export function contractSuite(name: string, start: Start, capabilities: Capabilities): void {
  const supports = (source: IdentitySource): boolean => capabilities.identity.includes(source);
  const hasProxies = supports('header (trusted_proxies)');
  describe(name, () => {
    describe('with the default settings', () => {
      const running = serve({}, BY_COOKIE);
      methodContract(running);
      renderingContract(running);
      negotiationContract(running);
      cookieContract(running, capabilities.caseSensitiveKeys);
      cachingContract(running, capabilities.etag === 'content');
      pathContract(running);
      fileContract(running);
      themeContract(running);
      if (capabilities.media === true) compressionContract(running);
      if (capabilities.media !== false) mediaContract(running, capabilities.media !== 'files');
    });

    describe('below a path, by header then cookie, with CORS and redirects', () => {
      const settings = belowPath(...(hasProxies ? [byHeader('127.0.0.0/8')] : []), byCookie('a.b-c_1'));
      const header = hasProxies ? 'X-Remote-User, ' : '';
      const vary = { list: 'Accept, Origin', config: `Accept, ${header}Cookie, Origin` };
      const running = serve(settings, { base: '/my.community', vary });
      if (hasProxies) identityOrderContract(running);
      if (capabilities.media === true) compressionContract(running);
      settingsContract(running, capabilities, 'a.b-c_1');
    });

    describe('by theme, group, user and hostname', () => {
      const running = serve({ identity: cookieAndHostRules(), isDeployed: false }, BY_COOKIE);
      namesContract(running);
      undeployedContract(running, capabilities.media !== false);
      hostnameContract(running, capabilities.foldsHostnames);
      if (capabilities.absoluteForm ?? hasProxies) absoluteFormContract(running);
    });

    describeIf(supports('header (shared_secret)'))('by a header with a shared secret', () => {
      bySecret(start);
    });

    describe.each(ALGORITHMS.filter((algorithm) => supports(`JWT (${algorithm})`)))(
      'by tokens signed with %s',
      (algorithm) => {
        byToken(start, algorithm);
      },
    );

    describeIf(supports('auth_request'))('by a login service', () => {
      let login: LoginService | undefined;
      const vary = { list: 'Accept', config: 'Accept, Cookie, Authorization' };
      const startedLogin = () => {
        if (login === undefined) throw new Error('The login service has not started.');
        return login;
      };
      const settingsFor = ({ url }: LoginService): Partial<Site> => ({
        identity: [
          { names: 'user', credential: { from: 'auth_request', url, header: 'X-User' } },
          { names: 'group', credential: { from: 'auth_request', url, header: 'X-Group' } },
          byCookie('uid'),
        ],
      });
      beforeAll(async () => {
        login = await startLoginService();
      });
      afterAll(() => login?.stop());

      const running = serve(() => settingsFor(startedLogin()), { base: '', vary });
      methodContract(running);
      authRequestContract(running, startedLogin);

      describe('that is down', () => {
        const settings = async () => {
          const stopped = await startLoginService();
          await stopped.stop();
          return settingsFor(stopped);
        };
        loginDownContract(serve(settings, { base: '', vary }));
      });
    });

    describeIf(hasProxies)('bypassing the trusted proxy', () => {
      const settings = { identity: [byHeader('192.0.2.0/24'), byCookie('uid')] };
      untrustedProxyContract(
        serve(settings, { base: '', vary: { list: 'Accept', config: 'Accept, X-Remote-User, Cookie' } }),
      );
    });
  });

  function serve(settings: Settings, expected: Pick<Running, 'base' | 'vary'>): () => Running {
    return serving(start, settings, expected);
  }
}

function bySecret(start: Start): void {
  const secret = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
  const identity: IdentityRule[] = [
    { names: 'user', credential: { from: 'header', name: 'X-Remote-User', secret } },
    byCookie('uid'),
  ];
  const vary = { list: 'Accept', config: 'Accept, X-Remote-User, X-Proxy-Secret, Cookie' };
  sharedSecretContract(serving(start, { identity }, { base: '', vary }));
}

function byToken(start: Start, algorithm: TokenKey['algorithm']): void {
  const key: TokenKey = algorithm === 'HS256' ? { algorithm, env: 'TOKEN_SECRET' } : { algorithm, jwksUrl: JWKS_URL };
  const identity: IdentityRule[] = [
    { names: 'user', credential: { from: 'jwt', cookie: undefined, claim: 'sub', key } },
    { names: 'theme', credential: { from: 'jwt', cookie: 'session', claim: 'theme', key } },
  ];
  const vary = { list: 'Accept', config: 'Accept, Authorization, Cookie' };
  tokenContract(serving(start, { identity }, { base: '', vary }), algorithm);
}

/**
 * Tests a platform that runs the handler. The suite covers only the parts of the platform: paths, files, stored users, secrets, and the
 * request for public keys. `handler.test.ts` tests the handler in full.
 */
export function platformContractSuite(
  name: string,
  start: Start,
  { media, etag }: Capabilities,
  spellings: readonly string[] = [],
): void {
  describe(name, () => {
    itHidesFiles(start, spellings);

    describe('by theme, group, user and hostname', () => {
      const identity = [...cookieAndHostRules(), byCookie('uid')];
      const running = serving(start, { identity, isDeployed: false }, BY_COOKIE);
      namesContract(running);
      hostnameContract(running);
      undeployedContract(running, media !== false);
      renderingContract(running);
      cachingContract(running, etag === 'content');
    });

    describe('below a path, with CORS and redirects', () => {
      const vary = { list: 'Accept, Origin', config: 'Accept, Cookie, Origin' };
      const running = serving(start, belowPath(byCookie('a.b-c_1')), { base: '/my.community', vary });
      settingsContract(running, { media }, 'a.b-c_1');
    });

    describe('by a header with a shared secret', () => bySecret(start));
    describe.each(['HS256', 'RS256'] as const)('by tokens signed with %s', (algorithm) => byToken(start, algorithm));

    describe('with keyed shards', () => {
      namesContract(serving(start, { identity: cookieAndHostRules(), mapping: { keyed: true } }, BY_COOKIE));
    });
  });
}

/** Files behind the endpoints, which no request may reach by path. */
const FILES = 'index.json browse.html options.json config/index.json config/meadow.json config/meadow.html'.split(' ');

/**
 * Tests a host that publishes `dist/` at its root, whatever the path of `base_url`: only the endpoints may serve their files.
 * @param spellings - further spellings of the path of LIST
 */
export function itHidesFiles(start: Start, spellings: readonly string[] = []): void {
  it('hides the files behind the endpoints', async () => {
    const site = await publishSite({ base_url: 'https://example.org/community' });
    const host = await start(site);
    const answers = await sendAll(
      host.port,
      ['/api/v2/theme/', ...spellings].flatMap((folder) =>
        FILES.flatMap((file) => [
          { path: folder + file },
          { path: folder + file, headers: { 'X-Themecast-File': 'a guess' } },
        ]),
      ),
    );
    await host.stop();
    await removeSite(site);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(300);
      expect(body).not.toMatch(/name|title|renders/);
    }
  });
}

/** Tests a shorter contract, for a second way to install the same rules. */
export function briefContract(
  start: Start,
  { etag, foldsHostnames }: Pick<Capabilities, 'etag' | 'foldsHostnames'>,
): () => Running {
  const settings = {
    identity: [...cookieAndHostRules(), byCookie('uid')],
    cors: { allowed_origins: ALLOWED_ORIGINS },
    redirects: REDIRECTS,
  };
  const vary = { list: 'Accept, Origin', config: 'Accept, Cookie, Origin' };
  const running = serving(start, settings, { base: '', vary });
  namesContract(running);
  hostnameContract(running, foldsHostnames);
  cachingContract(running, etag === 'content');
  settingsContract(running, { media: 'files' }, 'uid');
  return running;
}

/** Tests CORS and redirects, at any base path. @param cookie - the cookie with the user's key */
function settingsContract(running: () => Running, { media }: Pick<Capabilities, 'media'>, cookie: string): void {
  methodContract(running);
  renderingContract(running, cookie);
  corsContract(running);
  redirectContract(running);
  pathContract(running);
  fileContract(running);
  themeContract(running);
  if (media !== false) mediaContract(running, media !== 'files');
}

/** Tests the parts of the contract that look up users, with the mapping in keyed shards. */
export function keyedContractSuite(name: string, start: Start, { caseSensitiveKeys }: Capabilities): void {
  describe(`${name}, with keyed shards`, () => {
    const mapping = { keyed: true };
    cookieContract(serving(start, { mapping }, BY_COOKIE), caseSensitiveKeys);
    const running = serving(start, { identity: cookieAndHostRules(), mapping }, BY_COOKIE);
    namesContract(running);
    hostnameContract(running);
  });
}

/** The settings of a site, or a function that returns them once other servers run. */
type Settings = SiteSettings | (() => Partial<Site> | Promise<Partial<Site>>);

/** Publishes a site and serves it while the tests of the enclosing `describe` run. */
export function serving<H extends Host>(
  start: (site: PublishedSite) => Promise<H>,
  settings: Settings = {},
  expected: Pick<Running, 'base' | 'vary'> = BY_COOKIE,
): () => Running & H {
  let site: PublishedSite | undefined;
  let host: (Running & H) | undefined;
  beforeAll(async () => {
    const siteSettings = typeof settings === 'function' ? await settings() : settings;
    site = await publishSite({ repository_url: 'https://git.example.org/themes', ...siteSettings });
    host = { ...(await start(site)), site, ...expected };
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

import { afterAll, beforeAll, describe } from 'vitest';
import type { Site } from '../../src/theme/site.ts';
import { cachingContract } from './contract/caching.ts';
import { ALLOWED_ORIGINS, corsContract } from './contract/cors.ts';
import type { Running } from './contract/expected.ts';
import { cookieContract, identityOrderContract, untrustedProxyContract } from './contract/identity.ts';
import { mediaContract } from './contract/media.ts';
import { methodContract, negotiationContract } from './contract/negotiation.ts';
import { pathContract } from './contract/paths.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

/** A host that answers on 127.0.0.1. */
export interface Host {
  port: number;
  stop(): Promise<void>;
}

/** Where hosts may differ; in everything else they are alike. */
export interface Capabilities {
  /** Whether CONFIG has a content-based ETag. A host that cannot make one sends no validator there. */
  etagOnConfig: boolean;
  /** Whether user keys that differ only by case are different users. */
  caseSensitiveKeys: boolean;
  /** Whether the pictures come from this host too. */
  media: boolean;
}

const byCookie = (cookie: string) => ({ user: { cookie } });
const byHeader = (proxies: string) => ({ user: { header: 'X-Remote-User', trusted_proxies: [proxies] } });

/** What every host answers: the contract (design/contract.md) as requests and what must come back. */
export function contractSuite(
  name: string,
  start: (site: PublishedSite) => Promise<Host>,
  capabilities: Capabilities,
): void {
  describe(name, () => {
    describe('with the default settings', () => {
      const running = serve({}, { base: '', vary: { list: 'Accept', config: 'Accept, Cookie' } });
      methodContract(running);
      negotiationContract(running);
      cookieContract(running, capabilities.caseSensitiveKeys);
      cachingContract(running, capabilities.etagOnConfig);
      pathContract(running);
      if (capabilities.media) mediaContract(running);
    });

    describe('below a path, by header then cookie, with CORS', () => {
      const settings = {
        base_url: 'https://example.org/my.community',
        identity: [byHeader('127.0.0.0/8'), byCookie('a.b-c_1')],
        cors: { allowed_origins: ALLOWED_ORIGINS },
      };
      const vary = { list: 'Accept, Origin', config: 'Accept, X-Remote-User, Cookie, Origin' };
      const running = serve(settings, { base: '/my.community', vary });
      methodContract(running);
      identityOrderContract(running);
      corsContract(running);
      pathContract(running);
      if (capabilities.media) mediaContract(running);
    });

    describe('reached past the trusted proxy', () => {
      const settings = { identity: [byHeader('192.0.2.0/24'), byCookie('uid')] };
      untrustedProxyContract(
        serve(settings, { base: '', vary: { list: 'Accept', config: 'Accept, X-Remote-User, Cookie' } }),
      );
    });
  });

  /** Publishes a site and serves it while the tests of the enclosing `describe` run. */
  function serve(settings: Partial<Site>, expected: Pick<Running, 'base' | 'vary'>): () => Running {
    let site: PublishedSite | undefined;
    let host: (Running & Host) | undefined;
    beforeAll(async () => {
      site = await publishSite({ repository_url: 'https://git.example.org/themes', ...settings });
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
}

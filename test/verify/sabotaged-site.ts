import { expect } from 'vitest';
import { build } from '../../src/compiler/build.ts';
import type { Deployment } from '../../src/commands/verify/build.ts';
import type { Build } from '../../src/hosts/contract/published-build.ts';
import type { Verification } from '../../src/commands/verify/result.ts';
import { verification } from '../../src/commands/verify/verification.ts';
import { readBuild } from '../../src/commands/verify/io/read-build.ts';
import { serve, type Serving } from '../../src/compiler/serve/serve.ts';
import { HttpClient } from '../../src/system/http/io/client.ts';
import { verify } from '../../src/commands/verify/io/verify.ts';
import { quarters } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { APP, type Fault } from './sabotages.ts';
import { type SabotagedServer, startSabotagedServer } from './sabotaged-server.ts';

export const LIMITS = { timeoutMs: 15_000 };

/** The environment of the host and of the verifier. */
export const SECRETS: Readonly<Record<string, string>> = {
  TOKEN_SECRET: 'token-secret-0123456789-abcdefghijklmn',
  PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn',
};

/** The identity rules: a theme by cookie, a user by cookie and token, a group by the header of a proxy. */
const IDENTITY = [
  { theme: { cookie: 'theme' } },
  { user: { cookie: 'uid' } },
  { user: { jwt: { claim: 'sub', algorithm: 'HS256', secret_env: 'TOKEN_SECRET' } } },
  { group: { header: 'X-Group', shared_secret: { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' } } },
];

/** A served build behind a sabotaging proxy. */
export interface SabotagedSite {
  server: SabotagedServer;
  site: SiteFolder;
  built: Build;
  serving: Serving;
  /** Verifies the site with a fault. */
  verifyWith: (fault: Fault, more?: Partial<Deployment>) => Promise<Verification>;
  /** Verifies the site as if it had another URL. */
  verifyAt: (url: string, more?: Partial<Deployment>) => Promise<Verification>;
  stop: () => Promise<void>;
}

export async function startSabotagedSite(): Promise<SabotagedSite> {
  Object.assign(process.env, SECRETS);
  const server = await startSabotagedServer();
  const site = await makeSite({
    site: { base_url: server.url, edge: ['nginx'], cors: { allowed_origins: [APP] }, identity: IDENTITY },
    themes: {
      harbor: {},
      meadow: {
        images: {
          'banner.png': await quarters(640, 160).png().toBuffer(),
          'favicon.png': await quarters(192, 192).png().toBuffer(),
        },
      },
      nightfall: {},
    },
    users: [
      ['meadow-user', 'meadow'],
      ['night-user', 'nightfall'],
      ['tom', 'meadow'],
    ],
    files: {
      'themes/users/groups.csv': 'group,theme\nstaff,nightfall\n',
      'themes/redirects.csv': `old_path,theme,image\n/old/logo.svg,harbor,logo\n/old/site.png,meadow,logo_site.thumbnail\n`,
    },
  });
  expect(await build(site)).toMatchObject({ ok: true, diagnostics: [] });
  const serving = await serve({ ...site, port: 0 });
  server.upstream = Number(new URL(serving.url).port);
  const secret = (name: string): string | undefined => SECRETS[name];
  const built = await readBuild(site.outDir, site.edgeOutDir, [], secret);
  return {
    server,
    site,
    built,
    serving,
    verifyWith: (fault, more = {}) => {
      server.requests.length = 0;
      server.sabotage = (proxied) => fault(proxied, built);
      return verify({ url: server.url, build: built, secret, ...more }, LIMITS);
    },
    verifyAt: async (url, more = {}) => {
      server.requests.length = 0;
      const client = new HttpClient(LIMITS);
      const deployment = { url, build: built, secret, ...more };
      const result = await verification(deployment, (requests) =>
        Promise.all(requests.map((request) => client.send({ ...request, origin: server.url }))),
      );
      client.close();
      return result;
    },
    stop: async () => {
      serving.server.close();
      await server.stop();
      await removeSite(site);
      for (const name of Object.keys(SECRETS)) delete process.env[name];
    },
  };
}

/** Returns the distinct ids of the checks with a status. */
export function idsOf({ checks }: Verification, status: 'failed' | 'tolerated'): string[] {
  return [...new Set(checks.filter((row) => row.status === status).map(({ id }) => id))].toSorted();
}

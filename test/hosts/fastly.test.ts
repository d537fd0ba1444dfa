import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastly } from '../../src/hosts/fastly/index.ts';
import type { IdentityRule } from '../../src/edge-runtime/rules.ts';
import { platformContractSuite } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { startFastlyShim } from './fastly-shim.ts';
import { install } from './install.ts';
import { itHidesFiles } from './own-paths.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

platformContractSuite('Fastly Compute, in a shim', startFastlyShim, { ...fastly.capabilities, media: true });
itHidesFiles(startFastlyShim);

const token = (key: { algorithm: 'HS256'; env: string } | { algorithm: 'RS256'; jwksUrl: string }): IdentityRule => ({
  names: 'user',
  credential: { from: 'jwt', cookie: undefined, claim: 'sub', key },
});

it('returns 404 while the backend lacks a theme of the rules, in a simulation', async () => {
  const site = await publishSite();
  const files = new Map([...site.files].filter(([name]) => !name.endsWith('/meadow.json')));
  const host = await startFastlyShim({ ...site, files });
  const { status, headers } = await send(host.port, { path: CONFIG, headers: { Cookie: 'uid=tom' } });
  expect({ status, kept: headers['cache-control'] }).toEqual({ status: 404, kept: 'no-store' });
  await host.stop();
  await removeSite(site);
});

describe('the Fastly adapter', () => {
  let site: PublishedSite;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const identity = [
      token({ algorithm: 'HS256', env: 'TOKEN_SECRET' }),
      token({ algorithm: 'RS256', jwksUrl: 'https://login.example.org:8443/jwks.json' }),
      token({ algorithm: 'RS256', jwksUrl: 'https://id.example.org/keys' }),
    ];
    site = await publishSite({ identity });
    ({ files } = await install('fastly', fastly, site));
  });
  afterAll(() => removeSite(site));

  it('declares a backend for each URL with public keys, and the secrets', () => {
    const manifest = files.get('fastly.toml') ?? '';
    expect(manifest).toContain('[setup.backends.jwks-1]\n');
    expect(manifest).toContain('address = "login.example.org"\nport = 8443\n');
    expect(manifest).toContain('address = "id.example.org"\nport = 443\n');
    expect(manifest).toContain('[setup.secret_stores.themecast.entries.TOKEN_SECRET]\n');
  });
});

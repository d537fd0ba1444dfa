import { expect, it } from 'vitest';
import { fastly } from '../../src/hosts/fastly/index.ts';
import { platformContractSuite } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { startFastlyShim } from './fastly-shim.ts';
import { publishSite, removeSite } from './site.ts';

platformContractSuite('Fastly Compute, in a shim', startFastlyShim, { ...fastly.capabilities, media: true });

it('returns 404 if the backend lacks a theme of the rules', async () => {
  const site = await publishSite();
  const files = new Map([...site.files].filter(([name]) => !name.endsWith('/meadow.json')));
  const host = await startFastlyShim({ ...site, files });
  const { status, headers } = await send(host.port, { path: CONFIG, headers: { Cookie: 'uid=tom' } });
  expect({ status, cacheControl: headers['cache-control'] }).toEqual({ status: 404, cacheControl: 'no-store' });
  await host.stop();
  await removeSite(site);
});

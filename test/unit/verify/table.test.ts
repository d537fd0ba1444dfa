import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareServices, openNew, Service } from '../../../src/commands/verify/io/old.ts';
import type { Rendering } from '../../../src/core/edge-runtime/rules.ts';
import { type SabotagedSite, startSabotagedSite } from '../../verify/sabotaged-site.ts';

// Both commands request every rendering and requester in the table without further code.

const ADDED_RENDERING = {
  name: 'added',
  format: 'added',
  mediaType: 'text/added',
  file: 'index.added',
} as unknown as Rendering;

let sabotaged: SabotagedSite;
beforeAll(async () => {
  sabotaged = await startSabotagedSite();
});
afterAll(() => sabotaged.stop());

it('verify and compare request a rendering and a requester that are added to the table', async () => {
  const { server, built, verifyWith, site } = sabotaged;
  const { config } = built.rules.endpoints;
  const endpoints = {
    ...built.rules.endpoints,
    config: { ...config, renderings: [...config.renderings, ADDED_RENDERING] },
  };
  const addedUsers = [{ kind: 'user' as const, key: 'added', theme: 'meadow' }];
  await verifyWith(() => undefined, { build: { ...built, named: addedUsers, rules: { ...built.rules, endpoints } } });
  const requests = (): unknown[] => server.requests.map(({ target, headers: { cookie } }) => [target, cookie]);
  const added = '/api/v2/theme/config/?format=added';
  const expected = [
    [added, undefined],
    ['/api/v2/theme/config/', 'uid=added'],
  ];
  expect(requests()).toEqual(expect.arrayContaining([...expected, [added, 'theme=meadow']]));

  server.requests.length = 0;
  server.sabotage = () => undefined;
  const options = { rate: 900, mediaHosts: [] };
  const rules = { ...built.rules, endpoints };
  const old = new Service('OLD', server.url, options);
  const { service, server: local } = await openNew(
    undefined,
    { out: site.outDir, edge: site.edgeOutDir },
    rules,
    options,
  );
  const requesters = [
    { name: 'user added', headers: { Cookie: 'uid=added' }, old: { Cookie: 'uid=added' }, isWrong: false },
  ];
  await compareServices({ old, new: service, rules, requesters });
  old.close();
  service.close();
  local?.close();
  expect(requests()).toEqual(
    expect.arrayContaining([...expected, [added, 'uid=added'], ['/api/v2/theme/', 'uid=added']]),
  );
});

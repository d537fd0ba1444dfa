import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareServices } from '../../../src/compare/io/run.ts';
import { openNew, openOld } from '../../../src/compare/io/service.ts';
import type { Rendering } from '../../../src/edge-runtime/rules.ts';
import { type SabotagedSite, startSabotagedSite } from '../../verify/sabotaged-site.ts';

// A rendering or requester added to the table is requested by both commands without further code.

const ADDED = { name: 'added', format: 'added', mediaType: 'text/added', file: 'index.added' } as unknown as Rendering;

let sabotaged: SabotagedSite;
beforeAll(async () => {
  sabotaged = await startSabotagedSite();
});
afterAll(() => sabotaged.stop());

it('a rendering and a requester that are added to the table are requested by verify and by compare', async () => {
  const { server, built, verifyWith, site } = sabotaged;
  const { config } = built.rules.endpoints;
  const endpoints = {
    ...built.rules.endpoints,
    config: { ...config, renderings: [...config.renderings, ADDED] },
  };
  const named = [{ kind: 'user' as const, key: 'added', theme: 'meadow' }];
  await verifyWith(() => undefined, { build: { ...built, named, rules: { ...built.rules, endpoints } } });
  const requests = (): unknown[] => server.requests.map(({ target, headers: { cookie } }) => [target, cookie]);
  const added = '/api/v2/theme/config/?format=added';
  const expected = [
    [added, undefined],
    ['/api/v2/theme/config/', 'uid=added'],
  ];
  expect(requests()).toEqual(expect.arrayContaining([...expected, [added, 'theme=meadow']]));

  server.requests.length = 0;
  server.sabotage = () => undefined;
  const old = await openOld(server.url, { rate: 900, mediaHosts: [] });
  const now = await openNew(undefined, { out: site.outDir, edge: site.edgeOutDir }, { rate: 900, mediaHosts: [] });
  Object.assign(now.options.rules ?? {}, { endpoints });
  const requesters = [{ name: 'user added', headers: { Cookie: 'uid=added' } }];
  await compareServices({ old, new: now, requesters, origins: [], onProgress: () => undefined });
  await Promise.all([old.close(), now.close()]);
  expect(requests()).toEqual(
    expect.arrayContaining([...expected, [added, 'uid=added'], ['/api/v2/theme/', 'uid=added']]),
  );
});

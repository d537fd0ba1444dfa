import { describe, expect, it } from 'vitest';
import { type DeploymentRecord, parseRecord, recordText } from '../../src/core/document/files/deployment.ts';
import { planOf } from '../../src/commands/deploy/plan.ts';

const NOW = new Date('2026-11-27T12:00:00.000Z');
const sha256 = '7b3a1f8c2e9d4056'.padEnd(64, '0');
const image = (changes: object = {}): DeploymentRecord['retained'][number] => ({
  path: 'media/harbor/logo.7b3a1f8c2e9d4056.svg',
  sha256,
  bytes: 245,
  last_named: '2026-11-20T08:00:00.000Z',
  ...changes,
});
const record = (...retained: DeploymentRecord['retained']): DeploymentRecord => ({
  commit: 'f'.repeat(40),
  time: '2026-11-25T10:12:00.000Z',
  manifest: 'a'.repeat(64),
  cache_control: {},
  retained,
});
const document = (path: string) => ({ path, sha256, bytes: 2 });

describe('a forged live record', () => {
  it.each([
    { path: 'media/harbor/page.7b3a1f8c2e9d4056.html' },
    { path: 'media/harbor/script.7b3a1f8c2e9d4056.js' },
    { path: 'media/harbor/logo.7b3a1f8c2e9d4056.svg.html' },
    { path: 'media/harbor/logo.7b3a1f8c2e9d4056-thumbnail-250x250.xhtml' },
    { path: 'media/harbor/logo.7b3a1f8c2e9d4057.svg' },
    { path: 'media/..%2f/logo.7b3a1f8c2e9d4056.svg' },
    { path: 'media/Harbor/../logo.7b3a1f8c2e9d4056.svg' },
    { sha256: sha256.toUpperCase() },
    { bytes: -1 },
    { bytes: 1e300 },
    { last_named: 'tomorrow' },
  ])('is rejected with %o', (changes) => {
    expect(parseRecord(recordText(record(image())))).toBeDefined();
    expect(parseRecord(recordText(record(image(changes))))).toBeUndefined();
  });

  it.each([
    ['2026-10-27T12:00:00.000Z', 0],
    ['2026-10-29T12:00:00.000Z', 1],
    ['2026-11-27T12:05:00.000Z', 1],
    ['2026-11-27T13:00:00.000Z', 0],
    ['2099-01-01T00:00:00.000Z', 0],
  ])('retains images last used at %s: %i', (last_named, count) => {
    const live = { record: record(image({ last_named })), files: [] };
    expect(planOf([], live, NOW).retained).toHaveLength(count);
  });
});

describe('a forged live manifest', () => {
  it('removes only documents of a build', () => {
    const ours = ['api/v2/theme/config/removed.json', 'schema/openapi.json'];
    const foreign = ['index.html', 'blog/index.html', 'api/v2/users.json', 'api/v2/theme/manifest.json', 'media/x.svg'];
    const live = { record: record(), files: [...ours, ...foreign].map(document) };
    const { removed, retained } = planOf([], live, NOW);
    expect([removed, retained]).toEqual([ours, []]);
  });

  it('removes nothing if its digest is not in the record', () => {
    expect(planOf([], { record: record(), files: undefined }, NOW).removed).toEqual([]);
  });
});

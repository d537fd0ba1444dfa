import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/edge/cloudflare.ts';
import { kvFiles } from '../../src/edge/cloudflare/kv.ts';
import type { Assignment } from '../../src/mapping/assignments.ts';
import { startCloudflare } from './cloudflare-process.ts';
import { contractSuite } from './contract.ts';
import { itHidesFiles } from './own-paths.ts';

contractSuite('a Cloudflare Worker in miniflare', startCloudflare, { ...cloudflare.capabilities, media: 'files' });

describe('a Cloudflare Worker in miniflare', () => {
  itHidesFiles(startCloudflare, ['/api/v2/theme/', '/%61pi/v2/theme/', '//api/v2/theme/']);
});

describe('kvFiles', () => {
  const location = { file: 'themes/users.csv' };
  const assignments = Array.from({ length: 20_001 }, (_, index): Assignment => ({
    kind: index < 10_000 ? 'group' : 'user',
    key: String(index).padStart(128, 'k'),
    theme: 'meadow',
    location,
    themeLocation: location,
  }));

  it('keeps to what KV takes in one request, and loses nobody', () => {
    const files = kvFiles(assignments);
    expect(files.map(({ path }) => path)).toEqual(['kv/users-000.json', 'kv/users-001.json', 'kv/users-002.json']);
    const pairs = files.map(({ content }) => JSON.parse('text' in content ? content.text : '') as { key: string }[]);
    expect(pairs.map(({ length }) => length)).toEqual([10_000, 10_000, 1]);
    expect(new Set(pairs.flat().map(({ key }) => key)).size).toBe(20_001);
    expect(Math.max(...pairs.flat().map(({ key }) => Buffer.byteLength(key)))).toBeLessThanOrEqual(512);
  });

  it('names files so that their order is that of their numbers, up to the greatest number of keys', () => {
    expect(String(cloudflare.capabilities.maxKeys / 10_000 - 1)).toHaveLength(3);
  });

  it('writes no file for no keys', () => {
    expect(kvFiles([])).toEqual([]);
  });
});

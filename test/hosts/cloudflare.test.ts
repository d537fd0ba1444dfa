import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/hosts/cloudflare/index.ts';
import { keyFiles } from '../../src/hosts/cloudflare/kv.ts';
import { type Assignment, mappingOf } from '../sample-users.ts';
import { contentOf } from './site.ts';
import { startCloudflare } from './cloudflare-process.ts';
import { platformContractSuite } from './contract.ts';
import { itHidesFiles } from './own-paths.ts';

platformContractSuite('a Cloudflare Worker in miniflare', startCloudflare, {
  ...cloudflare.capabilities,
  media: 'files',
});

describe('a Cloudflare Worker in miniflare', () => {
  itHidesFiles(startCloudflare, ['/api/v2/theme/', '/%61pi/v2/theme/', '//api/v2/theme/']);
});

describe('keyFiles', () => {
  const assignments = Array.from({ length: 20_001 }, (_, index): Assignment => ({
    kind: index < 10_000 ? 'group' : 'user',
    key: String(index).padStart(128, 'k'),
    theme: 'meadow',
  }));

  it('keeps to what KV takes in one request, and loses nobody', async () => {
    const files = keyFiles(await mappingOf(assignments));
    expect(files.map(({ path }) => path)).toEqual(['kv/users-000.json', 'kv/users-001.json', 'kv/users-002.json']);
    const pairs = files.map((file) => JSON.parse(contentOf(file)) as { key: string }[]);
    expect(pairs.map(({ length }) => length)).toEqual([10_000, 10_000, 1]);
    expect(new Set(pairs.flat().map(({ key }) => key)).size).toBe(20_001);
    expect(Math.max(...pairs.flat().map(({ key }) => Buffer.byteLength(key)))).toBeLessThanOrEqual(512);
  });

  it('names files so that their order is that of their numbers, up to the greatest number of keys', () => {
    expect(String(cloudflare.capabilities.maxKeys / 10_000 - 1)).toHaveLength(3);
  });

  it('writes no file for no keys', async () => {
    expect(keyFiles(await mappingOf([]))).toEqual([]);
  });
});

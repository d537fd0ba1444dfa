import { describe, expect, it } from 'vitest';
import {
  indexPages,
  keyId,
  pointerOf,
  pointerValue,
  shardHash,
  shardName,
  themeBytes,
} from '../../../src/core/users/shards.ts';

const SECRETS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

describe('shards', () => {
  it('have the names and layout that every host expects', () => {
    // Stores contain builds of earlier versions: if a shard were renamed, all shards would be uploaded again.
    expect(shardHash(Buffer.from('abc'))).toBe('ba7816bf8f01');
    expect(keyId(SECRETS[0])).toBe('7f311097771f8f5d');
    const pointer = pointerOf({ bits: 8, themeBytes: 2 }, ['ba7816bf8f01', undefined], SECRETS[0]);
    expect(pointer).toEqual({
      version: 1,
      build: 'c7990f7e6e232b0f',
      key_id: '7f311097771f8f5d',
      shards: 256,
      theme_bytes: 2,
    });
    const [firstPage, secondPage] = indexPages(pointer, ['ba7816bf8f01', undefined]);
    expect(firstPage?.text()).toBe(`ba7816bf8f01${'............'.repeat(63)}`);
    expect([secondPage?.name, secondPage?.text()]).toEqual([`i:${pointer.build}:1`, '............'.repeat(64)]);
    const { name, text } = pointerValue({ pointer, values: () => [] });
    expect([name, text()]).toEqual(['pointer', JSON.stringify(pointer)]);
  });

  it('have names of the right length for their number', () => {
    expect(shardName(0x3f, 'abc', 12)).toBe('s:03f:abc');
    expect(shardName(0xffff, 'abc', 16)).toBe('s:ffff:abc');
    const pointer = pointerOf({ bits: 16, themeBytes: 1 }, [], SECRETS[0]);
    const names = indexPages(pointer, []).map((page) => page.name);
    expect(names).toHaveLength(1024);
    expect([names[0], names.at(-1)]).toEqual([`i:${pointer.build}:000`, `i:${pointer.build}:3ff`]);
  });

  it('have a different build id for each secret, shape and content, and a key id that reveals nothing', () => {
    const builds = [
      pointerOf({ bits: 8, themeBytes: 1 }, ['a'], SECRETS[0]),
      pointerOf({ bits: 8, themeBytes: 1 }, ['b'], SECRETS[0]),
      pointerOf({ bits: 8, themeBytes: 1 }, [undefined, 'a'], SECRETS[0]),
      pointerOf({ bits: 8, themeBytes: 2 }, ['a'], SECRETS[0]),
      pointerOf({ bits: 9, themeBytes: 1 }, ['a'], SECRETS[0]),
      pointerOf({ bits: 8, themeBytes: 1 }, ['a'], SECRETS[1]),
    ];
    expect(new Set(builds.map(({ build }) => build)).size).toBe(builds.length);
    expect(keyId(SECRETS[0])).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    [[], 1],
    [[0], 1],
    [[255], 1],
    [[256, 3], 2],
    [[65_535], 2],
    [[65_536], 3],
    [[2 ** 31 - 1], 4],
  ])('store the ids %j in %i bytes each', (ids, bytes) => {
    expect(themeBytes(ids)).toBe(bytes);
  });
});

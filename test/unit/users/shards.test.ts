import { describe, expect, it } from 'vitest';
import { indexPages, keyId, pointerOf, pointerValue, shardHash } from '../../../src/core/users/shards.ts';

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
});

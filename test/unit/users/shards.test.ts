import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deltaOf,
  indexPages,
  keyId,
  pageNames,
  pointerOf,
  pointerValue,
  readPage,
  shardHash,
  shardName,
  type StoredBuild,
  themeBytes,
} from '../../../src/users/shards.ts';

const hash = fc.option(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 12, maxLength: 12 }),
  {
    nil: undefined,
  },
);
const SECRETS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

/** A build of 256 shards, most of them empty. */
const stored = fc
  .tuple(fc.array(fc.tuple(fc.nat(255), hash), { maxLength: 8 }), fc.constantFrom(...SECRETS))
  .map(([some, secret]): StoredBuild => {
    const hashes = Array.from({ length: 256 }, (_, shard) => some.find(([at]) => at === shard)?.[1]);
    return { pointer: pointerOf({ bits: 8, themeBytes: 1 }, hashes, secret), hashes };
  });

/** What a store of a build holds besides the pointer. */
function namesOf({ pointer, hashes }: StoredBuild): Set<string> {
  const shards = hashes.flatMap((one, shard) => (one === undefined ? [] : [shardName(shard, one, 8)]));
  return new Set([...indexPages(pointer, hashes).map(({ name }) => name), ...shards]);
}

describe('shards', () => {
  it('are found again by the pages of their index', () => {
    fc.assert(
      fc.property(stored, ({ pointer, hashes }) => {
        const pages = indexPages(pointer, hashes);
        expect(pages.map(({ name }) => name)).toEqual(pageNames(pointer));
        expect(pages.flatMap(({ text }) => readPage(text()))).toEqual(hashes);
        for (const { length, text } of pages) expect(text()).toHaveLength(length);
      }),
    );
  });

  it('a store becomes the next by what the delta puts and deletes, and nothing is put that it has', () => {
    fc.assert(
      fc.property(stored, stored, (before, after) => {
        const { from, put, delete: deleted } = deltaOf(before, after);
        const store = namesOf(before);
        expect(from).toBe(before.pointer.build);
        for (const name of put) {
          expect(store.has(name)).toBe(false);
          store.add(name);
        }
        for (const name of deleted) expect(store.delete(name)).toBe(true);
        expect([...store].toSorted()).toEqual([...namesOf(after)].toSorted());
      }),
    );
  });

  it('are named and laid out as every host reads them', () => {
    // Stores hold builds of earlier versions: another name for the same shard would put all of them again.
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
    const [first, second] = indexPages(pointer, ['ba7816bf8f01', undefined]);
    expect(first?.text()).toBe(`ba7816bf8f01${'............'.repeat(63)}`);
    expect([second?.name, second?.length, second?.text()]).toEqual([
      `i:${pointer.build}:1`,
      768,
      '............'.repeat(64),
    ]);
    const { name, length, text } = pointerValue({ pointer, values: () => [], delta: undefined });
    expect([name, text(), length]).toEqual(['pointer', JSON.stringify(pointer), JSON.stringify(pointer).length]);
  });

  it('have one page where they are few', () => {
    const pointer = pointerOf({ bits: 4, themeBytes: 1 }, [], SECRETS[0]);
    expect(indexPages(pointer, []).map(({ name, length }) => [name, length])).toEqual([[`i:${pointer.build}:0`, 192]]);
  });

  it('have names that fit their number', () => {
    expect(shardName(0x3f, 'abc', 12)).toBe('s:03f:abc');
    expect(shardName(0xffff, 'abc', 16)).toBe('s:ffff:abc');
    const pointer = pointerOf({ bits: 16, themeBytes: 1 }, [], SECRETS[0]);
    expect(pageNames(pointer)).toHaveLength(1024);
    expect([pageNames(pointer)[0], pageNames(pointer).at(-1)]).toEqual([
      `i:${pointer.build}:000`,
      `i:${pointer.build}:3ff`,
    ]);
  });

  it('have another build id for each secret, shape and content; and a key id that tells nothing', () => {
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
  ])('ids %j take %i bytes', (ids, bytes) => {
    expect(themeBytes(ids)).toBe(bytes);
  });
});

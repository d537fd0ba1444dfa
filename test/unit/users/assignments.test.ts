import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText, place } from '../../../src/core/diagnostics/diagnostic.ts';
import { Assignments } from '../../../src/core/users/assignments.ts';
import type { Row } from '../../../src/core/users/rows.ts';
import { ShardRecords } from '../../../src/core/users/shards.ts';
import { formatLocation, read, source } from '../users.ts';

const SECRET = Buffer.alloc(32, 7);
const BITS = 8;

const rowOf = (parts: Partial<Row>): Row => ({
  kind: 'user',
  key: 'ann',
  theme: 0,
  file: 'users.csv',
  line: 2,
  column: 1,
  ...parts,
});

describe('Assignments', () => {
  it('keep the facts of rows, and group rows with the same key in the order of their digests', () => {
    const row = fc.record({
      kind: fc.constantFrom('user' as const, 'group' as const),
      key: fc.oneof(fc.constantFrom('ann', 'bob'), fc.string({ unit: fc.constantFrom('a', 'B', '9'), minLength: 1 })),
      theme: fc.option(fc.nat(0x3ffffffe), { nil: undefined }),
      file: fc.constantFrom('users.csv', 'users/a.csv'),
      line: fc.integer({ min: 1, max: 0xffffffff }),
      column: fc.integer({ min: 1, max: 0xffffff }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 60 }), (rows) => {
        const assignments = new Assignments(SECRET, BITS);
        for (const [each, isFolded] of rows) assignments.add(each, isFolded);
        const digests = rows.map(([{ kind, key }]) => digestOf(kind, key));
        for (const [index, [{ kind, key, theme, file, line, column }, isFolded]] of rows.entries()) {
          expect([assignments.kind(index), assignments.theme(index), assignments.isFolded(index)]).toEqual([
            kind,
            theme,
            isFolded,
          ]);
          const end = { line, column: column + key.length };
          expect(assignments.location(index)).toEqual({ file, start: { line, column }, end });
        }
        const expected = [...new Set(digests)]
          .toSorted(compareText)
          .map((digest) => [...digests.keys()].filter((index) => digests[index] === digest));
        expect([...assignments.byKey()].map((same) => [same].flat())).toEqual(expected);
      }),
    );
  });

  it('separate keys whose digests agree only in the part that is sorted', () => {
    const assignments = new Assignments(SECRET, BITS);
    // The first 39 bits of both digests are equal.
    for (const key of ['u-809204', 'u-1218628', 'u-809204', 'ann']) assignments.add(rowOf({ key }));
    expect(Array.from(assignments.byKey()).map((same) => [same].flat())).toHaveLength(3);
    expect(Array.from(assignments.byKey())).toContainEqual([0, 2]);
  });

  it('are limited in number', async () => {
    const rows = source('users.csv', 'user,theme\na,meadow\nB,meadow\nc,meadow\n');
    await expect(read([rows], {}, { rows: 3 })).rejects.toThrow('There are too many users: more than 3 rows.');
    expect((await read([rows], {}, { rows: 4 })).user).toHaveLength(3);
  });
});

describe('repeated keys', () => {
  it('are reported in the order of the files, the first ones only', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => `u-${row % 1500},meadow\n`);
    const ann = 'ann,meadow\n'.repeat(2000);
    const { diagnostics } = await read([
      source('a.csv', 'user,theme\n', ...rows),
      source('b.csv', `user,theme\n${ann}`),
    ]);
    const [more, ...repeated] = diagnostics;
    expect(more?.message).toContain('3,449');
    expect(repeated.map(formatLocation)).toEqual(
      Array.from({ length: 50 }, (_, row) => `mapping/duplicate-user ${1502 + row}:1-${3 + String(row).length}`),
    );
  });

  it('are not reported as keys that differ by case', async () => {
    const { users } = await read([source('users.csv', 'user,theme\nAnn,meadow\nbob,meadow\nann,harbor\nBob,meadow\n')]);
    expect(users.assigned.collisions.map((pair) => pair.map(place))).toEqual([
      ['users.csv:4', 'users.csv:2'],
      ['users.csv:5', 'users.csv:3'],
    ]);
    const twice = await read([source('users.csv', 'user,theme\nAnn,meadow\nAnn,meadow\n')]);
    expect(twice.diagnostics.map(({ code }) => code)).toEqual(['mapping/duplicate-user']);
    expect(twice.users.assigned.collisions).toEqual([]);
  });
});

describe('ShardRecords', () => {
  it('refuse two keys with the same record', () => {
    const records = new ShardRecords({ bits: 12, themeBytes: 1 });
    records.add([1, 0x10], 1);
    records.add([1, 0x20], 1);
    expect(() => records.add([1, 0x2f], undefined)).toThrow(expect.objectContaining({ code: 'digest-collision' }));
  });
});

/** Returns 64 bits of a digest in hexadecimal: the first byte, then the third and later ones. */
function digestOf(kind: string, key: string): string {
  const digest = createHmac('sha256', SECRET)
    .update(`${kind === 'user' ? 'u' : 'g'}:${key}`)
    .digest('hex');
  return `${digest.slice(0, 2)}${digest.slice(4, 18)}`;
}

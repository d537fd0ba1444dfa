import { describe, expect, it } from 'vitest';
import { Assignments } from '../../../src/core/users/assignments.ts';
import type { UserRow } from '../../../src/core/users/rows.ts';
import { ShardRecords } from '../../../src/core/users/shards.ts';
import { formatLocation, read, source } from '../users.ts';

const SECRET = Buffer.alloc(32, 7);
const BITS = 8;

const rowOf = (parts: Partial<UserRow>): UserRow => ({
  kind: 'user',
  key: 'ann',
  theme: 0,
  file: 'users.csv',
  line: 2,
  column: 1,
  ...parts,
});

describe('Assignments', () => {
  it('separate keys whose digests agree only in the part that is sorted', () => {
    const assignments = new Assignments(SECRET, BITS);
    // The first 39 bits of both digests are equal.
    for (const key of ['u-809204', 'u-1218628', 'u-809204', 'ann']) assignments.add(rowOf({ key }));
    expect(Array.from(assignments.byKey())).toHaveLength(3);
    expect(Array.from(assignments.byKey())).toContainEqual([0, 2]);
  });

  it('are limited in number', async () => {
    const rows = source('users.csv', 'user,theme\na,meadow\nB,meadow\nc,meadow\n');
    await expect(read([rows], {}, { rows: 2 })).rejects.toThrow('There are too many users: more than 2 rows.');
    expect((await read([rows], {}, { rows: 3 })).user).toHaveLength(3);
  });
});

describe('repeated keys', () => {
  it('are reported in the order of the files, the first ones only', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => `u-${row % 1500},meadow\n`);
    const { diagnostics } = await read([source('a.csv', 'user,theme\n', ...rows)]);
    const [more, ...repeated] = diagnostics;
    expect(more?.code).toBe('file/more');
    expect(repeated.map(formatLocation)).toEqual(
      Array.from({ length: 100 }, (_, row) => `mapping/duplicate-user ${1502 + row}:1-${3 + String(row).length}`),
    );
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

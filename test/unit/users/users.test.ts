import { describe, expect, it } from 'vitest';
import { isNeeded } from '../../../src/core/users/mapping.ts';
import type { IdentityRule } from '../../../src/core/edge-runtime/rules.ts';
import { formatLocation, read, source } from '../users.ts';

describe('users', () => {
  it('are skipped if hosts do not need the theme', async () => {
    const csv = 'user,theme\na,harbor\nb,meadow\nc,harbor\nd,meadow\ne,meadow\n';
    const halves = [csv.slice(0, 30), csv.slice(30)];
    const ids = { user: [undefined, 2], group: [undefined, 2] };
    const { users, user } = await read([source('users.csv', ...halves)], { ids }, { chunk: 8 });
    expect(user).toEqual(['b→meadow', 'd→meadow', 'e→meadow']);
    expect([users.mapping.counts.user, users.assigned.counts.user]).toEqual([3, 5]);
  });

  it('with mistakes are reported in the first 50 diagnostics, and the others counted', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `u ${index},meadow\n`);
    const { diagnostics } = await read([source('users.csv', 'user,theme\n', ...rows)], {}, { chunk: 1000 });
    expect(diagnostics.map(formatLocation)).toEqual([
      'mapping/more',
      ...rows.slice(0, 50).map((row, index) => `mapping/user-key ${index + 2}:1-${row.indexOf(',') + 1}`),
    ]);
    expect(diagnostics[0]?.message).toBe('9,950 more diagnostics about users are not shown.');
  });

  it.each([
    ['unknown themes', (index: number) => `u-${index},theme-${index}`, 99_950],
    ['one key', () => 'ann,meadow', 99_949],
    ['one key in upper case', () => 'ANN,meadow', 99_949],
    ['one unknown theme', (index: number) => `u-${index},winter`, undefined],
  ])('in 100,000 rows of %s are counted', async (_, row, more) => {
    const rows = ['user,theme', ...Array.from({ length: 100_000 }, (__, index) => row(index)), ''].join('\n');
    const parts = rows.match(/(?:.*\n){1,10000}/g) ?? [];
    const { diagnostics, users } = await read([source('users.csv', ...parts)], {}, { chunk: 1000 });
    expect(diagnostics).toHaveLength(more === undefined ? 1 : 51);
    expect(diagnostics.map(({ message }) => message).join(' ')).toContain(
      more === undefined
        ? 'no theme `winter`, which 100,000 users have'
        : `${more.toLocaleString('en')} more diagnostics`,
    );
    expect(users.assigned.collisions).toEqual([]);
  });

  it('are distinguished even if two slugs have the same hash', async () => {
    const themes = ['xaax', 'xbBx'];
    const csv = 'user,theme\nann,xaax\nbob,xbBx\n';
    expect((await read([source('a', csv)], { themes })).user).toEqual(['ann→xaax', 'bob→xbBx']);
    const { user, diagnostics } = await read([source('a', csv)], { themes: ['xaax', 'other'] });
    expect([user, diagnostics.map(formatLocation)]).toEqual([['ann→xaax'], ['mapping/unknown-theme 3:5-9']]);
  });

  it('that differ only by case collide, each with the location of the first', async () => {
    const csv = 'user,theme\nann,meadow\nZoe,meadow\nAnn,meadow\nzoe,meadow\nZOE,meadow\ncid,meadow\n';
    const { users, diagnostics } = await read([source('users.csv', csv)]);
    expect(diagnostics).toEqual([]);
    const lines = users.assigned.collisions.map((places) => places.map(({ start }) => start?.line));
    expect(lines).toEqual([
      [4, 2],
      [5, 3],
      [6, 3],
    ]);
    const { users: usersByCase } = await read([source('users.csv', csv)], { foldsCase: false });
    expect(usersByCase.assigned.collisions).toEqual([]);
  });
});

describe('isNeeded', () => {
  const byCookie: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'uid' } };
  const byGroup: IdentityRule = { names: 'group', credential: { from: 'cookie', name: 'gid' } };

  it('keeps users of the default theme if a later rule would decide, but no keys that no rule reads', () => {
    expect(isNeeded('user', true, [byCookie])).toBe(false);
    expect(isNeeded('user', false, [byCookie])).toBe(true);
    expect(isNeeded('user', true, [byCookie, byCookie])).toBe(true);
    expect(isNeeded('user', true, [byCookie, byGroup])).toBe(true);
    expect(isNeeded('user', true, [byGroup, byCookie])).toBe(false);
    expect(isNeeded('group', false, [byCookie])).toBe(false);
    expect(isNeeded('group', true, [])).toBe(false);
  });
});

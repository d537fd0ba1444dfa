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

  it('of an unknown theme are counted, however many there are', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `u-${index},winter\n`);
    const { diagnostics } = await read([source('users.csv', 'user,theme\n', ...rows)], {}, { chunk: 1000 });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'There is no theme `winter`, which 100,000 users have.',
    ]);
  });

  it('are distinguished even if two slugs have the same hash', async () => {
    const themes = ['xaax', 'xbBx'];
    const csv = 'user,theme\nann,xaax\nbob,xbBx\n';
    expect((await read([source('a', csv)], { themes })).user).toEqual(['ann→xaax', 'bob→xbBx']);
    const { user, diagnostics } = await read([source('a', csv)], { themes: ['xaax', 'other'] });
    expect([user, diagnostics.map(formatLocation)]).toEqual([['ann→xaax'], ['mapping/unknown-theme 3:5-9']]);
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

import { describe, expect, it } from 'vitest';
import { isNeeded } from '../../../src/users/mapping.ts';
import type { IdentityRule } from '../../../src/edge-runtime/rules.ts';
import { placeOf, read, source } from '../users.ts';

const diagnosticsOf = async (csv: string) => {
  const { user, found } = await read([source('users.csv', `user,theme\n${csv}`)]);
  return { user, found: found.map(({ code, message }) => `${code} ${message}`) };
};

describe('users', () => {
  it('keep the order of the file, and distinguish case', async () => {
    expect(await diagnosticsOf('bob,meadow\nann,harbor\nBob,meadow\n')).toEqual({
      user: ['bob→meadow', 'ann→harbor', 'Bob→meadow'],
      found: [],
    });
  });

  it('are skipped if hosts do not need the theme', async () => {
    const csv = 'user,theme\na,harbor\nb,meadow\nc,harbor\nd,meadow\ne,meadow\n';
    const parts = [csv.slice(0, 30), csv.slice(30)];
    const ids = { user: [undefined, 2], group: [undefined, 2] };
    const { users, user } = await read([source('users.csv', ...parts)], { ids }, { chunk: 8 });
    expect(user).toEqual(['b→meadow', 'd→meadow', 'e→meadow']);
    expect([users.mapping.counts.user, users.assigned.counts.user]).toEqual([3, 5]);
  });

  it('reports an unknown theme once, with the number of its users', async () => {
    expect((await diagnosticsOf('a,medow\nb,medow\nc,medow\n')).found).toEqual([
      'mapping/unknown-theme There is no theme with this name (3 users).',
    ]);
  });

  it('reports the location of a duplicate, never the key', async () => {
    const { found } = await diagnosticsOf('secret-key,meadow\nsecret-key,harbor\n~secret-key,meadow\n');
    expect(found).toHaveLength(2);
    expect(found[0]).toBe('mapping/duplicate-user This user or group is already listed in `users.csv:2`.');
    expect(found.join()).not.toContain('secret');
  });

  it('finds a duplicate even with an unknown theme, and none between users and groups', async () => {
    expect((await diagnosticsOf('ann,winter\nann,meadow\n')).found).toHaveLength(2);
    const { found } = await read([source('a', 'user,theme\nann,meadow\n'), source('b', 'group,theme\nann,harbor\n')]);
    expect(found).toEqual([]);
  });

  it('never repeats an unknown theme name, which may be a key', async () => {
    expect((await diagnosticsOf('meadow,tom@example.org\na,winter\nb,winter\nc,medow\nd,2\ne,\n')).found).toEqual([
      'mapping/unknown-theme There is no theme with this name.',
      'mapping/unknown-theme There is no theme with this name (2 users).',
      'mapping/unknown-theme There is no theme with this name.',
      'mapping/unknown-theme There is no theme with this name.',
      'mapping/unknown-theme The row has no theme.',
    ]);
  });

  it('shows the first 50 findings, and counts the others', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `u ${index},meadow\n`);
    const { found } = await read([source('users.csv', 'user,theme\n', ...rows)], {}, { chunk: 1000 });
    expect(found.map(placeOf)).toEqual([
      'mapping/more',
      ...rows.slice(0, 50).map((row, index) => `mapping/user-key ${index + 2}:1-${row.indexOf(',') + 1}`),
    ]);
    expect(found[0]?.message).toBe('9,950 more diagnostics about users are not shown.');
  });

  it('are read up to a limit in bytes: one file is reported, later ones are not read', async () => {
    const files = [source('a', 'user,theme\na,meadow\n'), source('b', 'user,theme\n', 'b,meadow\n', 'c,meadow\n')];
    const sizes = { chunk: 1, all: 27 };
    expect(await read(files, {}, sizes)).toMatchObject({ user: ['a→meadow', 'b→meadow', 'c→meadow'], found: [] });
    const { user, found } = await read([...files, source('d', 'user,theme\nd,meadow\n')], {}, { ...sizes, all: 26 });
    expect(user).toEqual(['a→meadow', 'b→meadow']);
    expect(found.map(({ code, location }) => `${code} ${location.file}`)).toEqual(['mapping/too-large b']);
  });

  it.each([
    ['themes that there are not', (index: number) => `u-${index},theme-${index}`, 99_950],
    ['one key', () => 'ann,meadow', 99_949],
    ['one key in capitals', () => 'ANN,meadow', 99_949],
    ['one theme that there is not', (index: number) => `u-${index},winter`, undefined],
  ])('counts 100,000 rows of %s', async (_, row, more) => {
    const rows = ['user,theme', ...Array.from({ length: 100_000 }, (__, index) => row(index)), ''].join('\n');
    const parts = rows.match(/(?:.*\n){1,10000}/g) ?? [];
    const { found, users } = await read([source('users.csv', ...parts)], {}, { chunk: 1000 });
    expect(found).toHaveLength(more === undefined ? 1 : 51);
    expect(found.map(({ message }) => message).join(' ')).toContain(
      more === undefined ? 'this name (100,000 users)' : `${more.toLocaleString('en')} more diagnostics`,
    );
    expect(users.assigned.collisions).toEqual([]);
  });

  it('have one finding for a merge conflict, not five, and in the next file none', async () => {
    const conflict =
      'a,meadow\n<<<<<<< HEAD\nb,meadow\n||||||| base\nc,meadow\n=======\nd,meadow\n>>>>>>> main\n======\n';
    const rows = (text: string) =>
      read([source('a.csv', `user,theme\n${text}`), source('b.csv', 'user,theme\n=======\n')]);
    const { user, found } = await rows(conflict);
    expect(user.map((pair) => pair.slice(0, 1))).toEqual(['a', 'b', 'c', 'd']);
    expect(found.map(placeOf)).toEqual(['file/conflict 3:1-2', 'mapping/columns 10:1-7', 'mapping/columns 2:1-8']);
    expect((await rows('<<<<<<< a\n========\n>>>>>>>\n x>>>>>>> b\n')).found.map(placeOf)).toEqual([
      'file/conflict 2:1-2',
      'mapping/columns 3:1-9',
      'mapping/columns 4:1-8',
      'mapping/columns 5:1-12',
      'mapping/columns 2:1-8',
    ]);
  });

  it('are distinguished if two slugs have the same hash', async () => {
    const themes = ['xaax', 'xbBx'];
    const csv = 'user,theme\nann,xaax\nbob,xbBx\n';
    expect((await read([source('a', csv)], { themes })).user).toEqual(['ann→xaax', 'bob→xbBx']);
    const { user, found } = await read([source('a', csv)], { themes: ['xaax', 'other'] });
    expect([user, found.map(placeOf)]).toEqual([['ann→xaax'], ['mapping/unknown-theme 3:5-9']]);
  });

  it('with a wrong key and a wrong theme have two findings', async () => {
    expect((await diagnosticsOf('~a,winter\n"",""\n')).found.map((line) => line.split(' ')[0])).toEqual([
      'mapping/user-key',
      'mapping/unknown-theme',
      'mapping/empty-key',
      'mapping/unknown-theme',
    ]);
  });

  it('that differ only by case collide, each with the place of the first', async () => {
    const csv = 'user,theme\nann,meadow\nBob,meadow\nAnn,meadow\nbob,meadow\nBOB,meadow\ncid,meadow\n';
    const { users, found } = await read([source('users.csv', csv)]);
    expect(found).toEqual([]);
    const lines = users.assigned.collisions.map((places) => places.map(({ start }) => start?.line));
    expect(lines).toEqual([
      [4, 2],
      [5, 3],
      [6, 3],
    ]);
    const { users: strict } = await read([source('users.csv', csv)], { foldsCase: false });
    expect(strict.assigned.collisions).toEqual([]);
  });
});

describe('isNeeded', () => {
  const byCookie: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'uid' } };
  const byGroup: IdentityRule = { names: 'group', credential: { from: 'cookie', name: 'gid' } };

  it('keeps users of the default theme if a later rule would decide, and no keys that no rule reads', () => {
    expect(isNeeded('user', true, [byCookie])).toBe(false);
    expect(isNeeded('user', false, [byCookie])).toBe(true);
    expect(isNeeded('user', true, [byCookie, byCookie])).toBe(true);
    expect(isNeeded('user', true, [byCookie, byGroup])).toBe(true);
    expect(isNeeded('user', true, [byGroup, byCookie])).toBe(false);
    expect(isNeeded('group', false, [byCookie])).toBe(false);
    expect(isNeeded('group', true, [])).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { IdentityRule } from '../../../src/theme/identity.ts';
import { checkAssignments, keyProblem, neededAssignments } from '../../../src/mapping/assignments.ts';
import { parseCsv } from '../../../src/mapping/csv.ts';
import { parseUsersYaml } from '../../../src/mapping/users-yaml.ts';
import { findings, places } from '../collect.ts';

const byCookie: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'uid' } };

const THEMES = new Set(['harbor', 'meadow']);

const usersIn = (text: string): string[] =>
  parseUsersYaml('users.yaml', text, THEMES, () => undefined).map(({ key, theme }) => `${key}→${theme}`);

describe('keyProblem', () => {
  it.each(['a', '4711', 'ann@example.org', 'a.b_c@d+e:f|g=h/i~j-k', 'k'.repeat(128)])('%s is fine', (key) => {
    expect(keyProblem(key)).toBeUndefined();
  });

  it.each([
    ['~a', 'starts with `~`'],
    ['a b', 'holds a space at position 2'],
    ['a;', 'holds `;` at position 2'],
    ['ë', 'holds the character U+00EB at position 1'],
    ['a👩', 'holds the character U+1F469 at position 2'],
    ['k'.repeat(129), 'is 129 characters long, more than 128'],
  ])('%s %s', (key, problem) => {
    expect(keyProblem(key)).toBe(problem);
  });
});

describe('checkAssignments', () => {
  const check = (csv: string) => {
    let kept: string[] = [];
    const found = findings((report) => {
      const assignments = parseCsv('users.csv', `user,theme\n${csv}`, report);
      kept = neededAssignments(checkAssignments(assignments, THEMES, report), [byCookie], 'harbor').map(
        ({ key, theme }) => `${key}→${theme}`,
      );
    });
    return { kept, found: found.map(({ code, message }) => `${code} ${message}`) };
  };

  it('sorts by key and leaves out the users of the default theme', () => {
    expect(check('bob,meadow\nann,harbor\nBob,meadow\n')).toEqual({ kept: ['Bob→meadow', 'bob→meadow'], found: [] });
  });

  it('reports an unknown theme once, with the number of its users', () => {
    expect(check('a,medow\nb,medow\nc,medow\n').found).toEqual([
      'mapping/unknown-theme There is no theme `medow`, which 3 users are given.',
    ]);
  });

  it('names the place of a duplicate, never the key', () => {
    const { found } = check('secret-key,meadow\nsecret-key,harbor\n~secret-key,meadow\n');
    expect(found).toHaveLength(2);
    expect(found[0]).toBe('mapping/duplicate-user This user is already listed in `users.csv:2`.');
    expect(found.join()).not.toContain('secret');
  });

  it('says once that the columns are swapped, and names no theme of that file', () => {
    expect(check('meadow,tom@example.org\nmeadow,ann\nmedow,eve\nharbor,u-1\n').found).toEqual([
      'mapping/unknown-theme The user and the theme are swapped here and in 2 more places.',
      'mapping/unknown-theme There is no theme of this name.',
    ]);
  });

  it('names an unknown theme only if it is made of letters and hyphens, and no user key', () => {
    expect(check('a,winter-days\nb,winter-24\nc,tom@example.org\nd,0123\ne,ann\nann,meadow\n').found).toEqual([
      'mapping/unknown-theme There is no theme `winter-days`.',
      ...Array.from({ length: 4 }, () => 'mapping/unknown-theme There is no theme of this name.'),
    ]);
  });

  it('looks for suggestions only for the first 100 unknown themes', () => {
    const letters = 'b c d f g h i j k l m'.split(' ');
    const rows = letters.flatMap((a) => letters.map((b) => `u${a}${b},meadow${a}${b}`));
    const { length } = findings((report) => {
      const assignments = parseCsv('users.csv', `user,theme\n${rows.join('\n')}`, report);
      checkAssignments(assignments, THEMES, report);
    }).filter(({ hint }) => hint === 'Did you mean `meadow`?');
    expect([rows.length, length]).toEqual([121, 100]);
  });
});

describe('parseUsersYaml', () => {
  it('takes numbers as they are written', () => {
    expect(usersIn('users:\n  meadow: [ann, 4711]\n  harbor: []\n')).toEqual(['ann→meadow', '4711→meadow']);
  });

  it('loses no user, whatever the theme is called', () => {
    const found = places((report) => {
      const text = 'users:\n  __proto__: [ann]\n  constructor: [bob]\n';
      checkAssignments(parseUsersYaml('users.yaml', text, THEMES, report), THEMES, report);
    });
    expect(found).toEqual(['mapping/unknown-theme 2:3-12', 'mapping/unknown-theme 3:3-14']);
  });
});

describe('neededAssignments', () => {
  it('keeps the users of the default theme where a later rule of the same kind would decide for them', () => {
    const mapped = [
      { key: 'tom', theme: 'harbor' },
      { key: 'u-1001', theme: 'meadow' },
    ].map((one) => ({ kind: 'user' as const, ...one, location: { file: 'a' }, themeLocation: { file: 'a' } }));
    const second: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'other' } };
    expect(neededAssignments(mapped, [byCookie, second], 'harbor').map(({ key }) => key)).toEqual(['tom', 'u-1001']);
    expect(neededAssignments(mapped, [byCookie], 'harbor').map(({ key }) => key)).toEqual(['u-1001']);
  });
});

import { describe, expect, it } from 'vitest';
import { parseUsersYaml } from '../../../src/users/users-yaml.ts';
import { findings } from '../collect.ts';

const FOLDERS = new Set(['harbor', 'meadow']);
const LISTS = ['users/testers.txt', 'users/staff.txt'];

function parse(text: string): ReturnType<typeof parseUsersYaml> & { found: string[] } {
  let parsed: ReturnType<typeof parseUsersYaml> = { rows: [], lists: [] };
  const found = findings((report) => void (parsed = parseUsersYaml('users.yaml', text, FOLDERS, LISTS, report)));
  return {
    ...parsed,
    found: found.map(
      ({ code, message, hint, location: { start, end } }) =>
        `${code} ${start?.line}:${start?.column}-${end?.column} ${message} ${hint}`,
    ),
  };
}

describe('users.yaml', () => {
  it('gives keys with their places and those of their themes', () => {
    const { rows, lists, found } = parse('users:\n  meadow: [ann, 4711]\ngroups:\n  harbor:\n    - staff\n');
    expect([lists, found]).toEqual([[], []]);
    expect(rows).toEqual([
      {
        kind: 'user',
        key: 'ann',
        theme: 'meadow',
        place: { line: 1, column: 12, length: 3 },
        themePlace: { line: 1, column: 3, length: 6 },
      },
      {
        kind: 'user',
        key: '4711',
        theme: 'meadow',
        place: { line: 1, column: 17, length: 4 },
        themePlace: { line: 1, column: 3, length: 6 },
      },
      {
        kind: 'group',
        key: 'staff',
        theme: 'harbor',
        place: { line: 4, column: 7, length: 5 },
        themePlace: { line: 3, column: 3, length: 6 },
      },
    ]);
  });

  it('names lists', () => {
    const { lists, rows, found } = parse('files:\n  meadow: [users/staff.txt]\n  harbor: [users/testers.txt]\n');
    expect([rows, found]).toEqual([[], []]);
    expect(lists).toEqual([
      { theme: 'meadow', path: 'users/staff.txt' },
      { theme: 'harbor', path: 'users/testers.txt' },
    ]);
  });

  it.each([
    [
      'meadow: [users/tester.txt]',
      'mapping/list 2:12-28 There is no list `users/tester.txt`. Did you mean `users/testers.txt`?',
    ],
    [
      'meadow: [users/other-9.tsv]',
      'mapping/list 2:12-29 There is no list `users/other-9.tsv`. Write the path of a `.txt` file in `users/`, with one key per line: `users/testers.txt`.',
    ],
    ...['users/a b', 'xusers/zzzzzzzzzz', 'zzzzzzzzzzzzzzzz', 'users/a/b'].map((path) => [
      `meadow: [${path}]`,
      `mapping/list 2:12-${12 + path.length} There is no list with this name. Write the path of a \`.txt\` file in \`users/\`, with one key per line: \`users/testers.txt\`.`,
    ]),
    [
      'medow: [users/staff.txt]',
      'mapping/unknown-theme 2:3-8 There is no theme with this name. Did you mean `meadow`?',
    ],
    [
      'winter: [users/staff.txt]',
      'mapping/unknown-theme 2:3-9 There is no theme with this name. Write the user first, then the folder name of a theme. For ids of themes, name the column `theme_id`.',
    ],
    [
      'meadow: [users/staff.txt, users/staff.txt]',
      'mapping/list-twice 2:29-44 The list `users/staff.txt` is named twice. Name it under only one theme.',
    ],
  ])('files: %s', (line = '', finding = '') => {
    const { found, lists } = parse(`files:\n  ${line}\n`);
    expect([found, lists.length]).toEqual([[finding], finding.includes('twice') ? 1 : 0]);
  });

  it('loses nobody to a theme that is called like a prototype', () => {
    for (const field of ['users', 'groups', 'files'])
      expect(parse(`${field}:\n  __proto__: [users/staff.txt]\n`).found).toEqual([
        'mapping/unknown-theme 2:3-12 There is no theme with this name. Write the user first, then the folder name of a theme. For ids of themes, name the column `theme_id`.',
      ]);
  });

  it('gives nothing of what is no YAML, and what is right beside what is wrong', () => {
    expect(parse('users: [')).toMatchObject({ rows: [], lists: [] });
    const { rows, found } = parse('users: {meadow: [ann]}\ngroups: 7\n');
    expect(rows.map(({ key }) => key)).toEqual(['ann']);
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['field/type 2:9-10']);
  });
});

import { describe, expect, it } from 'vitest';
import { parseUsersYaml } from '../../../src/users/users-yaml.ts';
import { findings } from '../collect.ts';

const FOLDERS = new Set(['harbor', 'meadow']);

function parse(text: string): { rows: ReturnType<typeof parseUsersYaml>; found: string[] } {
  let rows: ReturnType<typeof parseUsersYaml> = [];
  const found = findings((report) => void (rows = parseUsersYaml('users.yaml', text, FOLDERS, report)));
  return {
    rows,
    found: found.map(
      ({ code, message, hint, location: { start, end } }) =>
        `${code} ${start?.line}:${start?.column}-${end?.column} ${message} ${hint}`,
    ),
  };
}

describe('users.yaml', () => {
  it('gives keys with their places and those of their themes', () => {
    const { rows, found } = parse('users:\n  meadow: [ann, 4711]\ngroups:\n  harbor:\n    - staff\n');
    expect(found).toEqual([]);
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

  it('loses nobody to a theme that is called like a prototype', () => {
    for (const field of ['users', 'groups'])
      expect(parse(`${field}:\n  __proto__: [ann]\n`).found).toEqual([
        'mapping/unknown-theme 2:3-12 There is no theme with this name. Write the folder name of a theme in the second column, after the key.',
      ]);
  });

  it('gives nothing of what is no YAML, and what is right beside what is wrong', () => {
    expect(parse('users: [')).toMatchObject({ rows: [] });
    const { rows, found } = parse('users: {meadow: [ann]}\ngroups: 7\n');
    expect(rows.map(({ key }) => key)).toEqual(['ann']);
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['field/type 2:9-10']);
  });
});

import { describe, expect, it } from 'vitest';
import { parseUsersYaml } from '../../../src/mapping/users-yaml.ts';
import { findings } from '../collect.ts';
import { read, source } from '../users.ts';

const THEMES = new Set(['harbor', 'meadow']);

const LISTS = ['users/testers.txt'];

/** What is told about the files of users. */
const told = async (rows: Readonly<Record<string, string>>, yaml: string): Promise<string[]> => {
  let written: ReturnType<typeof parseUsersYaml> | undefined;
  const own = findings((report) => void (written = parseUsersYaml('users.yaml', yaml, THEMES, LISTS, report)));
  const files = Object.entries(rows).map(([file, text]) => source(file, text));
  const list = { ...source('users/testers.txt', rows['users.csv'] ?? ''), form: 'keys' as const, theme: 'meadow' };
  const { found } = await read([...files, { file: 'users.yaml', rows: written?.rows ?? [] }, list]);
  return [...own, ...found].map(({ code, message, hint }) => `${code} ${message} ${hint}`);
};

const toldOfYaml = (yaml: string): Promise<string[]> => told({}, yaml);

describe('messages about users', () => {
  it.each([
    [
      'users: {tom@example.org: meadow}',
      'field/type The field `users.…` must be a list, but it is the text `…`. Write a list: each entry on a line of its own, after two spaces and `- `.',
    ],
    [
      'users: {tom@example.org: [meadow]}',
      'mapping/unknown-theme The user and the theme are swapped. Write `user,theme` in this order in CSV files, `{"user": "…", "theme": "…"}` in NDJSON, and `theme: [user, …]` in users.yaml.',
    ],
    ['tom: meadow', 'field/unknown Unknown field `…`. The fields here are `users`, `groups` or `files`.'],
    ['user: {}', 'field/unknown Unknown field `user`. Did you mean `users`?'],
    [
      'users: {meadow: [1.5]}',
      'field/type The field `users.meadow[0]` must be a key, but it is the number `…`. Put it in quotes: "…"',
    ],
    [
      'users: {meadow: [0123456]}',
      'yaml/number-format YAML reads `…` as the number …. Write a number of at most 15 digits, or "…" in quotes for the text.',
    ],
    [
      'users: {meadow: [@tom]}',
      'yaml/unquoted-start A value that starts with `@` must be in quotes in YAML. Put the whole value in quotes: "@…"',
    ],
    ['users: {tom: [], tom: []}', 'yaml/duplicate-key The key `…` stands twice. Keep one of the two lines.'],
    ['users: {meadow: [], meadow: []}', 'yaml/duplicate-key The key `meadow` stands twice. Keep one of the two lines.'],
    [
      'files: {meadow: [tom@example.org]}',
      'mapping/list There is no list of this name. Write the path of a `.txt` file in `users/`, with one key a line: `users/testers.txt`.',
    ],
    [
      'files: {tom: [users/testers.txt]}',
      'mapping/unknown-theme There is no theme of this name. Write the folder name of a theme.',
    ],
  ])('%s', async (yaml, expected) => {
    expect(await toldOfYaml(yaml)).toEqual([expected]);
  });
});

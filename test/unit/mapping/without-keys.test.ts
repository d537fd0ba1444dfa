import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAssignments } from '../../../src/mapping/assignments.ts';
import { parseCsv } from '../../../src/mapping/csv.ts';
import { parseUsersYaml } from '../../../src/mapping/users-yaml.ts';
import { findings } from '../collect.ts';

const THEMES = new Set(['harbor', 'meadow']);

/** What is told about the two files of users. */
const told = (csv: string, yaml: string): string[] =>
  findings((report) => {
    const authored = [...parseCsv('users.csv', csv, report), ...parseUsersYaml('users.yaml', yaml, THEMES, report)];
    checkAssignments(authored, THEMES, report);
  }).map(({ code, message, hint }) => `${code} ${message} ${hint}`);

const toldOfYaml = (yaml: string): string[] => told('user,theme\n', yaml);

describe('messages about users', () => {
  it.each([
    [
      'users: {tom@example.org: meadow}',
      'field/type The field `users.…` must be a list, but it is the text `…`. Write a list: each entry on a line of its own, after two spaces and `- `.',
    ],
    [
      'users: {tom@example.org: [meadow]}',
      'mapping/unknown-theme The user and the theme are swapped. Write `user,theme` in this order in users.csv, and `theme: [user, …]` in users.yaml.',
    ],
    ['tom: meadow', 'field/unknown Unknown field `…`. The fields here are `users` or `groups`.'],
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
  ])('%s', (yaml, expected) => {
    expect(toldOfYaml(yaml)).toEqual([expected]);
  });

  it('repeat no key, wherever one stands and whatever is wrong', () => {
    const secret = fc.constantFrom('4711471', 'zq7.zq7', 'zq7zq7@example.org');
    const mark = fc.constantFrom(
      '',
      '@',
      '*',
      '&',
      '!',
      '`',
      '"',
      "'",
      '- ',
      '-',
      '#',
      '%',
      '~',
      ': ',
      '|',
      '>',
      '0',
      ' ',
      '“',
      'rgb(',
      '\\',
      '"\\q',
      '<<: ',
      '? ',
    );
    const yamlFrame = fc.constantFrom(
      '§',
      '§: meadow',
      'users: §',
      'users: [§]',
      'users: {§: meadow}',
      'users: {§: [§]}',
      'users: {§: [meadow]}',
      'users:\n  §: ann\n  §: bob',
      'users:\n  meadow: §',
      'users:\n  meadow:\n    - §\n    - §: §',
      'users:\n  meadow: [§, {a: §}, [§]]',
      'users:\n  meadow:\n  - ann\n §',
      'users:\n  meadow: [ann\n§',
      'users:\n\t§: [ann]',
      '§\n---\n§',
      '%§\n---\nusers: {}',
      'groups:\n  §:\n    §: [§]',
      'users:\n  meadow: "§" §',
      'users:\n  meadow:\n    - ann: §: §',
      '? [§]\n: §',
      '? {§: §}\n: 1',
      'users:\n  meadow: |§\n   ann',
    );
    const csvFrame = fc.constantFrom(
      'user,theme\n§,meadow',
      'user,theme\nmeadow,§',
      'user,theme\nann,§\nbob,§',
      'user,theme\n§',
      'user,theme\n§,§,§',
      '§,meadow',
      'user;theme\n§;meadow',
      'theme,user\nmeadow,§',
      'user,theme\n"§,meadow',
      'user,theme\n§,meadow\n§,medow',
      '§',
    );
    const filled = (frame: fc.Arbitrary<string>) =>
      fc
        .tuple(frame, mark, secret, mark)
        .map(([text, before, key, after]) => text.replaceAll('§', () => before + key + after));
    fc.assert(
      fc.property(filled(csvFrame), filled(yamlFrame), (csv, yaml) => {
        expect(told(csv, yaml).join('\n')).not.toMatch(/4711|zq7/i);
      }),
      { numRuns: 3000 },
    );
  });
});

it('reads very many users in time', () => {
  const keys = Array.from({ length: 50 }, (_, index) => `k${index}`).join(', ');
  const lines = Array.from({ length: 4000 }, (_, index) => `  theme-${index}: [${keys}]\n`).join('');
  const started = performance.now();
  expect(parseUsersYaml('users.yaml', `users:\n${lines}`, THEMES, () => undefined)).toHaveLength(200_000);
  expect(performance.now() - started).toBeLessThan(10_000);
}, 30_000);

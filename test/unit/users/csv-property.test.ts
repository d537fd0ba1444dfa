import fc from 'fast-check';
import { expect, it } from 'vitest';
import { read, source } from '../users.ts';

const readCsv = (text: string) => read([source('users.csv', text)]);

it('a CSV file never makes a build throw, and every row is a key or a finding', async () => {
  const cell = fc.constantFrom('ann', '"bob"', 'meadow', '""', '"', ' ', 'a"b', '', '\t', ';', 'zoë');
  const row = fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(','));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(row, fc.string({ unit: 'binary' })), { maxLength: 12 }), async (lines) => {
      const text = ['user,theme', ...lines].join('\n');
      const { users, found } = await read([source('users.csv', text)]);
      const filled = Buffer.from(text)
        .toString()
        .split(/\r?\n/)
        .slice(1)
        .filter((line) => /[^,;\s]/.test(line)).length;
      // A row may have two mistakes, and an unknown theme is reported once for all its rows.
      const rows = found.reduce((sum, { message }) => sum + Number(/\((\d+) users\)/.exec(message)?.[1] ?? 1), 0);
      expect(users.assigned.counts.user + rows).toBeGreaterThanOrEqual(filled);
    }),
  );
});

it.each([
  ['quotes', `${'"'.repeat(3_000_001)}\n`],
  ['columns', `${'a,'.repeat(1_500_000)}\n`],
  ['a quoted value', `"${'a'.repeat(3_000_000)}",meadow\n`],
  ['a quoted value of quotes', `"${'""'.repeat(1_500_000)}",meadow\n`],
  ['one key', 'a'.repeat(3_000_000)],
  ['one theme', `ann,${'b'.repeat(3_000_000)}`],
  ['a key, and NULs', `a${'\0'.repeat(3_000_000)},meadow`],
])('a very long line of %s is reported', async (_, line) => {
  const { user, found } = await readCsv(`user,theme\n${line}`);
  expect(user.length).toBeLessThanOrEqual(1);
  expect(found.length).toBeGreaterThanOrEqual(1);
  expect(found.length).toBeLessThan(25);
});

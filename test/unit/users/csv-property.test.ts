import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampledRuns } from '../../long-test.ts';
import { read, source } from '../users.ts';

it('a CSV file never makes a build throw, and every row is a key or a diagnostic', async () => {
  const cell = fc.constantFrom('ann', '"bob"', 'meadow', '""', '"', ' ', 'a"b', '', '\t', ';', 'zoë');
  const row = fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(','));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(row, fc.string({ unit: 'binary' })), { maxLength: 12 }), async (lines) => {
      const text = ['user,theme', ...lines].join('\n');
      const { users, diagnostics } = await read([source('users.csv', text)]);
      const filledLines = Buffer.from(text)
        .toString()
        .split(/\r?\n/)
        .slice(1)
        .filter((line) => /[^,;\s]/.test(line)).length;
      // A row may have two mistakes. An unknown theme is reported once for all its rows.
      const rows = diagnostics.reduce((sum, { message }) => sum + Number(/(\d+) users/.exec(message)?.[1] ?? 1), 0);
      expect(users.assigned.counts.user + rows).toBeGreaterThanOrEqual(filledLines);
    }),
  );
});

it('messages about users never repeat a key, in any column and with any mistake', async () => {
  const secret = fc.constantFrom('4711471', 'zq7.zq7', 'zq7zq7@example.org');
  const mark = fc.constantFrom('', ' ', ...'@ * & ! ` " - # % ~ | 0 \\'.split(' '), "'");
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
  const withKey = (frame: fc.Arbitrary<string>) =>
    fc
      .tuple(frame, mark, secret, mark)
      .map(([text, before, key, after]) => text.replaceAll('§', () => before + key + after));
  await fc.assert(
    fc.asyncProperty(withKey(csvFrame), async (csv) => {
      const { diagnostics } = await read([source('users.csv', csv)]);
      expect(diagnostics.map(({ message, hint }) => `${message} ${hint}`).join('\n')).not.toMatch(/4711|zq7/i);
    }),
    { numRuns: sampledRuns(400) },
  );
});

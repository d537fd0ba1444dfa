import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, source } from '../users.ts';
import { sampledRuns } from '../../long-test.ts';

describe('messages about users', () => {
  it('never repeat a key, in any column and with any mistake', async () => {
    const secret = fc.constantFrom('4711471', 'zq7.zq7', 'zq7zq7@example.org');
    const mark = fc.constantFrom(
      '',
      ...'@ * & ! ` "'.split(' '),
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
    await fc.assert(
      fc.asyncProperty(filled(csvFrame), async (csv) => {
        const { found } = await read([source('users.csv', csv)]);
        expect(found.map(({ message, hint }) => `${message} ${hint}`).join('\n')).not.toMatch(/4711|zq7/i);
      }),
      { numRuns: sampledRuns(400) },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { splitRow } from '../../../src/core/users/csv.ts';
import { formatLocation, read, source } from '../users.ts';

/** Returns the keys and themes of a file, and its diagnostics with their locations. */
const readCsv = async (text: string | Buffer) => {
  const { user, group, diagnostics } = await read([source('users.csv', text)]);
  return { user, group, diagnostics: diagnostics.map(formatLocation) };
};

describe('splitRow', () => {
  it.each([
    ['a,b', ['a 1', 'b 3']],
    ['', [' 1']],
    [',', [' 1', ' 2']],
    ['"a","b ""c"""', ['a 2', 'b "c" 6']],
    ['"",x', [' 2', 'x 4']],
    ['"a,b",c', ['a,b 2', 'c 7']],
    [' a , b ', [' a  1', ' b  5']],
  ])('splits %j', (line, cells) => {
    expect(splitRow(line)?.map(({ text, column }) => `${text} ${column}`)).toEqual(cells);
  });

  it.each(['"a', 'a"', '"a"b', '"a" ,b', 'a,"b', '"""', 'a"b,c'])('rejects the unbalanced quotes of %j', (line) => {
    expect(splitRow(line)).toBeUndefined();
  });
});

it('text that is not UTF-8 is reported at its first byte', async () => {
  expect((await readCsv(Buffer.from('user,theme\nzo\u00eb,meadow\n', 'latin1'))).diagnostics).toEqual([
    'file/encoding 2:3-4',
  ]);
  expect((await readCsv(Buffer.from('\ufeffuser,theme\nann,meadow\n', 'utf16le'))).diagnostics).toEqual([
    'file/encoding 1:1-2',
  ]);
});

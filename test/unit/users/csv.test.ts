import { expect, it } from 'vitest';
import { formatLocation, read, source } from '../users.ts';

/** Returns the keys and themes of a file, and its diagnostics with their locations. */
const readCsv = async (text: string | Buffer) => {
  const { user, group, diagnostics } = await read([source('users.csv', text)]);
  return { user, group, diagnostics: diagnostics.map(formatLocation) };
};

it('text that is not UTF-8 is reported at its first byte', async () => {
  expect((await readCsv(Buffer.from('user,theme\nzo\u00eb,meadow\n', 'latin1'))).diagnostics).toEqual([
    'file/encoding 2:3-4',
  ]);
  expect((await readCsv(Buffer.from('\ufeffuser,theme\nann,meadow\n', 'utf16le'))).diagnostics).toEqual([
    'file/encoding 1:1-2',
  ]);
});

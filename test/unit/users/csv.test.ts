import { describe, expect, it } from 'vitest';
import { readHeader, splitRow } from '../../../src/users/csv.ts';
import { placeOf, read, source } from '../users.ts';

/** The keys and themes of a file, and its findings by place. */
const readCsv = async (text: string | Buffer) => {
  const { user, group, found } = await read([source('users.csv', text)]);
  return { user, group, found: found.map(placeOf) };
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
  ])('%j', (line, cells) => {
    expect(splitRow(line)?.map(({ text, column }) => `${text} ${column}`)).toEqual(cells);
  });

  it.each(['"a', 'a"', '"a"b', '"a" ,b', 'a,"b', '"""', 'a"b,c'])('%j has quotes that do not pair', (line) => {
    expect(splitRow(line)).toBeUndefined();
  });
});

describe('readHeader', () => {
  it.each([
    ['user,theme', { kind: 'user', hasIds: false }],
    ['user, theme_id', { kind: 'user', hasIds: true }],
    [' group ,"theme"', { kind: 'group', hasIds: false }],
    ['theme,user', undefined],
    ['user,theme,name', undefined],
    ['user', undefined],
    ['User,Theme', undefined],
    ['ann,meadow', undefined],
    ['user;theme', undefined],
  ])('%j', (line, header) => {
    expect(readHeader(line)).toEqual(header);
  });
});

describe('CSV', () => {
  it('is read with or without quotes, LF or CRLF, blank lines between, and without a last line end', async () => {
    const text = 'user,theme\r\nann,meadow\r\n\r\n"bob",harbor\n"dan","meadow"';
    expect((await readCsv(text)).user).toEqual(['ann→meadow', 'bob→harbor', 'dan→meadow']);
    // The places of keys show when they come twice.
    expect((await readCsv(`${text}\n"dan",meadow\r\n  \nann,meadow`)).found).toEqual([
      'mapping/duplicate-user 6:2-5',
      'mapping/columns 7:1-3',
      'mapping/duplicate-user 8:1-4',
    ]);
  });

  it('takes the header in quotes, and with spaces, after a byte order mark and blank lines', async () => {
    for (const header of ['"user","theme"', '"user", theme', '\ufeffuser,theme', '\ufeff\r\n\nuser,theme\r'])
      expect(await readCsv(`${header}\nann,meadow\n`)).toEqual({ user: ['ann→meadow'], group: [], found: [] });
    expect(await readCsv('group,theme\nann,meadow\n')).toEqual({ user: [], group: ['ann→meadow'], found: [] });
    expect(await readCsv('user,theme')).toEqual({ user: [], group: [], found: [] });
  });

  it.each([
    ['', ['mapping/header']],
    ['\n\n', ['mapping/header']],
    ['\ufeff', ['mapping/header']],
    ['ann,meadow\n', ['mapping/header 1:1-11']],
    ['\n\nann,meadow\n', ['mapping/header 3:1-11']],
    ['user;theme\nann;meadow\n', ['mapping/header 1:1-11']],
    ['user\ttheme\nann\tmeadow\n', ['mapping/header 1:1-11']],
    ['User,Theme\nann,meadow\n', ['mapping/header 1:1-11']],
    ['user,theme\nann\na,b,c\n', ['mapping/columns 2:1-4', 'mapping/columns 3:1-6']],
    ['user,theme\n"ann,meadow\n', ['mapping/quotes 2:1-12']],
    ['user,theme\n"a"b,meadow\n', ['mapping/quotes 2:1-12']],
    ['user,theme\na"b,meadow\n', ['mapping/quotes 2:1-11']],
    ['user,theme\nann,meadow\rbob,meadow\n', ['file/character 2:11-12']],
    ['user,theme\nann,meadow\r\r\n', ['file/character 2:11-12']],
    ['user,theme\nann,meadow\0\n', ['file/character 2:11-12']],
    ['user,theme\nann,meadow \n', ['mapping/unknown-theme 2:5-12']],
  ])('%j', async (text, expected) => {
    expect((await readCsv(text)).found).toEqual(expected);
  });

  it.each([
    ['Group;Theme', 'group'],
    ['groups\ttheme', 'group'],
    ['ann,group-red', 'user'],
    ['ann@group.example.org,meadow', 'user'],
  ])('%j gets a hint with the header for the key %s', async (line, meant) => {
    const { found } = await read([source('users.csv', `${line}\nann,meadow\n`)]);
    expect(found[0]?.hint).toContain(`\`${meant},theme\``);
  });

  it('that is not UTF-8 is found where it begins not to be', async () => {
    expect((await readCsv(Buffer.from('user,theme\nzo\u00eb,meadow\n', 'latin1'))).found).toEqual([
      'file/encoding 2:3-4',
    ]);
    expect((await readCsv(Buffer.from('\ufeffuser,theme\nann,meadow\n', 'utf16le'))).found).toEqual([
      'file/encoding 1:1-2',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { readHeader, splitRow } from '../../../src/users/csv.ts';
import { placeOf, read, source } from '../users.ts';

/** Returns the keys and themes of a file, and its diagnostics by location. */
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

  it.each(['"a', 'a"', '"a"b', '"a" ,b', 'a,"b', '"""', 'a"b,c'])('%j has unbalanced quotes', (line) => {
    expect(splitRow(line)).toBeUndefined();
  });
});

describe('readHeader', () => {
  it.each([
    ['user,theme', { kind: 'user', hasIds: false, separator: ',' }],
    ['user, theme_id', { kind: 'user', hasIds: true, separator: ',' }],
    [' group ,"theme"', { kind: 'group', hasIds: false, separator: ',' }],
    ['theme,user', undefined],
    ['user,theme,name', undefined],
    ['user', undefined],
    ['User,Theme', undefined],
    ['ann,meadow', undefined],
    ['user;theme', { kind: 'user', hasIds: false, separator: ';' }],
    ['user\t"theme"', { kind: 'user', hasIds: false, separator: '\t' }],
    ['user;theme;', undefined],
    ['user|theme', undefined],
  ])('%j', (line, header) => {
    expect(readHeader(line)).toEqual(header);
  });
});

describe('CSV', () => {
  it('is read with or without quotes, LF or CRLF, blank lines between, and without a last line end', async () => {
    const text = 'user,theme\r\nann,meadow\r\n\r\n"bob",harbor\n"dan","meadow"';
    expect((await readCsv(text)).user).toEqual(['ann→meadow', 'bob→harbor', 'dan→meadow']);
    // A repeated key shows the location of the first.
    expect((await readCsv(`${text}\n"dan",meadow\r\n  \nann,meadow`)).found).toEqual([
      'mapping/duplicate-user 6:2-5',
      'mapping/duplicate-user 8:1-4',
    ]);
  });

  it('accepts a header in quotes, with spaces, after a byte order mark and blank lines', async () => {
    for (const header of ['"user","theme"', '"user", theme', '\ufeffuser,theme', '\ufeff\r\n\nuser,theme\r'])
      expect(await readCsv(`${header}\nann,meadow\n`)).toEqual({ user: ['ann→meadow'], group: [], found: [] });
    expect(await readCsv('group,theme\nann,meadow\n')).toEqual({ user: [], group: ['ann→meadow'], found: [] });
    expect(await readCsv('user,theme')).toEqual({ user: [], group: [], found: [] });
  });

  it.each([
    ['semicolons', 'user;theme\nann;meadow\n"bob";"harbor"\r\n'],
    ['tabs', 'user\ttheme\nann\tmeadow\nbob\tharbor'],
    ['a line that names the separator', 'sep=;\r\nuser;theme\r\nann;meadow\r\nbob;harbor\r\n'],
    ['rows of separators alone', 'user;theme\nann;meadow\n;\n;;;\n \t \n"bob";harbor\n;'],
    ['rows of commas alone', 'user,theme\n,\nann,meadow\n,,,\nbob,harbor\n,'],
  ])('is read with %s', async (_, text) => {
    expect(await readCsv(text)).toEqual({ user: ['ann→meadow', 'bob→harbor'], group: [], found: [] });
  });

  it.each(['1E+1', '1E+1234', 'x1E+12', '1+12', '12345E+12', 'E+12', '1.2.3E+12', '1E12', '+12', 'a+1+22'])(
    'takes the key %s for no shortened number',
    async (key) => {
      expect((await readCsv(`user,theme\n${key},meadow\n`)).user).toEqual([`${key}→meadow`]);
    },
  );

  it.each([
    ['user,theme\n tom,meadow', 'Delete the space before or after the key.'],
    ['user,theme\ntom\u00a0,meadow', 'Delete the space before or after the key.'],
    ['user,theme\ntom%40example.org,meadow', '`@` instead of `%40`'],
    ['user,theme\ntom, meadow', 'Delete the space.'],
    ['user,theme\ntom,2', 'call the column `theme_id`'],
    ['user;theme\ntom,meadow', 'Write a semicolon between'],
    ['user,theme\ntom\tmeadow', 'Write a comma between'],
  ])('%j gets the hint %j', async (text, hint) => {
    const { found } = await read([source('users.csv', text)]);
    expect(found.map((one) => one.hint).join('\n')).toContain(hint);
  });

  it.each([
    ['', ['mapping/header']],
    ['\n\n', ['mapping/header']],
    ['\ufeff', ['mapping/header']],
    ['ann,meadow\n', ['mapping/header 1:1-11']],
    ['\n\nann,meadow\n', ['mapping/header 3:1-11']],
    ['user;theme\nann,meadow\n', ['mapping/columns 2:1-11']],
    ['user,theme\nann;meadow\n', ['mapping/columns 2:1-11']],
    ['sep=;\n', ['mapping/header']],
    ['sep=|\nuser|theme\n', ['mapping/header 1:1-6']],
    ['user,theme\n1.23457E+11,meadow\n', ['mapping/shortened-number 2:1-12']],
    ['user;theme\n1,2E+123;meadow\n', ['mapping/shortened-number 2:1-9']],
    ['user,theme\n"9E+15",meadow\n', ['mapping/shortened-number 2:2-7']],
    ['user,theme\nann, meadow\n', ['mapping/unknown-theme 2:5-12']],
    ['PK\u0003\u0004\n\n\0\0[Content_Types].xml\n\0\0', ['mapping/not-a-table']],
    ['<!DOCTYPE html>\n<p>x', ['mapping/not-a-table']],
    ['[{"user": "ann"}]', ['mapping/not-a-table']],
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

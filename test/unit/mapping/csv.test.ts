import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../src/mapping/csv.ts';
import { findings, places } from '../collect.ts';

const rows = (text: string): string[] =>
  parseCsv('users.csv', text, () => undefined).map(
    ({ key, theme, location: { start, end } }) => `${key}→${theme} ${start?.line}:${start?.column}-${end?.column}`,
  );
const placesIn = (text: string): string[] => places((report) => parseCsv('users.csv', text, report));

describe('parseCsv', () => {
  it('reads rows with or without quotes, LF or CRLF, blank lines between', () => {
    const text = 'user,theme\r\nann,meadow\r\n\r\n"b,""c""",harbor\n"dan","meadow"';
    expect(rows(text)).toEqual(['ann→meadow 2:1-4', 'b,"c"→harbor 4:2-7', 'dan→meadow 5:2-5']);
    expect(placesIn(text)).toEqual([]);
  });

  it('takes the header in quotes, and with spaces', () => {
    expect(placesIn('"user", theme\n')).toEqual([]);
  });

  it.each([
    ['', ['mapping/header']],
    ['\n\n', ['mapping/header']],
    ['ann,meadow\n', ['mapping/header 1:1-11']],
    ['user;theme\nann;meadow\n', ['mapping/header 1:1-11']],
    ['user\ttheme\nann\tmeadow\n', ['mapping/header 1:1-11']],
    ['User,Theme\nann,meadow\n', ['mapping/header 1:1-11']],
    ['user,theme\nann\na,b,c\n', ['mapping/columns 2:1-4', 'mapping/columns 3:1-6']],
    ['user,theme\n"ann,meadow\n', ['mapping/quotes 2:1-12']],
    ['user,theme\n"a"b,meadow\n', ['mapping/quotes 2:1-12']],
    ['user,theme\na"b,meadow\n', ['mapping/quotes 2:1-11']],
  ])('%j', (text, expected) => {
    expect(placesIn(text)).toEqual(expected);
  });

  it('keeps the rows when only the header is missing', () => {
    expect(rows('ann,meadow\nbob,meadow\n')).toEqual(['ann→meadow 1:1-4', 'bob→meadow 2:1-4']);
  });

  it('never throws, and every row is an assignment or a finding', () => {
    const cell = fc.constantFrom('ann', '"ann"', '""', '"', ' ', 'a"b', '', '\t', ';', 'zoë');
    const row = fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(','));
    fc.assert(
      fc.property(fc.array(fc.oneof(row, fc.string({ unit: 'binary' }))), (lines) => {
        const text = ['user,theme', ...lines].join('\n');
        const filled = text.split(/\r?\n/).filter((line) => line !== '').length - 1;
        const found = findings((report) => parseCsv('users.csv', text, report));
        expect(rows(text).length + found.length).toBe(filled);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void findings((r) => parseCsv('users.csv', text, r))),
    );
  });

  it('is quick on a long line of quotes', () => {
    const started = performance.now();
    placesIn(`user,theme\n${'"'.repeat(200_001)}\n${'a,'.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

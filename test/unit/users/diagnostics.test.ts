import { describe, expect, it } from 'vitest';
import { UserDiagnostics, locate, locateRow, type ScannedChunk } from '../../../src/users/diagnostics.ts';
import type { Row } from '../../../src/users/digest-records.ts';
import { MAX_DIAGNOSTICS, MAX_UNKNOWN, type RowDiagnostic, type UnknownTheme } from '../../../src/users/scan.ts';
import { Repetitions } from '../../../src/users/dedupe.ts';
import { findings } from '../collect.ts';

const chunk = (file: string, firstLine: number): ScannedChunk => ({
  file,
  firstLine,
  lines: 100,
  counts: { user: [], group: [] },
  first: {},
});

/** The second file was read in two parts. */
const CHUNKS = [chunk('a.csv', 2), chunk('b.csv', 2), chunk('b.csv', 102)];

const NOTHING = { diagnostics: [], more: 0, unknown: [], swapped: undefined };
const at = (line: number, column = 1, length = 3) => ({ line, column, length });
const empty = (line: number, column = 1): RowDiagnostic => ({
  ...at(line, column),
  code: 'mapping/empty-key',
  args: {},
});
const unknown = (theme: string, line: number, users = 1): UnknownTheme => ({ ...at(line, 5), theme, users });
const row = (part: number, line: number): Row => ({
  ...at(line),
  chunk: part,
  kind: 'user',
  isFolded: false,
  theme: 0,
});

function told(fill: (all: UserDiagnostics, duplicates: Repetitions) => void): string[] {
  const all = new UserDiagnostics();
  const duplicates = new Repetitions();
  fill(all, duplicates);
  return findings((report) => all.report(CHUNKS, duplicates, ['harbor', 'meadow'], report)).map(
    ({ message, location: { file, start, end } }) =>
      `${file}${start === undefined ? '' : `:${start.line}:${start.column}-${end?.column}`} ${message}`,
  );
}

describe('places', () => {
  it('are counted from the first line of the file', () => {
    expect(locate({ file: 'b.csv', firstLine: 102 }, at(3, 5, 4))).toEqual({
      file: 'b.csv',
      start: { line: 105, column: 5 },
      end: { line: 105, column: 9 },
    });
    expect(locateRow(CHUNKS, row(2, 0))).toMatchObject({ file: 'b.csv', start: { line: 102 } });
    expect(() => locateRow(CHUNKS, row(3, 0))).toThrow('Bug: a row of no chunk.');
  });
});

describe('diagnostics about users', () => {
  it('stand where the rows are, whatever they are about', () => {
    const found = told((all, duplicates) => {
      all.add(0, 'a.csv', { ...NOTHING, diagnostics: [empty(7, 4), empty(7, 2), empty(1)] });
      all.add(2, 'b.csv', { ...NOTHING, diagnostics: [empty(0)], unknown: [unknown('', 1)] });
      duplicates.add([[row(1, 3), row(0, 0)]]);
    });
    expect(found).toEqual([
      'a.csv:3:1-4 The key is empty.',
      'a.csv:9:2-5 The key is empty.',
      'a.csv:9:4-7 The key is empty.',
      'b.csv:5:1-4 This user or group is already listed in `a.csv:2`.',
      'b.csv:102:1-4 The key is empty.',
      'b.csv:103:5-8 The row names no theme.',
    ]);
  });

  it('are none without any', () => {
    expect(told((all) => all.add(0, 'a.csv', NOTHING))).toEqual([]);
  });

  it('are shown up to fifty, in the order in which they stand; the others are counted', () => {
    const some = (count: number, from = 0) => Array.from({ length: count }, (_, line) => empty(from + line));
    const shown = (fill: (all: UserDiagnostics, duplicates: Repetitions) => void) => {
      const found = told(fill);
      return [found.filter((line) => line.includes('empty')).length, ...found.filter((line) => line.includes('more'))];
    };
    expect(shown((all) => all.add(0, 'a.csv', { ...NOTHING, diagnostics: some(MAX_DIAGNOSTICS) }))).toEqual([50]);
    expect(
      shown((all) => {
        all.add(0, 'a.csv', { ...NOTHING, diagnostics: some(30) });
        all.add(1, 'b.csv', { ...NOTHING, diagnostics: some(21), more: 7 });
      }),
    ).toEqual([50, 'b.csv 8 more diagnostics about users are not shown.']);
    expect(
      shown((all, duplicates) => {
        all.add(0, 'a.csv', { ...NOTHING, diagnostics: some(49, 3) });
        duplicates.add([
          [row(0, 1), row(0, 0)],
          [row(0, 2), row(0, 0)],
        ]);
      }),
    ).toEqual([48, 'a.csv 1 more diagnostic about users is not shown.']);
    expect(
      shown((all, duplicates) => {
        all.add(0, 'a.csv', { ...NOTHING, diagnostics: some(1) });
        duplicates.add([], 1000);
      }),
    ).toEqual([1, 'a.csv 1,000 more diagnostics about users are not shown.']);
  });

  it('about one unknown theme are one, where it stands first', () => {
    const found = told((all) => {
      all.add(0, 'a.csv', { ...NOTHING, unknown: [unknown('winter', 4, 2)] });
      all.add(1, 'b.csv', { ...NOTHING, unknown: [unknown('winter', 0, 3), unknown('medow', 1)] });
    });
    expect(found).toEqual([
      'a.csv:6:5-8 There is no theme `winter`, but 5 users are assigned to it.',
      'b.csv:3:5-8 There is no theme `medow`.',
    ]);
  });

  it('about unknown themes are kept of the first thousand; of the others only how many there are', () => {
    const names = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => unknown(`theme-${from + at}`, from + at, 2));
    const found = told((all) => {
      all.add(0, 'a.csv', { ...NOTHING, unknown: names(MAX_UNKNOWN, 0) });
      all.add(1, 'b.csv', { ...NOTHING, unknown: [...names(1, MAX_UNKNOWN), ...names(1, 0)] });
    });
    expect(found).toHaveLength(51);
    // 950 themes of the first thousand, and both users of the last.
    expect(found).toContain('a.csv 952 more diagnostics about users are not shown.');
    expect(found).toContain('a.csv:2:5-8 There is no theme with this name, but 4 users are assigned to it.');
  });

  it('repeat no theme that may be a key', () => {
    const says = (theme: string, users: number, isSwapped = false): string =>
      told((all) => {
        all.add(0, 'a.csv', { ...NOTHING, unknown: [unknown(theme, 9, users)] });
        if (isSwapped) all.add(1, 'b.csv', { ...NOTHING, swapped: { ...at(0), times: 1 } });
      })[0]?.replace(/^\S+ /, '') ?? '';
    expect(says('winter', 2)).toBe('There is no theme `winter`, but 2 users are assigned to it.');
    expect(says('winter', 1)).toBe('There is no theme with this name.');
    expect(says('medow', 1)).toBe('There is no theme `medow`.');
    expect(says('medow', 1, true)).toBe('There is no theme with this name.');
    expect(says('', 1, true)).toBe('The row names no theme.');
    expect(says(' Winter-days ', 2)).toBe('There is no theme ` Winter-days `, but 2 users are assigned to it.');
    expect(says('w'.repeat(64), 2)).toContain(`\`${'w'.repeat(64)}\``);
    for (const theme of ['winter-1', '-winter', 'w'.repeat(65), 'tom@a', 'u_1', '4711', 'a b'])
      expect(says(theme, 2)).toBe('There is no theme with this name, but 2 users are assigned to it.');
  });

  it('about swapped columns are one a file, with how often', () => {
    const swapped = (line: number, times: number) => ({ ...NOTHING, swapped: { ...at(line), times } });
    const found = told((all) => {
      all.add(0, 'a.csv', swapped(0, 1));
      all.add(1, 'b.csv', swapped(2, 3));
      all.add(2, 'b.csv', swapped(0, 2));
    });
    expect(found).toEqual([
      'a.csv:2:1-4 The user and the theme are swapped.',
      'b.csv:4:1-4 The user and the theme are swapped here and in 4 more places.',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { apart, edited, offsets } from '../../../src/source/edits.ts';
import { isVerbatim, replacementOf, requoted } from '../../../src/source/requote.ts';

describe('edits', () => {
  it('finds places again, and no further than the end', () => {
    const offset = offsets('ab\r\nc');
    expect([offset({ line: 1, column: 2 }), offset({ line: 2, column: 1 }), offset({ line: 9, column: 1 })]).toEqual([
      1, 4, 5,
    ]);
  });

  it('leaves out an edit that overlaps an earlier one, or repeats it', () => {
    const edits = [
      { start: 2, end: 4, text: 'x' },
      { start: 0, end: 1, text: 'y' },
      { start: 3, end: 5, text: 'z' },
      { start: 2, end: 4, text: 'x' },
    ];
    expect(edited('abcdef', apart(edits))).toBe('ybxef');
  });
});

describe('another value in place of one', () => {
  it.each([
    ['logo.svg', 'logo.svg', 'a.svg', 'a.svg'],
    ['"b"', 'b', 'a', '"a"'],
    ["'b'", 'b', 'a', "'a'"],
    ['b', 'b', 'no', '"no"'],
    ['b', 'b', '1', '"1"'],
    ['b', 'b', 'a: b', '"a: b"'],
    ['b', 'b', 'a"b', "'a\"b'"],
    ['"b"', 'b', 'a"b', "'a\"b'"],
    ['"\\x62"', 'b', 'a', undefined], // with an escape
    ['>-', 'b', 'a', undefined], // over several lines
    ['b', 'b', undefined, undefined],
  ])('%j, read as %j, becomes %j as %j', (source, value, text, expected) => {
    expect(replacementOf(source, value, text)).toBe(expected);
  });

  it('keeps the quotes', () => {
    expect(isVerbatim('"a"', 'a')).toBe(true);
    expect(isVerbatim('"a', 'a')).toBe(false);
    expect(requoted('"a"', 'b')).toBe('"b"');
  });
});

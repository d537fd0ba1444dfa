import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  inQuotes,
  masked,
  printable,
  quote,
  quoteList,
  visible,
  visibleLines,
} from '../../../src/diagnostics/quote.ts';
import { hasControl, hasLogCommand } from './control.ts';

describe('quote', () => {
  it('puts names and values in backticks, values that are no texts as JSON', () => {
    expect(quote('logo')).toBe('`logo`');
    expect([42, null, undefined, ['a']].map(quote)).toEqual(['`42`', '`null`', '`undefined`', '`["a"]`']);
  });

  it('cuts long text and shows invisible characters', () => {
    expect(quote('x'.repeat(81))).toBe(`\`${'x'.repeat(80)}…\``);
    expect(printable('a\u0007b\u202ec\u200bd\ud800e\n')).toBe('a\\u0007b\\u202ec\\u200bd\\ud800e\\n');
    expect(printable('Ünï 漢字 👩')).toBe('Ünï 漢字 👩');
  });

  it('never lets a control or bidirectional character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const output of [printable(text), visible(text), quote(text), inQuotes(text), masked(text)]) {
          expect(hasControl(output)).toBe(false);
        }
      }),
    );
  });
});

describe('commands to a runner', () => {
  it('are shown as escapes, and columns stay where a line of a file is shown', () => {
    expect(visible('a ##[error]b ##vso[task.x]c ## [d] ###[e]')).toBe(
      'a #\\u0023[error]b #\\u0023vso[task.x]c ## [d] ##\\u0023[e]',
    );
    expect(masked('a ##[error]b ##vso[x]')).toBe('a #·[error]b #·vso[x]');
    expect(visibleLines('a\n  ::error::b\n::c ::d')).toBe('a\n  \\u003a:error::b\n\\u003a:c ::d');
  });

  it('never remain, whatever else a text contains', () => {
    const parts = fc.constantFrom('#', '##', '[', 'vso', ':', '::', ' ', '\n', '\u202e', 'a');
    fc.assert(
      fc.property(fc.array(parts), (all) => {
        const text = all.join('');
        expect(hasLogCommand(visibleLines(text))).toBe(false);
        expect(/##\w*\[/.test(masked(text) + quote(text))).toBe(false);
      }),
    );
  });
});

describe('inQuotes', () => {
  it.each([
    ['#fff', '"#fff"'],
    ["Meadow's", '"Meadow\'s"'],
    ['12" disc', "'12\" disc'"],
    ["img\\it's", "'img\\it''s'"],
  ])('%s → %s', (value, quoted) => {
    expect(inQuotes(value)).toBe(quoted);
  });
});

it('keeps every column when it masks a line', () => {
  expect(masked('a\tb\u200dc\u0007')).toBe('a b·c·');
});

it('joins lists and counts', () => {
  expect([quoteList([]), quoteList(['a']), quoteList(['a', 'b'])]).toEqual(['', '`a`', '`a` or `b`']);
  expect(quoteList(['a', 'b', 'c'], 'and')).toBe('`a`, `b` and `c`');
  expect([count(0, 'theme'), count(1, 'theme'), count(1234, 'entry', 'entries')]).toEqual([
    '0 themes',
    '1 theme',
    '1,234 entries',
  ]);
});

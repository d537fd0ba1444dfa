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
} from '../../../src/core/diagnostics/quote.ts';
import { hasControl, hasLogCommand } from './control.ts';

// texts/*.txt show how values are quoted; these tests are about arbitrary values.
describe('quote', () => {
  it('escapes every control or bidirectional character', () => {
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
  it('are escaped without moving columns in the line of a file', () => {
    expect(visible('a ##[error]b ##vso[task.x]c ## [d] ###[e]')).toBe(
      'a #\\u0023[error]b #\\u0023vso[task.x]c ## [d] ##\\u0023[e]',
    );
    expect(masked('a ##[error]b ##vso[x]')).toBe('a #·[error]b #·vso[x]');
    expect(visibleLines('a\n  ::error::b\n::c ::d')).toBe('a\n  \\u003a:error::b\n\\u003a:c ::d');
  });

  it('are escaped, whatever else a text contains', () => {
    const fragment = fc.constantFrom('#', '##', '[', 'vso', ':', '::', ' ', '\n', '\u202e', 'a');
    fc.assert(
      fc.property(fc.array(fragment), (fragments) => {
        const text = fragments.join('');
        expect(hasLogCommand(visibleLines(text))).toBe(false);
        expect(/##\w*\[/.test(masked(text) + quote(text))).toBe(false);
      }),
    );
  });
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

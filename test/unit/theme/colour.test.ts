import { colorsNamed } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_COLOURS, normaliseColour, UNFIXED_KEYWORDS } from '../../../src/core/theme/colour/colour.ts';

/** Returns the hsl text or the problem, which are easier to compare than the result. */
function convert(text: string): string {
  const result = normaliseColour(text);
  return 'hsl' in result ? result.hsl : result.problem;
}

describe('keywords', () => {
  it('include the 148 named colours', () => {
    expect(NAMED_COLOURS).toHaveLength(148);
    for (const [name, value] of Object.entries(colorsNamed))
      expect(convert(name), name).toBe(convert(`#${value.toString(16).padStart(6, '0')}`));
  });

  it('exclude every system colour, as it is not fixed, in any case', () => {
    for (const name of UNFIXED_KEYWORDS) expect(convert(name.toUpperCase()), name).toBe('not-a-fixed-colour');
  });
});

/** Options that repeat the same examples in every run. */
const runs = (numRuns: number) => ({ seed: 20260101, numRuns });

describe('for any text', () => {
  const numberLike = fc.oneof(
    fc.double().map(String),
    fc.constantFrom('none', '1e999', '-1e999', '50%', '90deg', '/', ','),
  );
  const colourLike = fc
    .tuple(
      fc.constantFrom(
        ...'rgb( hsl( hwb( lab( lch( oklab( oklch('.split(' '),
        'color(rec2020 ',
        'color(prophoto-rgb ',
        '#',
      ),
      fc.array(numberLike, { minLength: 3, maxLength: 5 }),
    )
    .map(([opening, parts]) => `${opening}${parts.join(' ')})`);
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), colourLike);

  it('returns a publishable colour or a problem, and never throws', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(convert(text)).toMatch(
          /^(hsl\(([0-9]|[1-9][0-9]|[12]\d\d|3[0-5]\d),(\d|\d\d|100)%,(\d|\d\d|100)%\)|syntax|alpha|not-a-fixed-colour)$/,
        );
      }),
      runs(3000),
    );
  });

  it('keeps colours in published form unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(colourLike, fc.stringMatching(/^#[\da-f]{6}$/)), (text) => {
        const published = convert(text);
        fc.pre(published.startsWith('hsl('));
        expect(convert(published)).toBe(published);
      }),
      runs(500),
    );
  });
});

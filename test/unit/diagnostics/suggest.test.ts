import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggest } from '../../../src/core/diagnostics/suggest.ts';

const FIELDS = ['id', 'name', 'logo', 'logo_inverse', 'logo_height', 'is_default'];

describe('suggest', () => {
  it.each([
    ['lgoo', 'logo'], // swapped neighbours are one edit
    ['LOGO', 'logo'],
    ['logo-height', 'logo_height'],
    ['isDefault', 'is_default'],
    ['logoinverse', 'logo_inverse'],
    ['nam', 'name'],
    ['idd', 'id'],
  ])('%s → %s', (word, suggestion) => {
    expect(suggest(word, FIELDS)).toBe(suggestion);
  });

  it.each(['colour', 'x', '', 'heading', 'x'.repeat(101)])('suggests nothing for %s', (word) => {
    expect(suggest(word, FIELDS)).toBeUndefined();
  });

  it('suggests the closest candidate, and the first of equally close ones', () => {
    expect(suggest('ab', ['abcd', 'abc', 'abd'])).toBe('abc');
  });

  it('agrees with a plain implementation', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C'), maxLength: 6 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 8 }), (misspelling, candidates) => {
        const scored = candidates
          .map((candidate) => ({ candidate, edits: edits(misspelling.toLowerCase(), candidate.toLowerCase()) }))
          .filter(
            (entry) => entry.edits <= Math.max(1, Math.floor(Math.max(misspelling.length, entry.candidate.length) / 3)),
          )
          .toSorted((a, b) => a.edits - b.edits);
        expect(suggest(misspelling, candidates)).toBe(scored[0]?.candidate);
      }),
    );
  });

  it('ends in time with very many candidates', () => {
    const candidates = Array.from({ length: 10_000 }, (_, index) => `theme-of-the-community-${index}`);
    for (let index = 0; index < 10; index++) suggest(`user-${index}@example.org`, candidates);
    expect(suggest('theme-of-the-comunity-77', candidates)).toBe('theme-of-the-community-77');
  });
});

/** Returns the edit distance of two words by the plain algorithm, as a reference. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const swaps = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  if (a.at(-1) === b.at(-1)) return edits(a.slice(0, -1), b.slice(0, -1));
  return (
    1 +
    Math.min(
      edits(a.slice(0, -1), b),
      edits(a, b.slice(0, -1)),
      edits(a.slice(0, -1), b.slice(0, -1)),
      ...(swaps ? [edits(a.slice(0, -2), b.slice(0, -2))] : []),
    )
  );
}

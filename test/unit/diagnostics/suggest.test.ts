import { describe, expect, it } from 'vitest';
import { didYouMean, suggest } from '../../../src/diagnostics/suggest.ts';

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
  ])('%s → %s', (word, meant) => {
    expect(suggest(word, FIELDS)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'heading', 'x'.repeat(101)])('%s → nothing', (word) => {
    expect(suggest(word, FIELDS)).toBeUndefined();
  });

  it('takes the closest, and of equally close ones the first', () => {
    expect(suggest('ab', ['abcd', 'abc', 'abd'])).toBe('abc');
  });

  it('makes a question only of what there is, safe to print', () => {
    expect(didYouMean(undefined)).toBeUndefined();
    expect(didYouMean('lo\u202ego')).toBe('Did you mean `lo\\u202ego`?');
  });
});

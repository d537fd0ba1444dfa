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
});

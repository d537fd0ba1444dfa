import { expect, it } from 'vitest';
import { meantTheme } from '../../../src/theme/meant-theme.ts';

it.each([
  ['medow', { suggestion: 'meadow', fix: 'meadow' }],
  ['meadow-2025', { suggestion: 'meadow', fix: undefined }],
  ['zebra', { suggestion: undefined, fix: undefined }],
])('%s means %j', (name, meant) => {
  expect(meantTheme(name, ['port', 'meadow'])).toEqual(meant);
});

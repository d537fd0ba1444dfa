import { expect, it } from 'vitest';
import { meantTheme } from '../../../src/theme/meant-theme.ts';

it.each([
  ['medow', 'meadow'],
  ['meadow-2025', 'meadow'],
  ['zebra', undefined],
])('%s means %s', (name, meant) => {
  expect(meantTheme(name, ['port', 'meadow'])).toBe(meant);
});

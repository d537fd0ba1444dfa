import { expect, test } from 'vitest';
import { recolour } from '../../../src/core/image/logo-version.ts';

/** Dark blue, half-transparent red, and white. */
const PIXELS = [16, 20, 58, 255, 255, 0, 0, 128, 255, 255, 255, 255];

test.each([
  ['plain', 'dark', false, [255, 255, 255, 255, 255, 255, 255, 128, 255, 255, 255, 255]],
  ['plain', 'light', false, [0, 0, 0, 255, 0, 0, 0, 128, 0, 0, 0, 255]],
  ['inverted', 'dark', false, [197, 201, 239, 255, 255, 0, 0, 128, 0, 0, 0, 255]],
  ['plain', 'dark', true, [255, 255, 255, 239, 255, 255, 255, 128, 255, 255, 255, 0]],
] as const)('becomes %s for %s pages, with its white background removed: %s', (version, mode, isBoxed, pixels) => {
  const rgba = Uint8Array.from(PIXELS);
  recolour(rgba, version, mode, isBoxed);
  expect([...rgba]).toEqual(pixels);
});

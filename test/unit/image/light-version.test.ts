import { expect, test } from 'vitest';
import { makeLight } from '../../../src/core/image/light-version.ts';

/** Dark blue, half-transparent red, and white. */
const PIXELS = [16, 20, 58, 255, 255, 0, 0, 128, 255, 255, 255, 255];

test.each([
  ['white', false, [255, 255, 255, 255, 255, 255, 255, 128, 255, 255, 255, 255]],
  ['inverted', false, [197, 201, 239, 255, 255, 0, 0, 128, 0, 0, 0, 255]],
  ['white', true, [255, 255, 255, 239, 255, 255, 255, 128, 255, 255, 255, 0]],
] as const)('becomes %s, with its white background removed: %s', (version, isBoxed, pixels) => {
  const rgba = Uint8Array.from(PIXELS);
  makeLight(rgba, version, isBoxed);
  expect([...rgba]).toEqual(pixels);
});

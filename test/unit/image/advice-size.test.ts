import { expect, it } from 'vitest';
import { tooFewPixels, tooManyBytes } from '../../../src/core/image/advice-size.ts';

const size = (width: number, height: number, bytes = 1000, isVector = false) => ({
  path: 'a.png',
  width,
  height,
  bytes,
  isVector,
});

const MIB = 1024 * 1024;

it.each([
  ['default_group_banner', 639, 900, 640],
  ['default_group_banner', 640, 90, undefined],
  ['logo_site', 124, 60, 125],
  ['logo_site', 60, 124, 125],
  ['logo_site', 125, 20, undefined],
  ['logo', 16, 16, undefined],
] as const)('a minimum is advised for a %s of %i×%i pixels: %s', (field, width, height, min) => {
  expect(tooFewPixels(field, size(width, height))?.min).toBe(min);
});

it.each([
  ['logo', 400, 100, MIB / 2 + 1, {}],
  ['logo', 4000, 1000, MIB / 2, undefined],
  ['default_event_banner', 2201, 900, 4 * MIB + 1, { box: 2200 }],
  ['default_event_banner', 2200, 2200, 20 * MIB, undefined],
  ['default_event_banner', 9000, 3000, 4 * MIB, undefined],
  ['logo_site', 251, 251, 4 * MIB + 1, { box: 250 }],
] as const)(
  'a smaller file is advised for a %s of %i×%i pixels with %i bytes: %o',
  (field, width, height, bytes, expected) => {
    const advice = tooManyBytes(field, size(width, height, bytes));
    expect(advice).toEqual(expected && { path: 'a.png', width, height, bytes, ...expected });
  },
);

it('a vector image has no number of pixels', () => {
  expect(tooFewPixels('logo_site', size(0, 0, 1000, true))).toBeUndefined();
  expect(tooManyBytes('logo', size(0, 0, MIB, true))).toEqual({ path: 'a.png', bytes: MIB, box: undefined });
});

import { describe, expect, it } from 'vitest';
import { tooFewPixels, tooManyBytes } from '../../../src/image/advice-size.ts';

const size = (width: number, height: number, bytes = 1000, isVector = false) => ({
  path: 'a.png',
  width,
  height,
  bytes,
  isVector,
});

describe('tooFewPixels', () => {
  it.each([
    ['default_group_banner', 319, 900, 320],
    ['logo_site', 124, 60, 125],
    ['logo_site', 60, 124, 125],
  ] as const)('finds a %s of %i×%i', (field, width, height, min) => {
    expect(tooFewPixels(field, size(width, height))).toMatchObject({ width, height, min });
  });

  it.each([
    ['default_group_banner', 320, 90],
    ['logo_site', 125, 20],
    ['logo_site', 20, 125],
    ['logo', 16, 16],
    ['favicon', 16, 16],
  ] as const)('accepts a %s of %i×%i', (field, width, height) => {
    expect(tooFewPixels(field, size(width, height))).toBeUndefined();
  });

  it('accepts any drawing', () => {
    expect(tooFewPixels('logo_site', size(0, 0, 1000, true))).toBeUndefined();
  });
});

describe('tooManyBytes', () => {
  const MIB = 1024 * 1024;
  it.each([
    ['logo', 400, 100, MIB / 2 + 1, undefined],
    ['favicon', 64, 64, MIB / 2 + 1, undefined],
    ['default_event_banner', 2201, 900, 4 * MIB + 1, 2200],
    ['logo_site', 251, 251, 4 * MIB + 1, 250],
  ] as const)('finds a %s of %i×%i pixels and %i bytes', (field, width, height, bytes, box) => {
    expect(tooManyBytes(field, size(width, height, bytes))).toEqual({ path: 'a.png', width, height, bytes, box });
  });

  it.each([
    ['logo', 4000, 1000, MIB / 2],
    ['default_event_banner', 2200, 2200, 20 * MIB],
    ['default_event_banner', 9000, 3000, 4 * MIB],
  ] as const)('accepts a %s of %i×%i pixels and %i bytes', (field, width, height, bytes) => {
    expect(tooManyBytes(field, size(width, height, bytes))).toBeUndefined();
  });

  it('states no pixels for a drawing', () => {
    expect(tooManyBytes('logo', size(0, 0, MIB, true))).toEqual({ path: 'a.png', bytes: MIB, box: undefined });
  });
});

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { tooOld } from '../../../src/decoder/versions.ts';

test('the installed versions decode', () => {
  expect(tooOld(sharp.versions)).toBeUndefined();
});

test.each([
  ['0.35.0', '8.18.0'],
  ['0.35.5', '8.18.7'],
  ['0.36.0', '8.19.0'],
  ['1.0.0-rc.1', '9.0.0'],
  ['0.100.0', '8.18.10'],
])('sharp %s with libvips %s decodes', (version, vips) => {
  expect(tooOld({ sharp: version, vips })).toBeUndefined();
});

test.each([
  ['0.34.99', '8.18.7', 'sharp 0.34.99 is too old'],
  ['0.9.9', '8.18.7', 'sharp 0.9.9 is too old'],
  ['0.35.5', '8.17.99', 'libvips 8.17.99 is too old'],
  ['0.35.5', '7.99.0', 'libvips 7.99.0 is too old'],
  ['', '8.18.7', 'sharp'],
  ['0.35.5', 'none', 'libvips none is too old'],
])('sharp %s with libvips %s does not', (version, vips, why) => {
  expect(tooOld({ sharp: version, vips })).toContain(why);
});

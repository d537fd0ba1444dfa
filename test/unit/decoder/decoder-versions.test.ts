import sharp from 'sharp';
import { expect, test } from 'vitest';
import { tooOld } from '../../../src/system/decoder/versions.ts';

test.each([
  [sharp.versions.sharp ?? '', sharp.versions.vips, undefined],
  ['0.35.0', '8.18.0', undefined],
  ['1.0.0-rc.1', '9.0.0', undefined],
  ['0.100.0', '8.18.10', undefined],
  ['0.34.99', '8.18.7', 'sharp 0.34.99 is too old'],
  ['0.9.9', '8.18.7', 'sharp 0.9.9 is too old'],
  ['0.35.5', '8.17.99', 'libvips 8.17.99 is too old'],
  ['0.35.5', '7.99.0', 'libvips 7.99.0 is too old'],
  ['', '8.18.7', 'sharp'],
  ['0.35.5', 'none', 'libvips none is too old'],
])('sharp %s with libvips %s: %s', (version, vips, expectedProblem) => {
  const problem = tooOld({ sharp: version, vips });
  if (expectedProblem === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expectedProblem);
});

import { describe, expect, test } from 'vitest';
import { isReply } from '../../../src/decoder/job.ts';
import { thumbnailSpecOf } from '../../../src/theme/fields.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const spec = thumbnailSpecOf('logo_site');

test('an answer is what the job asked for', () => {
  expect(spec).toMatchObject({ transparent: 'png' });
  expect(isReply('does not decode', { spec })).toBe(true);
  expect(isReply({ data: PNG, format: 'png' }, { spec })).toBe(true);
  expect(isReply('decodes', { spec: undefined })).toBe(true);
});

test.each([
  undefined,
  null,
  7,
  'ready',
  'decodes',
  {},
  { failure: 'none' },
  { data: 'png', format: 'png' },
  { data: SVG, format: 'svg' },
  { data: SVG, format: 'png' },
  { data: new Uint8Array(), format: 'png' },
  { data: PNG, format: '__proto__' },
])('%j is no answer to a job with a spec', (message) => {
  expect(isReply(message, { spec })).toBe(false);
});

test('a thumbnail is no answer to a job without a spec', () => {
  expect(isReply({ data: PNG, format: 'png' }, { spec: undefined })).toBe(false);
});

describe('a job that looks at a logo', () => {
  const look = { faint: { light: 0, dark: 0.5 }, isBoxed: false, isBlank: false, pixels: '0'.repeat(32) };

  test('is answered with a look, and with a thumbnail if it has a spec', () => {
    expect(isReply({ look }, { spec: undefined, isAnalysed: true })).toBe(true);
    expect(isReply({ data: PNG, format: 'png', look }, { spec, isAnalysed: true })).toBe(true);
  });

  test.each([
    ['no look', { data: PNG, format: 'png' }, spec, true],
    ['another look', { data: PNG, format: 'png', look: { ...look, isBoxed: 1 } }, spec, true],
    ['no thumbnail', { look }, spec, true],
    ['a thumbnail too many', { data: PNG, format: 'png', look }, undefined, true],
    ['only that it decodes', 'decodes', undefined, true],
    ['a look that was not asked for', { look }, undefined, false],
    ['a look beside a thumbnail that was not asked for', { data: PNG, format: 'png', look }, spec, false],
  ])('is not answered with %s', (_, message, own, isAnalysed) => {
    expect(isReply(message, { spec: own, isAnalysed })).toBe(false);
  });
});

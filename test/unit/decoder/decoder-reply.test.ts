import { describe, expect, test } from 'vitest';
import { isReply } from '../../../src/decoder/job.ts';
import { thumbnailSpecOf } from '../../../src/theme/fields.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const spec = thumbnailSpecOf('logo_site');

test('a reply is accepted if it has the form that the job asked for', () => {
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

test('a thumbnail is no reply to a job without a spec', () => {
  expect(isReply({ data: PNG, format: 'png' }, { spec: undefined })).toBe(false);
});

describe('a job that analyses a logo', () => {
  const analysis = { faint: { light: 0, dark: 0.5 }, isBoxed: false, isBlank: false, pixels: '0'.repeat(32) };

  test('is answered with an analysis, and with a thumbnail if it has a spec', () => {
    expect(isReply({ analysis }, { spec: undefined, isAnalysed: true })).toBe(true);
    expect(isReply({ data: PNG, format: 'png', analysis }, { spec, isAnalysed: true })).toBe(true);
  });

  test.each([
    ['no analysis', { data: PNG, format: 'png' }, spec, true],
    ['a malformed analysis', { data: PNG, format: 'png', analysis: { ...analysis, isBoxed: 1 } }, spec, true],
    ['no thumbnail', { analysis }, spec, true],
    ['a thumbnail too many', { data: PNG, format: 'png', analysis }, undefined, true],
    ['only that it decodes', 'decodes', undefined, true],
    ['an analysis that was not asked for', { analysis }, undefined, false],
    ['an analysis beside a thumbnail that was not asked for', { data: PNG, format: 'png', analysis }, spec, false],
  ])('is not answered with %s', (_, message, own, isAnalysed) => {
    expect(isReply(message, { spec: own, isAnalysed })).toBe(false);
  });
});

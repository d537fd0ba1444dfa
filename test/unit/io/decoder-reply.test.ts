import { expect, test } from 'vitest';
import { isReply } from '../../../src/io/decoder/job.ts';
import { thumbnailSpecOf } from '../../../src/theme/fields.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const spec = thumbnailSpecOf('logo_site');

test('an answer is what the job asked for', () => {
  expect(spec).toMatchObject({ transparent: 'png' });
  expect(isReply('does not decode', { spec })).toBe(true);
  expect(isReply('holds more', { spec })).toBe(true);
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

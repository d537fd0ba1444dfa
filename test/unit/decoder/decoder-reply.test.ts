import { expect, test } from 'vitest';
import { isReply, type Job } from '../../../src/system/decoder/job.ts';
import { thumbnailSpecOf } from '../../../src/core/theme/fields/fields.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const spec = thumbnailSpecOf('logo_site');
const analysis = { faint: { light: 0, dark: 0.5 }, isBoxed: false, isBlank: false };
const thumbnail = { data: PNG, format: 'png' };

const NO_THUMBNAILS = [undefined, null, 7, 'ready', 'decodes', {}, { failure: 'none' }];
const NO_BYTES = new Uint8Array();
const WRONG_PARTS = [
  { data: 'png' },
  { data: SVG, format: 'svg' },
  { data: SVG },
  { data: NO_BYTES },
  { format: '__proto__' },
];

const JOBS: Readonly<Record<string, Pick<Job, 'spec' | 'isAnalysed'>>> = {
  'decodes an image': { spec: undefined },
  'makes a thumbnail': { spec },
  'analyses a logo': { spec: undefined, isAnalysed: true },
  'does both': { spec, isAnalysed: true },
};

test.each<[string, accepted: readonly unknown[], rejected: readonly unknown[]]>([
  ['decodes an image', ['decodes', 'does not decode'], [thumbnail, { analysis }]],
  [
    'makes a thumbnail',
    [thumbnail, 'does not decode'],
    [...NO_THUMBNAILS, { ...thumbnail, analysis }, ...WRONG_PARTS.map((part) => ({ ...thumbnail, ...part }))],
  ],
  ['analyses a logo', [{ analysis }], ['decodes', { ...thumbnail, analysis }]],
  [
    'does both',
    [{ ...thumbnail, analysis }],
    [thumbnail, { ...thumbnail, analysis: { ...analysis, isBoxed: 1 } }, { analysis }],
  ],
])('a decoder that %s may reply only in the form of that job', (job, accepted, rejected) => {
  expect(spec).toMatchObject({ transparent: 'png' });
  const isValid = (message: unknown): boolean => isReply(message, JOBS[job] ?? { spec });
  expect(accepted.filter((message) => !isValid(message))).toEqual([]);
  expect(rejected.filter(isValid)).toEqual([]);
});

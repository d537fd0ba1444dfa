import { expect, it } from 'vitest';
import { compareConfigs, compareLists } from '../../../src/compare/records.ts';
import { compareResponses } from '../../../src/compare/probes.ts';
import type { HttpResponse } from '../../../src/verify/exchange.ts';

const record = (id: number, more: object = {}): Record<string, unknown> => ({
  id,
  name: `Theme ${id}`,
  logo: `http://old/media/${id}.svg`,
  logo_site: { original: 'http://old/o.png', thumbnail: 'http://old/t.png' },
  palette_preview: ['#ff0000'],
  ...more,
});

const found = (old: object[], now: object[]): string[] =>
  compareLists(old, now)
    .compared.filter((one) => one.class !== 'same')
    .map(({ what, old: one, new: other }) => `${what}: ${one} → ${other}`);

it('takes colours that publish the same for the same', () => {
  expect(found([record(1)], [record(1, { palette_preview: ['hsl(0,100%,50%)'] })])).toEqual([]);
  expect(found([record(1)], [record(1, { palette_preview: ['hsl(1,100%,50%)'] })])).toEqual([
    'theme 1 palette_preview: ["#ff0000"] → ["hsl(1,100%,50%)"]',
  ]);
});

it('leaves images to be compared by what they are', () => {
  const { images } = compareLists([record(1)], [record(1)]);
  expect(images.map(({ what, isThumbnail }) => [what, isThumbnail])).toEqual([
    ['theme 1 logo', false],
    ['theme 1 logo_site.original', false],
    ['theme 1 logo_site.thumbnail', true],
  ]);
});

it.each([
  ['a field', [record(1)], [record(1, { name: 'Other' })], ['theme 1 name: "Theme 1" → "Other"']],
  ['a type', [record(1, { logo_height: 40 })], [record(1, { logo_height: '40' })], ['theme 1 logo_height: 40 → "40"']],
  ['a missing theme', [record(1), record(2)], [record(1)], ['theme 2: "Theme 2" → missing']],
  ['another theme', [record(1)], [record(1), record(3)], ['theme 3: missing → "Theme 3"']],
  ['the order', [record(1), record(2)], [record(2), record(1)], ['order: 1, 2 → 2, 1']],
  ['a further field', [record(1, { slogan: 'x' })], [record(1)], ['theme 1 slogan: "x" → missing']],
  ['no image', [record(1, { logo: null })], [record(1)], ['theme 1 logo: null → "http://old/media/1.svg"']],
  ['an id twice', [record(1), record(1)], [record(1)], ['ids of OLD: 2 themes → 1 different ids']],
  [
    'a terminal sequence',
    [record(1, { name: '\u001b[2J\u202e' })],
    [record(1)],
    ['theme 1 name: "\\u001b[2J\\u202e" → "Theme 1"'],
  ],
])('finds %s', (_, old, now, expected) => {
  expect(found(old, now)).toEqual(expected);
});

it('survives anything in place of themes', () => {
  expect(() => compareLists([null, 1, 'x', [], {}, { id: {} }], [{ id: null }])).not.toThrow();
});

it('compares CONFIG by theme, with signed URLs, and reports what the list says once', () => {
  const [old, now] = [record(1, { logo_height: 36 }), record(1, { logo_height: 40, logo: 'https://new/1.svg' })];
  const { pairs } = compareLists([old], [now]);
  const config = (one: object): Record<string, unknown> => ({ ...one, palette_preview: [] });
  expect(compareConfigs(config(old), config(now), pairs)).toBeUndefined();
  const signed = config({ ...old, logo: `${old['logo'] as string}?signature=1` });
  expect(compareConfigs(signed, config(now), pairs)).toBeUndefined();
  expect(compareConfigs(config(old), config(record(2)), pairs)).toEqual({ old: 'theme 1', new: 'theme 2' });
  expect(compareConfigs(config(old), config({ ...now, logo_height: 41 }), pairs)).toEqual({
    old: 'logo_height 36',
    new: 'logo_height 41',
  });
});

function response(status: number, headers: Record<string, string>, body = ''): HttpResponse {
  return { status, headers, bytes: body.length, sha256: '', start: Buffer.from(body), end: 'complete' };
}

const JSON_TYPE = { 'content-type': 'application/json' };

it.each([
  [
    'the same',
    response(200, { ...JSON_TYPE, allow: 'GET, HEAD' }),
    response(200, { 'content-type': 'Application/JSON', allow: 'head,GET' }),
    [],
  ],
  ['a status', response(404, JSON_TYPE), response(200, JSON_TYPE), ['x status: 404 → 200']],
  [
    'a charset',
    response(200, { 'content-type': 'text/html;charset=UTF-8' }),
    response(200, { 'content-type': 'text/html' }),
    ['x Content-Type: text/html; charset=utf-8 → text/html'],
  ],
  ['Allow', response(200, { allow: 'GET, POST' }), response(200, { allow: 'GET' }), ['x Allow: GET, POST → GET']],
  [
    'fewer names in Vary',
    response(200, { vary: 'Accept, Cookie' }),
    response(200, { vary: 'accept' }),
    ['x Vary: Accept, Cookie → Accept'],
  ],
  ['more names in Vary', response(200, { vary: 'Accept' }), response(200, { vary: 'Cookie, Accept' }), []],
  [
    'an error body',
    response(406, JSON_TYPE, '{"detail":"No."}'),
    response(406, JSON_TYPE, '{"detail":"Not."}'),
    ['x body.detail: "No." → "Not."'],
  ],
  [
    'another base path',
    response(301, { location: 'https://old/a/api/v2/theme/?x' }),
    response(301, { location: '/api/v2/theme/?x' }),
    [],
  ],
])('compares responses: %s', (_, old, now, expected) => {
  const rows = compareResponses('responses', { what: 'x', method: 'GET' }, old, now);
  expect(rows.filter((row) => row.class !== 'same').map((row) => `${row.what}: ${row.old} → ${row.new}`)).toEqual(
    expected,
  );
});

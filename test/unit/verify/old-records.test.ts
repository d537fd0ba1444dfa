import { expect, it } from 'vitest';
import { compareAnswers, compareConfigs, compareLists, type Question } from '../../../src/commands/verify/old/rows.ts';
import type { Result } from '../../../src/commands/verify/result.ts';
import type { HttpResponse } from '../../../src/system/http/exchange.ts';

const record = (id: number, more: object = {}): Record<string, unknown> => ({
  id,
  name: `Theme ${id}`,
  logo: `http://old/media/${id}.svg`,
  logo_site: { original: 'http://old/o.png', thumbnail: 'http://old/t.png' },
  palette_preview: ['#ff0000'],
  ...more,
});

const textOf = ({ message, expected, found }: Result): string => `${message}: ${expected} → ${found}`;
const differences = (old: object[], current: object[]): string[] =>
  compareLists(old, current)
    .results.filter(({ ok }) => !ok)
    .map(textOf);

it('ignores the URLs of images', () => {
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
  ['an additional theme', [record(1)], [record(1), record(3)], ['theme 3: missing → "Theme 3"']],
  ['the order', [record(1), record(2)], [record(2), record(1)], ['order: 1, 2 → 2, 1']],
  ['an additional field', [record(1, { slogan: 'x' })], [record(1)], ['theme 1 slogan: "x" → missing']],
  [
    'no difference in a colour of another notation',
    [record(1)],
    [record(1, { palette_preview: ['hsl(0,100%,50%)'] })],
    [],
  ],
  ['no image', [record(1, { logo: null })], [record(1)], ['theme 1 logo: null → "http://old/media/1.svg"']],
  ['a duplicate id', [record(1), record(1)], [record(1)], ['ids of OLD: 2 different ids → 1 different ids']],
  [
    'a terminal sequence',
    [record(1, { name: '\u001b[2J\u202e' })],
    [record(1)],
    ['theme 1 name: "\\u001b[2J\\u202e" → "Theme 1"'],
  ],
])('finds %s', (_, old, current, expected) => {
  expect(differences(old, current)).toEqual(expected);
});

const NINE_COLOURS = Array.from({ length: 9 }, (_, index) => `hsl(${index * 10},50%,50%)`);

it.each([
  [
    'the colour that differs',
    { palette_preview: NINE_COLOURS },
    { palette_preview: NINE_COLOURS.with(6, '#000000') },
    [expect.stringMatching(/^theme 1 palette_preview: ….*hsl\(60,50%,50%\).* → ….*hsl\(0,0%,0%\)/) as string],
  ],
  [
    'the place where long texts differ',
    { slogan: `${'x'.repeat(500)}a${'y'.repeat(500)}` },
    { slogan: `${'x'.repeat(500)}b` },
    [`theme 1 slogan: …${'x'.repeat(20)}a${'y'.repeat(59)}… → …${'x'.repeat(20)}b"`],
  ],
  ['no difference in a name with composed accents', { name: 'Cafe\u0301' }, { name: 'Caf\u00e9' }, []],
  [
    'URLs without their query',
    { logo: null, home: 'https://a.example/?key=s3cret' },
    { logo: 'https://a.example/l.svg?sig=s3cret', home: 'https://a.example/?key=other' },
    [
      'theme 1 logo: null → "https://a.example/l.svg?…"',
      'theme 1 home: "https://a.example/?…" → "https://a.example/?…" (another query)',
    ],
  ],
])('shows %s', (_, old, current, expected) => {
  expect(differences([record(1, old)], [record(1, current)])).toEqual(expected);
});

it('distinguishes a number from a text, and shows the place where a long order differs', () => {
  expect(differences([record(1)], [{ ...record(1), id: '1' }])).toEqual([
    'theme 1: "Theme 1" → missing',
    'theme "1": missing → "Theme 1"',
  ]);
  const manyThemes = Array.from({ length: 500 }, (_, index) => record(index + 1));
  expect(differences(manyThemes, [...manyThemes.slice(0, 498), record(500), record(499)])).toEqual([
    expect.stringMatching(/^order: ….*498, 499, 500 → ….*498, 500, 499$/),
  ]);
});

it('handles any value in place of a theme', () => {
  expect(() => compareLists([null, 1, 'x', [], {}, { id: {} }], [{ id: null }])).not.toThrow();
});

it('compares CONFIG by theme, even with signed URLs, and reports differences of the list only once', () => {
  const [old, current]: [Record<string, unknown>, Record<string, unknown>] = [
    record(1, { logo_height: 36 }),
    record(1, { logo_height: 40, logo: 'https://new/1.svg' }),
  ];
  const { pairs } = compareLists([old], [current]);
  const config = (theme: object): Record<string, unknown> => ({ ...theme, palette_preview: [] });
  const compare = (before: object, after: object): string[] =>
    compareConfigs('users/same', 'x', config(before), config(after), pairs).map(textOf);
  expect(compare(old, current)).toEqual([]);
  expect(compare({ ...old, logo: `${old['logo'] as string}?signature=1` }, current)).toEqual([]);
  expect(compare(old, record(2))).toEqual(['x: theme 1 → theme 2']);
  expect(compare(old, { ...current, logo_height: 41 })).toEqual(['x logo_height: 36 → 41']);
});

function response(status: number, headers: Record<string, string>, body = ''): HttpResponse {
  return { status, headers, bytes: body.length, sha256: '', start: Buffer.from(body), end: 'complete' };
}

const CONTEXT = { url: 'https://new', pairs: new Map(), lists: [] };
/** Compares the answers to a question. */
function compared(more: Partial<Question>, old: HttpResponse, current: HttpResponse): string[] {
  const question: Question = { what: 'x', kind: 'list', method: 'GET', path: '/api/v2/theme/', headers: {}, ...more };
  return compareAnswers(question, old, current, CONTEXT).flatMap((result) => (result.ok ? [] : textOf(result)));
}

const JSON_TYPE = { 'content-type': 'application/json' };

it.each([
  [
    'equal responses',
    response(200, { ...JSON_TYPE, allow: 'GET, HEAD' }),
    response(200, { 'content-type': 'Application/JSON', allow: 'head,GET' }),
    [],
  ],
  ['a status', response(404, JSON_TYPE), response(200, JSON_TYPE), ['x status: 404 → 200']],
  [
    'a charset',
    response(200, { 'content-type': 'text/html;charset=UTF-8' }),
    response(200, { 'content-type': 'text/html' }),
    ['x Content-Type: text/html;charset=UTF-8 → text/html'],
  ],
  ['Allow', response(200, { allow: 'GET, POST' }), response(200, { allow: 'GET' }), ['x Allow: GET, POST → GET']],
  [
    'fewer names in Vary',
    response(200, { vary: 'Accept, Cookie' }),
    response(200, { vary: 'accept' }),
    ['x Vary: Accept, Cookie → accept'],
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
  [
    'the end of a long error',
    response(400, JSON_TYPE, `{"detail":"${'x'.repeat(200)}a"}`),
    response(400, JSON_TYPE, `{"detail":"${'x'.repeat(200)}b"}`),
    [`x body.detail: …${'x'.repeat(20)}a" → …${'x'.repeat(20)}b"`],
  ],
  [
    'a redirect, without its query',
    response(301, { location: '/api/v2/theme/?email=jo@example.org' }),
    response(301, { location: '/api/v2/theme/' }),
    ['x Location: https://new/api/v2/theme/?… → /api/v2/theme/'],
  ],
  [
    'a redirect to a login page',
    response(302, { location: 'https://sso.example.org/login?next=jo@example.org' }),
    response(200, {}),
    ['x status: 302 to https://sso.example.org/login?… → 200'],
  ],
  ['deep JSON', response(400, JSON_TYPE, '['.repeat(200_000)), response(400, JSON_TYPE, '{}'), []],
])('compares responses: %s', (_, old, current, expected) => {
  expect(compared({}, old, current)).toEqual(expected);
});

const APP = 'https://app.example.org';
const cors = (origin: string, more: Record<string, string> = {}, status = 200): HttpResponse =>
  response(status, { 'access-control-allow-origin': origin, ...more });
const COOKIES = { 'access-control-allow-credentials': 'true' };
const REQUEST_HEADERS = { 'access-control-allow-headers': 'content-type, Authorization' };

it.each<[string, 'GET' | 'OPTIONS', HttpResponse, HttpResponse, string[]]>([
  ['headers that disappear', 'GET', cors('*'), response(200, {}), ['x Access-Control-Allow-Origin: * → none']],
  ['another origin', 'GET', cors(APP), cors('https://b'), [`x Access-Control-Allow-Origin: ${APP} → https://b`]],
  ['one origin instead of all', 'GET', cors('*'), cors(APP), []],
  ['additional headers', 'GET', response(200, {}), cors(APP, COOKIES), []],
  [
    'cookies',
    'GET',
    cors(APP, COOKIES),
    cors('*'),
    [`x Access-Control-Allow-Origin: ${APP} → *`, 'x Access-Control-Allow-Credentials: true → none'],
  ],
  [
    'a preflight',
    'OPTIONS',
    cors('*', REQUEST_HEADERS),
    cors('*'),
    ['x Access-Control-Allow-Headers: authorization → none'],
  ],
  [
    'a rejected preflight',
    'OPTIONS',
    cors('*', REQUEST_HEADERS),
    cors('*', REQUEST_HEADERS, 405),
    ['x status: 2xx → 405'],
  ],
])('compares which responses a page of another origin may read: %s', (_, method, old, current, expected) => {
  expect(compared({ method, headers: { Origin: APP } }, old, current)).toEqual(expected);
});

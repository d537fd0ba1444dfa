import { expect, it } from 'vitest';
import { accept, readAccepted } from '../../../src/compare/accept.ts';
import { kindName, type LoggedRequest, readLogLine, sampleOf } from '../../../src/compare/access-log.ts';
import { formatComparison, formatComparisonJson } from '../../../src/compare/format-text.ts';
import { htmlReport, ImageFigures } from '../../../src/compare/html-report.ts';
import { requesterOf, sampledUser, UserSample } from '../../../src/compare/requesters.ts';
import { differs, same } from '../../../src/compare/result.ts';
import { plainYamlPlace } from '../../../src/source/plain-yaml.ts';
import { longTest } from '../../long-test.ts';

it('accepts the differences that a file names, and lists entries that fit nothing', () => {
  const entries = [
    { what: 'LIST * Vary', reason: 'public' },
    { what: 'theme 1 (a.b)', reason: 'unused' },
  ];
  const { compared, unused } = accept(
    [
      differs('responses', 'LIST GET Vary', 'a', 'b'),
      differs('responses', 'LIST GET Allow', 'a', 'b'),
      same('themes', 'LIST x Vary'),
    ],
    entries,
  );
  expect(compared.map(({ accepted }) => accepted)).toEqual(['public', undefined, undefined]);
  expect(unused).toEqual([entries[1]]);
});

it('names requests of a log by their kind, without what may be personal', () => {
  const kindOf = (path: string): string => kindName({ method: 'GET', path });
  const paths = ['?t=jo', '?format=api&t=jo', 'config', 'config/?email=jo@x', 'jo/'];
  expect(paths.map((path) => kindOf(`/api/v2/theme/${path}`))).toEqual([
    'LIST GET',
    'LIST ?format=api',
    'CONFIG without slash',
    'CONFIG GET',
    'path below LIST',
  ]);
  expect(kindName({ method: 'OPTIONS', path: '/api/v2/theme/config/' })).toBe('CONFIG OPTIONS');
});

it.each([
  [undefined, undefined],
  [{}, undefined],
  ['x', undefined],
  [[{ what: 'x' }], 0],
  [[{ what: 'x', reason: '' }], 0],
  [
    [
      { what: 'x', reason: 'y' },
      { what: 'x', reason: 'y', z: 1 },
    ],
    1,
  ],
  [[null], 0],
])('refuses %j as accepted differences', (data, found) => expect(readAccepted(data)).toBe(found));

it('finds the line of what is wrong with a YAML list', () => {
  expect(plainYamlPlace('# a\n- what: x\n  reason: y\n- what: z\n', 1)).toEqual({ line: 4, error: undefined });
  expect(plainYamlPlace('- what: x\n  reason: a: b\n', 0)).toMatchObject({
    line: 2,
    error: expect.any(String) as string,
  });
});

const options = { basePaths: ['/shop', ''], userField: 'user' };
const combined = (request: string, user = '-'): string =>
  `2001:db8::1 - ${user} [10/Oct/2026:13:55:36 +0000] "${request}" 200 1 "https://ref/?secret" "agent"`;

it.each([
  [combined('GET /api/v2/theme/ HTTP/1.1'), { method: 'GET', path: '/api/v2/theme/', user: undefined }],
  [combined('GET /shop/api/v2/theme/config/?a=b HTTP/2.0', 'u-1'), { path: '/api/v2/theme/config/?a=b', user: 'u-1' }],
  [combined('HEAD /api/v2/theme HTTP/1.1'), { method: 'HEAD', path: '/api/v2/theme' }],
  [combined('GET https://a.example/api/v2/theme/ HTTP/1.1'), { path: '/api/v2/theme/' }],
  [
    '{"request_method":"OPTIONS","request_uri":"/api/v2/theme/","http_accept":"a/b","user":"u-2"}',
    { method: 'OPTIONS', accept: 'a/b', user: 'u-2' },
  ],
  ['{"request":{"method":"GET","uri":"/api/v2/theme/"},"user":"u-3"}', { path: '/api/v2/theme/', user: 'u-3' }],
  ['{"request":"GET /api/v2/theme/ HTTP/1.1"}', { method: 'GET', path: '/api/v2/theme/' }],
])('reads %s', (line, expected) => {
  expect(readLogLine(line, 7, options)).toMatchObject({ line: 7, ...expected });
});

it.each([
  [combined('POST /api/v2/theme/ HTTP/1.1')],
  [combined('GET /api/v2/themes/ HTTP/1.1')],
  [combined('GET /media/logo.svg HTTP/1.1')],
  [combined('GET /api/v2/theme/\u0001 HTTP/1.1')],
  ['{"request_method":"DELETE","request_uri":"/api/v2/theme/"}'],
  ['{"broken'],
  ['{}'],
  ['null'],
  [''],
  ['- - - [] "" 0'],
  [combined('GET /api/v2/theme/ HTTP/1.1').replace('"agent"', '"themecast-verify"')],
  ['{"request":"GET /api/v2/theme/ HTTP/1.1","http_user_agent":"themecast-compare"}'],
])('leaves out %s', (line) => expect(readLogLine(line, 1, options)).toBeUndefined());

it('samples different requests, spread over the log', () => {
  const all = Array.from({ length: 100 }, (_, line): LoggedRequest => ({
    line,
    method: 'GET',
    path: `/${line % 50}`,
    accept: undefined,
    user: undefined,
  }));
  expect(sampleOf(all, 5).map(({ line }) => line)).toEqual([0, 10, 20, 30, 40]);
  expect(sampleOf(all, 1000)).toHaveLength(50);
});

it('samples the same users of a file in any order', () => {
  const users = Array.from({ length: 5000 }, (_, line) => ({ line, key: `u-${line}`, headers: undefined }));
  const keysOf = (all: typeof users): string[] => {
    const sample = new UserSample(20);
    for (const user of all) sample.add(user);
    return sample.users.map(({ key }) => key).toSorted();
  };
  const keys = keysOf(users);
  expect(keys).toHaveLength(20);
  expect(keysOf(users.toReversed())).toEqual(keys);
  // Not the first ones: users of one theme often follow each other.
  expect(Math.max(...keys.map((key) => Number(key.slice(2))))).toBeGreaterThan(2500);
});

it('gives NEW the key by identity, and OLD what it knows the user by', () => {
  const identity = [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }] as const;
  const row = sampledUser(4, ['user', 'theme_id', 'cookie'], ['jo', '7', 'sessionid=9f']);
  expect(row).toEqual({ line: 4, key: 'jo', headers: { Cookie: 'sessionid=9f' } });
  expect(requesterOf('x', 'jo', row?.headers, identity, () => undefined)).toEqual({
    what: 'x',
    old: { Cookie: 'sessionid=9f' },
    new: { Cookie: 'sessionid=9f; uid=jo' },
  });
  expect(requesterOf('x', 'jo', undefined, identity, () => undefined)?.old).toEqual({ Cookie: 'uid=jo' });
  const login = [{ names: 'user', credential: { from: 'auth_request', url: 'https://l', header: 'X' } }] as const;
  expect(requesterOf('x', 'jo', undefined, login, () => undefined)).toBeUndefined();
});

it('prints what differs first, merged by what an accept file would name', () => {
  const compared = [
    same('themes', 'theme 1 name'),
    { group: 'themes', what: 'theme 1 logo', class: 'equal' } as const,
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => differs('responses', `LIST ${method} Vary`, 'a', '\u001b[31mb')),
    { ...differs('responses', 'CONFIG GET Vary', 'a', 'b'), accepted: 'known' },
  ];
  const parts = { hints: ['Hint.'], notes: ['Note.'], unused: [{ what: 'z', reason: '' }] };
  const comparison = { themes: 1, compared, ...parts };
  const urls = { old: 'https://a.example', new: 'dist' };
  const requests = [2, 5].map((line) => ({
    ...differs('requests', 'LIST GET Vary', 'a', 'b'),
    at: `a.log:${line}`,
  }));
  const found = formatComparison(
    { ...comparison, compared: [...compared, ...requests] },
    { colour: false, quiet: false, urls },
  );
  expect(found).toBe(`OLD https://a.example  NEW dist
✔ themes     1 equal, 1 same
✘ responses  3 differ, 1 accepted
    ✘ LIST * Vary      a → \\u001b[31mb  (3 times)
    ! CONFIG GET Vary  a → b  (accepted: known)
✘ requests   2 differ
    ✘ LIST GET Vary  a → b  (2 times, first at a.log:2)
! --accept names \`z\`, which does not differ.
! Hint.
! Note.

✘ 1 theme: 1 field same, 1 image equal, 1 accepted, 5 differ

Fix it, or name it with a reason in a file for --accept:
- what: "LIST * Vary"
  reason: …
`);
  const quiet = formatComparison(comparison, { colour: false, quiet: true, urls });
  expect(quiet.split('\n')[0]).toBe('✘ responses  3 differ, 1 accepted');
  expect(quiet).toContain('! Hint.\n');
  const fine = formatComparison({ ...comparison, compared: [] }, { colour: false, quiet: true, urls });
  expect(fine).not.toMatch(/Hint|Fix it/);
});

const NOTHING = { themes: 1, hints: [], notes: [], unused: [] };
const URLS = { old: 'https://a.example', new: 'dist' };

it('shows the images that differ in the page, as many as it has room for', () => {
  const images = new ImageFigures();
  const pixels = { width: 1, height: 1, rgba: new Uint8Array(4) };
  images.add(differs('themes', 'theme 1 logo', 'PNG', 'PNG <b>'), { old: pixels, new: pixels });
  images.add(differs('themes', 'theme 2 logo', 'PNG'.padEnd(40_000_000), 'PNG'), { old: pixels, new: pixels });
  images.add(differs('themes', 'theme 3 logo', 'PNG', 'PNG'), { old: pixels, new: pixels });
  const page = htmlReport({ ...NOTHING, compared: [] }, images, URLS);
  const alternatives = [...page.matchAll(/<img alt="([^"]*)"/g)].map(([, text]) => text);
  expect(alternatives.filter((text) => text?.endsWith('theme 1 logo'))).toHaveLength(5);
  expect(page).toContain('PNG &#60;b&#62;');
  expect(page).toContain('1 more images are not shown');
});

longTest('is cut after 100 of a kind for people, however many differ, and whole for programs', () => {
  const many = Array.from({ length: 130_000 }, (_, at) =>
    differs('themes', `theme ${at} name`, 'a', `${at % 2 ? at : 'b'}`),
  );
  const comparison = { ...NOTHING, compared: many };
  const text = formatComparison(comparison, { colour: false, quiet: false, urls: URLS });
  expect(text.split('\n').filter((line) => line.startsWith('    ✘ '))).toHaveLength(100);
  expect(text).toContain('      and 64,901 more\n');
  const { compared, counts } = JSON.parse(formatComparisonJson(comparison, URLS)) as {
    compared: unknown[];
    counts: Record<string, { differs: number }>;
  };
  expect([compared.length, counts['themes']?.differs]).toEqual([130_000, 130_000]);
  const page = htmlReport(comparison, new ImageFigures(), URLS);
  expect([page.match(/<tr><th scope="row">/g)?.length, page.includes('And 129,900 more')]).toEqual([100, true]);
});

import { expect, it } from 'vitest';
import { ACCEPT_CASES } from './cases.ts';
import { ALLOWED_ORIGINS } from './cors.ts';
import { expectAnswers, expectedOf, LIST, NOT_FOUND, type Running, THEME, withoutBody } from './expected.ts';
import { send } from './send.ts';

const FORMATS = [
  ['', 'json'],
  ['?format=', 'json'],
  ['?format=json', 'json'],
  ['?uid=nancy&format=json&format=css', 'json'],
  ['?format=css', 'css'],
  ['?x&format=css', 'css'],
  ...['api', 'icon', 'webmanifest', 'xml', 'CSS', 'json:1'].map((format) => [`?format=${format}`, 404] as const),
] as const;

/** Paths that look like the id of a theme. */
const NO_IDS = [
  '0/',
  '02/',
  '2x/',
  '-2/',
  '+2/',
  '2.0/',
  '1e0/',
  '２/',
  '2/index.json',
  '2/index.css',
  '2/x/',
  'theme-options.json',
];

/** Tests a theme by its id, the same for everyone. */
export function themeContract(running: () => Running): void {
  it('serves a theme by its id, whatever Accept and the cookie say', async () => {
    const host = running();
    const accepts = [...new Set(ACCEPT_CASES.map(([accept]) => accept))].slice(0, 12);
    const exchanges = ['text/css', ...accepts].flatMap((accept) =>
      FORMATS.flatMap(([query, outcome]) => {
        const headers = { ...(accept === undefined ? {} : { Accept: accept }), Cookie: 'uid=nancy' };
        const request = { path: host.base + THEME + query, headers };
        const expected = expectedOf(host, 'theme', outcome);
        return [[request, expected] as const, [{ ...request, method: 'HEAD' }, withoutBody(expected)] as const];
      }),
    );
    await expectAnswers(host, exchanges);
  });

  it('responds to the other methods on a theme, and on one that does not exist', async () => {
    const host = running();
    const path = host.base + THEME;
    const missing = { path: host.base + LIST };
    await expectAnswers(host, [
      ...(['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
        (method) => [{ method, path, headers: { Accept: 'image/png' } }, expectedOf(host, 'theme', method)] as const,
      ),
      ...['4/', '22/', '9007199254740993/', '4/?format=css'].map(
        (id) => [{ path: missing.path + id }, expectedOf(host, 'theme', 404)] as const,
      ),
      ...NO_IDS.map((id) => [{ path: missing.path + encodeURI(id) }, NOT_FOUND] as const),
    ]);
  });

  it('redirects a theme without slash, and confirms its ETag', async () => {
    const host = running();
    const { status, headers, body } = await send(host.port, { path: `${host.base}${THEME.slice(0, -1)}?a=%2F&b=//c` });
    expect([status, headers['location'], body]).toEqual([301, `${host.base}${THEME}?a=%2F&b=//c`, '']);
    for (const query of ['', '?format=css']) {
      const path = host.base + THEME + query;
      const first = await send(host.port, { path });
      const again = await send(host.port, { path, headers: { 'If-None-Match': first.headers['etag'] ?? 'none' } });
      const { 'content-type': _, ...others } = expectedOf(host, 'theme', query === '' ? 'json' : 'css').headers;
      expect(again).toMatchObject({ status: 304, body: '', headers: others });
    }
  });

  it('has the CORS headers of LIST', async () => {
    const host = running();
    for (const Origin of [...ALLOWED_ORIGINS, 'https://evil.example'])
      for (const method of ['GET', 'OPTIONS', 'PUT']) {
        const [theme, list] = await Promise.all(
          [THEME, LIST].map((path) => send(host.port, { method, path: host.base + path, headers: { Origin } })),
        );
        const cors = (headers: Record<string, string> = {}) =>
          Object.entries(headers).filter(([name]) => name.startsWith('access-control-'));
        expect(cors(theme?.headers as never)).toEqual(cors(list?.headers as never));
      }
  });
}

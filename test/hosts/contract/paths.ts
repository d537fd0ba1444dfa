import { expect, it } from 'vitest';
import { CONFIG, expectAnswers, LIST, NOT_FOUND, type Running } from './expected.ts';
import { send, sendAll } from './send.ts';

const QUERIES = ['', '?format=api', '?a=%2F%0d%0aX:1&b=//c&d=$uri&e=%C3%A9', '?format=xml?&format=json'];

/** Paths of existing and missing files below LIST, which only the endpoints may serve. */
const HIDDEN_PATHS = [
  ...'index.json browse.html options.json config/index.json config/browse.html'.split(' '),
  ...'config/options.json config/meadow.json config/meadow.html config/meadow config/x.css'.split(' '),
  ...'config/config/ x x/ x.html'.split(' '),
  // Rewrite rules use paths like these internally.
  ...'answer answer/list_json answer/list_options answer/config_json answer/404 answer/redirect'.split(' '),
  ...'deployment.json/ moved'.split(' '),
].map((name) => LIST + name);

/** Paths that try to leave the published folder, reach the private folder beside it, or bypass the endpoints. */
export const ESCAPES = [
  ...'/api/v2/theme/../x /api/v2/theme/..%2fx /api/v2/theme/config/../index.json'.split(' '),
  ...'/api/v2/theme/config/..%2findex.json /api/v2/theme/%2e%2e/theme/index.json'.split(' '),
  ...'/api/v2/theme/config/%2e%2e%5coptions.json /api/v2/theme/../../../../edge/users.json'.split(' '),
  ...'/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.json /media/../edge/users.json'.split(' '),
  ...'/media/../../edge/users.json /media/..%2f..%2fedge%2fusers.json /media../edge/users.json'.split(' '),
  ...'/media/../api/v2/theme/config/meadow.json /edge/users.json /edge/nginx/users.map'.split(' '),
  ...'/themecast/users.map /../edge/users.json /..%2fedge/users.json'.split(' '),
];

/** Tests redirects to the trailing slash, and paths that do not exist. */
export function pathContract(running: () => Running): void {
  it.each([LIST, CONFIG])('redirects %s without its slash, with an unchanged query', async (path) => {
    const { port, base } = running();
    const requests = QUERIES.map((query) => ({ path: base + path.slice(0, -1) + query }));
    const answers = await sendAll(port, requests);
    expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual(
      QUERIES.map((query) => [301, base + path + query]),
    );
    for (const { headers, body } of answers) {
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
      // An error page of the server would reveal its name and version.
      expect([body, headers['content-type'], headers['cache-control']]).toEqual(['', undefined, undefined]);
    }
  });

  it('returns 404 for every other path below LIST', async () => {
    const host = running();
    const exchanges = HIDDEN_PATHS.flatMap((path) =>
      ['GET', 'POST', 'OPTIONS'].map(
        (method) => [{ method, path: host.base + path, headers: { Cookie: 'uid=tom' } }, NOT_FOUND] as const,
      ),
    );
    await expectAnswers(host, exchanges);
  });

  it('serves only the path of base_url, with literal dots', async () => {
    const { port, base } = running();
    const { status, body } = await send(port, { path: `${base.replace('.', 'x') || '/x'}${CONFIG}` });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toContain('"name"');
  });

  it.each(ESCAPES)('reveals no file for %s', async (path) => {
    const { port, base } = running();
    const { status, body } = await send(port, { path: base + path, headers: { Cookie: 'uid=tom' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toMatch(/nancy|"name"|meadow/);
  });
}

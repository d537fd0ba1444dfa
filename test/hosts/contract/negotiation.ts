import { it } from 'vitest';
import { ACCEPT_CASES, type AcceptCase, outcomeOf, QUERY_CASES, CONFIG_CASES } from './cases.ts';
import { type EndpointKind, ENDPOINTS, expectAnswers, expectedOf, type Running, withoutBody } from './expected.ts';

const KINDS = Object.keys(ENDPOINTS) as EndpointKind[];
const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Tests the renderings of CONFIG that LIST lacks. @param cookie - the cookie with the user's key */
export function renderingContract(running: () => Running, cookie = 'uid'): void {
  it('serves the theme of the user as a stylesheet, icon and manifest', async () => {
    const host = running();
    const exchanges = CONFIG_CASES.flatMap(([accept, query, outcome]) => {
      const headers = { ...(accept === undefined ? {} : { Accept: accept }), Cookie: `${cookie}=tom` };
      const request = { path: host.base + ENDPOINTS.config + query, headers };
      const expected = expectedOf(host, 'config', outcome, 'meadow');
      return [[request, expected] as const, [{ ...request, method: 'HEAD' }, withoutBody(expected)] as const];
    });
    await expectAnswers(host, [
      ...exchanges,
      [{ path: host.base + ENDPOINTS.config, headers: { Accept: 'text/css' } }, expectedOf(host, 'config', 'css')],
      [{ path: host.base + ENDPOINTS.list, headers: { Accept: 'text/css' } }, expectedOf(host, 'list', 406)],
      ...['css', 'icon', 'webmanifest'].map(
        (format) =>
          [{ path: `${host.base}${ENDPOINTS.list}?format=${format}` }, expectedOf(host, 'list', 404)] as const,
      ),
    ]);
  });
}

/** Tests each method on both endpoints, for an anonymous request. */
export function methodContract(running: () => Running): void {
  it.each(['GET', 'HEAD', 'OPTIONS', ...WRITE_METHODS] as const)('responds to %s', async (method) => {
    const host = running();
    const exchanges = KINDS.map((kind) => {
      const isRead = method === 'GET' || method === 'HEAD';
      const expected = expectedOf(host, kind, isRead ? 'json' : method);
      return [
        { method, path: host.base + ENDPOINTS[kind] },
        method === 'HEAD' ? withoutBody(expected) : expected,
      ] as const;
    });
    await expectAnswers(host, exchanges);
  });
}

export function negotiationContract(running: () => Running): void {
  it.each(ACCEPT_CASES)('serves for Accept: %j %s, with format=json %s, with format=api %s', async (...row) => {
    const host = running();
    const exchanges = KINDS.flatMap((kind) =>
      QUERY_CASES.map(([query, column]) => {
        const request = { path: ENDPOINTS[kind] + query, headers: acceptHeader(row) };
        return [request, expectedOf(host, kind, outcomeOf(row, column))] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });

  it('reads a long Accept header to its end', async () => {
    const host = running();
    const longHeaders: readonly (readonly [string, 'json' | 'html' | 406])[] = [
      [`application/json;${';'.repeat(6000)}`, 'json'],
      [`application/json, text/html${';v'.repeat(3000)};v=1`, 'html'],
      [`application/json${' '.repeat(6000)}x`, 406],
      [`${'image/png, '.repeat(500)}text/html`, 'html'],
      ['application/json;q='.repeat(300), 'json'],
    ];
    await expectAnswers(
      host,
      longHeaders.map(
        ([Accept, outcome]) =>
          [{ path: ENDPOINTS.list, headers: { Accept } }, expectedOf(host, 'list', outcome)] as const,
      ),
    );
  });

  it('responds to HEAD with the headers of GET, for any Accept and format', async () => {
    const host = running();
    const exchanges = ACCEPT_CASES.flatMap((row) =>
      QUERY_CASES.slice(0, 8).map(([query, column]) => {
        const request = {
          method: 'HEAD',
          path: ENDPOINTS.config + query,
          headers: { ...acceptHeader(row), Cookie: 'uid=tom' },
        };
        return [request, withoutBody(expectedOf(host, 'config', outcomeOf(row, column), 'meadow'))] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });

  it.each(['OPTIONS', ...WRITE_METHODS] as const)('ignores Accept, format and the cookie for %s', async (method) => {
    const host = running();
    const exchanges = KINDS.flatMap((kind) =>
      ['', '?format=api', '?format=xml'].map((query) => {
        const request = {
          method,
          path: ENDPOINTS[kind] + query,
          headers: { Accept: 'image/png', Cookie: 'uid=tom' },
        };
        return [request, expectedOf(host, kind, method)] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });
}

function acceptHeader([accept]: AcceptCase): Record<string, string> {
  return accept === undefined ? {} : { Accept: accept };
}

import { expect, it } from 'vitest';
import { PUBLISHED_AT, THEMES } from '../site.ts';
import { CONFIG, type EndpointKind, ENDPOINTS, expectAnswers, expectedOf, LIST, type Running } from './expected.ts';
import { send } from './send.ts';

const COOKIES = { harbor: 'uid=nobody', meadow: 'uid=tom', nightfall: 'uid=nancy' } as const;
const LONG_AGO = 'Mon, 01 Jan 2001 00:00:00 GMT';

/** Tests conditional requests (RFC 9110, §13) and ranges. */
export function cachingContract(running: () => Running, etagOnConfig: boolean): void {
  // On nginx, Apache and Caddy, themes of equal length and time had the same ETag, so 304 confirmed the wrong theme.
  it.each(THEMES)('never confirms the theme %s to a user with another theme', async (stored) => {
    const host = running();
    const { headers } = await send(host.port, { path: CONFIG, headers: { Cookie: COOKIES[stored] } });
    const tag = { 'If-None-Match': headers['etag'] ?? '"6a1f2b80-3e"' };
    const date = { 'If-Modified-Since': PUBLISHED_AT.toUTCString() };
    const exchanges = THEMES.filter((theme) => theme !== stored).flatMap((theme) =>
      [tag, date, { ...tag, ...date }].map((validators) => {
        const request = { path: CONFIG, headers: { ...validators, Cookie: COOKIES[theme] } };
        return [request, expectedOf(host, 'config', 'json', theme)] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });

  it(etagOnConfig ? 'returns 304 for the ETag of CONFIG' : 'sends CONFIG without a validator', async () => {
    const { port } = running();
    const { headers } = await send(port, { path: CONFIG });
    expect(headers['last-modified']).toBeUndefined();
    if (etagOnConfig)
      for (const format of ['json', 'css', 'png'] as const) await expectConfirmed(running(), 'config', format);
    else expect(headers['etag']).toBeUndefined();
  });

  it('returns 304 for the ETag of LIST', () => expectConfirmed(running(), 'list', 'json'));

  it('has a different ETag for each rendering of LIST', async () => {
    const { port } = running();
    const json = await send(port, { path: LIST });
    const html = await send(port, { path: LIST, headers: { Accept: 'text/html' } });
    expect(json.headers['etag']).toBeDefined();
    expect(json.headers['etag']).not.toBe(html.headers['etag']);
  });

  it('ignores Range on the endpoints', async () => {
    const host = running();
    const exchanges = (['list', 'config'] as const).flatMap((kind) =>
      [{ Range: 'bytes=0-1' }, { Range: 'bytes=9999-' }, { Range: 'bytes=0-1', 'If-Range': LONG_AGO }].map(
        (headers) => [{ path: ENDPOINTS[kind], headers }, expectedOf(host, kind, 'json')] as const,
      ),
    );
    await expectAnswers(host, exchanges);
  });

  it('ignores validators for errors and OPTIONS', async () => {
    const host = running();
    const headers = { Accept: 'image/png', 'If-None-Match': '*', 'If-Modified-Since': PUBLISHED_AT.toUTCString() };
    const exchanges = (['list', 'config'] as const).flatMap((kind) => [
      [{ path: ENDPOINTS[kind], headers }, expectedOf(host, kind, 406)] as const,
      [{ method: 'OPTIONS', path: ENDPOINTS[kind], headers }, expectedOf(host, kind, 'OPTIONS')] as const,
    ]);
    await expectAnswers(host, exchanges);
  });
}

/** Expects 304 for the current ETag, to GET and HEAD. */
async function expectConfirmed(host: Running, kind: EndpointKind, rendering: 'json' | 'css' | 'png'): Promise<void> {
  const path = ENDPOINTS[kind] + { json: '', css: '?format=css', png: '?format=icon' }[rendering];
  const { headers } = await send(host.port, { path });
  const { 'content-type': _, ...otherHeaders } = expectedOf(host, kind, rendering).headers;
  for (const method of ['GET', 'HEAD']) {
    const conditional = await send(host.port, {
      method,
      path,
      headers: { 'If-None-Match': headers['etag'] ?? 'none' },
    });
    expect(conditional).toMatchObject({ status: 304, body: '', headers: otherHeaders });
    // Either absent, or the length of the document (RFC 9110, §8.6).
    expect(conditional.headers['content-length'] ?? headers['content-length'], method).toBe(headers['content-length']);
  }
}

import { expect, it } from 'vitest';
import { SCHEMA_FILES, textOf } from '../site.ts';
import { ALLOWED_ORIGINS } from './cors.ts';
import { type Expected, expectAnswers, NOT_FOUND, type Running, withoutBody } from './expected.ts';
import { send } from './send.ts';

const STRANGER = 'https://evil.example';

/** The headers of a schema, on a site without CORS. */
export const SCHEMA_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-type': 'application/json',
  'cache-control': 'public, max-age=60',
};

/** The OpenAPI description and the JSON Schema: files under their own names, cached as LIST. */
export function schemaContract(running: () => Running): void {
  const isCors = ({ vary }: Running): boolean => vary.list.includes('Origin');
  const expected = (host: Running, name: string): Expected => ({
    status: 200,
    headers: { ...SCHEMA_HEADERS, ...(isCors(host) ? { vary: 'Origin' } : {}) },
    body: textOf(host.site, name),
  });

  it.each(SCHEMA_FILES)('serves %s to GET and HEAD, whatever is accepted, and in full', async (name) => {
    const host = running();
    const path = `${host.base}/${name}`;
    const whole = expected(host, name);
    await expectAnswers(host, [
      [{ path }, whole],
      [{ path: `${path}?format=api`, headers: { Accept: 'text/html', Cookie: 'uid=tom' } }, whole],
      [{ path, headers: { Range: 'bytes=0-1' } }, whole],
      [{ method: 'HEAD', path }, withoutBody(whole)],
    ]);
    // Other paths beside it are the site's own.
    expect((await send(host.port, { path: `${path}x` })).body).not.toContain(whole.body);
  });

  it.each(SCHEMA_FILES)('confirms %s by its ETag', async (name) => {
    const host = running();
    const path = `${host.base}/${name}`;
    const { headers } = await send(host.port, { path });
    const again = await send(host.port, { path, headers: { 'If-None-Match': headers['etag'] ?? 'none' } });
    expect(again).toMatchObject({ status: 304, body: '', headers: { 'cache-control': 'public, max-age=60' } });
  });

  it('refuses to write a schema', async () => {
    const host = running();
    const exchanges = ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => {
      const body = `{"detail":"Method \\"${method}\\" not allowed."}`;
      const headers = { ...NOT_FOUND.headers, allow: 'GET, HEAD' };
      return [
        { method, path: `${host.base}/${SCHEMA_FILES[0]}` },
        { status: 405, headers, body },
      ] as const;
    });
    await expectAnswers(host, exchanges);
  });

  it('lets the pages of the allowed origins read the schemas', async () => {
    const host = running();
    const exchanges = SCHEMA_FILES.flatMap((name) =>
      [...ALLOWED_ORIGINS, STRANGER].map((Origin) => {
        const { headers, ...whole } = expected(host, name);
        const allowed = isCors(host) && Origin !== STRANGER ? { 'access-control-allow-origin': Origin } : {};
        const request = { path: `${host.base}/${name}`, headers: { Origin } };
        return [request, { ...whole, headers: { ...headers, ...allowed } }] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });
}

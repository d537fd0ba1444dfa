import { expect, it } from 'vitest';
import { FILES, SCHEMA_FILES, textOf } from '../site.ts';
import { ALLOWED_ORIGINS } from './cors.ts';
import { type Expected, expectAnswers, NOT_FOUND, type Running, withoutBody } from './expected.ts';
import { send } from './send.ts';

const FOREIGN_ORIGIN = 'https://evil.example';

/** Returns the headers of a published file on a site without CORS. Schemas may be cached, deployment records may not. */
export function fileHeaders(name: string): Expected['headers'] {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'content-type': 'application/json',
    'cache-control': isSchema(name) ? 'public, max-age=60' : 'no-cache',
  };
}

function isSchema(name: string): boolean {
  return SCHEMA_FILES.some((file) => file === name);
}

/** Tests the OpenAPI description, the JSON Schema, and the records of the deployment. */
export function fileContract(running: () => Running): void {
  const isCors = ({ vary }: Running): boolean => vary.list.includes('Origin');
  const expected = (host: Running, name: string): Expected => ({
    status: 200,
    headers: { ...fileHeaders(name), ...(isCors(host) ? { vary: 'Origin' } : {}) },
    body: textOf(host.site, name),
  });

  it.each(FILES)('serves %s to GET and HEAD, ignoring Accept and Range', async (name) => {
    const host = running();
    const path = `${host.base}/${name}`;
    const response = expected(host, name);
    await expectAnswers(host, [
      [{ path }, response],
      [{ path: `${path}?format=api`, headers: { Accept: 'text/html', Cookie: 'uid=tom' } }, response],
      [{ path, headers: { Range: 'bytes=0-1' } }, response],
      [{ method: 'HEAD', path }, withoutBody(response)],
    ]);
    // Longer paths belong to other applications of the site.
    expect((await send(host.port, { path: `${path}x` })).body).not.toContain(response.body);
  });

  it.each(FILES)('returns 304 for the ETag of %s', async (name) => {
    const host = running();
    const path = `${host.base}/${name}`;
    const { headers } = await send(host.port, { path });
    const conditional = await send(host.port, { path, headers: { 'If-None-Match': headers['etag'] ?? 'none' } });
    const { 'cache-control': cacheControl } = fileHeaders(name);
    expect(conditional).toMatchObject({ status: 304, body: '', headers: { 'cache-control': cacheControl } });
  });

  it.each(FILES)('rejects other methods for %s', async (name) => {
    const host = running();
    const exchanges = ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => {
      const body = `{"detail":"Method \\"${method}\\" not allowed."}`;
      const headers = { ...NOT_FOUND.headers, allow: 'GET, HEAD' };
      return [
        { method, path: `${host.base}/${name}` },
        { status: 405, headers, body },
      ] as const;
    });
    await expectAnswers(host, exchanges);
  });

  it('allows only pages of the allowed origins to read the files', async () => {
    const host = running();
    const exchanges = FILES.flatMap((name) =>
      [...ALLOWED_ORIGINS, FOREIGN_ORIGIN].map((Origin) => {
        const { headers, ...response } = expected(host, name);
        const allowed = isCors(host) && Origin !== FOREIGN_ORIGIN ? { 'access-control-allow-origin': Origin } : {};
        const request = { path: `${host.base}/${name}`, headers: { Origin } };
        return [request, { ...response, headers: { ...headers, ...allowed } }] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });
}

/**
 * Tests that there is no record before the first deployment.
 * @param isHostError - whether errors come from the rules of the host, not from a bucket behind it
 */
export function undeployedContract(running: () => Running, isHostError: boolean): void {
  it('has no records before the first deployment', async () => {
    const host = running();
    const paths = FILES.filter((name) => !isSchema(name) && !name.endsWith('assets.json')).map(
      (name) => `${host.base}/${name}`,
    );
    if (!isHostError) {
      for (const path of paths) expect([403, 404]).toContain((await send(host.port, { path })).status);
      return;
    }
    await expectAnswers(
      host,
      paths.map((path) => [{ path }, NOT_FOUND]),
    );
  });
}

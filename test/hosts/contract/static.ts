import { expect, it } from 'vitest';
import { FILES, textOf } from '../site.ts';
import { ENDPOINTS, type EndpointKind, expectAnswers, expectedOf, LIST, type Running, THEME } from './expected.ts';
import { ESCAPES } from './paths.ts';
import { fileHeaders } from './files.ts';
import { imageContract } from './media.ts';
import { send } from './send.ts';

const KINDS = Object.keys(ENDPOINTS) as EndpointKind[];

/** Tests a host that only serves files: everyone gets the default theme, as JSON. */
export function staticContract(running: () => Running): void {
  it.each([
    {},
    { Accept: 'text/html' },
    { Accept: 'image/png' },
    { Cookie: 'uid=tom' },
    { 'X-Remote-User': 'tom', Authorization: 'Basic dG9tOg==' },
  ])('serves the default theme, as JSON, for %j', async (headers) => {
    const host = running();
    const exchanges = KINDS.flatMap((kind) =>
      ['', '?format=api', '?format=xml', '?uid=tom'].map((query) => {
        const request = { path: host.base + ENDPOINTS[kind] + query, headers };
        return [request, expectedOf(host, kind, 'json')] as const;
      }),
    );
    await expectAnswers(host, exchanges);
  });

  it('serves a theme by its id, as JSON', async () => {
    const host = running();
    await expectAnswers(host, [[{ path: host.base + THEME }, expectedOf(host, 'theme', 'json')]]);
    expect((await send(host.port, { path: `${host.base}${LIST}9/` })).status).toBe(404);
  });

  it('responds to HEAD with the headers of GET', async () => {
    const host = running();
    const exchanges = KINDS.map((kind) => {
      const request = { method: 'HEAD', path: host.base + ENDPOINTS[kind] };
      return [request, { ...expectedOf(host, kind, 'json'), body: '' }] as const;
    });
    await expectAnswers(host, exchanges);
  });

  it.each(['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s, with Allow', async (method) => {
    const { port, base } = running();
    for (const kind of KINDS) {
      const { status, headers } = await send(port, { method, path: base + ENDPOINTS[kind] });
      expect({ status, allow: headers['allow'] }).toEqual({
        status: 405,
        allow: expectedOf(running(), kind, 'PUT').headers['allow'],
      });
    }
  });

  it('redirects to the slash, with an unchanged query', async () => {
    const { port, base } = running();
    for (const kind of KINDS) {
      const path = base + ENDPOINTS[kind];
      const { status, headers } = await send(port, { path: `${path.slice(0, -1)}?a=%2F&b=//c` });
      expect({ status, location: headers['location'] }).toEqual({ status: 301, location: `${path}?a=%2F&b=//c` });
    }
  });

  it('returns 304 for the ETags of both documents', async () => {
    const { port, base } = running();
    for (const kind of KINDS) {
      const path = base + ENDPOINTS[kind];
      const { headers } = await send(port, { path });
      const conditional = await send(port, { path, headers: { 'If-None-Match': headers['etag'] ?? 'none' } });
      expect(conditional).toMatchObject({ status: 304, body: '', headers: { vary: headers['vary'] } });
    }
  });

  it('serves published files with the headers of the contract', async () => {
    const host = running();
    const exchanges = FILES.map((name) => {
      const response = { status: 200, headers: fileHeaders(name), body: textOf(host.site, name) };
      return [{ path: `${host.base}/${name}` }, response] as const;
    });
    await expectAnswers(host, exchanges);
  });

  it('publishes the stylesheet of the default theme', async () => {
    const { port, site } = running();
    // The stylesheet is a plain file, so its URL lacks the path of base_url.
    const { status, headers, body } = await send(port, { path: `${ENDPOINTS.config}index.css` });
    expect({ status, body }).toEqual({ status: 200, body: textOf(site, `${ENDPOINTS.config.slice(1)}index.css`) });
    expect(headers['content-type']).toMatch(/^text\/css/);
  });

  imageContract(running);

  it.each(ESCAPES)('reveals no user key for %s', async (path) => {
    const { port, base } = running();
    expect((await send(port, { path: base + path })).body).not.toMatch(/nancy/);
  });
}

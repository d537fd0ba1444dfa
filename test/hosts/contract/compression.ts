import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { textOf } from '../site.ts';
import { CONFIG, LIST, type Running, THEME } from './expected.ts';

/** A path, its file, and whether it is long enough to be compressed. */
const DOCUMENTS: readonly (readonly [path: string, file: string, isLong: boolean])[] = [
  [LIST, 'api/v2/theme/index.json', true],
  [`${LIST}?format=api`, 'api/v2/theme/browse.html', false],
  [CONFIG, 'api/v2/theme/config/index.json', true],
  [`${CONFIG}?format=css`, 'api/v2/theme/config/index.css', false],
  [`${CONFIG}?format=webmanifest`, 'api/v2/theme/config/index.webmanifest', false],
  [THEME, 'api/v2/theme/2/index.json', true],
  ['/schema/openapi.json', 'schema/openapi.json', false],
  ['/media/harbor/logo.3f2a9c01.svg', 'media/harbor/logo.3f2a9c01.svg', false],
];

const CODINGS = ['', 'gzip', 'gzip, deflate, br', 'identity', 'br'];

/** Tests codings with 200, 304 and HEAD: every response says that it varies, and no strong tag is shared. */
export function compressionContract(running: () => Running): void {
  it.each(DOCUMENTS)('compresses %s, with Vary', async (path, file, isLong) => {
    const host = running();
    const text = textOf(host.site, file);
    const tags = new Map<string, string>();
    for (const coding of CODINGS) {
      const headers: Record<string, string> = coding === '' ? {} : { 'Accept-Encoding': coding };
      const get = await raw(host.port, { path: host.base + path, headers });
      const head = await raw(host.port, { method: 'HEAD', path: host.base + path, headers });
      const isCoded = isLong && coding.includes('gzip');
      const of = `${path} ${coding}`;
      expect([get.status, get.headers['content-encoding']], of).toEqual([200, isCoded ? 'gzip' : undefined]);
      expect(isCoded ? gunzipSync(get.body).toString() : get.body.toString(), of).toBe(text);
      if (isCoded) expect(get.body.length).toBeLessThan(text.length / 2);
      expect([head.status, head.body.length], of).toEqual([200, 0]);
      for (const { headers: given } of [get, head]) expect(given['vary'], of).toMatch(/(?:^|, ?)Accept-Encoding$/);
      // Absent, or that of GET.
      if (head.headers['content-encoding'] === undefined && head.headers['content-length'] !== undefined)
        expect(Number(head.headers['content-length']), of).toBe(Buffer.byteLength(text));
      const { etag } = get.headers;
      if (etag === undefined) continue;
      tags.set(isCoded ? 'gzip' : '', etag);
      const again = await raw(host.port, { path: host.base + path, headers: { ...headers, 'If-None-Match': etag } });
      expect([again.status, again.body.length], of).toEqual([304, 0]);
      expect(again.headers['vary'], of).toBe(get.headers['vary']);
    }
    const [plain, coded] = [tags.get(''), tags.get('gzip')];
    if (plain !== undefined && coded === plain) expect(plain).toMatch(/^W\//);
  });

  it('has no Vary: Accept-Encoding for icons and other images', async () => {
    const { port, base } = running();
    for (const path of [`${CONFIG}?format=icon`, '/media/harbor/logo.3f2a9c01-thumbnail-250x250.png']) {
      const { status, headers } = await raw(port, { path: base + path, headers: { 'Accept-Encoding': 'gzip' } });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
      expect(headers['vary'] ?? '').not.toContain('Accept-Encoding');
    }
  });
}

interface Raw {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Sends a request; the body stays as it was sent. */
function raw(port: number, options: { method?: string; path: string; headers: Record<string, string> }): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Raw['headers'],
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

import { expect, it } from 'vitest';
import { MEDIA, textOf } from '../site.ts';
import { expectAnswers, NOT_FOUND, type Running } from './expected.ts';
import { send } from './send.ts';

const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const MISSING = [
  '',
  ...'harbor harbor/ harbor/missing.png harbor/missing.svg missing.jpg/ harbor/manifest.json'.split(' '),
  ...'harbor/logo ..png'.split(' '),
];

const IMMUTABLE = 'public, max-age=31536000, immutable';
const IMAGE = '/media/harbor/logo.3f2a9c01-thumbnail-250x250.png';

/** Tests the bytes and headers of published images. */
export function imageContract(running: () => Running): void {
  it.each(Object.entries(MEDIA))('serves %s as %s, immutable', async (name, type) => {
    const host = running();
    const path = `${host.base}/media/harbor/${name}`;
    const { status, headers, body } = await send(host.port, { path });
    expect({ status, body }).toEqual({ status: 200, body: textOf(host.site, `media/harbor/${name}`) });
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': IMMUTABLE,
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('allow');
    expect(headers['content-security-policy']).toBe(type === 'image/svg+xml' ? SVG_POLICY : undefined);
  });
}

/**
 * Tests images on a host that serves them.
 * @param ownsErrors - whether its errors also follow the contract
 */
export function mediaContract(running: () => Running, ownsErrors: boolean): void {
  imageContract(running);

  it.each(MISSING)('returns 404 for media/%s, which may not be cached', async (name) => {
    const host = running();
    await expectAnswers(host, [[{ path: `${host.base}/media/${name}` }, NOT_FOUND]]);
  });

  it('returns 304 for the ETag of an image', async () => {
    const { port, base } = running();
    const path = base + IMAGE;
    const { headers } = await send(port, { path });
    const conditional = await send(port, { path, headers: { 'If-None-Match': headers['etag'] ?? 'none' } });
    expect(conditional).toMatchObject({ status: 304, headers: { 'cache-control': IMMUTABLE } });
    const outside = await send(port, { path, headers: { Range: 'bytes=9999-' } });
    expect(outside.headers['cache-control']).toBe(outside.status === 200 ? IMMUTABLE : 'no-store');
  });

  it('rejects POST, PUT and DELETE on an image', async () => {
    const { port, base } = running();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, body } = await send(port, { path: base + IMAGE, method });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).not.toContain('picture');
    }
  });

  if (ownsErrors)
    it('forbids caching of errors on an image', async () => {
      const { port, base } = running();
      const path = base + IMAGE;
      for (const method of ['POST', 'DELETE']) {
        const answer = await send(port, { path, method });
        expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' } });
      }
      const { status, headers } = await send(port, { path, headers: { 'If-Match': '"other"' } });
      expect(headers['cache-control']).toBe(status === 200 ? IMMUTABLE : 'no-store');
    });
}

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, LIST } from './contract/expected.ts';
import { sendAll } from './contract/send.ts';
import { reportMissing } from './process.ts';
import { type PublishedSite, publishSite, removeSite, textOf } from './site.ts';
import { type Accelerated, startVarnish, VARNISH } from './varnish-process.ts';

/** Bytes of images, against 1 MiB of storage: one alone is larger; several small ones together are. */
const LARGE = 6_000_000;
const MEDIUM = 300_000;
const COUNT = 24;

if (VARNISH === undefined) {
  reportMissing('Varnish');
} else {
  describe('Varnish with 1 MiB of storage', () => {
    let site: PublishedSite;
    let host: Accelerated;
    const images = new Map<string, string>();
    beforeAll(async () => {
      site = await publishSite();
      const folder = path.join(site.dist, 'media/harbor');
      await mkdir(folder, { recursive: true });
      const sizes = [LARGE, ...Array.from({ length: COUNT }, () => MEDIUM)];
      for (const [index, size] of sizes.entries()) {
        const text = randomBytes(size / 2).toString('hex');
        images.set(`/media/harbor/image-${index}.png`, text);
        await writeFile(path.join(folder, `image-${index}.png`), text);
      }
      host = await startVarnish(site, { storage: 'malloc,1m' });
    });
    afterAll(async () => {
      await host?.stop();
      await removeSite(site);
    });

    const expectWhole = async (paths: readonly string[]): Promise<void> => {
      const answers = await sendAll(
        host.port,
        paths.map((path) => ({ path })),
      );
      for (const [index, { status, body, headers }] of answers.entries()) {
        const image = images.get(paths[index] ?? '');
        expect({ path: paths[index], status, bytes: body.length }).toEqual({
          path: paths[index],
          status: 200,
          bytes: image?.length,
        });
        expect(body === image).toBe(true);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      }
    };

    it('sends an image that is larger than the storage whole, again and again', async () => {
      for (let round = 0; round < 3; round++) await expectWhole(['/media/harbor/image-0.png']);
    });

    it('sends it whole to several clients at once', () =>
      expectWhole(Array.from({ length: 8 }, () => '/media/harbor/image-0.png')));

    it('sends images whole that do not fit into the storage together', async () => {
      for (let round = 0; round < 3; round++) await expectWhole([...images.keys()]);
    });

    it('answers HEAD and conditions for an image that it does not store', async () => {
      const path = '/media/harbor/image-0.png';
      const [whole] = await sendAll(host.port, [{ path }]);
      const etag = whole?.headers['etag'] ?? '';
      const answers = await sendAll(host.port, [
        { method: 'HEAD', path },
        { path, headers: { 'If-None-Match': etag } },
        { path, headers: { 'If-None-Match': '"other"' } },
        { path, headers: { 'If-Match': '"other"' } },
        { path, headers: { Range: 'bytes=0-9' } },
      ]);
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
        [200, 0],
        [304, 0],
        [200, LARGE],
        [412, JSON.stringify({ detail: 'Precondition failed.' }).length],
        [200, LARGE],
      ]);
      expect(answers[0]?.headers['content-length']).toBe(String(LARGE));
      for (const { headers } of answers.slice(0, 3))
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    });

    it('asks the origin once for each request for an image that it does not store', async () => {
      const path = '/media/harbor/image-0.png';
      const seen = () => host.origin.seen.filter(({ url }) => url === path).length;
      const before = seen();
      await expectWhole([path, path]);
      expect(seen() - before).toBe(2);
    });

    it('answers 503 without the origin', async () => {
      const path = '/media/harbor/absent.png';
      host.origin.fails = (response) => response.destroy();
      const before = host.origin.seen.length;
      const [answer] = await sendAll(host.port, [{ path }]);
      host.origin.fails = undefined;
      expect(answer).toMatchObject({ status: 503, body: '{"detail":"Service unavailable."}' });
      expect(host.origin.seen.length - before).toBeLessThanOrEqual(2);
    });

    it('still answers the endpoints', async () => {
      const answers = await sendAll(host.port, [{ path: LIST }, { path: CONFIG, headers: { Cookie: 'uid=tom' } }]);
      expect(answers.map(({ body }) => body)).toEqual([
        textOf(site, `${LIST.slice(1)}index.json`),
        textOf(site, `${CONFIG.slice(1)}meadow.json`),
      ]);
    });
  });
}

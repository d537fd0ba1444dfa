import { expect, it } from 'vitest';
import type { Running } from './expected.ts';
import { sendAll } from './send.ts';

/** Old paths and their targets, with all permitted characters. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/my.community/media/7/logo.svg': '/my.community/media/harbor/logo.3f2a9c01.svg',
  '/my.community/media/7/logo.svg.png': '/my.community/media/harbor/logo.3f2a9c01-thumbnail-250x250.png',
  '/media/themes/_x/Banner.JPG': '/my.community/media/harbor/banner.5d41c2aa.jpg',
  '/uploads/Gr%C3%B6%C3%9Fe_(1)+a@b,c=d!~.PNG': 'https://media.example.org/media/harbor/banner.77b0e1c4.webp',
  "/uploads/Tom&Jerry's_[1];v=2.png": '/my.community/media/harbor/a.gif',
  '/uploads/Ann%26Eve%27s_%5B1%5D%3Bv=2.png': '/my.community/media/harbor/b.gif',
  '/default.png': '/my.community/media/harbor/spark.12ab34cd.gif',
  // Some hosts compare paths in groups, so there are enough for two groups.
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`/old/${at}.gif`, `/my.community/media/harbor/${at}.gif`]),
  ),
};

const REDIRECT_HEADERS = {
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};
const PATHS = Object.keys(REDIRECTS);

/** Tests that old paths of images redirect to the new paths, for GET and HEAD. */
export function redirectContract(running: () => Running): void {
  it.each(['GET', 'HEAD'])('redirects old paths of images for %s, with any query and cookie', async (method) => {
    const { port } = running();
    const headers = { Cookie: 'a.b-c_1=tom; x="' };
    const requests = PATHS.flatMap((path) =>
      [path, `${path}?v=/x.png&format=xml`].map((target) => ({ method, path: target, headers })),
    );
    const answers = await sendAll(port, requests);
    expect(answers.map(({ status, headers: { location } }) => [status, location])).toEqual(
      PATHS.flatMap((path) => [1, 2].map(() => [301, REDIRECTS[path]])),
    );
    for (const { headers: sent, body } of answers) {
      expect(sent).toMatchObject(REDIRECT_HEADERS);
      expect([body, sent['content-type'], sent['set-cookie']]).toEqual(['', undefined, undefined]);
    }
  });

  it('redirects only GET and HEAD, and only exact paths', async () => {
    const { port } = running();
    const path = '/my.community/media/7/logo.svg';
    const similarPaths = [
      `${path}/`,
      `${path}x`,
      `/x${path}`,
      path.replace('.svg', 'Xsvg'),
      path.slice(0, -1),
      '/old/60.gif',
    ];
    const requests = [
      ...['POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method, path })),
      ...similarPaths.map((similar) => ({ path: similar })),
      { path: '/other.png', headers: { 'X-Themecast-Moved': '/default.png', 'X-Themecast': 'moved' } },
    ];
    for (const { status, headers } of await sendAll(port, requests)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers).not.toHaveProperty('location');
      expect(headers['cache-control']).not.toBe(REDIRECT_HEADERS['cache-control']);
    }
  });
}

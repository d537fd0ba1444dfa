import { expect, it } from 'vitest';
import type { LoginService } from '../login-service.ts';
import { CONFIG, type Running } from './expected.ts';
import { expectThemes, type ThemeCase } from './identity.ts';
import { send } from './send.ts';

/** The maximum time of a response while the login service hangs, in milliseconds. */
const MAX_WAIT_MS = 5000;

/** Tests the header `X-User` of the login service, then its `X-Group`, then the cookie `uid`. */
export function authRequestContract(running: () => Running, login: () => LoginService): void {
  it('serves the theme of the user that the login service returns', () =>
    expectThemes(running(), [
      [{}, 'harbor'],
      [{ Cookie: 'session=t0' }, 'meadow'],
      [{ Cookie: 'session=n1' }, 'nightfall'],
      [{ Authorization: 'Bearer t0' }, 'meadow'],
      [{ Cookie: 'session=g2' }, 'nightfall'],
      [{ Cookie: 'session=unknown' }, 'harbor'],
      [{ Cookie: 'uid=nancy' }, 'nightfall'],
      [{ 'X-User': 'tom', 'X-Group': 'staff', Cookie: 'session=unknown' }, 'harbor'],
    ]));

  it('treats a rejected user as anonymous', () => {
    const statuses = [204, 300, 302, 304, 400, 401, 403, 404, 418, 429, 499, 500, 502, 503, 504, 599, 600, 999];
    const failures = ['reset', 'half', 'garbage', 'long', 'tricky'];
    return expectThemes(
      running(),
      [...statuses, ...failures].map((session): ThemeCase => [{ Cookie: `session=${session}` }, 'harbor']),
    );
  });

  it('forwards no header of the error responses of the login service', async () => {
    const { headers } = await send(running().port, { path: CONFIG, headers: { Cookie: 'session=401' } });
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:www-authenticate|set-cookie|x-user|location)$/)]),
    );
  });

  it('stops waiting for a login service that hangs', async () => {
    const start = Date.now();
    await expectThemes(running(), [[{ Cookie: 'session=hang' }, 'harbor']]);
    expect(Date.now() - start).toBeLessThan(MAX_WAIT_MS);
  });

  it('forwards only the credentials of the request', async () => {
    const { requests } = login();
    requests.length = 0;
    const credentials = { cookie: 'a=1; session=x', authorization: 'Basic eDp5' };
    const body = { 'Content-Length': '0', 'Content-Type': 'application/json' };
    const headers = { ...credentials, ...body, 'X-User': 'tom', 'X-Secret': 's', Referer: 'https://a.example/' };
    await send(running().port, { method: 'HEAD', path: `${CONFIG}?token=secret`, headers });
    expect(requests).toMatchObject([{ method: 'GET', url: '/whoami', body: '', headers: credentials }]);
    const names = Object.keys(requests[0]?.headers ?? {}).filter((name) => name !== 'host' && name !== 'connection');
    expect(names.toSorted()).toEqual(['authorization', 'cookie']);
  });

  it('asks the login service only if a request has credentials and needs a theme', async () => {
    const { requests } = login();
    requests.length = 0;
    const { port } = running();
    const headers = { Cookie: 'session=t0' };
    await send(port, { path: CONFIG });
    await send(port, { path: '/api/v2/theme/', headers });
    for (const method of ['OPTIONS', 'POST']) await send(port, { method, path: CONFIG, headers });
    await send(port, { path: `${CONFIG}?format=xml`, headers });
    expect(requests).toEqual([]);
  });
}

export function loginDownContract(running: () => Running): void {
  it('tries the other rules, then serves the default theme, while the login service is down', () =>
    expectThemes(running(), [
      [{ Cookie: 'session=t0' }, 'harbor'],
      [{ Cookie: 'session=t0; uid=nancy' }, 'nightfall'],
      [{ Authorization: 'Bearer t0' }, 'harbor'],
    ]));
}

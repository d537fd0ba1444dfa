import { it } from 'vitest';
import { type Theme, USERS } from '../site.ts';
import { COOKIE_CASES, HOSTILE_KEYS } from './cases.ts';
import { CONFIG, expectAnswers, expectedOf, type Running } from './expected.ts';

type Headers = Readonly<Record<string, string | string[]>>;
export type ThemeCase = readonly [headers: Headers, theme: Theme];

/** Tests the user's theme by the cookie `uid`. */
export function cookieContract(running: () => Running, caseSensitiveKeys: boolean): void {
  const themeCases = Object.entries(USERS).map(([user, theme]): ThemeCase => [{ Cookie: `uid=${user}` }, theme]);

  it('serves every user their theme', () => expectThemes(running(), themeCases));
  it('serves every user the page of their theme', async () => {
    const host = running();
    const exchanges = themeCases.map(([headers, theme]) => {
      const request = { path: CONFIG, headers: { ...headers, Accept: 'text/html' } };
      return [request, expectedOf(host, 'config', 'html', theme)] as const;
    });
    await expectAnswers(host, exchanges);
  });
  it.each(COOKIE_CASES)('serves for Cookie: %s the theme %s', (cookie, theme) =>
    expectThemes(running(), [[{ Cookie: cookie }, theme]]),
  );
  it('reads the cookie from any of several header lines', () =>
    expectThemes(running(), [[{ Cookie: ['a=1', 'uid=tom'] }, 'meadow']]));
  it(`${caseSensitiveKeys ? 'distinguishes' : 'ignores'} the case of user keys`, () =>
    expectThemes(running(), [[{ Cookie: 'uid=TOM' }, caseSensitiveKeys ? 'harbor' : 'meadow']]));
  it.each(HOSTILE_KEYS)('serves the default theme for uid=%s', (key) =>
    expectThemes(running(), [[{ Cookie: `uid=${key}` }, 'harbor']]),
  );
  it('reads a long Cookie header to its end', () =>
    expectThemes(running(), [
      [{ Cookie: `${'; '.repeat(3000)}uid=tom` }, 'meadow'],
      [{ Cookie: `uid=${' '.repeat(6000)}tom` }, 'meadow'],
      [{ Cookie: `uid=tom${' '.repeat(6000)}x` }, 'harbor'],
      [{ Cookie: `${'uid; '.repeat(1000)}uid=nancy` }, 'nightfall'],
      [{ Cookie: `uid=${'x'.repeat(6000)}` }, 'harbor'],
    ]));
  it('ignores keys in other headers, cookies and the query', async () => {
    const cases: ThemeCase[] = [
      [{ 'X-Theme': 'meadow', Cookie: 'theme=meadow' }, 'harbor'],
      [{ 'X-Remote-User': 'tom', Authorization: 'Basic dG9tOg==' }, 'harbor'],
    ];
    await expectThemes(running(), cases, '?theme=meadow&uid=tom');
  });
}

/** Tests the header `X-Remote-User` of a trusted proxy, then the cookie `a.b-c_1`. */
export function identityOrderContract(running: () => Running): void {
  it('applies the first identity rule that matches', () =>
    expectThemes(running(), [
      [{}, 'harbor'],
      [{ 'X-Remote-User': 'tom' }, 'meadow'],
      [{ 'x-remote-user': ' nancy ' }, 'nightfall'],
      [{ 'X-Remote-User': 'tom', Cookie: 'a.b-c_1=nancy' }, 'meadow'],
      [{ 'X-Remote-User': 'nobody', Cookie: 'a.b-c_1=nancy' }, 'nightfall'],
      [{ 'X-Remote-User': '', Cookie: 'a.b-c_1=nancy' }, 'nightfall'],
      [{ Cookie: 'a.b-c_1=tom' }, 'meadow'],
      // A dot in the name of a cookie is literal.
      [{ Cookie: 'aXb-c_1=tom' }, 'harbor'],
      [{ Cookie: 'uid=tom' }, 'harbor'],
      // The byte 0xA0 is not white space.
      [{ 'X-Remote-User': 'tom\u00a0' }, 'harbor'],
      [{ 'X-Remote-User': '\u00a0tom' }, 'harbor'],
    ]));
  it('serves the default theme to unknown users', () =>
    expectThemes(
      running(),
      HOSTILE_KEYS.map((key) => [{ 'X-Remote-User': key }, 'harbor']),
    ));
}

/** Tests the cookies `theme`, `group` and `user`, in this order. */
export function namesContract(running: () => Running): void {
  it('applies rules for themes, groups and users in their order', () =>
    expectThemes(running(), [
      [{}, 'harbor'],
      [{ Cookie: 'theme=meadow' }, 'meadow'],
      [{ Cookie: 'group=staff' }, 'nightfall'],
      [{ Cookie: 'user=tom' }, 'meadow'],
      [{ Cookie: 'theme="meadow"' }, 'meadow'],
      [{ Cookie: 'theme="meadow; group="staff"; user="tom"' }, 'nightfall'],
      [{ Cookie: 'user=tom; group=staff' }, 'nightfall'],
      [{ Cookie: 'user=tom; group=staff; theme=meadow' }, 'meadow'],
      [{ Cookie: 'theme=harbor; user=tom' }, 'harbor'],
      // A user and a group may have equal keys.
      [{ Cookie: 'group=tom' }, 'nightfall'],
      [{ Cookie: 'user=staff' }, 'harbor'],
    ]));
  it.each([
    ...'index options ../options browse meadow.json meadow/ %6deadow . .. no ~.* MEADOW Meadow'.split(' '),
    'meadow\u00a0',
    '\u00a0meadow',
    '',
  ])('ignores the theme cookie %s', (value) =>
    expectThemes(running(), [
      [{ Cookie: `theme=${value}` }, 'harbor'],
      [{ Cookie: `theme=${value}; group=staff` }, 'nightfall'],
    ]),
  );
}

/** Tests the header `X-Remote-User` with the secret in `X-Proxy-Secret`, then the cookie `uid`. */
export function sharedSecretContract(running: () => Running): void {
  it('trusts the identity header only with the secret', () => {
    const secret = running().site.secrets['PROXY_SECRET'] ?? '';
    const wrong = [
      secret.slice(0, -1),
      `${secret}x`,
      secret.toUpperCase(),
      '',
      `${secret}, ${secret}`,
      `${secret}\u00a0`,
      `\u00a0${secret}`,
    ];
    return expectThemes(running(), [
      [{ 'X-Remote-User': 'tom\u00a0', 'X-Proxy-Secret': secret }, 'harbor'],
      [{ 'X-Remote-User': '\u00a0tom', 'X-Proxy-Secret': secret }, 'harbor'],
      [{ 'X-Remote-User': 'tom', 'X-Proxy-Secret': secret }, 'meadow'],
      [{ 'X-Remote-User': 'nobody', 'X-Proxy-Secret': secret, Cookie: 'uid=nancy' }, 'nightfall'],
      [{ 'X-Remote-User': 'tom' }, 'harbor'],
      ...wrong.map((value): ThemeCase => [{ 'X-Remote-User': 'tom', 'X-Proxy-Secret': value }, 'harbor']),
      [{ 'X-Remote-User': 'tom', 'X-Proxy-Secret': 'wrong', Cookie: 'uid=nancy' }, 'nightfall'],
    ]);
  });
}

/** Tests the header from an address that the site does not trust, then the cookie `uid`. */
export function untrustedProxyContract(running: () => Running): void {
  it('does not trust the identity header', () =>
    expectThemes(running(), [
      [{ 'X-Remote-User': 'tom' }, 'harbor'],
      [{ 'X-Remote-User': 'tom', Cookie: 'uid=nancy' }, 'nightfall'],
      [{ 'X-Remote-User': 'tom', 'X-Forwarded-For': '192.0.2.1', 'X-Real-IP': '192.0.2.1' }, 'harbor'],
    ]));
}

export async function expectThemes(host: Running, cases: readonly ThemeCase[], query = ''): Promise<void> {
  const path = host.base + CONFIG + query;
  await expectAnswers(
    host,
    cases.map(([headers, theme]) => [{ path, headers }, expectedOf(host, 'config', 'json', theme)] as const),
  );
}

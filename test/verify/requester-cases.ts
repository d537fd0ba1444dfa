import { Buffer } from 'node:buffer';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  hasMethod,
  type Case,
  configOf,
  isConfig,
  isJson,
  isPage,
  missing,
  set,
  where,
  type Fault,
} from './sabotages.ts';

const cookieIs = (value: string) => (at: ProxiedResponse) => isConfig(at) && at.request['cookie'] === value;
const isGetJson = (at: ProxiedResponse): boolean =>
  isConfig(at) && isJson(at) && at.method === 'GET' && at.status === 200;
const gives =
  (theme: string): Fault =>
  (at, built) => {
    at.body = configOf(built, theme);
    delete at.headers['etag'];
  };
const hasToken = (at: ProxiedResponse): boolean => isGetJson(at) && at.request['authorization'] !== undefined;
const subOf = (at: ProxiedResponse): unknown => {
  const claims = at.request['authorization']?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub?: unknown }).sub;
};

let anonymousPage: Buffer | undefined;

/** Faults in the theme of each requester, and caches in front. */
export const requesterCases: readonly Case[] = [
  [
    'the token secret is not set on the host',
    where(hasToken, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
    /TOKEN_SECRET is missing from its environment/,
  ],
  [
    'the proxy secret is not set on the host',
    where((at) => isGetJson(at) && at.request['x-group'] !== undefined, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
    /PROXY_SECRET is missing from its environment/,
  ],
  [
    'signatures of tokens are not checked',
    where((at) => hasToken(at) && subOf(at) === 'meadow-user', gives('meadow')),
    ['config/forged'],
    /meadow \(2\)/,
  ],
  [
    'the proxy header is trusted without its secret',
    where(
      (at) =>
        isGetJson(at) &&
        at.request['x-group'] === 'staff' &&
        (at.request['cookie'] ?? at.request['authorization']) === undefined,
      gives('nightfall'),
    ),
    ['config/forged'],
    /nightfall \(3\)/,
  ],
  [
    'the theme cookie is ignored',
    where((at) => isGetJson(at) && at.request['cookie']?.startsWith('theme=') === true, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
  ],
  [
    'the mapping of groups is not loaded',
    where((at) => isGetJson(at) && at.request['x-group'] !== undefined, gives('meadow')),
    ['config/as-user', 'config/forged'],
    /meadow \(2\)/,
  ],
  [
    'the document of one theme is of another build',
    where(
      (at) => isGetJson(at) && cookieIs('theme=nightfall')(at),
      (at) => void (at.body = Buffer.from(at.body.toString().replace('"nightfall"', '"Nightfall"'))),
    ),
    ['config/as-user'],
    /^no document of this build: \{"id":3,"name":"Nightfall"/,
  ],
  ['the document of one theme is missing', where(cookieIs('theme=nightfall'), missing), ['config/status'], /^404$/],
  [
    'an unknown theme returns another theme',
    where((at) => isGetJson(at) && cookieIs('theme=themecast-verify.unknown')(at), gives('meadow')),
    ['config/as-user'],
    /meadow \(2\)/,
  ],
  [
    'X-Group is missing from Vary',
    where(isConfig, (at) => {
      const names = at.headers['vary']?.split(', ').filter((name) => name !== 'X-Group');
      if (names !== undefined) at.headers['vary'] = names.join(', ');
    }),
    ['headers/vary'],
    /^Vary: (?!.*X-Group)/,
  ],
  [
    'a cookie is found in front only',
    where(
      (at) => isGetJson(at) && at.request['cookie']?.startsWith('themecast-verify=1; uid=') === true,
      gives('harbor'),
    ),
    ['config/as-user'],
    /harbor \(1\)/,
    /at any place of the header/,
  ],
  [
    'the rules are asked in another order',
    where(
      (at) => isGetJson(at) && /uid=.*theme=|theme=.*uid=/.test(at.request['cookie'] ?? ''),
      (at, built) =>
        gives(at.request['cookie']?.includes('uid=night-user') === true ? 'nightfall' : 'meadow')(at, built),
    ),
    ['config/as-user'],
    / \([23]\)$/,
    /in the order/,
  ],
  [
    'a token takes precedence over the cookie of an earlier rule',
    where((at) => hasToken(at) && at.request['cookie']?.startsWith('uid=') === true, gives('nightfall')),
    ['config/as-user'],
    /nightfall \(3\)/,
    /in the order/,
  ],
  [
    "a cache gives one user's theme to another",
    where(
      (at) => isGetJson(at) && at.request['cookie'] === 'uid=meadow-user',
      (at, built) => void (at.body = configOf(built, 'nightfall')),
    ),
    ['config/as-user'],
    /nightfall \(3\)/,
    /a shared cache serves it to everyone/,
  ],
  [
    'every user gets the page of the default theme',
    where(
      (at) => isConfig(at) && isPage(at) && at.method === 'GET',
      (at) => {
        anonymousPage ??= at.request['cookie'] === undefined ? at.body : undefined;
        at.body = anonymousPage ?? at.body;
      },
    ),
    ['page/theme'],
    /harbor \(1\)/,
  ],
  [
    'one ETag for all themes',
    where((at) => isConfig(at) && at.status === 200, set({ etag: '"same"' })),
    ['config/validator'],
    /If-None-Match: "same" of /,
  ],
  [
    '304 by date, regardless of the theme',
    where(isConfig, (at) => {
      if (at.request['if-modified-since'] !== undefined) {
        at.status = 304;
        at.body = Buffer.alloc(0);
      } else at.headers['last-modified'] = 'Sat, 21 Nov 2026 12:00:00 GMT';
    }),
    ['config/validator'],
    /304 to If-Modified-Since/,
  ],
  [
    'HEAD of CONFIG has another length',
    where((at) => isConfig(at) && hasMethod('HEAD')(at), set({ 'content-length': '7' })),
    ['method/head'],
    /Content-Length: 7/,
  ],
  [
    'browsers may store CONFIG',
    where(isConfig, (at) => {
      if (at.headers['cache-control'] === 'private, no-cache') at.headers['cache-control'] = 'private, max-age=3600';
    }),
    ['headers/cache'],
    /private, max-age=3600/,
  ],
];

import { Buffer } from 'node:buffer';
import type { Passing } from './sabotaged-server.ts';
import { asks, type Case, configOf, isConfig, isJson, isPage, reply, set, where, type Wrong } from './sabotages.ts';

const cookieIs = (value: string) => (at: Passing) => isConfig(at) && at.request['cookie'] === value;
const isGetJson = (at: Passing): boolean => isConfig(at) && isJson(at) && at.method === 'GET' && at.status === 200;
const gives =
  (theme: string): Wrong =>
  (at, built) => {
    at.body = configOf(built, theme);
    delete at.headers['etag'];
  };
const hasToken = (at: Passing): boolean => isGetJson(at) && at.request['authorization'] !== undefined;
const subOf = (at: Passing): unknown => {
  const claims = at.request['authorization']?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub?: unknown }).sub;
};

let anonymousPage: Buffer | undefined;

/** Who gets which theme, and what comes between. */
export const requesterCases: readonly Case[] = [
  [
    'the host has not the secret of tokens',
    where(hasToken, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
    /TOKEN_SECRET is missing from its environment/,
  ],
  [
    'the host has not the secret of the proxy',
    where((at) => isGetJson(at) && at.request['x-group'] !== undefined, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
    /PROXY_SECRET is missing from its environment/,
  ],
  [
    'tokens are believed whoever signed them',
    where((at) => hasToken(at) && subOf(at) === 'meadow-user', gives('meadow')),
    ['config/forged'],
    /meadow \(2\)/,
  ],
  [
    'the header of the proxy is believed without its secret',
    where((at) => isGetJson(at) && at.request['x-group'] === 'staff', gives('nightfall')),
    ['config/forged'],
    /nightfall \(3\)/,
  ],
  [
    'the cookie that names a theme is not read',
    where((at) => isGetJson(at) && at.request['cookie']?.startsWith('theme=') === true, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
  ],
  [
    'the cookie of users is not read',
    where((at) => isGetJson(at) && at.request['cookie']?.startsWith('uid=') === true, gives('harbor')),
    ['config/as-user'],
    /harbor \(1\)/,
    /mapping is missing/,
  ],
  [
    'groups are in no mapping',
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
    /a record of no theme of this build: Nightfall \(3\)/,
  ],
  [
    'the document of one theme is missing',
    where(cookieIs('theme=nightfall'), reply(404, '{"detail":"Not found."}', 'application/json')),
    ['config/status'],
    /^404$/,
  ],
  [
    'an unknown user is an error',
    where(cookieIs('uid=themecast-verify.unknown'), reply(500, 'no such user', 'text/plain')),
    ['config/status'],
    /^500$/,
  ],
  [
    'an unknown theme gives another',
    where((at) => isGetJson(at) && cookieIs('theme=themecast-verify.unknown')(at), gives('meadow')),
    ['config/as-user'],
    /meadow \(2\)/,
  ],
  [
    'X-Group is missing from Vary',
    where(isConfig, (at) => {
      const kept = at.headers['vary']?.split(', ').filter((name) => name !== 'X-Group');
      if (kept !== undefined) at.headers['vary'] = kept.join(', ');
    }),
    ['config/vary'],
    /^Vary: (?!.*X-Group)/,
  ],
  [
    'a shared cache keeps CONFIG, by its Age',
    where(isConfig, set({ age: '30', via: '1.1 cache.example' })),
    ['config/shared-cache'],
    /Via: 1\.1 cache\.example, Age: 30/,
  ],
  [
    'a shared cache keeps CONFIG, by X-Cache',
    where(isConfig, set({ 'x-cache': 'HIT from edge-3' })),
    ['config/shared-cache'],
    /X-Cache: HIT/,
  ],
  [
    'a shared cache keeps CONFIG, by CF-Cache-Status',
    where(isConfig, set({ 'cf-cache-status': 'HIT', age: '0' })),
    ['config/shared-cache'],
    /CF-Cache-Status: HIT/,
  ],
  [
    'a shared cache keeps CONFIG, by Cache-Status',
    where(isConfig, set({ 'cache-status': '"edge"; hit; ttl=30' })),
    ['config/shared-cache'],
    /Cache-Status: "edge"; hit/,
  ],
  [
    "a cache gives one user's theme to another",
    where(
      (at) => isGetJson(at) && at.request['cookie'] === 'uid=meadow-user',
      (at, built) => {
        at.body = configOf(built, 'nightfall');
        at.headers['via'] = '1.1 varnish';
      },
    ),
    ['config/as-user'],
    /nightfall \(3\)/,
    /came through a cache \(Via: 1\.1 varnish\)/,
  ],
  [
    'the page of CONFIG is that of the default theme for everyone',
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
    /ETag: "same" with both/,
  ],
  [
    '304 by the date, whatever the theme',
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
    where((at) => isConfig(at) && asks('HEAD')(at), set({ 'content-length': '7' })),
    ['method/head'],
    /Content-Length: 7/,
  ],
  [
    'CONFIG is kept by browsers',
    where(isConfig, (at) => {
      if (at.headers['cache-control'] === 'private, no-cache') at.headers['cache-control'] = 'private, max-age=3600';
    }),
    ['config/cache'],
    /private, max-age=3600/,
  ],
];

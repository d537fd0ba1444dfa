import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  type Case,
  configOf,
  type Fault,
  hasMethod,
  isConfig,
  isCss,
  isIcon,
  isJson,
  isPage,
  missing,
  reply,
  set,
  unmodified,
  where,
  without,
} from './sabotages.ts';

const isGetJson = (at: ProxiedResponse): boolean =>
  isConfig(at) && isJson(at) && at.method === 'GET' && at.status === 200;
/** Responds with the document of a theme. */
const respondWith =
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
const isCssOfUser = (at: ProxiedResponse): boolean => isCss(at) && at.request['cookie'] !== undefined;

/** Faults of CONFIG, its renderings, and caches in front of it. */
export const requesterCases: readonly Case[] = [
  ['every user gets the same theme', where(isGetJson, respondWith('meadow')), ['config/theme'], /meadow \(2\)/],
  ['the mapping is not loaded', where(isGetJson, respondWith('harbor')), ['config/theme'], /harbor \(1\)/],
  [
    'the token secret is not set on the host',
    where(hasToken, respondWith('harbor')),
    ['config/theme'],
    /harbor \(1\)/,
    /TOKEN_SECRET is missing from its environment/,
  ],
  [
    'the proxy secret is not set on the host',
    where((at) => isGetJson(at) && at.request['x-group'] !== undefined, respondWith('harbor')),
    ['config/theme'],
    /harbor \(1\)/,
    /PROXY_SECRET is missing from its environment/,
  ],
  [
    'signatures of tokens are not checked',
    where((at) => hasToken(at) && subOf(at) === 'meadow-user', respondWith('meadow')),
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
      respondWith('nightfall'),
    ),
    ['config/forged'],
    /nightfall \(3\)/,
  ],
  [
    'an unknown theme returns another theme',
    where((at) => isGetJson(at) && at.request['cookie'] === 'theme=themecast-verify.unknown', respondWith('meadow')),
    ['config/theme'],
  ],
  [
    'only the first cookie of the header is read',
    where(
      (at) => isGetJson(at) && at.request['cookie']?.startsWith('themecast-verify=1; uid=') === true,
      respondWith('harbor'),
    ),
    ['config/theme'],
    /harbor \(1\)/,
    /at any place of the header/,
  ],
  [
    'the rules are applied in the wrong order',
    where(
      (at) => isGetJson(at) && /uid=.*theme=|theme=.*uid=/.test(at.request['cookie'] ?? ''),
      (at, built) =>
        respondWith(at.request['cookie']?.includes('uid=night-user') === true ? 'nightfall' : 'meadow')(at, built),
    ),
    ['config/theme'],
    / \([23]\)$/,
    /in the order/,
  ],
  [
    "a cache gives one user's theme to another",
    where((at) => isGetJson(at) && at.request['cookie'] === 'uid=meadow-user', respondWith('nightfall')),
    ['config/theme'],
    /nightfall \(3\)/,
    /a shared cache serves it to everyone/,
  ],
  ['a shared cache stores the response to a user', leakyCache(), ['config/theme'], /meadow \(2\)/],
  ['a shared cache gives a user the response to another', cacheOfUsers(), ['config/theme'], / \([123]\)$/],
  [
    'the document of one theme is stale',
    where(
      (at) => isGetJson(at) && at.request['cookie'] === 'theme=nightfall',
      (at) => void (at.body = Buffer.from(at.body.toString().replace('"nightfall"', '"Nightfall"'))),
    ),
    ['config/theme'],
    /^no document of this build: \{"id":3,"name":"Nightfall"/,
  ],
  [
    'CONFIG does not respond',
    where(isConfig, (at) => void (at.connection = 'drop')),
    ['config/theme'],
    /closed|reset|ended/,
  ],
  ['CONFIG is missing', where(isConfig, reply(404, '', 'text/plain')), ['config/theme'], /^404$/],
  [
    '304 to the ETag of another theme',
    where((at) => isConfig(at) && at.request['if-none-match'] !== undefined, unmodified),
    ['conditional/foreign'],
    /^304 to If-None-Match/,
  ],
  [
    'one ETag for all themes',
    where((at) => isConfig(at) && at.status === 200, set({ etag: '"same"' })),
    ['conditional/foreign'],
    /If-None-Match: "same" of /,
  ],
  [
    '304 by date, regardless of the theme',
    where(isConfig, (at) => {
      if (at.request['if-modified-since'] !== undefined) unmodified(at);
      else at.headers['last-modified'] = 'Sat, 21 Nov 2026 12:00:00 GMT';
    }),
    ['conditional/foreign'],
    /304 to If-Modified-Since/,
  ],
  [
    'CONFIG may be cached by shared caches',
    where(isPrivate, set({ 'cache-control': 'public, max-age=60' })),
    ['headers/cache'],
  ],
  ['browsers may store CONFIG', where(isPrivate, set({ 'cache-control': 'private, max-age=3600' })), ['headers/cache']],
  ['a CDN may store CONFIG', where(isConfig, set({ 'cdn-cache-control': 'max-age=60' })), ['headers/effect'], /^Cdn-/],
  ['Cookie is missing from Vary', where(isConfig, set({ vary: 'Accept, Origin' })), ['headers/vary']],
  [
    'HEAD of CONFIG has another length',
    where((at) => isConfig(at) && hasMethod('HEAD')(at), set({ 'content-length': '7' })),
    ['method/head'],
    /Content-Length: 7/,
  ],
  [
    'every user gets the page of the default theme',
    firstForAll((at) => isConfig(at) && isPage(at)),
    ['rendering/document'],
  ],
  ['every user gets the first stylesheet', firstForAll(isCss), ['rendering/document'], / \([123]\)$/],
  ['every user gets the first icon', firstForAll(isIcon), ['rendering/document'], / \([123]\)$/],
  ['a stylesheet without CORP', where(isCss, without('cross-origin-resource-policy')), ['headers/security']],
  ['a public stylesheet', where(isCss, set({ 'cache-control': 'public, max-age=60' })), ['headers/cache']],
  ['an empty stylesheet', where(isCss, (at) => void (at.body = Buffer.alloc(0))), ['rendering/document'], /0 bytes/],
  ['a stylesheet as text', where(isCss, set({ 'content-type': 'text/plain' })), ['rendering/document']],
  ['no stylesheet for users', where(isCssOfUser, missing), ['rendering/document'], /^404$/],
  [
    '304 to any ETag of a stylesheet',
    where((at) => at.target.includes('format=css') && at.request['if-none-match'] !== undefined, unmodified),
    ['conditional/foreign'],
  ],
  [
    'JSON for Accept: text/css',
    where((at) => isCss(at) && at.request['accept'] === 'text/css', reply(200, '{}', 'application/json')),
    ['rendering/document'],
  ],
  [
    'another stylesheet for Accept: text/css',
    where(
      (at) => isCss(at) && at.request['accept'] === 'text/css',
      (at) => void (at.body = Buffer.from(':root{}')),
    ),
    ['rendering/document'],
    /7 bytes/,
  ],
  [
    'an icon of another build',
    where(isIcon, (at) => void (at.body = Buffer.concat([at.body, Buffer.from(' ')]))),
    ['rendering/document'],
    /an image in PNG, /,
  ],
  [
    'the icon for Accept: image/*',
    where((at) => isConfig(at) && at.request['accept'] === 'image/*', reply(200, 'PNG', 'image/png')),
    ['rendering/document'],
  ],
];

function isPrivate(at: ProxiedResponse): boolean {
  return isConfig(at) && at.headers['cache-control'] === 'private, no-cache';
}

/** Sends everyone the first response, as a shared cache or rules that ignore the user would. */
function firstForAll(matches: (at: ProxiedResponse) => boolean): Fault {
  let first: Buffer | undefined;
  return (at) => {
    if (matches(at) && at.method === 'GET' && at.status === 200) at.body = first ??= at.body;
  };
}

/** Simulates a cache that does not key its entries by user. */
function cacheOfUsers(): Fault {
  const requestedBefore = new Set<string>();
  let stored: Buffer | undefined;
  return (at) => {
    const { cookie } = at.request;
    if (cookie?.startsWith('theme=') !== true || !isConfig(at) || !isJson(at) || at.status !== 200) return;
    if (requestedBefore.has(cookie) && at.request['if-none-match'] === undefined) at.body = stored ?? at.body;
    else stored = at.body;
    requestedBefore.add(cookie);
  };
}

/** Simulates a cache that sends anonymous visitors the response of the last user. */
function leakyCache(): Fault {
  let lastUserResponse: ProxiedResponse | undefined;
  return (at) => {
    if (!isGetJson(at)) return;
    if (at.request['cookie'] === 'uid=meadow-user') lastUserResponse = at;
    else if (
      lastUserResponse !== undefined &&
      ['cookie', 'authorization', 'x-group', 'origin'].every((name) => at.request[name] === undefined) &&
      !at.target.includes('?')
    )
      at.body = lastUserResponse.body;
  };
}

import { type DeploymentRecord, recordText } from '../../src/document/deployment.ts';
import { RECORDS } from '../../src/document/endpoint.ts';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  type Case,
  type Fault,
  LISTING,
  where,
  isList,
  isConfig,
  isJson,
  isPage,
  isPng,
  set,
  without,
  reply,
  configOf,
  hasMethod,
  LIST,
  textIn,
  unmodified,
} from './sabotages.ts';

/** SHA-256 of `{}`. */
const OF_EMPTY = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
const RETAINED = {
  path: 'media/harbor/logo.7b3a1f8c2e9d4056.svg',
  sha256: `7b3a1f8c2e9d4056${'0'.repeat(48)}`,
  bytes: 9,
  last_named: '2026-11-20T08:00:00.000Z',
};

export const documentCases: readonly Case[] = [
  ['another server', reply(404, 'Not here', 'text/plain'), ['list/status'], /404/],
  [
    'a directory listing at LIST',
    where(isList, reply(200, LISTING, 'text/html')),
    ['list/document'],
    /an HTML page: <!doctype html>/,
  ],
  [
    'a charset on JSON',
    where(isJson, set({ 'content-type': 'application/json; charset=utf-8' })),
    ['headers/type'],
    /charset=utf-8/,
  ],
  ['no Vary', without('vary'), ['headers/vary'], /no Vary header/],
  ['no Allow', without('allow'), ['headers/allow'], /no Allow header/],
  [
    'no Vary on pages only',
    where(({ headers }) => headers['content-type'] === 'text/html; charset=utf-8', without('vary')),
    ['headers/vary'],
    /no Vary header/,
  ],
  [
    'Cookie is missing from Vary',
    where(isConfig, set({ vary: 'Accept, Origin' })),
    ['headers/vary'],
    /^Vary: Accept, Origin$/,
  ],
  [
    'LIST redirects to itself',
    where(isList, (at, { rules }) => {
      at.status = 301;
      at.headers['location'] = `${rules.basePath}${LIST}`;
    }),
    ['list/status'],
    /^301 to /,
    /X-Forwarded-Proto/,
  ],
  [
    'LIST redirects to the path without its slash',
    where(isList, (at, { rules }) => {
      at.status = 301;
      at.headers['location'] = `${rules.basePath}${LIST}`.replace(/\/$/, '');
    }),
    ['list/status'],
    /^301 to /,
    /removes the slash/,
  ],
  [
    'CONFIG may be cached by shared caches',
    where(
      ({ headers }) => headers['cache-control'] === 'private, no-cache',
      set({ 'cache-control': 'public, max-age=60' }),
    ),
    ['headers/cache'],
    /public, max-age=60/,
  ],
  [
    'every user gets the same theme',
    where(isConfig, (at, built) => {
      if (at.status === 200 && isJson(at) && at.method === 'GET') at.body = configOf(built, 'meadow');
    }),
    ['config/anonymous', 'config/as-user', 'method/head'],
    /meadow \(2\)/,
  ],
  [
    'the mapping is not loaded',
    where(isConfig, (at, built) => {
      if (at.status === 200 && isJson(at) && at.method === 'GET') at.body = configOf(built, 'harbor');
    }),
    ['config/as-user'],
    /harbor \(1\)/,
  ],
  [
    'CONFIG returns the record of LIST',
    where(isConfig, (at, built) => {
      if (at.status === 200 && isJson(at) && at.method === 'GET') at.body = Buffer.from(JSON.stringify(built.list[0]));
    }),
    ['config/anonymous', 'config/as-user', 'method/head'],
    /^no document of this build: \{"id":1,/,
  ],
  [
    '304 for another theme',
    where((at) => isConfig(at) && at.request['if-none-match'] !== undefined, unmodified),
    ['config/validator'],
    /^304 to If-None-Match/,
  ],
  [
    'CONFIG does not respond',
    where(isConfig, (at) => void (at.connection = 'drop')),
    ['config/status'],
    /closed|reset|ended/,
  ],
  ['CONFIG is missing', where(isConfig, reply(404, '', 'text/plain')), ['config/status'], /^404$/],
  ['a shared cache stores the response to a user', leakyCache(), ['config/shared-cache'], /meadow \(2\)/],
  ['a shared cache gives a user what it stored for another', cacheOfUsers(), ['config/shared-cache'], / \([123]\)$/],
  [
    'LIST responds with 304 to any ETag',
    where((at) => isList(at) && at.request['if-none-match'] !== undefined, unmodified),
    ['list/validator'],
    /^304, /,
  ],
  ['LIST sets a cookie', where(isList, set({ 'set-cookie': 'session=1' })), ['headers/cache'], /a Set-Cookie header/],
  [
    'the page of LIST is of another build',
    where(
      (at) => isList(at) && isPage(at),
      (at) => void (at.body = Buffer.from(textIn(at).replaceAll(/hsl\(\d+/g, 'hsl(7'))),
    ),
    ['page/theme'],
    /^another page, /,
  ],
  [
    'the page of one theme is of another build',
    where(
      (at) => isConfig(at) && isPage(at) && at.request['cookie'] === 'theme=meadow',
      (at) => void (at.body = Buffer.from(textIn(at).replace(/logo_height&#34;<\/b>: /, '$&9'))),
    ),
    ['page/theme'],
    /^a page of another theme or build$/,
  ],
  [
    'one ETag for the JSON of LIST and its page',
    where(
      (at) => isList(at) && at.headers['etag'] !== undefined,
      (at) => {
        if (at.status === 200) at.headers['etag'] = '"same"';
      },
    ),
    ['list/validator'],
    /ETag: "same"/,
  ],
  [
    'LIST lacks a theme',
    where(
      (at) => isList(at) && isJson(at) && at.status === 200 && at.method === 'GET' && !at.target.includes('?'),
      (at, built) => void (at.body = Buffer.from(JSON.stringify(built.list.slice(0, 2)))),
    ),
    ['list/build'],
    /missing: nightfall \(3\)/,
  ],
  [
    'a proxy reformats the JSON',
    where(
      (at) => isList(at) && isJson(at) && hasMethod('GET')(at) && at.target === LIST,
      (at) => void (at.body = Buffer.from(JSON.stringify(JSON.parse(textIn(at)), null, 1))),
    ),
    ['list/build'],
    /the same themes in different bytes/,
  ],
  [
    'LIST may be cached for a day',
    where(
      (at) => isList(at) && at.headers['cache-control'] === 'public, max-age=60',
      set({ 'cache-control': 'public, max-age=86400' }),
    ),
    ['headers/cache'],
    /max-age=86400/,
  ],
  ['what is live is a page', deployed({ record: LISTING }), ['deployment/record'], /<!doctype html>/, /Deploy again/],
  [
    'what is live may be cached',
    deployed({ manifest: '{}', cacheControl: 'max-age=60' }),
    ['deployment/manifest', 'headers/cache'],
    /max-age=60/,
  ],
  [
    'another manifest than what is live',
    deployed({ manifest: '{}' }),
    ['deployment/manifest'],
    /sha256/,
    /Deploy again/,
  ],
  ['no manifest of what is live', deployed({}), ['deployment/manifest'], /404/, /Deploy again/],
  [
    'the record and the manifest of another build',
    deployed({ manifest: '{}', of: { manifest: OF_EMPTY } }),
    ['deployment/record'],
    /^0123456 .*, manifest 44136fa3…$/,
    /another|wrong files/,
  ],
  [
    'a record of the future',
    deployed({ of: { time: '2131-01-01T00:00:00.000Z' } }),
    ['deployment/manifest', 'deployment/record'],
    /since 2131/,
  ],
  [
    'one of two servers has the record of another build',
    everySecond(({ target }) => target === RECORDS.deployment, deployed({ of: { manifest: OF_EMPTY } })),
    ['deployment/manifest', 'deployment/record'],
    /manifest 44136fa3…/,
  ],
  [
    'a retained image is missing',
    deployed({ of: { retained: [RETAINED] } }),
    ['deployment/manifest', 'deployment/retained'],
    /^404$/,
  ],
  ['one of two servers lacks an image', everySecond(isPng, reply(404, '', 'text/plain')), ['media/status'], /^404$/],
  [
    'one of two servers has another list',
    everySecond(
      (at) => isList(at) && hasMethod('GET')(at) && at.request['connection'] === 'close',
      reply(200, '[]', 'application/json'),
    ),
    ['list/document'],
    /other JSON/,
  ],
];

/** Deployments with one wrong file. */
function deployed(wrong: {
  record?: string;
  of?: Partial<DeploymentRecord>;
  manifest?: string;
  cacheControl?: string;
}): Fault {
  return (at, built) => {
    const record: DeploymentRecord = {
      commit: '0123456789abcdef0123456789abcdef01234567',
      time: new Date().toISOString(),
      manifest: built.manifest,
      cache_control: {},
      retained: [],
      ...wrong.of,
    };
    if (at.target === RECORDS.deployment) reply(200, wrong.record ?? recordText(record), 'application/json')(at);
    else if (at.target === RECORDS.manifest && wrong.manifest !== undefined)
      reply(200, wrong.manifest, 'application/json')(at);
    else return;
    set({ vary: 'Origin', 'cache-control': wrong.cacheControl ?? 'no-cache' })(at);
  };
}

/** Every second request gets a different response, from another server behind the same address. */
function everySecond(matches: (at: ProxiedResponse) => boolean, fault: Fault): Fault {
  let requests = 0;
  return (at, built) => {
    if (matches(at) && requests++ % 2 === 1) fault(at, built);
  };
}

/** A cache that identifies known users, but does not key its entries by user. */
function cacheOfUsers(): Fault {
  const seen = new Set<string>();
  let stored: Buffer | undefined;
  return (at) => {
    const { cookie } = at.request;
    if (cookie?.startsWith('theme=') !== true || !isConfig(at) || !isJson(at) || at.status !== 200) return;
    if (seen.has(cookie) && at.request['if-none-match'] === undefined) at.body = stored ?? at.body;
    else stored = at.body;
    seen.add(cookie);
  };
}

/** A cache that sends anonymous visitors the response of the last user. */
function leakyCache(): Fault {
  let lastUserResponse: ProxiedResponse | undefined;
  return (at) => {
    if (!isConfig(at) || at.method !== 'GET' || at.status !== 200 || !isJson(at)) return;
    if (at.request['cookie'] === 'uid=meadow-user') lastUserResponse = at;
    else if (
      lastUserResponse !== undefined &&
      ['cookie', 'authorization', 'x-group', 'origin'].every((name) => at.request[name] === undefined) &&
      !at.target.includes('?')
    )
      at.body = lastUserResponse.body;
  };
}

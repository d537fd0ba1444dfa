import { type DeploymentRecord, recordText } from '../../src/core/document/deployment.ts';
import { RECORDS } from '../../src/core/document/endpoint.ts';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  type Case,
  type Fault,
  hasMethod,
  isConfig,
  isJson,
  isList,
  isOpenApi,
  isPage,
  isPng,
  LIST,
  LISTING,
  missing,
  reply,
  set,
  textIn,
  unmodified,
  where,
  without,
} from './sabotages.ts';

const append =
  (text: string): Fault =>
  (at) =>
    void (at.body = Buffer.concat([at.body, Buffer.from(text)]));
const isPlainList = (at: ProxiedResponse): boolean =>
  isList(at) && isJson(at) && hasMethod('GET')(at) && at.status === 200 && !at.target.includes('?');

/** The SHA-256 digest of `{}`. */
const EMPTY_OBJECT_SHA256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
const RETAINED = {
  path: 'media/harbor/logo.7b3a1f8c2e9d4056.svg',
  sha256: `7b3a1f8c2e9d4056${'0'.repeat(48)}`,
  bytes: 9,
  last_named: '2026-11-20T08:00:00.000Z',
};

/** Faults of LIST, pages, schemas and deployment records. */
export const documentCases: readonly Case[] = [
  ['another server', reply(404, 'Not here', 'text/plain'), ['list/document'], /404/],
  [
    'a directory listing at LIST',
    where(isList, reply(200, LISTING, 'text/html')),
    ['list/document'],
    /an HTML page, 66 bytes, .*<!doctype html>/,
  ],
  ['a charset on JSON', where(isJson, set({ 'content-type': 'application/json; charset=utf-8' })), ['headers/type']],
  ['no Vary', without('vary'), ['headers/vary'], /no Vary header/],
  ['no Allow', without('allow'), ['headers/allow']],
  [
    'LIST redirects to itself',
    where(isList, (at, { rules }) => {
      at.status = 301;
      at.headers['location'] = `${rules.basePath}${LIST}`;
    }),
    ['list/document'],
    /^301 to /,
    /X-Forwarded-Proto.* removes the slash/,
  ],
  [
    'LIST responds with 304 to any ETag',
    where((at) => isList(at) && at.request['if-none-match'] !== undefined, unmodified),
    ['conditional/foreign'],
  ],
  ['LIST sets a cookie', where(isList, set({ 'set-cookie': 'session=1' })), ['headers/effect'], /a Set-Cookie header/],
  [
    'LIST may be cached for a day',
    where(
      (at) => isList(at) && at.headers['cache-control'] === 'public, max-age=60',
      set({ 'cache-control': 'public, max-age=86400' }),
    ),
    ['headers/cache'],
  ],
  [
    'LIST lacks a theme',
    where(isPlainList, (at, built) => void (at.body = Buffer.from(JSON.stringify(built.list.slice(0, 2))))),
    ['list/document'],
    /2 themes; theme 3: missing/,
  ],
  [
    'a proxy reformats the JSON',
    where(isPlainList, (at) => void (at.body = Buffer.from(JSON.stringify(JSON.parse(textIn(at)), null, 1)))),
    ['list/document'],
    /the same themes in different bytes/,
  ],
  [
    'LIST differs for a user',
    where((at) => isList(at) && at.request['cookie'] !== undefined, reply(200, '[]', 'application/json')),
    ['list/document'],
    /2 bytes/,
  ],
  [
    'one ETag for the JSON of LIST and its page',
    where(
      (at) => isList(at) && at.status === 200 && at.headers['etag'] !== undefined,
      (at) => void (at.headers['etag'] = '"same"'),
    ),
    ['conditional/foreign'],
    /ETag: "same"/,
  ],
  [
    'the page of LIST is of another build',
    where(
      (at) => isList(at) && isPage(at),
      (at) => void (at.body = Buffer.from(textIn(at).replaceAll(/hsl\(\d+/g, 'hsl(7'))),
    ),
    ['rendering/document'],
    /^an HTML page, /,
  ],
  [
    'the page of one theme is of another build',
    where(
      (at) => isConfig(at) && isPage(at) && at.request['cookie'] === 'theme=meadow',
      (at) => void (at.body = Buffer.from(textIn(at).replace(/logo_height&#34;<\/b>: /, '$&9'))),
    ),
    ['rendering/document'],
    /^an HTML page, /,
  ],
  ['pages as text', where(isPage, set({ 'content-type': 'text/plain' })), ['rendering/document']],
  [
    'the OpenAPI description is missing',
    where(isOpenApi, missing),
    ['schema/document'],
    /^404$/,
    /schema\/ and assets.json with the documents/,
  ],
  ['the OpenAPI description of another build', where(isOpenApi, append('\n')), ['schema/document'], /bytes, sha256 /],
  ['schemas without CORS', where(isOpenApi, without('access-control-allow-origin')), ['cors/allowed']],
  [
    'assets.json of another build',
    where(({ target }) => target.endsWith('assets.json'), reply(200, '{}', 'application/json')),
    ['schema/document'],
  ],
  [
    'an HTML page as the record',
    withRecord({ record: LISTING }),
    ['deployment/record'],
    /<!doctype html>/,
    /Deploy again/,
  ],
  [
    'a wrong manifest, and a record that may be cached',
    withRecord({ manifest: '{}', cacheControl: 'max-age=60' }),
    ['deployment/record', 'headers/cache'],
    /max-age=60/,
  ],
  ['a record without its manifest', withRecord({}), ['deployment/record'], /404/, /Deploy again/],
  [
    'a record and a manifest of another build',
    withRecord({ manifest: '{}', of: { manifest: EMPTY_OBJECT_SHA256 } }),
    ['deployment/record'],
    /^0123456 .*, manifest 44136fa3…$/,
    /another|wrong files/,
  ],
  [
    'a record from the future',
    withRecord({ of: { time: '2131-01-01T00:00:00.000Z' } }),
    ['deployment/record', 'deployment/record'],
    /since 2131/,
  ],
  [
    'one of two servers has the record of another build',
    onEverySecond(({ target }) => target === RECORDS.deployment, withRecord({ of: { manifest: EMPTY_OBJECT_SHA256 } })),
    ['deployment/record', 'deployment/record'],
  ],

  ['a retained image is missing', withRecord({ of: { retained: [RETAINED] } }), ['deployment/record']],
  ['one of two servers lacks an image', onEverySecond(isPng, missing), ['media/image'], /^404$/],
  [
    'one of two servers has another list',
    onEverySecond(
      (at) => isPlainList(at) && at.request['connection'] === 'close',
      reply(200, '[]', 'application/json'),
    ),
    ['list/document'],
    /2 bytes/,
  ],
];

/** Adds a deployment record and a manifest, with changes. */
function withRecord(changes: {
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
      ...changes.of,
    };
    if (at.target === RECORDS.deployment) reply(200, changes.record ?? recordText(record), 'application/json')(at);
    else if (at.target === RECORDS.manifest && changes.manifest !== undefined)
      reply(200, changes.manifest, 'application/json')(at);
    else return;
    set({ vary: 'Origin', 'cache-control': changes.cacheControl ?? 'no-cache' })(at);
  };
}

/** Limits a fault to every second request, as if one of two servers behind an address had it. */
function onEverySecond(matches: (at: ProxiedResponse) => boolean, fault: Fault): Fault {
  let requests = 0;
  return (at, built) => {
    if (matches(at) && requests++ % 2 === 1) fault(at, built);
  };
}

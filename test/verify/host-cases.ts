import {
  type Case,
  APP,
  LIST,
  CONFIG,
  LISTING,
  where,
  isList,
  isConfig,
  isPage,
  isMedia,
  isOpenApi,
  isOldPath,
  isPng,
  hasMethod,
  set,
  without,
  reply,
  isAt,
  isPreflight,
  isRedirect,
  missing,
  withStatus,
} from './sabotages.ts';

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;

/** Headers and rejections of hosts, and images. */
export const hostCases: readonly Case[] = [
  ['an image is missing', where(isPng, missing), ['media/status'], /^404$/],
  ['a Git LFS pointer as PNG', where(isPng, reply(200, LFS_POINTER, 'image/png')), ['media/bytes'], /^a text file/],
  [
    'a truncated image',
    where(isPng, (at) => void (at.body = at.body.subarray(0, 50))),
    ['media/bytes'],
    /^an image in PNG, 50 bytes/,
  ],
  [
    'a connection closed during an image',
    where(isPng, (at) => void (at.connection = 'cut')),
    ['media/bytes', 'media/status'],
    /cut off after/,
  ],
  [
    'an image with trailing data',
    where(isPng, (at) => void (at.body = Buffer.concat([at.body, at.body]))),
    ['media/bytes'],
    /more than/,
  ],
  ['a PNG sent as text', where(isPng, set({ 'content-type': 'text/plain' })), ['headers/type'], /text\/plain/],
  [
    'images that may not be cached',
    where(isMedia, set({ 'cache-control': 'no-cache' })),
    ['headers/cache'],
    /no-cache/,
  ],
  [
    'SVG without its Content-Security-Policy',
    where(isMedia, without('content-security-policy')),
    ['headers/security'],
    /no Content-Security-Policy header/,
  ],
  ['an old path is missing', where(isOldPath, missing), ['redirect/status'], /^404/, /Load the rules of this build/],
  [
    'an old path leads to the same path of another host',
    where(isOldPath, (at) => void (at.headers['location'] = `https://old.example.org${at.headers['location']}`)),
    ['redirect/status'],
    /^301 to https:\/\/old\.example\.org\/media\//,
  ],
  [
    'a redirect that is cached for ever',
    where(isOldPath, set({ 'cache-control': 'public, max-age=86400, immutable' })),
    ['headers/cache'],
    /immutable/,
  ],
  [
    'POST returns the file',
    where(hasMethod('POST'), (at, built) => {
      if (isList(at)) reply(200, JSON.stringify(built.list), 'application/json')(at);
    }),
    ['method/post'],
    /^200$/,
  ],
  ['PUT returns the file', where(hasMethod('PUT'), reply(200, 'ok', 'text/plain')), ['method/not-allowed'], /^200$/],
  [
    'POST on a schema returns the file',
    where((at) => at.method === 'POST' && isOpenApi(at), reply(200, '{}', 'application/json')),
    ['method/not-allowed'],
    /^200$/,
  ],
  ['preflight requests are rejected', where(isPreflight, withStatus(405)), ['cors/preflight'], /^405$/],
  [
    'OPTIONS is not supported',
    where(hasMethod('OPTIONS'), (at) => {
      if (at.request['origin'] === undefined) reply(405, '', 'text/plain')(at);
    }),
    ['method/options'],
    /^405$/,
  ],
  ['HEAD is not supported', where(hasMethod('HEAD'), withStatus(405)), ['method/head'], /^405$/],
  ['no redirect to the trailing slash', where(isRedirect, withStatus(404)), ['path/slash', 'redirect/status'], /^404/],
  [
    'a redirect to another host',
    where(isRedirect, (at) => void (at.headers['location'] = `http://origin.internal:8080${at.headers['location']}`)),
    ['path/slash', 'redirect/status'],
    /origin\.internal/,
  ],
  [
    'a redirect that drops the query',
    where(isRedirect, (at) => void (at.headers['location'] = at.headers['location']?.split('?')[0] ?? '')),
    ['path/slash'],
    /^301 to \/api\/v2\/theme\/$/,
  ],
  [
    'a page with status 200 for every missing path',
    where(
      ({ status, target }) => status === 404 && target.startsWith(`${LIST}no-such`),
      reply(200, LISTING, 'text/html'),
    ),
    ['path/not-found'],
    /^200$/,
  ],
  [
    'edge/users.ndjson is public through media',
    where(
      isAt('/media/../../edge/users.ndjson'),
      reply(200, '{"version":1,"rules":{},"users":[]}', 'application/json'),
    ),
    ['path/private'],
    /of private data/,
  ],
  [
    'the OpenAPI description is missing',
    where(isOpenApi, missing),
    ['schema/document'],
    /^404, /,
    /schema\/ and assets.json with the documents/,
  ],
  [
    'the OpenAPI description as YAML',
    where(isOpenApi, set({ 'content-type': 'application/yaml' })),
    ['headers/type'],
    /application\/yaml/,
  ],
  [
    'the OpenAPI description of another build',
    where(isOpenApi, (at) => void (at.body = Buffer.concat([at.body, Buffer.from('\n')]))),
    ['schema/document'],
    /bytes, sha256 [0-9a-f]{8}…/,
  ],
  [
    'schemas that are cached for ever',
    where(isOpenApi, set({ 'cache-control': 'public, max-age=31536000' })),
    ['headers/cache'],
    /max-age=31536000/,
  ],
  [
    'schemas without CORS',
    where(isOpenApi, without('access-control-allow-origin')),
    ['cors/origin'],
    /no Access-Control-Allow-Origin header/,
  ],
  [
    'no CORS for an allowed origin',
    where(
      ({ request }) => request['origin'] === APP,
      (at) => {
        for (const name of Object.keys(at.headers)) if (name.startsWith('access-control')) delete at.headers[name];
      },
    ),
    ['cors/origin', 'cors/preflight'],
    /no Access-Control-Allow-Origin header/,
  ],
  [
    'CORS without credentials',
    where(isConfig, without('access-control-allow-credentials')),
    ['cors/origin', 'cors/preflight'],
    /no Access-Control-Allow-Credentials header/,
  ],
  [
    'CORS for every origin, with credentials',
    (at) => {
      if (at.request['origin'] !== undefined && at.request['origin'] !== APP)
        set({ 'access-control-allow-origin': at.request['origin'], 'access-control-allow-credentials': 'true' })(at);
    },
    ['cors/foreign'],
    /themecast-verify\.invalid, Access-Control-Allow-Credentials: true/,
  ],
  ['no nosniff', without('x-content-type-options'), ['headers/security'], /no X-Content-Type-Options header/],
  [
    'errors may be cached',
    where(({ status }) => status >= 400, set({ 'cache-control': 'public, max-age=60' })),
    ['headers/cache'],
    /max-age=60/,
  ],
  [
    '?format=api returns JSON',
    where(isAt(`${LIST}?format=api`), (at, built) => reply(200, JSON.stringify(built.list), 'application/json')(at)),
    ['rendering/accept', 'rendering/format'],
    /application\/json/,
  ],
  [
    'Accept is ignored',
    where((at) => at.status === 406, reply(200, '[]', 'application/json')),
    ['rendering/accept'],
    /^200$/,
  ],
  [
    'unknown formats are accepted',
    where((at) => at.target.endsWith('?format=xml'), reply(200, '[]', 'application/json')),
    ['rendering/format'],
    /^200$/,
  ],
  [
    'pages may be framed by any site',
    where((at) => isList(at) || isConfig(at), without('x-frame-options')),
    ['headers/security'],
    /no X-Frame-Options header/,
  ],
  [
    'pages without their Content-Security-Policy',
    where(isPage, without('content-security-policy')),
    ['headers/security'],
    /no Content-Security-Policy header/,
  ],
  [
    'pages that may run scripts',
    where(isPage, set({ 'content-security-policy': "default-src 'self' 'unsafe-inline'" })),
    ['headers/security'],
    /unsafe-inline/,
  ],
  [
    'pages as text',
    where(isPage, set({ 'content-type': 'text/plain' })),
    ['page/theme', 'rendering/accept', 'rendering/format'],
    /text\/plain/,
  ],
  [
    '?format=json returns the page',
    where(isAt(`${LIST}?format=json`), reply(200, LISTING, 'text/html; charset=utf-8')),
    ['rendering/accept', 'rendering/format'],
    /text\/html/,
  ],
  ['a temporary redirect', where(isRedirect, withStatus(302)), ['path/slash', 'redirect/status'], /^302/],
  [
    'a proxy responds to OPTIONS',
    where(
      (at) => hasMethod('OPTIONS')(at) && at.request['origin'] === undefined,
      (at) => {
        at.status = 204;
        at.body = Buffer.alloc(0);
      },
    ),
    ['method/options'],
    /^204$/,
  ],
  [
    'images are converted in transit',
    where(isPng, (at) => void (at.body = Buffer.from('RIFF\u0010\0\0\0WEBPVP8 \u0004\0\0\0\0\0\0\0', 'latin1'))),
    ['media/bytes'],
    /an image in WebP/,
  ],
  [
    'the files behind CONFIG are public by name',
    where(isAt(`${CONFIG}harbor.json`), (at, built) =>
      reply(200, JSON.stringify(built.list[0]), 'application/json')(at),
    ),
    ['path/not-found'],
    /^200$/,
  ],
  [
    'the repository is public',
    where(isAt('/.git/config'), reply(200, '[core]\n', 'text/plain')),
    ['path/private'],
    /of private data/,
  ],
];

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  APP,
  type Case,
  configOf,
  CONFIG,
  hasMethod,
  isAt,
  isConfig,
  isJson,
  isList,
  isMedia,
  isOldPath,
  isOpenApi,
  isPage,
  isPng,
  isPreflight,
  isRedirect,
  LIST,
  LISTING,
  missing,
  reply,
  set,
  where,
  without,
  withStatus,
} from './sabotages.ts';

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
const WEBP = Buffer.from('RIFF\u0010\0\0\0WEBPVP8 \u0004\0\0\0\0\0\0\0', 'latin1');
const doubled = (at: ProxiedResponse): void => void (at.body = Buffer.concat([at.body, at.body]));

/** Faults of headers, methods, redirects and images. */
const headerCases: readonly Case[] = [
  ['an image is missing', where(isPng, missing), ['media/image'], /^404$/],
  ['a Git LFS pointer as PNG', where(isPng, reply(200, LFS_POINTER, 'image/png')), ['media/image'], /^a text file/],
  [
    'a connection closed during an image',
    where(isPng, (at) => void (at.connection = 'cut')),
    ['media/image', 'media/image'],
    /cut off after/,
  ],
  ['an image with trailing data', where(isPng, doubled), ['media/image'], /^over the limit after/],
  [
    'images are converted for browsers that accept it',
    where(
      (at) => isPng(at) && at.request['accept']?.includes('image/webp') === true,
      (at) => void (at.body = WEBP),
    ),
    ['media/image'],
    /an image in WebP/,
  ],
  ['images that may not be cached', where(isMedia, set({ 'cache-control': 'no-cache' })), ['headers/cache']],
  ['SVG without its Content-Security-Policy', where(isMedia, without('content-security-policy')), ['headers/security']],
  ['an old path is missing', where(isOldPath, missing), ['redirect/status'], /^404/, /Load the rules of this build/],
  [
    'a redirect to another host',
    where(isRedirect, (at) => void (at.headers['location'] = `http://origin.internal:8080${at.headers['location']}`)),
    ['redirect/status'],
    /origin\.internal/,
  ],
  [
    'a redirect that drops the query',
    where(isRedirect, (at) => void (at.headers['location'] = at.headers['location']?.split('?')[0] ?? '')),
    ['redirect/status'],
    /^301 to \/api\/v2\/theme\/$/,
  ],
  [
    'POST returns the file',
    where((at) => hasMethod('POST')(at) && isList(at), reply(200, '[]', 'application/json')),
    ['method/refused'],
    /^200$/,
  ],
  ['PUT returns the file', where(hasMethod('PUT'), reply(200, 'ok', 'text/plain')), ['method/refused']],
  [
    'POST on a schema returns the file',
    where((at) => hasMethod('POST')(at) && isOpenApi(at), reply(200, '{}', 'application/json')),
    ['method/refused'],
  ],
  [
    'OPTIONS is not supported',
    where((at) => hasMethod('OPTIONS')(at) && at.request['origin'] === undefined, reply(405, '', 'text/plain')),
    ['method/options'],
    /^405$/,
  ],
  ['HEAD is not supported', where(hasMethod('HEAD'), withStatus(405)), ['method/head']],
  [
    'a page with status 200 for every missing path',
    where(
      ({ status, target }) => status === 404 && target.startsWith(`${LIST}no-such`),
      reply(200, LISTING, 'text/html'),
    ),
    ['path/not-found'],
  ],
  [
    'the files behind CONFIG are public by name',
    where(isAt(`${CONFIG}harbor.json`), reply(200, '{}', 'application/json')),
    ['path/not-found'],
  ],
  ['no nosniff', without('x-content-type-options'), ['headers/security'], /no X-Content-Type-Options header/],
  [
    'errors may be cached',
    where(({ status }) => status >= 400, set({ 'cache-control': 'public, max-age=60' })),
    ['headers/cache'],
  ],
  [
    'pages may be framed by any site',
    where((at) => isList(at) || isConfig(at), without('x-frame-options')),
    ['headers/security'],
  ],
  [
    'pages that may run scripts',
    where(isPage, set({ 'content-security-policy': "default-src 'self' 'unsafe-inline'" })),
    ['headers/security'],
    /unsafe-inline/,
  ],
  [
    '?format=api returns JSON',
    where(isAt(`${LIST}?format=api`), reply(200, '[]', 'application/json')),
    ['rendering/document'],
  ],
  [
    'Accept is ignored',
    where((at) => at.status === 406, reply(200, '[]', 'application/json')),
    ['rendering/document'],
    /^200$/,
  ],
  [
    'unknown formats are accepted',
    where((at) => at.target.endsWith('?format=xml'), reply(200, '[]', 'application/json')),
    ['rendering/document'],
  ],
  [
    'LIST has a stylesheet',
    where((at) => isList(at) && at.target.includes('format=css'), reply(200, ':root{}', 'text/css')),
    ['rendering/document'],
  ],
];

const allow = (origin: string) => (at: ProxiedResponse) =>
  set({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })(at);
const isOtherOrigin = ({ request: { origin } }: ProxiedResponse): boolean => origin !== undefined && origin !== APP;

const corsCases: readonly Case[] = [
  ['preflight requests are rejected', where(isPreflight, withStatus(405)), ['cors/allowed'], /^405$/],
  [
    'preflight requests get no CORS headers',
    where(isPreflight, without('access-control-allow-methods')),
    ['cors/allowed'],
  ],
  [
    'no CORS for an allowed origin',
    where(
      ({ request }) => request['origin'] === APP,
      (at) => {
        for (const name of Object.keys(at.headers)) if (name.startsWith('access-control')) delete at.headers[name];
      },
    ),
    ['cors/allowed', 'cors/allowed'],
  ],
  [
    'CORS without credentials',
    where(isConfig, without('access-control-allow-credentials')),
    ['cors/allowed', 'cors/allowed'],
  ],
  [
    'CORS for Origin: null, with credentials',
    where(({ request }) => request['origin'] === 'null', allow('null')),
    ['cors/foreign'],
    /Origin: null, Access-Control-Allow-Credentials: true/,
  ],
  [
    'CORS for an origin with an allowed one as its prefix',
    where(
      (at) => isOtherOrigin(at) && at.request['origin']?.startsWith(APP) === true,
      (at) => allow(at.request['origin'] ?? '')(at),
    ),
    ['cors/foreign'],
    /app\.example\.org\.themecast-verify\.invalid/,
  ],
  [
    'CORS for an origin with an allowed one as its suffix',
    where(
      (at) => isOtherOrigin(at) && at.request['origin']?.endsWith('app.example.org') === true,
      (at) => allow(at.request['origin'] ?? '')(at),
    ),
    ['cors/foreign'],
    /themecast-verify-app\.example\.org/,
  ],
  [
    'CORS for every origin',
    where((at) => isList(at) || isConfig(at), set({ 'access-control-allow-origin': '*' })),
    ['cors/foreign', 'cors/allowed', 'cors/allowed'],
  ],
];

/** Paths at which a wrong upload publishes private files. */
const PRIVATE_PATHS = [
  ...'/users.ndjson /edge/users.ndjson /themecast/users.ndjson /nginx/users.ndjson /users.map'.split(' '),
  ...'/nginx/users.map /edge/nginx/users.map /themecast/users.map /groups.map /themecast/groups.map'.split(' '),
  ...'/edge/files.json /rules.json /themecast/maps.conf /media/../../edge/users.ndjson'.split(' '),
];

function exposureCases(edgeOutDir: () => string): Case[] {
  const textOf = (target: string): string => {
    const name = path.basename(target);
    return readFileSync(path.join(edgeOutDir(), /\.(?:map|conf)$/.test(name) ? 'nginx' : '', name), 'utf8');
  };
  return [
    ...PRIVATE_PATHS.map((target): Case => [
      `${target} is public`,
      where(isAt(target), (at) => reply(200, textOf(target), 'text/plain')(at)),
      ['path/private'],
      /of private data|200, /,
    ]),
    ...(
      [
        ['/themes/site.yaml', 'name: x\n'],
        ['/themes/harbor/theme.yaml', 'name: x\n'],
        ['/themecast/users.map', '"\\\\u-1" "x";\n'],
        ['/.git/config', '[core]\n'],
      ] as const
    ).map(([target, text]): Case => [
      `${target} of another checkout or build is public`,
      where(isAt(target), reply(200, text, 'application/octet-stream')),
      ['path/private'],
      /^200, /,
    ]),
  ];
}

const accepts =
  (coding: string, matches: (at: ProxiedResponse) => boolean) =>
  (at: ProxiedResponse): boolean =>
    at.request['accept-encoding'] === coding && at.status === 200 && at.method === 'GET' && matches(at);
/** Replaces the body, and declares a Content-Encoding. */
const withCoding =
  (coding: string, bodyOf: (at: ProxiedResponse) => Buffer) =>
  (at: ProxiedResponse): void => {
    at.body = bodyOf(at);
    Object.assign(at.headers, { 'content-encoding': coding, vary: `${at.headers['vary'] ?? ''}, Accept-Encoding` });
    delete at.headers['etag'];
  };
const stale = (at: ProxiedResponse): Buffer =>
  Buffer.from(at.body.toString().replaceAll('meadow', 'Meadow').replaceAll('harbor', 'Harbor'));
const isListJson = (at: ProxiedResponse): boolean => isList(at) && isJson(at);
let bomb: Buffer | undefined;

/** Faults of compressed responses. */
const compressionCases: readonly Case[] = [
  ...(
    [
      ['a stale .gz beside LIST', accepts('gzip', isListJson), (at) => gzipSync(stale(at)), /sha256 .*Encoding: gzip/],
      ['a corrupt .gz', accepts('gzip', isList), () => Buffer.from('not gzip'), /^damaged after 0 bytes/],
      ['a truncated .gz', accepts('gzip', isList), (at) => gzipSync(at.body).subarray(0, -20), /^cut off after/],
      [
        'a decompression bomb, of 80 MB in 80 kB',
        accepts('gzip', isListJson),
        () => (bomb ??= gzipSync(Buffer.alloc(80_000_000))),
        /^over the limit after/,
      ],
      ['a coding that was not requested', accepts('br', isList), (at) => gzipSync(at.body), /Content-Encoding: gzip/],
      ['a stale .gz beside an SVG', accepts('gzip', ({ target }) => target.endsWith('.svg')), () => gzipSync('<svg/>')],
      ['a stale .gz beside a schema', accepts('gzip', isOpenApi), () => gzipSync('{}')],
      [
        'a stale .gz beside the document of one theme',
        accepts('gzip', (at) => isConfig(at) && isJson(at) && at.request['cookie'] === 'theme=meadow'),
        (at) => gzipSync(stale(at)),
      ],
    ] as [string, (at: ProxiedResponse) => boolean, (at: ProxiedResponse) => Buffer, RegExp?][]
  ).map(([title, matches, bodyOf, found = /Content-Encoding: gzip/]): Case => [
    title,
    where(matches, withCoding('gzip', bodyOf)),
    ['compression/document'],
    found,
    /`gzip_static`/,
  ]),
  [
    'a stale .br beside the page of LIST',
    where(
      accepts('br', (at) => isList(at) && isPage(at)),
      withCoding('br', (at) => brotliCompressSync(stale(at))),
    ),
    ['compression/document'],
    /Content-Encoding: br/,
  ],
  [
    'an error if compression is requested',
    where(accepts('gzip', isConfig), withStatus(500)),
    ['compression/document'],
    /^500$/,
  ],
];

/** Headers that something in front adds, by their effect; and renderings that it forgets. */
const effectCases: readonly Case[] = [
  [
    'images for the same origin only',
    where(isMedia, set({ 'cross-origin-resource-policy': 'same-origin' })),
    ['headers/effect'],
    /same-origin/,
    /Helmet/,
  ],
  [
    'a cookie that identity reads',
    where(isMedia, set({ 'set-cookie': 'uid=; Max-Age=0' })),
    ['headers/effect'],
    /^Set-Cookie: uid$/,
    /another user/,
  ],
  ['site data cleared', where(isList, set({ 'clear-site-data': '"cookies"' })), ['headers/effect']],
  ['images as downloads', where(isMedia, set({ 'content-disposition': 'attachment' })), ['headers/effect']],
  ['a list older than it may be', where(isList, set({ age: '86400' })), ['headers/effect'], /Age: 86400/],
  ['Vary: *', where(isList, set({ vary: '*' })), ['headers/effect', 'headers/vary']],
  [
    'a stylesheet without CORS',
    where((at) => at.target.includes('format=css'), without('access-control-allow-origin')),
    ['cors/allowed'],
  ],
  [
    '304 that may be cached for a year',
    where((at) => isList(at) && at.status === 304, set({ 'cache-control': 'public, max-age=31536000' })),
    ['headers/cache'],
  ],
  ['304 without Vary', where(({ status }) => status === 304, without('vary')), ['headers/vary']],
  [
    'no icon by the printed link',
    where(({ target }) => target.includes('&for='), missing),
    ['rendering/document'],
    /^404$/,
  ],
  [
    'the page of LIST public by its name',
    where(isAt(`${LIST}browse.html`), reply(200, LISTING, 'text/html')),
    ['path/not-found'],
  ],
  ['/.env is public', where(isAt('/.env'), reply(200, 'SECRET=1', 'text/plain')), ['path/private']],
  [
    'quotes of a cookie are part of the key',
    where(
      (at) =>
        isConfig(at) &&
        isJson(at) &&
        at.status === 200 &&
        at.method === 'GET' &&
        at.request['cookie'] === 'uid="meadow-user"',
      (at, built) => {
        at.body = configOf(built, 'harbor');
        delete at.headers['etag'];
      },
    ),
    ['config/theme'],
    /harbor/,
    /pair of quotes/,
  ],
];

export function hostCases(edgeOutDir: () => string): Case[] {
  return [...headerCases, ...effectCases, ...corsCases, ...exposureCases(edgeOutDir), ...compressionCases];
}

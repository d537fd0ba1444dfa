import type { Build } from '../../src/hosts/contract/published-build.ts';
import type { CheckId } from '../../src/commands/verify/checks.ts';
import type { ProxiedResponse, Sabotage } from './sabotaged-server.ts';
import { RECORDS } from '../../src/core/document/endpoint.ts';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type DeploymentRecord, recordText } from '../../src/core/document/files/deployment.ts';

/** Changes the responses of a deployment of the build. */
export type Fault = (proxied: ProxiedResponse, built: Build) => void;

/** A fault, exactly the checks that must fail, and patterns for their `found` and `hint`. */
export type Case = readonly [
  title: string,
  sabotage: Fault,
  failing: readonly CheckId[],
  found?: RegExp | undefined,
  hint?: RegExp | undefined,
];

export const APP = 'https://app.example.org';
export const LIST = '/api/v2/theme/';
export const CONFIG = '/api/v2/theme/config/';
export const LISTING = '<!doctype html><html><title>Index of /api/v2/theme/</title></html>';

/** Limits a fault to some responses. */
export function where(matches: (proxied: ProxiedResponse) => boolean, sabotage: Fault): Fault {
  return (proxied, built) => {
    if (matches(proxied)) sabotage(proxied, built);
  };
}

const pathOf = ({ target }: ProxiedResponse): string => target.split('?')[0] ?? '';
export const isList = (proxied: ProxiedResponse): boolean => pathOf(proxied) === LIST;
export const isConfig = (proxied: ProxiedResponse): boolean => pathOf(proxied) === CONFIG;
export const isMedia = ({ target }: ProxiedResponse): boolean => target.startsWith('/media/');
export const isOpenApi = (proxied: ProxiedResponse): boolean => pathOf(proxied) === '/schema/openapi.json';
export const isOldPath = ({ target }: ProxiedResponse): boolean => target.startsWith('/old/');
export const isPng = ({ target }: ProxiedResponse): boolean => /^\/media\/meadow\/banner\.[0-9a-f]+\.png$/.test(target);
export const isJson = ({ headers }: ProxiedResponse): boolean => headers['content-type'] === 'application/json';
export const isPage = ({ headers }: ProxiedResponse): boolean => headers['content-type'] === 'text/html; charset=utf-8';
export const isCss = (proxied: ProxiedResponse): boolean =>
  isConfig(proxied) && proxied.status === 200 && proxied.headers['content-type']?.startsWith('text/css') === true;
export const isIcon = (proxied: ProxiedResponse): boolean =>
  isConfig(proxied) && proxied.status === 200 && proxied.headers['content-type'] === 'image/png';
export const isRedirect = ({ status }: ProxiedResponse): boolean => status === 301;
export const isPreflight = ({ request }: ProxiedResponse): boolean =>
  request['access-control-request-method'] !== undefined;
export const isAt = (target: string) => (proxied: ProxiedResponse) => proxied.target === target;
export const hasMethod = (method: string) => (proxied: ProxiedResponse) => proxied.method === method;
export const set =
  (headers: Record<string, string>): Sabotage =>
  (proxied) =>
    void Object.assign(proxied.headers, headers);
export const without =
  (name: string): Sabotage =>
  (proxied) =>
    void delete proxied.headers[name];
export const reply =
  (status: number, text: string, type: string): Sabotage =>
  (proxied) => {
    proxied.status = status;
    proxied.body = Buffer.from(text);
    proxied.headers['content-type'] = type;
  };
export const missing = reply(404, '{"detail":"Not found."}', 'application/json');
export const withStatus =
  (status: number): Sabotage =>
  (proxied) =>
    void (proxied.status = status);
/** Responds with 304. */
export const unmodified: Sabotage = (proxied) => {
  proxied.status = 304;
  proxied.body = Buffer.alloc(0);
};
export const textIn = (proxied: ProxiedResponse): string => proxied.body.toString('utf8');

/** Returns the document of CONFIG for a theme. */
export function configOf(built: Build, theme: string): Buffer {
  const record = built.list[built.rules.themes.indexOf(theme)];
  return Buffer.from(JSON.stringify({ ...record, palette_preview: [] }));
}

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

const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
const WEBP = Buffer.from('RIFF\u0010\0\0\0WEBPVP8 \u0004\0\0\0\0\0\0\0', 'latin1');
const doubled = (at: ProxiedResponse): void => void (at.body = Buffer.concat([at.body, at.body]));

const allow = (origin: string) => (at: ProxiedResponse) =>
  set({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })(at);
const isOtherOrigin = ({ request: { origin } }: ProxiedResponse): boolean => origin !== undefined && origin !== APP;

/** Paths at which a wrong upload publishes private files. */
const PRIVATE_PATHS = [
  ...'/users.ndjson /edge/users.ndjson /themecast/users.ndjson /nginx/users.ndjson /users.map'.split(' '),
  ...'/nginx/users.map /edge/nginx/users.map /themecast/users.map /groups.map /themecast/groups.map'.split(' '),
  ...'/edge/files.json /rules.json /themecast/maps.conf /media/../../edge/users.ndjson'.split(' '),
  ...'/users.csv /themes/site.yaml /themes/harbor/theme.yaml /.git/config /.env'.split(' '),
];

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

/** A fault, and patterns for the `found` and `hint` of the checks that fail. */
type FaultRow = readonly [title: string, sabotage: Fault, found?: RegExp, hint?: RegExp];

/** The faults, by exactly the checks that must fail. */
const FAULTS: Readonly<Record<string, readonly FaultRow[]>> = {
  'list/document': [
    ['another server', reply(404, 'Not here', 'text/plain'), /404/],
    ['a directory listing at LIST', where(isList, reply(200, LISTING, 'text/html'))],
    [
      'LIST redirects to itself',
      where(isList, (at, { rules }) => {
        at.status = 301;
        at.headers['location'] = `${rules.basePath}${LIST}`;
      }),
    ],
    [
      'LIST lacks a theme',
      where(isPlainList, (at, built) => void (at.body = Buffer.from(JSON.stringify(built.list.slice(0, 2))))),
    ],
    [
      'a proxy reformats the JSON',
      where(isPlainList, (at) => void (at.body = Buffer.from(JSON.stringify(JSON.parse(textIn(at)), null, 1)))),
    ],
    [
      'LIST differs for a user',
      where((at) => isList(at) && at.request['cookie'] !== undefined, reply(200, '[]', 'application/json')),
    ],
    [
      'one of two servers has another list',
      onEverySecond(
        (at) => isPlainList(at) && at.request['connection'] === 'close',
        reply(200, '[]', 'application/json'),
      ),
    ],
  ],
  'headers/type': [['a charset on JSON', where(isJson, set({ 'content-type': 'application/json; charset=utf-8' }))]],
  'headers/vary': [
    ['no Vary', without('vary'), /no Vary header/],
    ['Cookie is missing from Vary', where(isConfig, set({ vary: 'Accept, Origin' }))],
    ['Vary: *', where(isList, set({ vary: '*' }))],
    ['304 without Vary', where(({ status }) => status === 304, without('vary'))],
  ],
  'headers/allow': [['no Allow', without('allow')]],
  'conditional/foreign': [
    [
      'LIST responds with 304 to any ETag',
      where((at) => isList(at) && at.request['if-none-match'] !== undefined, unmodified),
    ],
    [
      'one ETag for the JSON of LIST and its page',
      where(
        (at) => isList(at) && at.status === 200 && at.headers['etag'] !== undefined,
        (at) => void (at.headers['etag'] = '"same"'),
      ),
    ],
    [
      '304 to the ETag of another theme',
      where((at) => isConfig(at) && at.request['if-none-match'] !== undefined, unmodified),
    ],
    ['one ETag for all themes', where((at) => isConfig(at) && at.status === 200, set({ etag: '"same"' }))],
    [
      '304 by date, regardless of the theme',
      where(isConfig, (at) => {
        if (at.request['if-modified-since'] !== undefined) unmodified(at);
        else at.headers['last-modified'] = 'Sat, 21 Nov 2026 12:00:00 GMT';
      }),
    ],
    [
      '304 to any ETag of a stylesheet',
      where((at) => at.target.includes('format=css') && at.request['if-none-match'] !== undefined, unmodified),
    ],
  ],
  'headers/effect': [
    ['LIST sets a cookie', where(isList, set({ 'set-cookie': 'session=1' })), /a Set-Cookie header/],
    ['a CDN may store CONFIG', where(isConfig, set({ 'cdn-cache-control': 'max-age=60' })), /^Cdn-/],
    ['images for the same origin only', where(isMedia, set({ 'cross-origin-resource-policy': 'same-origin' }))],
    ['a cookie that identity reads', where(isMedia, set({ 'set-cookie': 'uid=; Max-Age=0' }))],
    ['site data cleared', where(isList, set({ 'clear-site-data': '"cookies"' }))],
    ['images as downloads', where(isMedia, set({ 'content-disposition': 'attachment' }))],
    ['a list older than it may be', where(isList, set({ age: '86400' })), /Age: 86400/],
  ],
  'headers/cache': [
    [
      'LIST may be cached for a day',
      where(
        (at) => isList(at) && at.headers['cache-control'] === 'public, max-age=60',
        set({ 'cache-control': 'public, max-age=86400' }),
      ),
    ],
    ['CONFIG may be cached by shared caches', where(isPrivate, set({ 'cache-control': 'public, max-age=60' }))],
    ['browsers may store CONFIG', where(isPrivate, set({ 'cache-control': 'private, max-age=3600' }))],
    ['a public stylesheet', where(isCss, set({ 'cache-control': 'public, max-age=60' }))],
    ['images that may not be cached', where(isMedia, set({ 'cache-control': 'no-cache' }))],
    ['errors may be cached', where(({ status }) => status >= 400, set({ 'cache-control': 'public, max-age=60' }))],
    [
      '304 that may be cached for a year',
      where((at) => isList(at) && at.status === 304, set({ 'cache-control': 'public, max-age=31536000' })),
    ],
  ],
  'rendering/document': [
    [
      'the page of LIST is of another build',
      where(
        (at) => isList(at) && isPage(at),
        (at) => void (at.body = Buffer.from(textIn(at).replaceAll(/hsl\(\d+/g, 'hsl(7'))),
      ),
    ],
    [
      'the page of one theme is of another build',
      where(
        (at) => isConfig(at) && isPage(at) && at.request['cookie'] === 'theme=meadow',
        (at) => void (at.body = Buffer.from(textIn(at).replace(/logo_height&#34;<\/b>: /, '$&9'))),
      ),
    ],
    ['pages as text', where(isPage, set({ 'content-type': 'text/plain' }))],
    ['every user gets the page of the default theme', firstForAll((at) => isConfig(at) && isPage(at))],
    ['every user gets the first stylesheet', firstForAll(isCss), / \([123]\)$/],
    ['every user gets the first icon', firstForAll(isIcon), / \([123]\)$/],
    ['an empty stylesheet', where(isCss, (at) => void (at.body = Buffer.alloc(0))), /0 bytes/],
    ['a stylesheet as text', where(isCss, set({ 'content-type': 'text/plain' }))],
    ['no stylesheet for users', where(isCssOfUser, missing), /^404$/],
    [
      'JSON for Accept: text/css',
      where((at) => isCss(at) && at.request['accept'] === 'text/css', reply(200, '{}', 'application/json')),
    ],
    [
      'another stylesheet for Accept: text/css',
      where(
        (at) => isCss(at) && at.request['accept'] === 'text/css',
        (at) => void (at.body = Buffer.from(':root{}')),
      ),
    ],
    ['an icon of another build', where(isIcon, (at) => void (at.body = Buffer.concat([at.body, Buffer.from(' ')])))],
    [
      'the icon for Accept: image/*',
      where((at) => isConfig(at) && at.request['accept'] === 'image/*', reply(200, 'PNG', 'image/png')),
    ],
    ['?format=api returns JSON', where(isAt(`${LIST}?format=api`), reply(200, '[]', 'application/json'))],
    ['Accept is ignored', where((at) => at.status === 406, reply(200, '[]', 'application/json'))],
    [
      'unknown formats are accepted',
      where((at) => at.target.endsWith('?format=xml'), reply(200, '[]', 'application/json')),
    ],
    [
      'LIST has a stylesheet',
      where((at) => isList(at) && at.target.includes('format=css'), reply(200, ':root{}', 'text/css')),
    ],
    ['no icon by the printed link', where(({ target }) => target.includes('&for='), missing)],
  ],
  'schema/document': [
    ['the OpenAPI description is missing', where(isOpenApi, missing)],
    ['the OpenAPI description of another build', where(isOpenApi, append('\n')), /bytes, sha256 /],
    [
      'assets.json of another build',
      where(({ target }) => target.endsWith('assets.json'), reply(200, '{}', 'application/json')),
    ],
  ],
  'cors/allowed': [
    ['schemas without CORS', where(isOpenApi, without('access-control-allow-origin'))],
    ['preflight requests are rejected', where(isPreflight, withStatus(405)), /^405$/],
    ['preflight requests get no CORS headers', where(isPreflight, without('access-control-allow-methods'))],
    [
      'a stylesheet without CORS',
      where((at) => at.target.includes('format=css'), without('access-control-allow-origin')),
    ],
    [
      'no CORS for an allowed origin',
      where(
        ({ request }) => request['origin'] === APP,
        (at) => {
          for (const name of Object.keys(at.headers)) if (name.startsWith('access-control')) delete at.headers[name];
        },
      ),
    ],
    ['CORS without credentials', where(isConfig, without('access-control-allow-credentials'))],
  ],
  'deployment/record': [
    ['an HTML page as the record', withRecord({ record: LISTING })],
    ['a record without its manifest', withRecord({}), /404/, /Deploy again/],
    ['a record and a manifest of another build', withRecord({ manifest: '{}', of: { manifest: EMPTY_OBJECT_SHA256 } })],
    ['a retained image is missing', withRecord({ of: { retained: [RETAINED] } })],
    ['a record from the future', withRecord({ of: { time: '2131-01-01T00:00:00.000Z' } })],
    [
      'one of two servers has the record of another build',
      onEverySecond(
        ({ target }) => target === RECORDS.deployment,
        withRecord({ of: { manifest: EMPTY_OBJECT_SHA256 } }),
      ),
    ],
  ],
  'deployment/record headers/cache': [
    ['a wrong manifest, and a record that may be cached', withRecord({ manifest: '{}', cacheControl: 'max-age=60' })],
  ],
  'media/image': [
    ['one of two servers lacks an image', onEverySecond(isPng, missing), /^404$/],
    ['an image is missing', where(isPng, missing), /^404$/],
    ['a Git LFS pointer as PNG', where(isPng, reply(200, LFS_POINTER, 'image/png')), /^a text file/],
    ['an image with trailing data', where(isPng, doubled), /^over the limit after/],
    [
      'images are converted for browsers that accept it',
      where(
        (at) => isPng(at) && at.request['accept']?.includes('image/webp') === true,
        (at) => void (at.body = WEBP),
      ),
    ],
    ['a connection closed during an image', where(isPng, (at) => void (at.connection = 'cut'))],
  ],
  'config/theme': [
    ['every user gets the same theme', where(isGetJson, respondWith('meadow')), /meadow \(2\)/],
    ['the mapping is not loaded', where(isGetJson, respondWith('harbor')), /harbor \(1\)/],
    ['the token secret is not set on the host', where(hasToken, respondWith('harbor')), /harbor/, /TOKEN_SECRET is/],
    [
      'the proxy secret is not set on the host',
      where((at) => isGetJson(at) && at.request['x-group'] !== undefined, respondWith('harbor')),
    ],
    [
      'an unknown theme returns another theme',
      where((at) => isGetJson(at) && at.request['cookie'] === 'theme=themecast-verify.unknown', respondWith('meadow')),
    ],
    [
      'only the first cookie of the header is read',
      where(
        (at) => isGetJson(at) && at.request['cookie']?.startsWith('themecast-verify=1; uid=') === true,
        respondWith('harbor'),
      ),
    ],
    [
      'the rules are applied in the wrong order',
      where(
        (at) => isGetJson(at) && /uid=.*theme=|theme=.*uid=/.test(at.request['cookie'] ?? ''),
        (at, built) =>
          respondWith(at.request['cookie']?.includes('uid=night-user') === true ? 'nightfall' : 'meadow')(at, built),
      ),
    ],
    [
      "a cache gives one user's theme to another",
      where((at) => isGetJson(at) && at.request['cookie'] === 'uid=meadow-user', respondWith('nightfall')),
    ],
    ['a shared cache stores the response to a user', leakyCache(), /meadow \(2\)/],
    ['a shared cache gives a user the response to another', cacheOfUsers(), / \([123]\)$/],
    [
      'the document of one theme is stale',
      where(
        (at) => isGetJson(at) && at.request['cookie'] === 'theme=nightfall',
        (at) => void (at.body = Buffer.from(at.body.toString().replace('"nightfall"', '"Nightfall"'))),
      ),
    ],
    ['CONFIG does not respond', where(isConfig, (at) => void (at.connection = 'drop'))],
    ['CONFIG is missing', where(isConfig, reply(404, '', 'text/plain')), /^404$/],
    [
      'quotes of a cookie are part of the key',
      where((at) => isGetJson(at) && at.request['cookie'] === 'uid="meadow-user"', respondWith('harbor')),
    ],
  ],
  'config/forged': [
    [
      'signatures of tokens are not checked',
      where((at) => hasToken(at) && subOf(at) === 'meadow-user', respondWith('meadow')),
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
    ],
  ],
  'method/head': [
    [
      'HEAD of CONFIG has another length',
      where((at) => isConfig(at) && hasMethod('HEAD')(at), set({ 'content-length': '7' })),
    ],
    ['HEAD is not supported', where(hasMethod('HEAD'), withStatus(405))],
  ],
  'headers/security': [
    ['a stylesheet without CORP', where(isCss, without('cross-origin-resource-policy'))],
    ['SVG without its Content-Security-Policy', where(isMedia, without('content-security-policy'))],
    ['no nosniff', without('x-content-type-options'), /no X-Content-Type-Options header/],
    ['pages may be framed by any site', where((at) => isList(at) || isConfig(at), without('x-frame-options'))],
    [
      'pages that may run scripts',
      where(isPage, set({ 'content-security-policy': "default-src 'self' 'unsafe-inline'" })),
    ],
  ],
  'redirect/status': [
    ['an old path is missing', where(isOldPath, missing), /^404/, /Load the rules of this build/],
    [
      'a redirect to another host',
      where(isRedirect, (at) => void (at.headers['location'] = `http://origin.internal:8080${at.headers['location']}`)),
    ],
    [
      'a redirect that drops the query',
      where(isRedirect, (at) => void (at.headers['location'] = at.headers['location']?.split('?')[0] ?? '')),
    ],
  ],
  'method/refused': [
    ['POST returns the file', where((at) => hasMethod('POST')(at) && isList(at), reply(200, '[]', 'application/json'))],
    ['PUT returns the file', where(hasMethod('PUT'), reply(200, 'ok', 'text/plain'))],
    [
      'POST on a schema returns the file',
      where((at) => hasMethod('POST')(at) && isOpenApi(at), reply(200, '{}', 'application/json')),
    ],
  ],
  'method/options': [
    [
      'OPTIONS is not supported',
      where((at) => hasMethod('OPTIONS')(at) && at.request['origin'] === undefined, reply(405, '', 'text/plain')),
    ],
  ],
  'path/not-found': [
    [
      'a page with status 200 for every missing path',
      where(
        ({ status, target }) => status === 404 && target.startsWith(`${LIST}no-such`),
        reply(200, LISTING, 'text/html'),
      ),
    ],
    [
      'the files behind CONFIG are public by name',
      where(isAt(`${CONFIG}harbor.json`), reply(200, '{}', 'application/json')),
    ],
    ['the page of LIST public by its name', where(isAt(`${LIST}browse.html`), reply(200, LISTING, 'text/html'))],
  ],
  'cors/foreign': [
    ['CORS for Origin: null, with credentials', where(({ request }) => request['origin'] === 'null', allow('null'))],
    [
      'CORS for an origin with an allowed one as its prefix',
      where(
        (at) => isOtherOrigin(at) && at.request['origin']?.startsWith(APP) === true,
        (at) => allow(at.request['origin'] ?? '')(at),
      ),
    ],
    [
      'CORS for an origin with an allowed one as its suffix',
      where(
        (at) => isOtherOrigin(at) && at.request['origin']?.endsWith('app.example.org') === true,
        (at) => allow(at.request['origin'] ?? '')(at),
      ),
    ],
  ],
  'cors/foreign cors/allowed': [
    ['CORS for every origin', where((at) => isList(at) || isConfig(at), set({ 'access-control-allow-origin': '*' }))],
  ],
  'compression/document': [
    ...(
      [
        [
          'a stale .gz beside LIST',
          accepts('gzip', isListJson),
          (at) => gzipSync(stale(at)),
          /sha256 .*Encoding: gzip/,
        ],
        ['a corrupt .gz', accepts('gzip', isList), () => Buffer.from('not gzip'), /^damaged after 0 bytes/],
        ['a truncated .gz', accepts('gzip', isList), (at) => gzipSync(at.body).subarray(0, -20), /^cut off after/],
        [
          'a decompression bomb, of 80 MB in 80 kB',
          accepts('gzip', isListJson),
          () => (bomb ??= gzipSync(Buffer.alloc(80_000_000))),
          /^over the limit after/,
        ],
        ['a coding that was not requested', accepts('br', isList), (at) => gzipSync(at.body), /Content-Encoding: gzip/],
        [
          'a stale .gz beside an SVG',
          accepts('gzip', ({ target }) => target.endsWith('.svg')),
          () => gzipSync('<svg/>'),
        ],
        ['a stale .gz beside a schema', accepts('gzip', isOpenApi), () => gzipSync('{}')],
        [
          'a stale .gz beside the document of one theme',
          accepts('gzip', (at) => isConfig(at) && isJson(at) && at.request['cookie'] === 'theme=meadow'),
          (at) => gzipSync(stale(at)),
        ],
      ] as [string, (at: ProxiedResponse) => boolean, (at: ProxiedResponse) => Buffer, RegExp?][]
    ).map(([title, matches, bodyOf, found = /Content-Encoding: gzip/]): FaultRow => [
      title,
      where(matches, withCoding('gzip', bodyOf)),
      found,
    ]),
    [
      'a stale .br beside the page of LIST',
      where(
        accepts('br', (at) => isList(at) && isPage(at)),
        withCoding('br', (at) => brotliCompressSync(stale(at))),
      ),
    ],
    ['an error if compression is requested', where(accepts('gzip', isConfig), withStatus(500))],
  ],
  'path/private': PRIVATE_PATHS.map((target): FaultRow => [
    `${target} is public`,
    where(isAt(target), reply(200, 'x', 'application/octet-stream')),
    /^200, 1 byte$/,
  ]),
};

export const allCases: readonly Case[] = Object.entries(FAULTS).flatMap(([ids, rows]) =>
  rows.map(([title, sabotage, found, hint]): Case => [title, sabotage, ids.split(' ') as CheckId[], found, hint]),
);

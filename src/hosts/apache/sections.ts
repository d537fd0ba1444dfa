import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { compact } from '../../diagnostics/compact.ts';
import { heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES } from '../media.ts';
import { escapeRegExp } from '../regexp.ts';
import type { Place } from '../rows.ts';
import { below, ERROR_STATUSES, exactly, movedPath } from './rules.ts';
import { quote, quoteExpression, section, setHeaders } from './syntax.ts';

/** Whether a response does not come from ErrorDocument; see `rules.ts`. */
const DIRECT = '-z %{reqenv:REDIRECT_STATUS}';
const FROM_ERROR = '-n %{reqenv:REDIRECT_STATUS}';
const CACHEABLE = `%{REQUEST_STATUS} in {'200', '304'} && ${DIRECT}`;

/** The sections: headers, types and error responses of all places. */
export function sections(rules: EdgeRules, places: readonly Place[]): string[] {
  const { list } = rules.endpoints;
  const redirecting = places.filter(({ rows: [row] }) => row !== undefined && 'redirect' in row.send);
  const files = places.filter(
    ({ path = list.path, isFolder }) => !isFolder && !path.startsWith(list.path.slice(0, -1)),
  );
  const others = files.length === 0 ? '' : `|${exactly(files)}`;
  return [
    heading('The responses'),
    '',
    '# Only successful responses may be cached.',
    ...section('LocationMatch', quote(`^${escapeRegExp(list.path)}(?!${below(rules, redirecting)}$)${others}`), [
      ...plainFiles(rules),
      'ForceType application/json',
      '# A hash of the content: an ETag of time and size, or a date, could confirm one theme to the user of another.',
      'FileETag Digest',
      ...['If-Modified-Since', 'If-Unmodified-Since', 'If-Match'].map((name) => `RequestHeader unset ${name}`),
      '# mod_deflate and mod_brotli append their names to the ETag that they send, but do not remove them from If-None-Match.',
      `RequestHeader edit* If-None-Match ${quote('-(?:gzip|br)"')} ${quote('"')}`,
      `Header unset ETag ${quote(`expr=${FROM_ERROR}`)}`,
      ...setHeaders({ ...rules.headers.all, ...rules.headers.error }),
      errorDocument(404, `${list.path}404`),
    ]),
    ...places.filter(({ isFolder }) => isFolder).flatMap((place) => images(place, rules)),
    ...places
      .filter(({ path, isFolder }) => path !== undefined && !isFolder)
      .filter((place) => !redirecting.includes(place))
      .flatMap((place) => placeSection(place, rules, places)),
    '',
    heading('Redirects: to the path with a slash, with the query; old paths of images'),
    '',
    ...redirecting.flatMap(({ path, rows: [row] }) =>
      path !== undefined && row !== undefined && 'redirect' in row.send
        ? redirectSection('LocationMatch', exactly([{ path }]), rules.headers.all, row.send.redirect ?? '')
        : redirectSection(
            'Location',
            movedPath(rules),
            { ...rules.headers.all, ...row?.headers },
            '%{reqenv:themecast_moved}',
          ),
    ),
    '',
    heading('The folders'),
    '',
    ...section('Directory', quote('${THEMECAST_ROOT}'), ['AllowOverride None', 'Options FollowSymLinks']),
    ...section('Directory', quote('${THEMECAST_DIR}/answers'), [
      'AllowOverride None',
      'Options FollowSymLinks IncludesNOEXEC',
      '# The only variable body: it names the method.',
      ...section('Files', quote('405.json'), ['SetOutputFilter INCLUDES']),
    ]),
  ];
}

const NOT_PROXIED = section('IfModule', 'proxy_module', ['ProxyPass "!"']);

const CORS_HEADERS = [
  'Allow-Origin',
  'Allow-Credentials',
  'Allow-Methods',
  'Allow-Headers',
  'Expose-Headers',
  'Max-Age',
];

/** Isolates the section from what the server sets for all locations and from what modules add. */
function plainFiles({ headers }: EdgeRules): string[] {
  const ours = Object.values(headers).flatMap((values) => Object.keys(values));
  const cors = CORS_HEADERS.map((name) => `Access-Control-${name}`);
  const names = [...new Set([...ours, 'Allow', 'Last-Modified', 'Accept-Ranges', ...cors])];
  return [
    'Require all granted',
    ...NOT_PROXIED,
    'SetHandler default-handler',
    'AcceptPathInfo Off',
    ...section('IfModule', 'expires_module', ['ExpiresActive Off']),
    '# Files are sent in full. (`MaxRanges none` would still respond with 416; measured on 2.4.71.)',
    'RequestHeader unset Range',
    '# httpd stores headers in two tables and sends a header twice that is in both.',
    ...names.flatMap((name) => [`Header unset ${name}`, `Header always unset ${name}`]),
  ];
}

function errorDocument(status: number, path: string): string {
  return `ErrorDocument ${status} ${quote(path)}`;
}

/** An endpoint, or a file under a name of its own. */
function placeSection(place: Place, rules: EdgeRules, places: readonly Place[]): string[] {
  const { path = '', headers, cors, rows } = place;
  const isEndpoint = rows.some(({ when }) => when !== undefined);
  const folder = places.find(({ isFolder }) => isFolder)?.path ?? path;
  const lines = rows.flatMap(({ send, when, headers: { 'Cache-Control': control = '', ...own } }) =>
    'file' in send
      ? [
          ...setHeaders({ 'Cache-Control': control }, CACHEABLE),
          ...setHeaders(own, when === undefined ? CACHEABLE : `%{reqenv:themecast_rendering} == '${when}'`),
        ]
      : [],
  );
  return section('LocationMatch', quote(exactly([place])), [
    ...setHeaders(headers),
    ...new Set(lines),
    ...(isEndpoint
      ? [200, ...ERROR_STATUSES].map((status) => errorDocument(status, path))
      : [errorDocument(405, `${folder}405`)]),
    ...(cors === undefined ? [] : allowOrigins(place, rules)),
  ]);
}

function allowOrigins({ cors, rows }: Place, { corsOrigins, corsHeaders }: EdgeRules): string[] {
  if (corsOrigins.length === 0) return [];
  const preflight = rows.some(({ methods }) => methods.includes('OPTIONS'));
  return section(
    'If',
    quote(`%{req_novary:Origin} in {${corsOrigins.map(quoteExpression).join(', ')}}`),
    compact([
      'Header always set Access-Control-Allow-Origin "expr=%{req_novary:Origin}"',
      ...(cors === 'credentials' ? setHeaders({ 'Access-Control-Allow-Credentials': 'true' }) : []),
      ...(preflight
        ? setHeaders(preflightHeaders({ corsHeaders }), "%{reqenv:REDIRECT_REQUEST_METHOD} == 'OPTIONS'")
        : []),
    ]),
  );
}

function images({ path = '', rows }: Place, rules: EdgeRules): string[] {
  const { headers } = rules;
  return [
    `Alias ${quote(path)} ${quote('${THEMECAST_ROOT}/media/')}`,
    ...section('Location', quote(path), [
      ...plainFiles(rules),
      'ForceType None',
      'FileETag MTime Size',
      'AddType application/json .json',
      ...MEDIA_TYPES.map(
        ({ mediaType, extensions }) =>
          `AddType ${mediaType} ${extensions.map((extension) => `.${extension}`).join(' ')}`,
      ),
      ...setHeaders({ ...headers.all, ...headers.error }),
      ...setHeaders(headers.svg, `%{CONTENT_TYPE} == 'image/svg+xml'`),
      ...rows.flatMap(({ send, headers: own }) =>
        setHeaders(own, 'status' in send ? `%{REQUEST_STATUS} == '${send.status}'` : CACHEABLE),
      ),
      ...[404, 405].map((status) => errorDocument(status, `${path}${status}`)),
    ]),
  ];
}

/** An empty body: a page of httpd would name its version. */
function redirectSection(name: string, path: string, headers: Readonly<Record<string, string>>, to: string): string[] {
  return section(name, quote(path), [
    'Require all granted',
    ...NOT_PROXIED,
    ...setHeaders(headers),
    'ErrorDocument 301 "%{reqenv:themecast_nothing}"',
    'Header always unset Content-Type',
    'RedirectRelative On',
    `Redirect 301 ${quote(to)}`,
  ]);
}

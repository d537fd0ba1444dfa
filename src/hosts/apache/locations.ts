import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { below } from './rewrite-rules.ts';
import { quoteExpression, quote, section, setHeaders } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { preflightHeaders } from '../../edge-runtime/handler.ts';
import { MEDIA_ALLOW, MEDIA_TYPES, mediaPath } from '../media.ts';
import { ERROR_STATUSES } from '../error-responses.ts';

/** Whether an answer is none that ErrorDocument has brought; see `rewriting.ts`. */
const STRAIGHT = '-z %{reqenv:REDIRECT_STATUS}';
const REFUSED = '-n %{reqenv:REDIRECT_STATUS}';
const KEPT = `%{REQUEST_STATUS} in {'200', '304'} && ${STRAIGHT}`;

/** The sections: headers, types and refusals of the endpoints, of everything below them, and of the pictures. */
export function locations(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  return [
    '# --- The endpoints ---------------------------------------------------------------------------------------------------',
    '',
    '# Whatever is not a success must not be kept.',
    ...section('LocationMatch', quote(`^${escapeRegExp(list.path)}(?!${below(list, config)}$)`), [
      ...plainFiles(rules),
      'ForceType application/json',
      '# By content: an ETag of time and size would confirm one theme to the user of another. So would a date.',
      'FileETag Digest',
      ...['If-Modified-Since', 'If-Unmodified-Since', 'If-Match'].map((name) => `RequestHeader unset ${name}`),
      '# mod_deflate and mod_brotli put their names into the ETag that they send, and do not take them out of the one that comes back.',
      `RequestHeader edit* If-None-Match ${quote('-(?:gzip|br)"')} ${quote('"')}`,
      `Header unset ETag ${quote(`expr=${REFUSED}`)}`,
      ...setHeaders({ ...rules.headers.all, ...rules.headers.error }),
      errorDocument(404, `${list.path}404`),
    ]),
    '',
    ...endpointSections(list, rules),
    '',
    ...endpointSections(config, rules),
    '',
    '# --- The pictures ----------------------------------------------------------------------------------------------------',
    '',
    ...media(rules),
    '',
    '# --- The folders -----------------------------------------------------------------------------------------------------',
    '',
    ...section('Directory', quote('${THEMECAST_ROOT}'), ['AllowOverride None', 'Options FollowSymLinks']),
    ...section('Directory', quote('${THEMECAST_DIR}/answers'), [
      'AllowOverride None',
      'Options FollowSymLinks IncludesNOEXEC',
      '# The one body that is not the same for all: it names the method.',
      ...section('Files', quote('405.json'), ['SetOutputFilter INCLUDES']),
    ]),
  ];
}

/** What a server has set for all of its locations, and what its modules add of themselves, does not reach in. */
function plainFiles({ headers }: EdgeRules): string[] {
  const ours = Object.values(headers).flatMap((some) => Object.keys(some));
  const names = [...new Set([...ours, 'Allow', 'Last-Modified', 'Accept-Ranges', ...CORS_HEADERS])];
  return [
    'Require all granted',
    ...NOT_PROXIED,
    'SetHandler default-handler',
    'AcceptPathInfo Off',
    ...section('IfModule', 'expires_module', ['ExpiresActive Off']),
    '# Everything is sent whole. (`MaxRanges none` would still answer 416; measured on 2.4.71.)',
    'RequestHeader unset Range',
    '# httpd keeps headers in two tables, and sends what is in both twice.',
    ...names.flatMap((name) => [`Header unset ${name}`, `Header always unset ${name}`]),
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
].map((name) => `Access-Control-${name}`);

function errorDocument(status: number, path: string): string {
  return `ErrorDocument ${status} ${quote(path)}`;
}

function endpointSections(endpoint: EdgeEndpoint, { headers, corsOrigins, corsHeaders }: EdgeRules): string[] {
  const { path, allow, vary, cacheControl } = endpoint;
  return [
    ...section('LocationMatch', quote(`^${escapeRegExp(path)}$`), [
      ...setHeaders({ ...headers.endpoint, Allow: allow, Vary: vary }),
      ...setHeaders({ 'Cache-Control': cacheControl }, KEPT),
      ...setHeaders(headers.html, "%{reqenv:themecast_rendering} == 'html'"),
      ...[200, ...ERROR_STATUSES].map((status) => errorDocument(status, path)),
      ...cors(endpoint, corsOrigins, corsHeaders),
    ]),
    '# Without the slash: to the same path with it, the query as it was.',
    ...section('LocationMatch', quote(`^${escapeRegExp(path.slice(0, -1))}$`), [
      'Require all granted',
      ...NOT_PROXIED,
      ...setHeaders(headers.all),
      '# Nothing in the body: a page of httpd would name it, and its version.',
      'ErrorDocument 301 "%{reqenv:themecast_nothing}"',
      'Header always unset Content-Type',
      'RedirectRelative On',
      `Redirect 301 ${quote(path)}`,
    ]),
  ];
}

function cors({ kind }: EdgeEndpoint, origins: readonly string[], requestHeaders: readonly string[]): string[] {
  if (origins.length === 0) return [];
  const listed = origins.map(quoteExpression).join(', ');
  return section('If', quote(`%{req_novary:Origin} in {${listed}}`), [
    'Header always set Access-Control-Allow-Origin "expr=%{req_novary:Origin}"',
    ...(kind === 'config' ? setHeaders({ 'Access-Control-Allow-Credentials': 'true' }) : []),
    ...setHeaders(preflightHeaders({ corsHeaders: requestHeaders }), "%{reqenv:REDIRECT_REQUEST_METHOD} == 'OPTIONS'"),
  ]);
}

function media(rules: EdgeRules): string[] {
  const path = mediaPath(rules);
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
      ...setHeaders(headers.media, KEPT),
      ...setHeaders(headers.svg, `%{CONTENT_TYPE} == 'image/svg+xml'`),
      ...setHeaders({ Allow: MEDIA_ALLOW }, "%{REQUEST_STATUS} == '405'"),
      ...[404, 405].map((status) => errorDocument(status, `${path}${status}`)),
    ]),
  ];
}

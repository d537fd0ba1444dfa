import { heading } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { exactly } from './rewrite-rule.ts';
import { below } from './rewrite-rules.ts';
import { quoteExpression, quote, section, setHeaders } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { MEDIA_TYPES, mediaPath } from '../media.ts';
import { ERROR_STATUSES } from '../error-responses.ts';

/** Whether a response does not come from ErrorDocument; see `rewrite-rules.ts`. */
const DIRECT = '-z %{reqenv:REDIRECT_STATUS}';
const FROM_ERROR = '-n %{reqenv:REDIRECT_STATUS}';
const CACHEABLE = `%{REQUEST_STATUS} in {'200', '304'} && ${DIRECT}`;

/** The sections: headers, types and error responses of the endpoints, of all paths below them, and of images. */
export function locations(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  return [
    heading('The endpoints'),
    '',
    '# Only successful responses may be cached.',
    ...section('LocationMatch', quote(`^${escapeRegExp(list.path)}(?!${below(list, config)}$)${orSchema(rules)}`), [
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
    '',
    ...endpointSections(list, rules),
    '',
    ...endpointSections(config, rules),
    '',
    ...schemas(rules),
    heading('Images'),
    '',
    ...media(rules),
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

/** Isolates the section from what the server sets for all locations and from what modules add. */
function plainFiles({ headers }: EdgeRules): string[] {
  const ours = Object.values(headers).flatMap((some) => Object.keys(some));
  const names = [...new Set([...ours, 'Allow', 'Last-Modified', 'Accept-Ranges', ...CORS_HEADERS])];
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
      ...setHeaders({ 'Cache-Control': cacheControl }, CACHEABLE),
      ...setHeaders(headers.html, "%{reqenv:themecast_rendering} == 'html'"),
      ...[200, ...ERROR_STATUSES].map((status) => errorDocument(status, path)),
      ...cors(endpoint, corsOrigins, corsHeaders),
    ]),
    '# Without the slash: redirect to the path with it, and keep the query.',
    ...section('LocationMatch', quote(`^${escapeRegExp(path.slice(0, -1))}$`), [
      'Require all granted',
      ...NOT_PROXIED,
      ...setHeaders(headers.all),
      '# An empty body: a page of httpd would name its version.',
      'ErrorDocument 301 "%{reqenv:themecast_nothing}"',
      'Header always unset Content-Type',
      'RedirectRelative On',
      `Redirect 301 ${quote(path)}`,
    ]),
  ];
}

/** The schemas, for a regular expression of what has the headers of the files of the endpoints. */
function orSchema({ schemas }: EdgeRules): string {
  return schemas.length === 0 ? '' : `|${exactly(...schemas)}`;
}

function schemas({ basePath, schemas: files, headers, corsOrigins }: EdgeRules): string[] {
  if (files.length === 0) return [];
  return [
    heading('Schemas'),
    '',
    ...section('LocationMatch', quote(exactly(...files)), [
      ...setHeaders(headers.schema, CACHEABLE),
      errorDocument(405, `${mediaPath({ basePath })}405`),
      ...allowOrigins(corsOrigins, []),
    ]),
    '',
  ];
}

/** @param further - more directives for pages of these origins */
function allowOrigins(origins: readonly string[], further: readonly string[]): string[] {
  if (origins.length === 0) return [];
  const listed = origins.map(quoteExpression).join(', ');
  return section('If', quote(`%{req_novary:Origin} in {${listed}}`), [
    'Header always set Access-Control-Allow-Origin "expr=%{req_novary:Origin}"',
    ...further,
  ]);
}

function cors({ kind }: EdgeEndpoint, origins: readonly string[], requestHeaders: readonly string[]): string[] {
  return allowOrigins(origins, [
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
      ...setHeaders(headers.media, CACHEABLE),
      ...setHeaders(headers.svg, `%{CONTENT_TYPE} == 'image/svg+xml'`),
      ...setHeaders({ Allow: FILE_ALLOW }, "%{REQUEST_STATUS} == '405'"),
      ...[404, 405].map((status) => errorDocument(status, `${path}${status}`)),
    ]),
  ];
}

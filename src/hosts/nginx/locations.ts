import { GENERATED_COMMENT, heading, noValidatorsComment } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { queryLogin, loginLocations } from './login.ts';
import { escapeRegExp } from '../regexp.ts';
import { addHeaders, block, quote, quoteTemplate } from './syntax.ts';
import { MEDIA_TYPES, mediaFilePattern, mediaPath } from '../media.ts';
import { errorResponses } from '../error-responses.ts';
import { redirectLocations, redirectRewrite } from './redirects.ts';
import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import { methodNotAllowed } from '../../edge-runtime/responses.ts';

/** `locations.conf`, for server{}: the two endpoints, all paths below them, and images. */
export function locationsConf(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  return [
    '# themecast: the locations of the theme service. Include it in server{}, and maps.conf in http{}.',
    `# ${GENERATED_COMMENT}`,
    '#',
    '# Every location sets its own folder, so the root of the server does not matter. Directives that servers often set for all',
    '# locations (add_header, error_page, expires, charset, types) are set again here and are not inherited.',
    '',
    ...redirectRewrite(rules, internalFolder(rules)),
    heading('The endpoints: each rewrites to one of its responses below'),
    '',
    ...endpointLocation(list, rules),
    ...endpointLocation(config, rules),
    '',
    '# Without the slash: redirect to the path with it, and keep the query.',
    ...redirect(list, rules),
    ...redirect(config, rules),
    '',
    '# No other path exists. The published files of the endpoints are served through them alone.',
    ...block(`location ^~ ${quote(uri(list.path))}`, [
      ...PLAIN_JSON,
      ...addHeaders({ ...rules.headers.all, ...rules.headers.error }),
      `return 404 ${quote(rules.refusals.notFound)};`,
    ]),
    '',
    heading('The responses of the endpoints: internal locations'),
    '',
    ...responses(list, rules),
    '',
    ...responses(config, rules),
    '',
    ...(rules.schemas.length > 0 ? [heading('Schemas'), '', ...schemas(rules), ''] : []),
    heading('Images'),
    '',
    ...media(rules),
    ...redirectLocations(rules, internalFolder(rules), MEDIA_NOT_ALLOWED),
    '',
  ].join('\n');
}

/** The URI that nginx matches: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

/** The folder of internal locations; nothing else uses `answer/` below LIST. */
function internalFolder({ endpoints }: EdgeRules): string {
  return `${uri(endpoints.list.path)}answer/`;
}

/** The internal location of a response. */
function responseUri(rules: EdgeRules, { kind }: EdgeEndpoint, answer: string): string {
  return `${internalFolder(rules)}${kind}/${answer}`;
}

/** A glob, which may match no file: without its module nginx rejects the directive in the file, and configuration cannot test for modules. */
const NO_STALE_COPIES = 'include themecast/gzip_static.con[f];';

const PLAIN_JSON = ['types { }', 'default_type application/json;', 'charset off;', 'expires off;'];

function endpointLocation(endpoint: EdgeEndpoint, rules: EdgeRules): string[] {
  const target = quoteTemplate(responseUri(rules, endpoint, `$themecast_${endpoint.kind}_answer`));
  return block(`location = ${quote(uri(endpoint.path))}`, [otherSpelling(rules), `rewrite ^ ${target} last;`]);
}

/** nginx matches locations with the normalized path; the contract compares the path as it was sent. */
function otherSpelling({ endpoints }: EdgeRules): string {
  return `if ($themecast_elsewhere) { rewrite ^ ${quote(`${uri(endpoints.list.path)}answer`)} last; }`;
}

/** Through a named location: `return 301` would send a page that names the version of nginx. */
function redirect({ kind, path }: EdgeEndpoint, rules: EdgeRules): string[] {
  const target = `@themecast_${kind}_slash`;
  return [
    ...block(`location = ${quote(uri(path).slice(0, -1))}`, [
      otherSpelling(rules),
      `error_page 418 =301 ${target};`,
      'return 418;',
    ]),
    ...block(`location ${target}`, [
      'types { }',
      'default_type "";',
      'charset off;',
      'expires off;',
      ...addHeaders({ ...rules.headers.all, Location: `${path}$is_args$args` }),
      'return 200 "";',
    ]),
  ];
}

/** The internal locations of an endpoint, one per response. They inherit the headers of the enclosing level unless they set their own. */
function responses(endpoint: EdgeEndpoint, rules: EdgeRules): string[] {
  const { kind, folder } = endpoint;
  const json = kind === 'list' ? ['index.json'] : ['$themecast_config_json.json', 'index.json'];
  const html = kind === 'list' ? ['browse.html'] : ['$themecast_config_html.html', 'browse.html'];
  const response = (name: string, directives: string[]) =>
    block(`location = ${quote(responseUri(rules, endpoint, name))}`, directives);
  const sendFile = (...names: string[]) =>
    `try_files ${names.map((name) => quoteTemplate(folder + name)).join(' ')} ${quote(responseUri(rules, endpoint, '404'))};`;
  const errorResponse = ([status, body]: readonly [number, string]) =>
    response(`${status}`, [`return ${status} ${body};`]);
  const notFound = `error_page 404 ${quote(`${uri(rules.endpoints.list.path)}answer`)};   # external requests for an internal location`;
  const folderUri = responseUri(rules, endpoint, '');
  const identity = kind === 'config' ? rules.identity : [];
  return block(`location ^~ ${quote(folderUri)}`, [
    'internal;',
    notFound,
    `root ${quote(rules.origin.document_root)};`,
    ...PLAIN_JSON,
    'max_ranges 0;',
    NO_STALE_COPIES,
    ...(kind === 'list' ? ['etag on;'] : PERSONAL),
    ...addHeaders({
      ...endpointHeaders(endpoint, rules),
      'Cache-Control': `$themecast_${kind}_cache_control`,
      'Content-Security-Policy': '$themecast_content_security_policy',
    }),
    '',
    ...response('json', [...queryLogin(identity, folderUri), sendFile(...json)]),
    ...response('html', [
      'default_type text/html;',
      'charset utf-8;',
      ...queryLogin(identity, folderUri),
      sendFile(...html),
    ]),
    ...response('options', [
      '# nginx sends files only to GET and HEAD; its 405 comes back here as a GET and is sent as 200.',
      `error_page 405 =200 ${quote(responseUri(rules, endpoint, 'options'))};`,
      notFound,
      ...NO_VALIDATORS,
      ...addHeaders({ ...endpointHeaders(endpoint, rules), ...preflightHeaders(rules), ...rules.headers.error }),
      sendFile('options.json'),
    ]),
    ...errorResponses(endpoint, rules, quote, METHOD_NOT_ALLOWED).flatMap(errorResponse),
    ...loginLocations(identity, folderUri, notFound),
  ]);
}

const NO_VALIDATORS = ['etag off;', 'if_modified_since off;', 'add_header Last-Modified "";'];

const PERSONAL = [
  ...noValidatorsComment('nginx'),
  ...NO_VALIDATORS,
  '# If the files of a theme do not exist, the default theme (index, browse) is served.',
];

function endpointHeaders(
  { kind, allow, vary }: EdgeEndpoint,
  { headers, corsOrigins }: EdgeRules,
): Record<string, string> {
  const cors = {
    'Access-Control-Allow-Origin': '$themecast_cors_origin',
    ...(kind === 'config' ? { 'Access-Control-Allow-Credentials': '$themecast_cors_credentials' } : {}),
  };
  return { ...headers.all, ...headers.endpoint, Allow: allow, Vary: vary, ...(corsOrigins.length > 0 ? cors : {}) };
}

function preflightHeaders({ corsOrigins }: EdgeRules): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  return {
    'Access-Control-Allow-Methods': '$themecast_cors_methods',
    'Access-Control-Allow-Headers': '$themecast_cors_headers',
    'Access-Control-Max-Age': '$themecast_cors_max_age',
  };
}

/** The only variable in a body: nginx rejects methods with characters other than A–Z, `_` and `-`. */
const METHOD_NOT_ALLOWED = quoteTemplate(methodNotAllowed('$request_method'));

const MEDIA_NOT_ALLOWED = '@themecast_media_not_allowed';

/** The schemas have validators like LIST, and error responses like images. */
function schemas(rules: EdgeRules): string[] {
  const { headers, origin, corsOrigins } = rules;
  return rules.schemas.flatMap(({ path, file }) =>
    block(`location = ${quote(uri(path))}`, [
      `root ${quote(origin.document_root)};`,
      ...PLAIN_JSON,
      'etag on;',
      'max_ranges 0;',
      NO_STALE_COPIES,
      `error_page 404 ${missingImage(rules)};`,
      `error_page 405 ${MEDIA_NOT_ALLOWED};`,
      ...addHeaders({
        ...headers.all,
        ...headers.schema,
        'Cache-Control': '$themecast_list_cache_control',
        ...(corsOrigins.length > 0 ? { 'Access-Control-Allow-Origin': '$themecast_cors_origin' } : {}),
      }),
      `try_files ${quote(file)} =404;`,
    ]),
  );
}

/** A path that responds with 404. */
function missingImage(rules: EdgeRules): string {
  return quote(`${uri(mediaPath(rules))}missing`);
}

function media(rules: EdgeRules): string[] {
  const { headers, origin, refusals } = rules;
  const path = uri(mediaPath(rules));
  const images = block(`location ^~ ${quote(path)}`, [
    `alias ${quote(`${origin.document_root.replace(/(?<!\/)\/+$/, '')}/media/`)};`,
    ...PLAIN_JSON,
    'etag on;',
    '# Images are sent in full: a 416 response would have the headers of the image besides its own.',
    'max_ranges 0;',
    NO_STALE_COPIES,
    ...addHeaders({
      ...headers.all,
      'Cache-Control': '$themecast_media_cache_control',
      'Content-Security-Policy': '$themecast_content_security_policy',
    }),
    `return 404 ${quote(refusals.notFound)};`,
    '',
    ...block(`location ~ ${quoteTemplate(`^${escapeRegExp(path)}${mediaFilePattern()}$`)}`, [
      `error_page 404 ${missingImage(rules)};   # the 404 above`,
      `error_page 405 ${MEDIA_NOT_ALLOWED};`,
      ...block(
        'types',
        MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} ${extensions.join(' ')};`),
      ),
    ]),
  ]);
  const notAllowed = block(`location ${MEDIA_NOT_ALLOWED}`, [
    ...PLAIN_JSON,
    ...addHeaders({ ...headers.all, ...headers.error, Allow: FILE_ALLOW }),
    `return 405 ${METHOD_NOT_ALLOWED};`,
  ]);
  return [
    ...images,
    '# nginx sends images only to GET and HEAD. A named location still has the method; a location with a path would get GET.',
    ...notAllowed,
  ];
}

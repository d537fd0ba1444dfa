import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { askLogin, loginLocations } from './login.ts';
import { escapeRegExp } from '../regexp.ts';
import { addHeaders, block, quote, quoteTemplate } from './syntax.ts';
import { MEDIA_ALLOW, MEDIA_TYPES, mediaFilePattern, mediaPath } from '../media.ts';
import { errorResponses } from '../error-responses.ts';
import { methodNotAllowed } from '../../edge-runtime/handler.ts';

/** `locations.conf`, for server{}: the two endpoints, everything below them, and the pictures. */
export function locationsConf(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  return [
    '# themecast: the locations of the theme service. Belongs in server{}, with maps.conf in http{}.',
    '# Generated from site.yaml: change that, not this.',
    '#',
    '# Each location that reads files names its folder itself, so the root of the server may be any. What a server often sets for',
    '# all of its locations (add_header, error_page, expires, charset, types) is set anew here, and does not reach in.',
    '',
    '# --- The endpoints: each goes on to one of its answers, further down -------------------------------------------------',
    '',
    ...endpointLocation(list, rules),
    ...endpointLocation(config, rules),
    '',
    '# Without the slash: to the same path with it, the query as it was.',
    ...redirect(list, rules),
    ...redirect(config, rules),
    '',
    '# Nothing else lies below. The published files of the endpoints are reached through them alone.',
    ...block(`location ^~ ${quote(uri(list.path))}`, [
      ...PLAIN_JSON,
      ...addHeaders({ ...rules.headers.all, ...rules.headers.error }),
      `return 404 ${quote(rules.refusals.notFound)};`,
    ]),
    '',
    '# --- The answers of the endpoints: internal, so no request gets here but through them --------------------------------',
    '',
    ...answers(list, rules),
    '',
    ...answers(config, rules),
    '',
    '# --- The pictures ----------------------------------------------------------------------------------------------------',
    '',
    ...media(rules),
    '',
  ].join('\n');
}

/** What nginx compares a request with: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

/** Where the answers of an endpoint are; `answer/` is below LIST, which nobody else has a use for. */
function answerUri({ endpoints }: EdgeRules, { kind }: EdgeEndpoint, answer: string): string {
  return `${uri(endpoints.list.path)}answer/${kind}/${answer}`;
}

/** A pattern, which may match nothing: nginx does not know the directive in it without its module, and has no way to ask for that. */
const NO_STALE_COPIES = 'include themecast/gzip_static.con[f];';

const PLAIN_JSON = ['types { }', 'default_type application/json;', 'charset off;', 'expires off;'];

function endpointLocation(endpoint: EdgeEndpoint, rules: EdgeRules): string[] {
  const target = quoteTemplate(answerUri(rules, endpoint, `$themecast_${endpoint.kind}_answer`));
  return block(`location = ${quote(uri(endpoint.path))}`, [otherwiseWritten(rules), `rewrite ^ ${target} last;`]);
}

/** nginx finds locations by the path decoded, its dots and double slashes resolved; the contract takes it as it was sent. */
function otherwiseWritten({ endpoints }: EdgeRules): string {
  return `if ($themecast_elsewhere) { rewrite ^ ${quote(`${uri(endpoints.list.path)}answer`)} last; }`;
}

/** By way of a location with a name: `return 301` itself would send a page of nginx, which names its version. */
function redirect({ kind, path }: EdgeEndpoint, rules: EdgeRules): string[] {
  const target = `@themecast_${kind}_slash`;
  return [
    ...block(`location = ${quote(uri(path).slice(0, -1))}`, [
      otherwiseWritten(rules),
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

/** The internal locations of an endpoint, one for each answer. They have the headers of the level around them unless they set their own. */
function answers(endpoint: EdgeEndpoint, rules: EdgeRules): string[] {
  const { kind, folder } = endpoint;
  const json = kind === 'list' ? ['index.json'] : ['$themecast_config_json.json', 'index.json'];
  const html = kind === 'list' ? ['browse.html'] : ['$themecast_config_html.html', 'browse.html'];
  const answer = (name: string, directives: string[]) =>
    block(`location = ${quote(answerUri(rules, endpoint, name))}`, directives);
  const sendFile = (...names: string[]) =>
    `try_files ${names.map((name) => quoteTemplate(folder + name)).join(' ')} ${quote(answerUri(rules, endpoint, '404'))};`;
  const refuse = ([status, body]: readonly [number, string]) => answer(`${status}`, [`return ${status} ${body};`]);
  const notFound = `error_page 404 ${quote(`${uri(rules.endpoints.list.path)}answer`)};   # for whoever asks for an internal location`;
  const folderUri = answerUri(rules, endpoint, '');
  const asked = kind === 'config' ? rules.identity : [];
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
    ...answer('json', [...askLogin(asked, folderUri), sendFile(...json)]),
    ...answer('html', ['default_type text/html;', 'charset utf-8;', ...askLogin(asked, folderUri), sendFile(...html)]),
    ...answer('options', [
      '# nginx sends files to GET and HEAD alone; its refusal (405) comes back here as a GET, and goes out as 200.',
      `error_page 405 =200 ${quote(answerUri(rules, endpoint, 'options'))};`,
      notFound,
      ...NO_VALIDATORS,
      ...addHeaders({ ...endpointHeaders(endpoint, rules), ...preflightHeaders(rules), ...rules.headers.error }),
      sendFile('options.json'),
    ]),
    ...errorResponses(endpoint, rules, quote, METHOD_NOT_ALLOWED).flatMap(refuse),
    ...loginLocations(asked, folderUri, notFound),
  ]);
}

const NO_VALIDATORS = ['etag off;', 'if_modified_since off;', 'add_header Last-Modified "";'];

const PERSONAL = [
  '# nginx makes validators from the time and the size of a file. Two themes may have both in common, and a browser would be',
  "# told that somebody else's theme is still its user's: so neither ETag nor Last-Modified, and no 304.",
  ...NO_VALIDATORS,
  '# Should a theme be gone that the rules still name, the default theme (index, browse) stands in.',
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

/** The one variable in a body: nginx itself refuses a method that has other characters than A–Z, `_` and `-`. */
const METHOD_NOT_ALLOWED = quoteTemplate(methodNotAllowed('$request_method'));

const MEDIA_NOT_ALLOWED = '@themecast_media_not_allowed';

function media(rules: EdgeRules): string[] {
  const { headers, origin, refusals } = rules;
  const path = uri(mediaPath(rules));
  const pictures = block(`location ^~ ${quote(path)}`, [
    `alias ${quote(`${origin.document_root.replace(/\/+$/, '')}/media/`)};`,
    ...PLAIN_JSON,
    'etag on;',
    '# Pictures are sent whole: a range that cannot be met (416) would go out with the headers of the picture as well as its own.',
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
      `error_page 404 ${quote(`${path}missing`)};   # the answer above`,
      `error_page 405 ${MEDIA_NOT_ALLOWED};`,
      ...block(
        'types',
        MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} ${extensions.join(' ')};`),
      ),
    ]),
  ]);
  const notAllowed = block(`location ${MEDIA_NOT_ALLOWED}`, [
    ...PLAIN_JSON,
    ...addHeaders({ ...headers.all, ...headers.error, Allow: MEDIA_ALLOW }),
    `return 405 ${METHOD_NOT_ALLOWED};`,
  ]);
  return [
    ...pictures,
    '# nginx sends pictures to GET and HEAD alone. A location with a name still knows the method; one with a path would see GET.',
    ...notAllowed,
  ];
}

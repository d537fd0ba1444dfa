import { GENERATED_COMMENT, heading } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { responseRules } from './responses.ts';
import { identityRules } from './identity.ts';
import { negotiationRules } from './negotiation.ts';
import { redirectRules } from './redirects.ts';
import { quoteArgument, quoteFormat, escapeRegExp, section, quote } from './syntax.ts';
import { MEDIA_TYPES, mediaFilePattern, mediaPath } from '../media.ts';
import { methodNotAllowed as methodNotAllowedBody } from '../../edge-runtime/handler.ts';
import { SERVER_ERRORS } from '../error-responses.ts';
import { VALIDATION_HEADERS } from '../request-headers.ts';

/** The statuses of HAProxy's own responses if the origin fails. */
const FAILURES = [500, 502, 503, 504] as const;

/** `backend.cfg`: the sections `defaults themecast` and `backend themecast`, which contains all rules. */
export function backendCfg(rules: EdgeRules): string {
  return `# themecast: the rules of the theme service as a backend, for any frontend.
# ${GENERATED_COMMENT} All variables begin with txn.themecast_.

.if !version_atleast(2.6)
    .alert "themecast needs HAProxy 2.6 or later."
.endif

# Isolates the backend from your other defaults. Later sections that name no defaults would use this one: load this file after yours.
${section('defaults themecast', [
  'mode http',
  'log global',
  'option httplog',
  'retries 1',
  'timeout connect 5s',
  'timeout client 30s',
  'timeout server 30s',
  'timeout http-request 10s',
  ...FAILURES.map(
    (status) => `http-error status ${status} content-type application/json string ${quote(SERVER_ERRORS[status])}`,
  ),
])}

${section('backend themecast from themecast', [
  '# The origin: any static server that has the files of dist/ at its root.',
  '.if defined(THEMECAST_ORIGIN)',
  'server origin "${THEMECAST_ORIGIN[*]}"',
  '.else',
  'server origin 127.0.0.1:8080',
  '.endif',
  '',
  ...requestRules(rules),
  ...responseRules(rules),
])}`;
}

function requestRules(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  return [
    heading('Paths'),
    '',
    ...redirectRules(rules, methodNotAllowed),
    ...[list, config].map(
      ({ kind, path }) => `http-request set-var(txn.themecast_for) str(${kind}) if { path -m str ${quote(path)} }`,
    ),
    `http-request set-var(txn.themecast_for) str(media) if { path -m reg ${quote(imagePath(rules))} }`,
    ...rules.schemas.map(
      ({ path }) => `http-request set-var(txn.themecast_for) str(schema) if { path -m str ${quote(path)} }`,
    ),
    ...['list', 'config', 'media', ...(rules.schemas.length > 0 ? ['schema'] : [])].map(
      (kind) => `acl ${kind} var(txn.themecast_for) -m str ${kind}`,
    ),
    '',
    '# Without the slash: redirect to the path with it, and keep the query.',
    ...[list, config].map(redirect),
    '',
    '# No other path exists. The published files of the endpoints are served through them alone.',
    errorResponse(
      404,
      rules.refusals.notFound,
      `unless list || config || media${rules.schemas.length > 0 ? ' || schema' : ''}`,
    ),
    '',
    heading('Images'),
    '',
    ...mediaRules(rules),
    '',
    heading('The endpoints: methods and content negotiation'),
    '',
    ...(rules.schemas.length > 0 ? [methodNotAllowed('if schema !METH_GET')] : []),
    ...corsRules(rules),
    ...schemaRules(rules),
    errorResponse(403, rules.refusals.post, 'if list METH_POST'),
    methodNotAllowed('unless { method GET HEAD OPTIONS }'),
    '',
    ...negotiationRules(),
    'http-request set-var(txn.themecast_rendering) str(options) if METH_OPTIONS',
    ...['json', 'html', 'options'].map((name) => `acl ${name} var(txn.themecast_rendering) -m str ${name}`),
    '',
    errorResponse(404, rules.refusals.notFound, 'if METH_GET !offers_html !offers_json'),
    errorResponse(406, rules.refusals.notAcceptable, 'if METH_GET !json !html'),
    '',
    heading('LIST: the file to request from the origin'),
    '',
    ...fileRules(list),
    onlyHeaders(VALIDATION_HEADERS, 'if list !options'),
    onlyHeaders([], 'if options'),
    'http-request allow if list   # skips the rules below',
    '',
    heading('CONFIG: identity'),
    '',
    '# Each rule looks up its key; without a match the next rule applies, and after the last the default theme.',
    '# Slugs come only from the maps: no part of a request becomes part of a path.',
    '',
    ...identityRules(rules.identity),
    heading('CONFIG: the file to request from the origin'),
    '',
    ...fileRules(config),
    ...['json', 'html'].map(
      (name) =>
        `http-request set-pathq ${quote(`${config.folder}%[var(txn.themecast_theme)].${name}`)} if config ${name} { var(txn.themecast_theme) -m found }`,
    ),
    onlyHeaders([], ''),
    '',
  ];
}

/** Matches the path of a published image. */
function imagePath(rules: EdgeRules): string {
  return `^${escapeRegExp(mediaPath(rules))}${mediaFilePattern()}$`;
}

function redirect({ path }: EdgeEndpoint): string {
  const location = `${path.replaceAll('%', '%%')}%[pathq,regsub("^[^?]*",)]`;
  return `http-request redirect code 301 location ${quote(location)} if { path -m str ${quote(path.slice(0, -1))} }`;
}

function mediaRules({ basePath }: EdgeRules): string[] {
  return [
    ...MEDIA_TYPES.map(
      ({ mediaType, extensions }) =>
        `http-request set-var(txn.themecast_picture) str(${mediaType}) if media { path_end ${extensions.map((extension) => `.${extension}`).join(' ')} }`,
    ),
    methodNotAllowed('if media !METH_GET   # METH_GET includes HEAD'),
    `http-request set-pathq ${quote(pathBelow(basePath))} if media`,
    onlyHeaders(CONDITIONS, 'if media'),
    'http-request allow if media',
  ];
}

function corsRules({ corsOrigins }: EdgeRules): string[] {
  if (corsOrigins.length === 0) return [];
  return [
    '# CORS: the origin of the page, if site.yaml allows it.',
    ...corsOrigins.map((origin) => `acl listed_origin req.fhdr(Origin) -m str ${quote(origin)}`),
    'http-request set-var(txn.themecast_origin) req.fhdr(Origin) if listed_origin { req.fhdr_cnt(Origin) eq 1 }',
    '',
  ];
}

/** The schemas are requested with the conditions of the client, like LIST. */
function schemaRules({ schemas }: EdgeRules): string[] {
  if (schemas.length === 0) return [];
  return [
    '# Schemas: no later rule applies.',
    ...schemas.map(
      ({ path, file }) => `http-request set-pathq ${quoteFormat(file)} if schema { path -m str ${quote(path)} }`,
    ),
    onlyHeaders(VALIDATION_HEADERS, 'if schema'),
    'http-request allow if schema',
    '',
  ];
}

/** The path of the request below `base_url`: the origin has `dist/` at its root. */
function pathBelow(basePath: string): string {
  return basePath === '' ? '%[path]' : `%[path,regsub(${quoteArgument(`^${escapeRegExp(basePath)}`)},)]`;
}

/** The files of an endpoint that do not depend on the user. */
function fileRules({ kind, folder }: EdgeEndpoint): string[] {
  const files = { json: 'index.json', html: 'browse.html', options: 'options.json' };
  return [
    ...Object.entries(files).map(
      ([rendering, file]) => `http-request set-pathq ${quoteFormat(folder + file)} if ${kind} ${rendering}`,
    ),
    `http-request set-method GET if ${kind} options`,
  ];
}

const CONDITIONS = ['If-Match', ...VALIDATION_HEADERS, 'If-Unmodified-Since'];

/** Removes all other request headers: the origin gets no cookie, token, secret or range. */
function onlyHeaders(needed: readonly string[], condition: string): string {
  const names = ['host', 'content-length', 'transfer-encoding', ...needed].join('|').toLowerCase();
  return `http-request del-header ${quote(`^(?!(?:${names})$)`)} -m reg ${condition}`.trimEnd();
}

function errorResponse(status: number, body: string, condition: string): string {
  return `http-request return status ${status} content-type application/json string ${quote(body)} ${condition}`;
}

/** The only variable body. HAProxy rejects a method that is not a token (RFC 9110, §5.6.2). */
function methodNotAllowed(condition: string): string {
  const body = quote(methodNotAllowedBody('%[method]'));
  return `http-request return status 405 content-type application/json lf-string ${body} ${condition}`;
}

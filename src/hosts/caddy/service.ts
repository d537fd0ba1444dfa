import { GENERATED_COMMENT, noValidatorsComment } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { block, headers, quote, respond, quoteTemplate, escapePlaceholders } from './syntax.ts';
import { redirectHandle } from './redirects.ts';
import { escapeRegExp } from '../regexp.ts';
import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import { methodNotAllowed } from '../../edge-runtime/responses.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { mediaPath } from '../media.ts';
import { errorResponses } from '../error-responses.ts';
import { PRECONDITION_HEADERS, RANGE_HEADERS, VALIDATION_HEADERS } from '../request-headers.ts';

/** `service.caddy`, for a site: the two endpoints, all paths below them, and images. */
export function serviceCaddy(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  const schemas = rules.schemas.map(({ path }) => `|^${escapeRegExp(path)}$`).join('');
  const ours = `^${escapeRegExp(list.path.slice(0, -1))}(?:/|$)|^${escapeRegExp(mediaPath(rules))}${schemas}`;
  const service = block('handle @themecast', [
    ...block('route', [
      'import maps.caddy',
      '',
      ...headers({ ...rules.headers.all, ...rules.headers.error, 'Content-Type': rules.contentTypes.json }),
      '',
      ...endpointRoute(list, rules),
      '',
      ...endpointRoute(config, rules),
      '',
      ...imageRoute(rules),
      '',
      ...schemaRoute(rules),
      '# Without the slash: redirect to the path with it, and keep the query.',
      ...redirect(list),
      ...redirect(config),
      '',
      '# No other path exists. The published files of the endpoints are served through them alone.',
      respond('', rules.refusals.notFound, 404),
    ]),
  ]);
  return `# themecast: the theme service. Import it into a site.
# ${GENERATED_COMMENT}
#
# One handle, whose directives run in the order of this file (route). It matches the original path, before rewrites of the site, and sets
# the folders of files, independent of the root of the site.
${redirectHandle(rules, METHOD_NOT_ALLOWED)
  .map((line) => `${line}\n`)
  .join('')}@themecast vars_regexp {http.request.orig_uri.path} ${quoteTemplate(ours)}
${service.join('\n')}
`;
}

/** A route for requests whose placeholder has this value. */
function routeWhere(name: string, placeholder: string, value: string, lines: readonly string[]): string[] {
  return [`@${name} vars ${placeholder} ${value}`, ...block(`route @${name}`, lines)];
}

function endpointRoute(endpoint: EdgeEndpoint, rules: EdgeRules): string[] {
  const { kind, allow, vary, folder } = endpoint;
  const answer = `{themecast_${kind}_answer}`;
  return routeWhere(`themecast_${kind}`, '{themecast_place}', kind, [
    ...headers({
      ...rules.headers.endpoint,
      Allow: allow,
      Vary: vary,
      'Content-Type': `{themecast_${kind}_type}`,
      'Cache-Control': `{themecast_${kind}_cache_control}`,
    }),
    ...cors(endpoint, rules),
    '',
    ...errorResponses(endpoint, rules, quote, METHOD_NOT_ALLOWED).flatMap(([status, body]) => {
      const matcher = `@themecast_${kind}_${status}`;
      return [`${matcher} vars ${answer} ${status}`, `respond ${matcher} ${body} ${status}`];
    }),
    '',
    '# Files are sent in full; metadata is sent as for GET.',
    ...WITHOUT_RANGES,
    'header -Accept-Ranges',
    ...(kind === 'config' ? PERSONAL : []),
    ...routeWhere(`themecast_${kind}_options`, answer, 'options', [
      'method GET',
      ...(kind === 'list' ? NO_VALIDATORS : []),
    ]),
    `@themecast_${kind}_html vars ${answer} html`,
    ...headers(rules.headers.html, `@themecast_${kind}_html`),
    '',
    ...sendFile(`${folder}{themecast_${kind}_file}`, rules.origin.document_root),
    ...(kind === 'config'
      ? [
          '# If the files of a theme do not exist, the default theme is served.',
          ...sendFile(`${folder}{themecast_${kind}_instead}`, rules.origin.document_root),
        ]
      : []),
    ...notFound(rules),
  ]);
}

const WITHOUT_RANGES = [...RANGE_HEADERS, ...PRECONDITION_HEADERS].map((name) => `request_header -${name}`);

const NO_VALIDATORS = [
  ...VALIDATION_HEADERS.map((name) => `request_header -${name}`),
  'header -Etag',
  'header -Last-Modified',
];

const PERSONAL = [...noValidatorsComment('Caddy'), ...NO_VALIDATORS];

/** Sends a published file, or continues with the next directive if it does not exist. */
function sendFile(path: string, root: string): string[] {
  return [`rewrite * ${quoteTemplate(path)}`, ...fileServer(root)];
}

function fileServer(root: string): string[] {
  return block('file_server', [`root ${quoteTemplate(root)}`, 'disable_canonical_uris', 'pass_thru']);
}

/** The response if no file exists: reverts the headers that were set for the file. */
function notFound({ headers: sent, contentTypes, refusals }: EdgeRules): string[] {
  return [
    ...headers({ ...sent.error, 'Content-Type': contentTypes.json }),
    'header -Content-Security-Policy',
    respond('', refusals.notFound, 404),
  ];
}

/** Caddy rejects a method that is not an HTTP token, so it needs no escaping in JSON. */
const METHOD_NOT_ALLOWED = quoteTemplate(
  escapePlaceholders(methodNotAllowed('METHOD')).replace('METHOD', '{http.request.orig_method}'),
);

/** The CORS protocol of the Fetch standard, for the origins that the site allows. */
function schemaRoute(rules: EdgeRules): string[] {
  const { schemas, headers: sent, contentTypes, corsOrigins, origin } = rules;
  if (schemas.length === 0) return [];
  const allowOrigin = { 'Access-Control-Allow-Origin': '{themecast_cors_origin}' };
  return [
    '@themecast_schema not vars {themecast_schema} ""',
    ...block('route @themecast_schema', [
      ...onlyReads('@themecast_schema_method'),
      '',
      ...WITHOUT_RANGES,
      'header -Accept-Ranges',
      ...headers({ ...sent.schema, 'Content-Type': contentTypes.json }),
      ...(corsOrigins.length === 0
        ? []
        : [
            '@themecast_schema_cors not vars {themecast_cors_origin} ""',
            ...headers(allowOrigin, '@themecast_schema_cors'),
          ]),
      ...sendFile('{themecast_schema}', origin.document_root),
      ...notFound(rules),
    ]),
    '',
  ];
}

/** Responds with 405 to methods that read nothing. */
function onlyReads(matcher: string): string[] {
  return [
    `${matcher} not method GET HEAD`,
    `header ${matcher} Allow "${FILE_ALLOW}"`,
    `respond ${matcher} ${METHOD_NOT_ALLOWED} 405`,
  ];
}

function cors({ kind }: EdgeEndpoint, { corsOrigins, corsHeaders }: EdgeRules): string[] {
  if (corsOrigins.length === 0) return [];
  const response = {
    'Access-Control-Allow-Origin': '{themecast_cors_origin}',
    ...(kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  };
  const preflight = preflightHeaders({ corsHeaders });
  return [
    `@themecast_${kind}_cors not vars {themecast_cors_origin} ""`,
    ...block(`route @themecast_${kind}_cors`, [
      ...headers(response),
      `@themecast_${kind}_preflight method OPTIONS`,
      ...headers(preflight, `@themecast_${kind}_preflight`),
    ]),
  ];
}

function redirect({ kind, path }: EdgeEndpoint): string[] {
  const name = `@themecast_${kind}_without_slash`;
  return [
    `${name} vars {themecast_place} ${kind}_without_slash`,
    `header ${name} -Content-Type`,
    `redir ${name} ${quoteTemplate(`${path}{themecast_query}`)} 301`,
  ];
}

/** Images have validators: their names contain a hash of their content. */
function imageRoute(rules: EdgeRules): string[] {
  const { headers: sent, origin } = rules;
  return [
    '@themecast_picture not vars {themecast_picture} ""',
    ...block('route @themecast_picture', [
      ...onlyReads('@themecast_picture_method'),
      '',
      '# Images are sent in full. If-Match is rejected: if it failed, Caddy would send 412 with the headers of the image, which would be',
      '# cached forever. Browsers do not send it for images.',
      '@themecast_picture_match header If-Match *',
      respond('@themecast_picture_match', JSON.stringify({ detail: 'If-Match is not supported.' }), 412),
      ...WITHOUT_RANGES,
      'header -Accept-Ranges',
      '',
      ...headers({ ...sent.media, 'Content-Type': '{themecast_picture_type}' }),
      '@themecast_picture_svg vars {themecast_picture_type} image/svg+xml',
      ...headers(sent.svg, '@themecast_picture_svg'),
      ...sendFile('{themecast_picture}', `${origin.document_root.replace(/(?<!\/)\/+$/, '')}/media`),
      ...notFound(rules),
    ]),
  ];
}

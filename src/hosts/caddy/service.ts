import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { block, headers, quote, refusal, quoteTemplate, escapePlaceholders } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { methodNotAllowed, preflightHeaders } from '../../edge-runtime/handler.ts';
import { MEDIA_ALLOW, mediaPath } from '../media.ts';
import { errorResponses } from '../error-responses.ts';
import { PRECONDITION_HEADERS, RANGE_HEADERS, VALIDATION_HEADERS } from '../request-headers.ts';

/** `service.caddy`, for a site: the two endpoints, everything below them, and the pictures. */
export function serviceCaddy(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  const ours = `^${escapeRegExp(list.path.slice(0, -1))}(?:/|$)|^${escapeRegExp(mediaPath(rules))}`;
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
      ...pictureRoute(rules),
      '',
      '# Without the slash: to the same path with it, the query as it was.',
      ...redirect(list),
      ...redirect(config),
      '',
      '# Nothing else is here. The published files of the endpoints are reached through them alone.',
      refusal('', rules.refusals.notFound, 404),
    ]),
  ]);
  return `# themecast: the theme service. Import it into a site.
# Generated from site.yaml: change that, not this.
#
# One handle, in which everything is done in the order in which it is written (route). It goes by the path as it was sent, whatever
# the site rewrites, and names the folders that files are sent from, whatever the root of the site is.
@themecast vars_regexp {http.request.orig_uri.path} ${quoteTemplate(ours)}
${service.join('\n')}
`;
}

/** A route for the requests whose placeholder has this value. */
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
    '# Files are sent whole; metadata as if it were asked for by GET.',
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
          '# Should a theme be gone that the rules still name, the default theme stands in.',
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

const PERSONAL = [
  '# Caddy makes validators from the time and the size of a file. Two themes may have both in common, and a browser would be',
  "# told that somebody else's theme is still its user's: so neither ETag nor Last-Modified, and no 304.",
  ...NO_VALIDATORS,
];

/** Sends a file of the published folder, or goes on to the next line if it is not there. */
function sendFile(path: string, root: string): string[] {
  return [`rewrite * ${quoteTemplate(path)}`, ...fileServer(root)];
}

function fileServer(root: string): string[] {
  return block('file_server', [`root ${quoteTemplate(root)}`, 'disable_canonical_uris', 'pass_thru']);
}

/** For when no file was there to send: takes back what was meant for the file. */
function notFound({ headers: sent, contentTypes, refusals }: EdgeRules): string[] {
  return [
    ...headers({ ...sent.error, 'Content-Type': contentTypes.json }),
    'header -Content-Security-Policy',
    refusal('', refusals.notFound, 404),
  ];
}

/** Caddy itself refuses a method that is not a token of HTTP, so it needs no escapes in JSON. */
const METHOD_NOT_ALLOWED = quoteTemplate(
  escapePlaceholders(methodNotAllowed('METHOD')).replace('METHOD', '{http.request.orig_method}'),
);

/** The CORS protocol of the Fetch standard, for the origins that the site lists. */
function cors({ kind }: EdgeEndpoint, { corsOrigins, corsHeaders }: EdgeRules): string[] {
  if (corsOrigins.length === 0) return [];
  const answer = {
    'Access-Control-Allow-Origin': '{themecast_cors_origin}',
    ...(kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  };
  const preflight = preflightHeaders({ corsHeaders });
  return [
    `@themecast_${kind}_cors not vars {themecast_cors_origin} ""`,
    ...block(`route @themecast_${kind}_cors`, [
      ...headers(answer),
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

/** Pictures have validators: their names hold a hash of their content. */
function pictureRoute(rules: EdgeRules): string[] {
  const { headers: sent, origin } = rules;
  return [
    '@themecast_picture not vars {themecast_picture} ""',
    ...block('route @themecast_picture', [
      '@themecast_picture_method not method GET HEAD',
      `header @themecast_picture_method Allow "${MEDIA_ALLOW}"`,
      `respond @themecast_picture_method ${METHOD_NOT_ALLOWED} 405`,
      '',
      '# Pictures are sent whole. If-Match is refused: should it fail, Caddy would send 412 with the headers of the picture, to be kept',
      '# for ever. No browser sends it for a picture.',
      '@themecast_picture_match header If-Match *',
      refusal('@themecast_picture_match', JSON.stringify({ detail: 'If-Match is not supported.' }), 412),
      ...WITHOUT_RANGES,
      'header -Accept-Ranges',
      '',
      ...headers({ ...sent.media, 'Content-Type': '{themecast_picture_type}' }),
      '@themecast_picture_svg vars {themecast_picture_type} image/svg+xml',
      ...headers(sent.svg, '@themecast_picture_svg'),
      ...sendFile('{themecast_picture}', `${origin.document_root.replace(/\/+$/, '')}/media`),
      ...notFound(rules),
    ]),
  ];
}

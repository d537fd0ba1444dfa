import { GENERATED_COMMENT, heading } from '../config-file.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityMaps } from './identity.ts';
import { redirectsMap } from './redirects.ts';
import { quote, quoteTemplate } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import {
  acceptPatterns,
  FORMAT_PARAMETER,
  HTML_WINS,
  notAcceptable,
  OFFERED,
  PRECISION_COMMENT,
  type Rendering,
} from '../negotiation.ts';

/** `maps.conf`, for http{}: negotiation, identity, and headers that depend on the response. */
export function mapsConf(rules: EdgeRules): string {
  return `# themecast: the maps of the theme service, for locations.conf. Include it in http{}.
# ${GENERATED_COMMENT} All variables begin with $themecast_.

${heading('Content negotiation')}

${elsewhereMap(rules)}
${NEGOTIATION}
# The response of an endpoint to each method: the last segment of an internal location in locations.conf.
${responseMap(rules.endpoints.list)}
${responseMap(rules.endpoints.config)}

${heading('Identity')}

${identityMaps(rules.identity, rules.themes)}

${heading('Headers that depend on the response')}

# Only successful responses may be cached.
${cacheControlMap('list', rules.endpoints.list.cacheControl)}
${cacheControlMap('config', rules.endpoints.config.cacheControl)}
${cacheControlMap('media', rules.headers.media['Cache-Control'] ?? 'no-store')}
map $sent_http_content_type $themecast_content_security_policy {
    default "";
    "~^text/html"       ${quote(rules.headers.html['Content-Security-Policy'] ?? '')};
    "~^image/svg\\+xml"  ${quote(rules.headers.svg['Content-Security-Policy'] ?? '')};
}
${corsMaps(rules)}${redirectsMap(rules)}`;
}

/** `hash.conf`, for http{} before any map: the sizes of hash tables. */
export function hashConf(users: number, serverNames: readonly string[]): string {
  return `# themecast: hash table sizes for users.map and the variables of maps.conf. Include it in http{}, before the first map.
# Generated: do not edit. nginx accepts each of these directives once in http{}, and those for maps only before the first map; otherwise it
# reports a duplicate directive (see README.md).
map_hash_max_size ${hashSize(users)};
map_hash_bucket_size 1024;
variables_hash_max_size 2048;
variables_hash_bucket_size 128;
${serverNamesHash(serverNames)}`;
}

/** The default buckets of nginx hold one name of 46 characters (measured on 1.22), and its table a few names. */
function serverNamesHash(names: readonly string[]): string {
  if (names.length <= 20 && names.every(({ length }) => length <= 40)) return '';
  return 'server_names_hash_max_size 8192;\nserver_names_hash_bucket_size 512;\n';
}

/** Buckets for about four users each, as a power of two; the minimum is the default of nginx. */
function hashSize(users: number): number {
  return Math.max(2048, 2 ** Math.ceil(Math.log2(Math.max(users, 1) / 4)));
}

/**
 * Whether a path that nginx normalizes to that of an endpoint, with or without its slash, was sent in another spelling. The hexadecimal
 * digits of percent-encoding, which the path of `base_url` may have, are case-insensitive (RFC 3986, section 6.2.2.1).
 */
function elsewhereMap({ endpoints: { list, config } }: EdgeRules): string {
  const paths = [list, config].map(({ path }) =>
    escapeRegExp(path.replace(/\/$/, '')).replace(/(?:%[\da-f]{2})+/gi, '(?i:$&)'),
  );
  return `# Whether the path of an endpoint was sent in another spelling, which nginx normalizes: //, /./, %74 for t.
map $request_uri $themecast_elsewhere {
    default 1;
${paths.map((path) => `    ${quoteTemplate(`~^${path}/?(?:\\?|$)`)} 0;`).join('\n')}
}
`;
}

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = `# The first \`format\` parameter of the query, not decoded. ($arg_format would ignore the case of the name.)
map $args $themecast_format {
    default "";
    "~${FORMAT_PARAMETER}(?<themecast_first_format>[^&]*)" $themecast_first_format;
}
map $themecast_format $themecast_offered {
    default   neither;
    ""        both;
    "~^json$" json;
    "~^api$"  html;
}

${PRECISION_COMMENT.join('\n')}
${acceptMap('json')}
${acceptMap('html')}
map "$themecast_offered:$themecast_accepts_json$themecast_accepts_html" $themecast_rendering {
    default                               404;   # an unknown format
    "~${notAcceptable(OFFERED)}"      406;
    "~^both:${HTML_WINS}$"  html;
    "~^(?:both|json):"                    json;
    "~^html:"                             html;
}
`;

function acceptMap(rendering: Rendering): string {
  const [anything, type, subtype, parameter] = acceptPatterns(rendering);
  return `map $http_accept $themecast_accepts_${rendering} {
    default -;
    "" 0;
    "~*${parameter}" 3;
    "~*${subtype}" 2;
    "~*${type}" 1;
    "~*${anything}" 0;
}`;
}

const RESPONSES: Readonly<Record<string, string>> = {
  GET: '$themecast_rendering',
  HEAD: '$themecast_rendering',
  OPTIONS: 'options',
  POST: '403',
};

function responseMap({ kind, methods }: EdgeEndpoint): string {
  return `map $request_method $themecast_${kind}_answer {
    default 405;
${methods.map((method) => `    ${method} ${RESPONSES[method] ?? '405'};`).join('\n')}
}`;
}

function cacheControlMap(of: string, value: string): string {
  return `map $status $themecast_${of}_cache_control {
    default no-store;
    200 ${quote(value)};
    304 ${quote(value)};
}`;
}

function corsMaps({ corsOrigins: origins, corsHeaders }: EdgeRules): string {
  if (origins.length === 0) return '';
  const preflight = preflightHeaders({ corsHeaders });
  return `
# CORS: the origin, if site.yaml allows it. nginx does not send a header with an empty value.
map $http_origin $themecast_cors_origin {
    default "";
${origins.map((origin) => `    "~^${escapeRegExp(origin)}$" ${quote(origin)};`).join('\n')}
}
map $themecast_cors_origin $themecast_cors_credentials {
    default true;
    "" "";
}
map $themecast_cors_origin $themecast_cors_methods {
    default ${quote(preflight['Access-Control-Allow-Methods'] ?? '')};
    "" "";
}
map $themecast_cors_origin $themecast_cors_headers {
    default ${quote(preflight['Access-Control-Allow-Headers'] ?? '')};
    "" "";
}
map $themecast_cors_origin $themecast_cors_max_age {
    default ${preflight['Access-Control-Max-Age'] ?? ''};
    "" "";
}
`;
}

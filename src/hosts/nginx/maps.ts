import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityMaps } from './identity.ts';
import { quote, quoteTemplate } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { acceptPatterns, FORMAT_PARAMETER, HTML_WINS, notAcceptable, OFFERED, type Rendering } from '../negotiation.ts';

/** `maps.conf`, for http{}: what a request asks for, who asks, and the headers that depend on the answer. */
export function mapsConf(rules: EdgeRules): string {
  return `# themecast: the maps of the theme service. Belongs in http{}; locations.conf uses them.
# Generated from site.yaml: change that, not this. All variables are called $themecast_….


# --- What is asked for -----------------------------------------------------------------------------------------------

${elsewhereMap(rules)}
${NEGOTIATION}
# What an endpoint answers to a method: the last part of an internal location of locations.conf.
${answerMap(rules.endpoints.list)}
${answerMap(rules.endpoints.config)}

# --- Who asks --------------------------------------------------------------------------------------------------------

${identityMaps(rules.identity, rules.themes)}

# --- Headers that depend on the answer -------------------------------------------------------------------------------

# Whatever is not a success must not be kept.
${cacheControlMap('list', rules.endpoints.list.cacheControl)}
${cacheControlMap('config', rules.endpoints.config.cacheControl)}
${cacheControlMap('media', rules.headers.media['Cache-Control'] ?? 'no-store')}
map $sent_http_content_type $themecast_content_security_policy {
    default "";
    "~^text/html"       ${quote(rules.headers.html['Content-Security-Policy'] ?? '')};
    "~^image/svg\\+xml"  ${quote(rules.headers.svg['Content-Security-Policy'] ?? '')};
}
${corsMaps(rules)}`;
}

/** `hash.conf`, for http{} before any map: room for the keys and the variables. */
export function hashConf(users: number): string {
  return `# themecast: room for users.map and for the variables of maps.conf. Belongs in http{}, before the first map.
# Generated: change nothing here. nginx takes each of these directives once in http{}, and those of the map only before the first map;
# else it says that the directive is duplicate (see README.md).
map_hash_max_size ${hashSize(users)};
map_hash_bucket_size 1024;
variables_hash_max_size 2048;
variables_hash_bucket_size 128;
`;
}

/** Buckets enough for about four users each, as a power of two; nginx's own default is the least. */
function hashSize(users: number): number {
  return Math.max(2048, 2 ** Math.ceil(Math.log2(Math.max(users, 1) / 4)));
}

/**
 * Whether a path that nginx takes for one of an endpoint, with or without its slash, was sent otherwise. Hexadecimal digits of
 * percent-encoding, which the path of `base_url` may have, are the same in either case (RFC 3986, section 6.2.2.1).
 */
function elsewhereMap({ endpoints: { list, config } }: EdgeRules): string {
  const paths = [list, config].map(({ path }) =>
    escapeRegExp(path.replace(/\/$/, '')).replace(/(?:%[\da-f]{2})+/gi, '(?i:$&)'),
  );
  return `# Whether the path of an endpoint was sent in another way than this, which nginx does not tell apart: //, /./, %74 for t.
map $request_uri $themecast_elsewhere {
    default 1;
${paths.map((path) => `    ${quoteTemplate(`~^${path}/?(?:\\?|$)`)} 0;`).join('\n')}
}
`;
}

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = `# The first \`format\` of the query, undecoded. ($arg_format would not mind the case of the name.)
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

# How precisely Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - not at all.
# As in Django REST Framework the most precise entry wins, ties go to JSON, and q is not looked at (nor does it count as a parameter).
${acceptMap('json')}
${acceptMap('html')}
map "$themecast_offered:$themecast_accepts_json$themecast_accepts_html" $themecast_rendering {
    default                               404;   # a format that there is not
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

const ANSWERS: Readonly<Record<string, string>> = {
  GET: '$themecast_rendering',
  HEAD: '$themecast_rendering',
  OPTIONS: 'options',
  POST: '403',
};

function answerMap({ kind, methods }: EdgeEndpoint): string {
  return `map $request_method $themecast_${kind}_answer {
    default 405;
${methods.map((method) => `    ${method} ${ANSWERS[method] ?? '405'};`).join('\n')}
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
  return `
# CORS: the origin, if site.yaml lists it. A header whose value is empty is not sent.
map $http_origin $themecast_cors_origin {
    default "";
${origins.map((origin) => `    "~^${escapeRegExp(origin)}$" ${quote(origin)};`).join('\n')}
}
map $themecast_cors_origin $themecast_cors_credentials {
    default true;
    "" "";
}
map $themecast_cors_origin $themecast_cors_methods {
    default "GET, HEAD, OPTIONS";
    "" "";
}
map $themecast_cors_origin $themecast_cors_headers {
    default ${quote(corsHeaders.join(', '))};
    "" "";
}
map $themecast_cors_origin $themecast_cors_max_age {
    default 600;
    "" "";
}
`;
}

import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { GENERATED_COMMENT, heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { ANY_FORMAT, FORMAT_PARAMETER, formatsOf, NEGOTIATION_COMMENT, NO_FORMAT, outcomes } from '../negotiation.ts';
import { redirectPairs } from '../redirects.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, sharedRows, withoutPolicy } from '../rows.ts';
import { identityMaps } from './identity.ts';
import { headerVariable, map, match, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** `maps.conf`, for http{}: the row of the contract, its headers, and the theme of the user. */
export function mapsConf(rules: EdgeRules, places: readonly Place[]): string {
  return [
    '# themecast: the maps of the theme service, for locations.conf. Include it in http{}.',
    `# ${GENERATED_COMMENT} All variables begin with $themecast_.`,
    '',
    heading('Requests'),
    '',
    ...placeMaps(rules, places),
    ...negotiationMaps(rules),
    '# The response: the last segment of an internal location in locations.conf.',
    ...map('"$themecast_place:$request_method:$themecast_rendering"', 'row', ['default 404', ...rowLines(places)]),
    '',
    heading('Identity'),
    '',
    ...identityMaps(rules),
    heading('Headers that depend on the response; nginx sends none with an empty value'),
    '',
    ...headerMaps(places),
    '# By type: an error response has that of JSON.',
    ...map('$sent_http_content_type', 'content_security_policy', [
      'default ""',
      match('^text/html', rules.headers.html['Content-Security-Policy'] ?? ''),
      match('^image/svg\\+xml', rules.headers.svg['Content-Security-Policy'] ?? ''),
    ]),
    ...corsMaps(rules, places),
    '',
  ].join('\n');
}

/**
 * What a request asks for, by the path as it was sent: nginx normalizes that of a location (//, /./, %74 for t). The hexadecimal digits of
 * percent-encoding, which the path of `base_url` may have, are case-insensitive (RFC 3986, section 6.2.2.1).
 */
function placeMaps(rules: EdgeRules, places: readonly Place[]): string[] {
  const moved = redirectPairs(rules);
  const prefix = moved.length > 0 ? '^ ' : '^';
  const lines = places.map(({ name, path, isFolder }) => {
    if (path === undefined) return match('^[^ ]', name);
    const spelled = escapeRegExp(path).replace(/(?:%[\da-f]{2})+/gi, '(?i:$&)');
    return match(`${prefix}${spelled}${isFolder ? '' : '(?:\\?|$)'}`, name);
  });
  const place = (source: string) => map(source, 'place', ['default ""', ...lines]);
  if (moved.length === 0) return place('$request_uri');
  return [
    '# Old paths of images, and what they lead to.',
    ...map('$uri', 'moved', [
      'default ""',
      ...moved.map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`),
    ]),
    ...place('"$themecast_moved $request_uri"'),
  ];
}

function negotiationMaps(rules: EdgeRules): string[] {
  return [
    '# The first `format` parameter of the query, not decoded. ($arg_format would ignore the case of the name.)',
    ...map('$args', 'format', [
      'default ""',
      `"~${FORMAT_PARAMETER}(?<themecast_first_format>[^&]*)" $themecast_first_format`,
    ]),
    ...map('$themecast_format', 'offered', [
      `default ${NO_FORMAT}`,
      `"" ${ANY_FORMAT}`,
      `"~^(?:${formatsOf(rules).join('|')})$" $themecast_format`,
    ]),
    ...NEGOTIATION_COMMENT,
    ...map('"$themecast_place:$themecast_offered:$http_accept"', 'rendering', [
      'default 404',
      ...outcomes(rules).map(([pattern, outcome]) => match(`*${pattern}`, outcome)),
    ]),
  ];
}

function rowLines(places: readonly Place[]): string[] {
  return sharedRows(places).map(({ row: { name, methods, when }, shared }) =>
    match(`^${anyOf(shared)}:${methods.length === 0 ? '' : `${anyOf(methods)}:${when ?? ''}`}`, name),
  );
}

/** A map for each header: its value for each place and row. Files have the headers of their row only with 200 and 304. */
function headerMaps(places: readonly Place[]): string[] {
  const values = new Map<string, Map<string, string[]>>([['Cache-Control', new Map()]]);
  const add = (header: string, value: string, pattern: string) => {
    const patterns = values.get(header) ?? new Map<string, string[]>();
    values.set(header, patterns.set(value, [...(patterns.get(value) ?? []), pattern]));
  };
  for (const { name: place, headers, rows } of places) {
    for (const [header, value] of Object.entries(headers)) add(header, quote(value), `${place}:`);
    for (const { name, send, headers: own } of rows) {
      const pattern = `${place}:${name}:${'file' in send || 'image' in send ? '(?:200|304)$' : ''}`;
      for (const [header, value] of withoutPolicy(own)) add(header, quote(value), pattern);
      if (!('redirect' in send)) continue;
      add(
        'Location',
        send.redirect === undefined ? '$themecast_moved' : quoteTemplate(`${send.redirect}$is_args$args`),
        pattern,
      );
      if (own['Cache-Control'] === undefined) add('Cache-Control', '""', pattern);
    }
  }
  return [...values].flatMap(([header, patterns]) =>
    map('"$themecast_place:$themecast_row:$status"', variableOf(header), [
      `default ${header === 'Cache-Control' ? 'no-store' : '""'}`,
      ...[...patterns].map(([value, of]) => `${quoteTemplate(`~^${anyOf(of)}`)} ${value}`),
    ]),
  );
}

/** `headers.conf`: what every location of themecast sends. */
export function headersConf({ headers, corsOrigins }: EdgeRules, places: readonly Place[]): string {
  const own = places.flatMap((place) => [place.headers, ...place.rows.map((row) => row.headers)]).flatMap(Object.keys);
  const cors = corsOrigins.length > 0 ? CORS_HEADERS.map((name) => `Access-Control-${name}`) : [];
  const varying = [...new Set([...own, 'Location', 'Content-Security-Policy', ...cors])];
  return [
    '# themecast: the headers of all responses. Read by locations.conf; the variables are those of maps.conf.',
    ...Object.entries(headers.all).map(([name, value]) => `add_header ${name} ${quote(value)} always;`),
    ...varying.map((name) => `add_header ${name} $themecast_${variableOf(name)} always;`),
    '',
  ].join('\n');
}

const CORS_HEADERS = ['Allow-Origin', 'Allow-Credentials', 'Allow-Methods', 'Allow-Headers', 'Max-Age'];

function variableOf(header: string): string {
  return headerVariable('', header).slice(2);
}

function corsMaps({ corsOrigins, corsHeaders }: EdgeRules, places: readonly Place[]): string[] {
  if (corsOrigins.length === 0) return [];
  const readable = places.filter(({ cors }) => cors !== undefined).map(({ name }) => name);
  const personal = places.filter(({ cors }) => cors === 'credentials').map(({ name }) => name);
  const preflight = preflightHeaders({ corsHeaders });
  return [
    '# CORS: the origin, if site.yaml allows it.',
    ...map('"$themecast_place:$http_origin"', variableOf('Access-Control-Allow-Origin'), [
      'default ""',
      ...corsOrigins.map((origin) => match(`^${anyOf(readable)}:${escapeRegExp(origin)}$`, origin)),
    ]),
    ...map(
      `"$themecast_place:$themecast_access_control_allow_origin"`,
      variableOf('Access-Control-Allow-Credentials'),
      ['default ""', match(`^${anyOf(personal)}:.`, 'true')],
    ),
    ...CORS_HEADERS.slice(2).flatMap((name) =>
      map('"$themecast_row:$themecast_access_control_allow_origin"', variableOf(`Access-Control-${name}`), [
        'default ""',
        match('_options:.', preflight[`Access-Control-${name}`] ?? ''),
      ]),
    ),
  ];
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

import { GENERATED_COMMENT, heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';
import { ANY_FORMAT, FORMAT_PARAMETER, formatsOf, NEGOTIATION_COMMENT, NO_FORMAT, outcomes } from '../negotiation.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, sharedRows } from '../rows.ts';
import { identityMaps } from './identity.ts';
import { map, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** A parameter other than `q`, as in `src/edge-runtime/negotiate.ts`; RE2 has no look-ahead. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** `maps.caddy`: what a request asks for, and the theme of the user. Caddy evaluates a map when its placeholder is read. */
export function mapsCaddy(rules: EdgeRules, places: readonly Place[]): string {
  return [
    `# themecast: the maps of the theme service, for service.caddy. ${GENERATED_COMMENT}`,
    '# All placeholders begin with themecast_. They read the original request ({http.request.orig_…}), before any rewrite.',
    '',
    heading('Requests'),
    '',
    '# The path, percent-decoded but not normalized, and case-sensitive. (The path matcher would ignore case and resolve dots.)',
    ...map('{http.request.orig_uri.path}', ['place', 'image', 'image_type'], placeLines(rules, places)),
    '# The first `format` parameter of the query, not decoded. ({query.format} would be decoded.)',
    ...map('{http.request.orig_uri.query}', ['format'], [`"~${FORMAT_PARAMETER}([^&]*)" "\${1}"`, 'default ""']),
    ...map(
      '{themecast_format}',
      ['offered'],
      [`"" ${ANY_FORMAT}`, ...formatsOf(rules).map((format) => `${format} ${format}`), `default ${NO_FORMAT}`],
    ),
    ...NEGOTIATION_COMMENT,
    ...map(
      '{themecast_place}:{themecast_offered}:{http.request.header.Accept}',
      ['rendering'],
      [
        ...outcomes(rules, { parameter: PARAMETER }).map(
          ([pattern, rendering]) => `${quoteTemplate(`~(?i)${pattern}`)} "${rendering}"`,
        ),
        'default "404"',
      ],
    ),
    ...rowMaps(places),
    '# The original query with its question mark. (Caddy would encode it again.)',
    ...map('{http.request.orig_uri}', ['query'], [`${quoteTemplate('~^[^?]*(\\?.*)$')} "\${1}"`, 'default ""']),
    ...corsMap(rules),
    '',
    heading('Identity'),
    '',
    ...identityMaps(rules),
  ].join('\n');
}

/** Places by their paths; an image with its path below media/ and its type. */
function placeLines({ basePath }: EdgeRules, places: readonly Place[]): string[] {
  const lines = places.flatMap(({ name, path, isFolder }) => {
    if (path === undefined) return [];
    if (!isFolder) return [`${quoteMapKey(decodeURIComponent(path))} ${quoteTemplate(name)} "" ""`];
    const folder = escapeRegExp(decodeURIComponent(`${basePath}/media`));
    return MEDIA_TYPES.map(
      ({ mediaType, extensions }) =>
        `${quoteTemplate(`~^${folder}(/${mediaFilePattern(extensions)})$`)} ${quoteTemplate(name)} "\${1}" ${quote(mediaType)}`,
    );
  });
  return [...lines, 'default "" "" ""'];
}

/** The row of a request, and of rows that send a file: its path, the path of the default theme, type and `Cache-Control`. */
function rowMaps(places: readonly Place[]): string[] {
  const rows = sharedRows(places.filter(({ path }) => path !== undefined));
  const lines = rows.map(({ row: { name, methods, when }, shared }) => {
    const pattern = `~^${anyOf(shared)}:${methods.length === 0 ? '' : `${anyOf(methods)}:${when ?? ''}`}`;
    return `${quoteTemplate(pattern)} ${quoteTemplate(name)}`;
  });
  const files = rows.flatMap(({ row: { name, send, headers } }) => {
    const cacheControl = quote(headers['Cache-Control'] ?? 'no-store');
    if ('image' in send)
      return [`${quoteTemplate(name)} "/media{themecast_image}" "" "{themecast_image_type}" ${cacheControl}`];
    if (!('file' in send)) return [];
    const [file, fallback] = [send.file.replace('*', '{themecast_theme_1}'), send.fallback ?? ''];
    return [
      `${quoteTemplate(name)} ${quoteTemplate(file)} ${quoteTemplate(fallback)} ${quote(send.type)} ${cacheControl}`,
    ];
  });
  return [
    '# The response: its name, and if it is a file, that file.',
    ...map('{themecast_place}:{http.request.orig_method}:{themecast_rendering}', ['row'], [...lines, 'default "404"']),
    ...map('{themecast_row}', ['file', 'fallback', 'type', 'cache_control'], [...files, 'default "" "" "" ""']),
  ];
}

function corsMap({ corsOrigins: origins }: EdgeRules): string[] {
  if (origins.length === 0) return [];
  return [
    '# CORS: the origin, if site.yaml allows it.',
    ...map(
      '{http.request.header.Origin}',
      ['cors_origin'],
      [...origins.map((origin) => `${quoteMapKey(origin)} ${quote(origin)}`), 'default ""'],
    ),
  ];
}

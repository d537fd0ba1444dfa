import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';
import { ANY_FORMAT, FORMAT_PARAMETER, formatsOf, NEGOTIATION_COMMENT, NO_FORMAT, outcomes } from '../negotiation.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, type Row, sharedRows } from '../rows.ts';
import type { View } from '../template.ts';
import { identityView } from './identity.ts';
import { quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** A parameter other than `q`, as in `src/edge-runtime/negotiate.ts`; RE2 has no look-ahead. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** What `maps.caddy` has: what a request asks for, and the theme of the user. Caddy evaluates a map when its placeholder is read. */
export function mapsView(rules: EdgeRules, places: readonly Place[]): View {
  const rows = sharedRows(places.filter(({ path }) => path !== undefined));
  return {
    ...identityView(rules),
    places: placeLines(rules, places),
    format_parameter: FORMAT_PARAMETER,
    any_format: ANY_FORMAT,
    no_format: NO_FORMAT,
    formats: formatsOf(rules),
    negotiation_comment: NEGOTIATION_COMMENT.join('\n'),
    outcomes: outcomes(rules, { parameter: PARAMETER }).map(
      ([pattern, rendering]) => `${quoteTemplate(`~(?i)${pattern}`)} "${rendering}"`,
    ),
    rows: rows.map(({ row: { name, methods, when }, shared }) => {
      const pattern = `~^${anyOf(shared)}:${methods.length === 0 ? '' : `${anyOf(methods)}:${when ?? ''}`}`;
      return `${quoteTemplate(pattern)} ${quoteTemplate(name)}`;
    }),
    files: rows.flatMap(({ row }) => fileLine(row)),
    origins: rules.corsOrigins.map((origin) => `${quoteMapKey(origin)} ${quote(origin)}`),
  };
}

/** Places by their paths; an image with its path below media/ and its type. */
function placeLines({ basePath }: EdgeRules, places: readonly Place[]): string[] {
  return places.flatMap(({ name, path, isFolder }) => {
    if (path === undefined) return [];
    if (!isFolder) return [`${quoteMapKey(decodeURIComponent(path))} ${quoteTemplate(name)} "" ""`];
    const folder = escapeRegExp(decodeURIComponent(`${basePath}/media`));
    return MEDIA_TYPES.map(
      ({ mediaType, extensions }) =>
        `${quoteTemplate(`~^${folder}(/${mediaFilePattern(extensions)})$`)} ${quoteTemplate(name)} "\${1}" ${quote(mediaType)}`,
    );
  });
}

/** A row that sends a file: its path, the path of the default theme, type and `Cache-Control`. */
function fileLine({ name, send, headers }: Row): string[] {
  const cacheControl = quote(headers['Cache-Control'] ?? 'no-store');
  if ('image' in send)
    return [`${quoteTemplate(name)} "/media{themecast_image}" "" "{themecast_image_type}" ${cacheControl}`];
  if (!('file' in send)) return [];
  const words = [name, send.file.replace('*', '{themecast_theme_1}'), send.fallback ?? ''].map(quoteTemplate);
  return [`${words.join(' ')} ${quote(send.type)} ${cacheControl}`];
}

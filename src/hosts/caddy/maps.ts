import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';
import { negotiationView, outcomes } from '../negotiation.ts';
import { escapeRegExp } from '../regexp.ts';
import { type Place, type Row, rowPatterns } from '../rows.ts';
import type { View } from '../template.ts';
import { identityView } from './identity.ts';
import { quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** A parameter other than `q`, as in `src/edge-runtime/negotiate.ts`; RE2 has no look-ahead. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** What `maps.caddy` has: what a request asks for, and the theme of the user. Caddy evaluates a map when its placeholder is read. */
export function mapsView(rules: EdgeRules, places: readonly Place[]): View {
  const rows = rowPatterns(places.filter(({ paths }) => paths.length > 0));
  return {
    ...identityView(rules),
    ...negotiationView(rules),
    places: placeLines(rules, places),
    outcomes: outcomes(rules, { parameter: PARAMETER }).map(
      ([pattern, rendering]) => `${quoteTemplate(`~(?i)${pattern}`)} "${rendering}"`,
    ),
    rows: rows.map(([pattern, { name }]) => `${quoteTemplate(`~${pattern}`)} ${quoteTemplate(name)}`),
    files: rows.flatMap(([, row]) => fileLine(row)),
    origins: rules.corsOrigins.map((origin) => `${quoteMapKey(origin)} ${quote(origin)}`),
  };
}

/** Places by their paths; a published file with its path below `base_url` and its type. */
function placeLines({ basePath, contentTypes }: EdgeRules, places: readonly Place[]): string[] {
  const base = escapeRegExp(decodeURIComponent(basePath));
  return places.flatMap(({ name, paths, isFolder, rows: [row] }) =>
    paths.flatMap((path) => {
      const below = path.slice(basePath.length);
      if (isFolder)
        return MEDIA_TYPES.map(
          ({ mediaType, extensions }) =>
            `${quoteTemplate(`~^${base}(${escapeRegExp(below)}${mediaFilePattern(extensions)})$`)} ${quoteTemplate(name)} "\${1}" ${quote(mediaType)}`,
        );
      const [file, type] = row !== undefined && 'published' in row.send ? [below, contentTypes.json] : ['', ''];
      return [`${quoteMapKey(decodeURIComponent(path))} ${[name, file, type].map(quoteTemplate).join(' ')}`];
    }),
  );
}

/** A row that sends a file: its path, the path of the default theme, type and `Cache-Control`. */
function fileLine({ name, send, headers }: Row): string[] {
  const cacheControl = quote(headers['Cache-Control'] ?? 'no-store');
  if ('published' in send)
    return [`${quoteTemplate(name)} "{themecast_published}" "" "{themecast_published_type}" ${cacheControl}`];
  if (!('file' in send)) return [];
  const words = [name, send.file.replace('*', '{themecast_theme_1}'), send.fallback ?? ''].map(quoteTemplate);
  return [`${words.join(' ')} ${quote(send.type)} ${cacheControl}`];
}

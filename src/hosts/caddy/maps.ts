import type { EdgeRules } from '../contract/contract.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../contract/media.ts';
import { negotiationView, outcomes } from '../contract/negotiation.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import { type Route, type RouteResponse, responsePatterns } from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { identityView } from './identity.ts';
import { quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** Matches a parameter other than `q`, as in `src/core/edge-runtime/negotiate.ts`, without look-ahead, which RE2 lacks. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** Returns the values of `maps.caddy`: the response of a request, and the user's theme. Caddy evaluates a map when its placeholder is read. */
export function mapsView(rules: EdgeRules, routes: readonly Route[]): View {
  const responses = responsePatterns(routes.filter(({ paths }) => paths.length > 0));
  return {
    ...identityView(rules),
    ...negotiationView(rules),
    routes: routeLines(rules, routes),
    outcomes: outcomes(rules, { parameter: PARAMETER }).map(
      ([pattern, rendering]) => `${quoteTemplate(`~(?i)${pattern}`)} "${rendering}"`,
    ),
    responses: responses.map(([pattern, { name }]) => `${quoteTemplate(`~${pattern}`)} ${quoteTemplate(name)}`),
    files: responses.flatMap(([, response]) => fileLine(response)),
    origins: rules.corsOrigins.map((origin) => `${quoteMapKey(origin)} ${quote(origin)}`),
  };
}

/** Returns the map from paths to routes; a published file also has its path below `base_url` and its type. */
function routeLines({ basePath, contentTypes }: EdgeRules, routes: readonly Route[]): string[] {
  const base = escapeRegExp(decodeURIComponent(basePath));
  return routes.flatMap(({ name, paths, isFolder, pattern, responses: [response] }) =>
    paths.flatMap((path) => {
      const below = path.slice(basePath.length);
      if (isFolder)
        return MEDIA_TYPES.map(
          ({ mediaType, extensions }) =>
            `${quoteTemplate(`~^${base}(${escapeRegExp(below)}${mediaFilePattern(extensions)})$`)} ${quoteTemplate(name)} "\${1}" ${quote(mediaType)}`,
        );
      if (pattern !== undefined)
        return [`${quoteTemplate(`~^${base}(${escapeRegExp(below)}${pattern})$`)} ${quoteTemplate(name)} "\${1}" ""`];
      const [file, type] =
        response !== undefined && 'published' in response.content ? [below, contentTypes.json] : ['', ''];
      return [`${quoteMapKey(decodeURIComponent(path))} ${[name, file, type].map(quoteTemplate).join(' ')}`];
    }),
  );
}
/** Returns the line for a response that is a file: its path, the default theme's path, type and `Cache-Control`. */
function fileLine({ name, content, headers }: RouteResponse): string[] {
  const cacheControl = quote(headers['Cache-Control'] ?? 'no-store');
  if ('published' in content)
    return [`${quoteTemplate(name)} "{themecast_published}" "" "{themecast_published_type}" ${cacheControl}`];
  if (!('file' in content)) return [];
  const file = content.file.startsWith('/') ? content.file : `{themecast_published}${content.file}`;
  const words = [name, file.replace('*', '{themecast_theme_1}'), content.fallback ?? ''].map(quoteTemplate);
  return [`${words.join(' ')} ${quote(content.type)} ${cacheControl}`];
}

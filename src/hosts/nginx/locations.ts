import type { EdgeRules } from '../contract/contract.ts';
import { loginUrl, rulesFrom } from '../contract/identity-rules.ts';
import { MEDIA_TYPES } from '../contract/media.ts';
import { redirectPairs } from '../contract/redirects.ts';
import {
  COMPRESSED_TYPES,
  METHOD,
  namedResponses,
  type Route,
  type RouteResponse,
  type FileContent,
} from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { headerVariable, quote, quoteTemplate } from './syntax.ts';

/**
 * Returns the values of `locations.conf`, for server{}: every path of the service leads to the internal location of a response. That
 * location overrides what the server sets for all: it sends files in full, as JSON.
 */
export function locationsView(rules: EdgeRules, routes: readonly Route[]): View {
  const { list, config } = rules.endpoints;
  const otherPaths = routes
    .flatMap(({ paths, isFolder }) => paths.map((path) => ({ path, isFolder })))
    .filter(({ path }) => !path.startsWith(list.path));
  const answer = answerFolder(rules);
  const responses = namedResponses(rules, routes);
  const login = loginUrl(rules.identity);
  return {
    answer,
    moved: redirectPairs(rules).length > 0,
    paths: [{ path: list.path, isFolder: true }, ...otherPaths].map(
      ({ path, isFolder }) => `${isFolder ? '^~' : '='} ${quote(uri(path))}`,
    ),
    // nginx compresses text/html anyway, and warns if it is listed.
    compressed_types: COMPRESSED_TYPES.filter((type) => type !== 'text/html').join(' '),
    document_root: quote(rules.origin.document_root),
    responses: responses.filter((response) => !isPersonal(response)).map((response) => responseView(response, answer)),
    personal: `${config.kind}_`,
    personal_responses: responses.filter(isPersonal).map((response) => responseView(response, answer)),
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} ${extensions.join(' ')}`),
    login: login === undefined ? '' : quote(new URL(login).href),
    login_headers: rulesFrom(rules.identity, 'auth_request').map(({ rule, credential }) => ({
      rule: String(rule),
      header: headerVariable('upstream_http', credential.header),
    })),
    login_tls: login?.startsWith('https:') === true,
  };
}

/** Returns the folder of the internal locations, one per response, for use between double quotes. */
export function answerFolder({ endpoints: { list } }: EdgeRules): string {
  return quote(`${uri(list.path)}answer`).slice(1, -1);
}

/** Returns the URI that nginx matches: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

function isPersonal({ content }: RouteResponse): boolean {
  return 'fallback' in content;
}

function responseView({ name, content }: RouteResponse, answer: string): View {
  if ('file' in content) return { name, directives: fileDirectives(content) };
  if ('published' in content) return { name, directives: 'try_files $themecast_path =404;' };
  if ('redirect' in content)
    return {
      name,
      directives: `error_page 404 "${answer}/404"; error_page 418 =301 @themecast_redirect; return 418;`,
    };
  const { status, body } = content;
  // nginx rejects methods with characters other than A–Z, `_` and `-`, so the method needs no escaping.
  const text = status === 405 ? quoteTemplate(body.replace(METHOD, '$request_method')) : quote(body);
  return { name, directives: `return ${status} ${text};` };
}

function fileDirectives({ file, fallback, type }: FileContent): string {
  const [mediaType = '', charset] = type.split('; charset=');
  const files = !file.startsWith('/')
    ? [`"\${themecast_path}${file}"`]
    : fallback === undefined
      ? [quote(file)]
      : [quoteTemplate(file.replace('*', '$themecast_theme_1')), quote(fallback)];
  return [
    ...(mediaType === 'application/json' ? [] : [`default_type ${mediaType};`]),
    // nginx adds the charset to few types by default, and warns if text/html is listed.
    ...(charset === undefined || mediaType === 'text/html' ? [] : [`charset_types ${mediaType};`]),
    ...(charset === undefined ? [] : [`charset ${charset};`]),
    `try_files ${files.join(' ')} =404;`,
  ].join(' ');
}

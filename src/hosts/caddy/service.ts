import { preflightHeaders } from '../../core/edge-runtime/cors.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { mediaPath } from '../contract/media.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import {
  codedVary,
  METHOD,
  namedResponses,
  type Route,
  type RouteResponse,
  type StatusContent,
  withoutPolicy,
} from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { block, escapePlaceholders, headers, matcher, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** Returns the values of `service.caddy`, which a site imports: endpoints, all paths below them, files and images. */
export function serviceView(rules: EdgeRules, routes: readonly Route[]): View {
  const { all, error, html, svg } = rules.headers;
  const { path: list } = rules.endpoints.list;
  const otherPaths = routes.flatMap(({ paths, isFolder }) =>
    paths.flatMap((path) => (isFolder || path.startsWith(list) ? [] : [`|^${escapeRegExp(path)}$`])),
  );
  const responses = namedResponses(rules, routes);
  const files = responses.filter(({ content }) => 'file' in content || 'published' in content);
  const errorHeaders = { ...error, 'Content-Type': rules.contentTypes.json };
  return {
    ...movedView(rules, routes),
    ours: quoteTemplate(`^${escapeRegExp(list)}|^${escapeRegExp(mediaPath(rules))}${otherPaths.join('')}`),
    headers: headers({ ...all, ...errorHeaders }),
    routes: routes.map((route) => routeView(route, rules)),
    responses: responses.filter((response) => !files.includes(response)).flatMap(statusLines),
    personal: files.flatMap(({ name, content }) => ('fallback' in content ? [name] : [])).join(' '),
    coded: codedLines(routes),
    html_type: quoteTemplate(rules.contentTypes.html),
    html: headers(html, '@themecast_html'),
    svg: headers(svg, '@themecast_svg'),
    files: files.flatMap(({ name, headers: added }) => {
      const varying = fileHeaders(added);
      if (varying.length === 0) return [];
      const matched = `${name}_file`;
      return [
        matcher(matched, '{themecast_response}', name),
        ...headers(Object.fromEntries(varying), `@themecast_${matched}`),
      ];
    }),
    error: headers(errorHeaders),
    missing: files.flatMap(({ name, headers: added }) =>
      fileHeaders(added).map(([header]) => `header @themecast_${name}_file -${header}`),
    ),
    not_found: quote(rules.refusals.notFound),
  };
}

/** Returns the header lines of the responses that are compressed. */
function codedLines(routes: readonly Route[]): string[] {
  const coded = routes.flatMap((route) =>
    route.responses.flatMap((response) => {
      const vary = codedVary(route, response);
      return vary === undefined ? [] : [[response.name, vary] as const];
    }),
  );
  const lines = (vary: string) => [`Vary ${quoteTemplate(vary)}`, 'Etag `^"` `W/"`', 'defer'];
  return [
    ...[...new Set(coded.map(([, vary]) => vary))].flatMap((vary, at) => {
      const names = coded.flatMap(([name, its]) => (its === vary ? [name] : []));
      return [
        matcher(`coded_${at + 1}`, '{themecast_response}', ...names),
        ...block(`header @themecast_coded_${at + 1}`, lines(vary)),
      ];
    }),
    matcher('coded_svg', '{themecast_published_type}', 'image/svg+xml'),
    ...block('header @themecast_coded_svg', lines('Accept-Encoding')),
  ];
}

/** Returns the headers that a response adds to its file, besides headers that depend on the type. */
function fileHeaders(added: RouteResponse['headers']): [name: string, value: string][] {
  return withoutPolicy(added).filter(([header]) => header !== 'Cache-Control');
}

/** Returns the headers of every response of a route, with the CORS headers. */
function routeView({ name, headers: common, cors, responses }: Route, { corsOrigins, corsHeaders }: EdgeRules): View {
  const readable = corsOrigins.length > 0 && cors !== undefined;
  const allowed = {
    'Access-Control-Allow-Origin': '{themecast_cors_origin}',
    ...(cors === 'credentials' && { 'Access-Control-Allow-Credentials': 'true' }),
  };
  const preflight = readable && responses.some(({ methods }) => methods.includes('OPTIONS'));
  return {
    name,
    own: headers(common, `@themecast_${name}`),
    cors: readable ? headers(allowed, `@themecast_${name}_cors`) : [],
    preflight: preflight ? headers(preflightHeaders({ corsHeaders }), `@themecast_${name}_preflight`) : [],
  };
}

/** Returns the lines for a response without a file: a status, or a redirect to the path with a slash and its query. */
function statusLines({ name, content, headers: added }: RouteResponse): string[] {
  const matched = `@themecast_${name}`;
  return [
    matcher(name, '{themecast_response}', name),
    ...headers(added, matched),
    ...('status' in content
      ? [`respond ${matched} ${bodyOf(content)} ${content.status}`]
      : [
          ...['Content-Type', 'Cache-Control'].map((header) => `header ${matched} -${header}`),
          `redir ${matched} "{http.request.orig_uri.path}/{themecast_query}" 301`,
        ]),
  ];
}

/** Returns a quoted body. Caddy rejects a method that is not an HTTP token, so a method needs no escaping in JSON. */
function bodyOf({ status, body }: StatusContent): string {
  if (status !== 405) return quote(body);
  return quoteTemplate(escapePlaceholders(body).replace(METHOD, '{http.request.orig_method}'));
}

/** Returns redirects of old paths, which may be outside the theme service and so come first. Caddy compares decoded paths. */
function movedView(rules: EdgeRules, routes: readonly Route[]): View {
  const [redirect, notAllowed] = routes.find(({ paths }) => paths.length === 0)?.responses ?? [];
  const error = { ...rules.headers.error, 'Content-Type': rules.contentTypes.json, ...notAllowed?.headers };
  return {
    moved: redirectPairs(rules).map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`),
    moved_headers: headers(rules.headers.all),
    moved_error: headers(error, '@themecast_moved_method'),
    moved_redirect: headers(redirect?.headers ?? {}),
    not_allowed: notAllowed !== undefined && 'status' in notAllowed.content ? bodyOf(notAllowed.content) : '',
  };
}

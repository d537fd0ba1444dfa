import { preflightHeaders } from '../../core/edge-runtime/cors.ts';
import { REDIRECT_HEADERS } from '../../core/edge-runtime/handler.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { MEDIA_TYPES } from '../contract/media.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import { COMPRESSED_TYPES, type Route } from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { ERROR_STATUSES, pathsOf } from './rules.ts';
import { quote, quoteExpression, setHeaders } from './syntax.ts';

/** Tests for a response of `rules.ts` itself; it does not come from ErrorDocument. */
const CACHEABLE = "%{REQUEST_STATUS} in {'200', '304'} && -z %{reqenv:REDIRECT_STATUS}";

/** Returns the values of the sections: headers, types and error responses of all routes. */
export function sectionsView(rules: EdgeRules, routes: readonly Route[]): View {
  const { headers, endpoints, corsOrigins } = rules;
  const { path: list } = endpoints.list;
  const folder = routes.find(({ isFolder }) => isFolder);
  const [media = ''] = folder?.paths ?? [];
  const documentRoutes = routes.filter(
    ({ responses: [response], isFolder }) => !isFolder && response !== undefined && !('redirect' in response.content),
  );
  const outsideList = documentRoutes.filter(({ paths: [path = ''] }) => !path.startsWith(list));
  const documents = [`^${escapeRegExp(list)}`, ...(outsideList.length === 0 ? [] : [pathsOf(outsideList)])].join('|');
  return {
    everything: quote(`${documents}|^${escapeRegExp(media)}`),
    documents: quote(documents),
    compressed_types: COMPRESSED_TYPES.join(' '),
    coded: quote(`expr=${CACHEABLE} && %{CONTENT_TYPE} =~ m#^(?:${COMPRESSED_TYPES.map(escapeRegExp).join('|')})#`),
    // Headers that the template does not set itself.
    header_names: [...new Set(Object.values(headers).flatMap(Object.keys))],
    errors: setHeaders({ ...headers.all, ...headers.error }),
    not_found: quote(`${list}404`),
    media: quote(media),
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} .${extensions.join(' .')}`),
    images: [
      ...setHeaders(headers.svg, "%{CONTENT_TYPE} == 'image/svg+xml'"),
      ...(folder?.responses ?? []).flatMap(({ content, headers: values }) =>
        setHeaders(values, 'status' in content ? `%{REQUEST_STATUS} == '${content.status}'` : CACHEABLE),
      ),
    ],
    media_404: quote(`${media}404`),
    media_405: quote(`${media}405`),
    allowed: quote(`%{req_novary:Origin} in {${corsOrigins.map(quoteExpression).join(', ')}}`),
    routes: documentRoutes.map((route) => ({
      path: quote(pathsOf([route])),
      lines: routeLines(route),
      ...errorDocuments(route, media),
      origins: route.cors !== undefined && corsOrigins.length > 0,
      cors: corsLines(route, rules),
    })),
    redirect_headers: setHeaders(REDIRECT_HEADERS, '%{reqenv:themecast_target} !~ m#/$#'),
  };
}

/** Returns the header directives of an endpoint, or of published files outside `media/`. */
function routeLines({ headers, responses }: Route): string[] {
  const lines = responses.flatMap(({ content, when, headers: { 'Cache-Control': control = '', ...fileHeaders } }) =>
    'file' in content || 'published' in content
      ? [
          ...setHeaders({ 'Cache-Control': control }, CACHEABLE),
          ...setHeaders(fileHeaders, when === undefined ? CACHEABLE : `%{reqenv:themecast_rendering} == '${when}'`),
        ]
      : [],
  );
  return [...setHeaders(headers), ...new Set(lines)];
}

/** Returns the path of the error responses of a route, and their statuses. */
function errorDocuments({ paths: [path = ''], pattern, responses }: Route, media: string): View {
  const isEndpoint = responses.some(({ when }) => when !== undefined);
  return isEndpoint
    ? { statuses: [200, ...ERROR_STATUSES].map(String), error: quote(pattern === undefined ? path : `${path}1/`) }
    : { statuses: ['405'], error: quote(`${media}405`) };
}

function corsLines({ cors, responses }: Route, { corsHeaders }: EdgeRules): string[] {
  const preflight = responses.some(({ methods }) => methods.includes('OPTIONS'))
    ? preflightHeaders({ corsHeaders })
    : {};
  return [
    ...setHeaders(cors === 'credentials' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...setHeaders(preflight, "%{reqenv:REDIRECT_REQUEST_METHOD} == 'OPTIONS'"),
  ];
}

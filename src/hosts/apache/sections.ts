import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES } from '../media.ts';
import { escapeRegExp } from '../regexp.ts';
import type { Place } from '../rows.ts';
import type { View } from '../template.ts';
import { ERROR_STATUSES, pathsOf } from './rules.ts';
import { quote, quoteExpression, setHeaders } from './syntax.ts';

/** Only a response that does not come from ErrorDocument, of which `rules.ts` decides. */
const CACHEABLE = "%{REQUEST_STATUS} in {'200', '304'} && -z %{reqenv:REDIRECT_STATUS}";

/** What the sections have: headers, types and error responses of all places. */
export function sectionsView(rules: EdgeRules, places: readonly Place[]): View {
  const { headers, endpoints, corsOrigins } = rules;
  const { path: list } = endpoints.list;
  const folder = places.find(({ isFolder }) => isFolder);
  const [media = ''] = folder?.paths ?? [];
  const own = places.filter(({ rows: [row], isFolder }) => !isFolder && row !== undefined && !('redirect' in row.send));
  const others = own.filter(({ paths: [path = ''] }) => !path.startsWith(list));
  const documents = [`^${escapeRegExp(list)}`, ...(others.length === 0 ? [] : [pathsOf(others)])].join('|');
  return {
    everything: quote(`${documents}|^${escapeRegExp(media)}`),
    documents: quote(documents),
    // The headers that only the rules set, besides those that the template names.
    header_names: [...new Set(Object.values(headers).flatMap(Object.keys))],
    errors: setHeaders({ ...headers.all, ...headers.error }),
    not_found: quote(`${list}404`),
    media: quote(media),
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} .${extensions.join(' .')}`),
    images: [
      ...setHeaders(headers.svg, "%{CONTENT_TYPE} == 'image/svg+xml'"),
      ...(folder?.rows ?? []).flatMap(({ send, headers: values }) =>
        setHeaders(values, 'status' in send ? `%{REQUEST_STATUS} == '${send.status}'` : CACHEABLE),
      ),
    ],
    media_404: quote(`${media}404`),
    media_405: quote(`${media}405`),
    allowed: quote(`%{req_novary:Origin} in {${corsOrigins.map(quoteExpression).join(', ')}}`),
    places: own.map((place) => ({
      path: quote(pathsOf([place])),
      lines: placeLines(place),
      ...errorDocuments(place, media),
      origins: place.cors !== undefined && corsOrigins.length > 0,
      cors: corsLines(place, rules),
    })),
    redirect_headers: setHeaders(REDIRECT_HEADERS, '%{reqenv:themecast_target} !~ m#/$#'),
  };
}

/** An endpoint, or a file under a name of its own. */
function placeLines({ headers, rows }: Place): string[] {
  const lines = rows.flatMap(({ send, when, headers: { 'Cache-Control': control = '', ...own } }) =>
    'file' in send || 'published' in send
      ? [
          ...setHeaders({ 'Cache-Control': control }, CACHEABLE),
          ...setHeaders(own, when === undefined ? CACHEABLE : `%{reqenv:themecast_rendering} == '${when}'`),
        ]
      : [],
  );
  return [...setHeaders(headers), ...new Set(lines)];
}

/** The path of error responses, and for which statuses. */
function errorDocuments({ paths: [path = ''], rows }: Place, media: string): View {
  const isEndpoint = rows.some(({ when }) => when !== undefined);
  return isEndpoint
    ? { statuses: [200, ...ERROR_STATUSES].map(String), error: quote(path) }
    : { statuses: ['405'], error: quote(`${media}405`) };
}

function corsLines({ cors, rows }: Place, { corsHeaders }: EdgeRules): string[] {
  const preflight = rows.some(({ methods }) => methods.includes('OPTIONS')) ? preflightHeaders({ corsHeaders }) : {};
  return [
    ...setHeaders(cors === 'credentials' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...setHeaders(preflight, "%{reqenv:REDIRECT_REQUEST_METHOD} == 'OPTIONS'"),
  ];
}

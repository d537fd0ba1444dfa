import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES } from '../media.ts';
import { escapeRegExp } from '../regexp.ts';
import type { Place } from '../rows.ts';
import type { View } from '../template.ts';
import { below, ERROR_STATUSES, pathsOf, movedPath } from './rules.ts';
import { quote, quoteExpression, setHeaders } from './syntax.ts';

/** Only a response that does not come from ErrorDocument, of which `rules.ts` decides. */
const CACHEABLE = "%{REQUEST_STATUS} in {'200', '304'} && -z %{reqenv:REDIRECT_STATUS}";

/** What the sections have: headers, types and error responses of all places. */
export function sectionsView(rules: EdgeRules, places: readonly Place[]): View {
  const { headers, endpoints, corsOrigins } = rules;
  const { path: list } = endpoints.list;
  const folder = places.find(({ isFolder }) => isFolder);
  const [media = ''] = folder?.paths ?? [];
  const redirecting = places.filter(({ rows: [row] }) => row !== undefined && 'redirect' in row.send);
  const own = places.filter((place) => place !== folder && !redirecting.includes(place));
  const others = own.filter(({ paths: [path = ''] }) => !path.startsWith(list));
  const documents = `^${escapeRegExp(list)}(?!${below(rules, redirecting)}$)${others.length === 0 ? '' : `|${pathsOf(others)}`}`;
  return {
    everything: quote(`${documents}|^${escapeRegExp(media)}`),
    documents: quote(documents),
    header_names: headerNames(rules),
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
    // Without its quotes.
    media_error: quote(media).slice(1, -1),
    allowed: quote(`%{req_novary:Origin} in {${corsOrigins.map(quoteExpression).join(', ')}}`),
    places: own.map((place) => ({
      path: quote(pathsOf([place])),
      lines: placeLines(place, media),
      origins: place.cors !== undefined && corsOrigins.length > 0,
      cors: corsLines(place, rules),
    })),
    redirects: redirecting.flatMap(({ paths, rows: [row] }) => {
      const common = { headers: setHeaders({ ...headers.all, ...row?.headers }) };
      return [
        // An empty body: a page of httpd would name its version.
        ...paths.map((path) => ({ ...common, path: quote(pathsOf([{ paths: [path] }])), to: quote(`${path}/`) })),
        ...(paths.length > 0
          ? []
          : [
              { ...common, path: quote(`^${escapeRegExp(movedPath(rules))}$`), to: quote('%{reqenv:themecast_moved}') },
            ]),
      ];
    }),
  };
}

const CORS_HEADERS = [
  'Allow-Origin',
  'Allow-Credentials',
  'Allow-Methods',
  'Allow-Headers',
  'Expose-Headers',
  'Max-Age',
];

/** The headers that only the rules set. */
function headerNames({ headers }: EdgeRules): string[] {
  const ours = Object.values(headers).flatMap((values) => Object.keys(values));
  const cors = CORS_HEADERS.map((name) => `Access-Control-${name}`);
  return [...new Set([...ours, 'Allow', 'Last-Modified', 'Accept-Ranges', ...cors])];
}

function errorDocument(status: number, path: string): string {
  return `ErrorDocument ${status} ${quote(path)}`;
}

/** An endpoint, or a file under a name of its own. */
function placeLines({ paths: [path = ''], headers, rows }: Place, media: string): string[] {
  const isEndpoint = rows.some(({ when }) => when !== undefined);
  const lines = rows.flatMap(({ send, when, headers: { 'Cache-Control': control = '', ...own } }) =>
    'file' in send || 'published' in send
      ? [
          ...setHeaders({ 'Cache-Control': control }, CACHEABLE),
          ...setHeaders(own, when === undefined ? CACHEABLE : `%{reqenv:themecast_rendering} == '${when}'`),
        ]
      : [],
  );
  return [
    ...setHeaders(headers),
    ...new Set(lines),
    ...(isEndpoint
      ? [200, ...ERROR_STATUSES].map((status) => errorDocument(status, path))
      : [errorDocument(405, `${media}405`)]),
  ];
}

function corsLines({ cors, rows }: Place, { corsHeaders }: EdgeRules): string[] {
  const preflight = rows.some(({ methods }) => methods.includes('OPTIONS')) ? preflightHeaders({ corsHeaders }) : {};
  return [
    ...setHeaders(cors === 'credentials' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...setHeaders(preflight, "%{reqenv:REDIRECT_REQUEST_METHOD} == 'OPTIONS'"),
  ];
}

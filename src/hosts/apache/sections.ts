import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES } from '../media.ts';
import { escapeRegExp } from '../regexp.ts';
import type { Place } from '../rows.ts';
import type { View } from '../template.ts';
import { below, ERROR_STATUSES, exactly, movedPath } from './rules.ts';
import { quote, quoteExpression, section, setHeaders } from './syntax.ts';

/** Only a response that does not come from ErrorDocument, of which `rules.ts` decides. */
const CACHEABLE = "%{REQUEST_STATUS} in {'200', '304'} && -z %{reqenv:REDIRECT_STATUS}";

/** What the sections have: headers, types and error responses of all places. */
export function sectionsView(rules: EdgeRules, places: readonly Place[]): View {
  const { headers, endpoints, corsOrigins } = rules;
  const { path: list } = endpoints.list;
  const folder = places.find(({ isFolder }) => isFolder);
  const media = folder?.path ?? '';
  const redirecting = places.filter(({ rows: [row] }) => row !== undefined && 'redirect' in row.send);
  const own = places.filter((place) => place.path !== undefined && !place.isFolder && !redirecting.includes(place));
  const files = own.filter(({ path = '' }) => !path.startsWith(list));
  return {
    everything: quote(
      `^${escapeRegExp(list)}(?!${below(rules, redirecting)}$)${files.length === 0 ? '' : `|${exactly(files)}`}`,
    ),
    isolation: isolation(rules),
    errors: setHeaders({ ...headers.all, ...headers.error }),
    not_found: quote(`${list}404`),
    media: quote(media),
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} .${extensions.join(' .')}`),
    images: [
      ...setHeaders(headers.svg, "%{CONTENT_TYPE} == 'image/svg+xml'"),
      ...(folder?.rows ?? []).flatMap(({ send, headers: values }) =>
        setHeaders(values, 'status' in send ? `%{REQUEST_STATUS} == '${send.status}'` : CACHEABLE),
      ),
      ...[404, 405].map((status) => errorDocument(status, `${media}${status}`)),
    ],
    allowed: quote(`%{req_novary:Origin} in {${corsOrigins.map(quoteExpression).join(', ')}}`),
    places: own.map((place) => ({
      path: quote(exactly([place])),
      lines: placeLines(place, media),
      origins: place.cors !== undefined && corsOrigins.length > 0,
      cors: corsLines(place, rules),
    })),
    redirects: redirecting.map(({ path, rows: [row] }) => ({
      section: path === undefined ? 'Location' : 'LocationMatch',
      path: quote(path === undefined ? movedPath(rules) : exactly([{ path }])),
      headers: setHeaders({ ...headers.all, ...row?.headers }),
      // An empty body: a page of httpd would name its version.
      to: quote((row !== undefined && 'redirect' in row.send && row.send.redirect) || '%{reqenv:themecast_moved}'),
    })),
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

/** Isolates the section from what the server sets for all locations and from what modules add. */
function isolation({ headers }: EdgeRules): string[] {
  const ours = Object.values(headers).flatMap((values) => Object.keys(values));
  const cors = CORS_HEADERS.map((name) => `Access-Control-${name}`);
  const names = [...new Set([...ours, 'Allow', 'Last-Modified', 'Accept-Ranges', ...cors])];
  return [
    'Require all granted',
    ...section('IfModule', 'proxy_module', ['ProxyPass "!"']),
    'SetHandler default-handler',
    'AcceptPathInfo Off',
    ...section('IfModule', 'expires_module', ['ExpiresActive Off']),
    '# Files are sent in full. (`MaxRanges none` would still respond with 416; measured on 2.4.71.)',
    'RequestHeader unset Range',
    '# httpd stores headers in two tables and sends a header twice that is in both.',
    ...names.flatMap((name) => [`Header unset ${name}`, `Header always unset ${name}`]),
  ];
}

function errorDocument(status: number, path: string): string {
  return `ErrorDocument ${status} ${quote(path)}`;
}

/** An endpoint, or a file under a name of its own. */
function placeLines({ path = '', headers, rows }: Place, media: string): string[] {
  const isEndpoint = rows.some(({ when }) => when !== undefined);
  const lines = rows.flatMap(({ send, when, headers: { 'Cache-Control': control = '', ...own } }) =>
    'file' in send
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

import { CONFIG, LIST, optionsDocument } from '../../../document/endpoint.ts';
import { FORMATS } from '../../../image/format.ts';
import { detail, type EdgeEndpoint, type EdgeRules } from '../../../mapping/edge-rules.ts';
import { block, firstOf, oneOf } from '../../varnish/text.ts';
import { literal, setHeaders, unset } from './text.ts';

/** What `error` hands to vcl_error; 600 to 699 are for services to use (reference, "error"). */
export const SIGNAL = {
  options: 620,
  moved: 631,
  forbidden: 643,
  notFound: 644,
  notAllowed: 645,
  notAcceptable: 646,
  changed: 652,
  unavailable: 653,
} as const;

/** `vcl_error`: the answers that no file holds. vcl_deliver adds their headers. */
export function synthetic({ contentTypes, refusals }: EdgeRules): string[] {
  const answer = (name: keyof typeof SIGNAL, status: number, reason: string, ...lines: string[]) =>
    [
      `obj.status == ${SIGNAL[name]}`,
      `set obj.status = ${status};`,
      `set obj.response = "${reason}";`,
      ...lines,
    ] as const;
  return block('sub vcl_error', [
    '#FASTLY error',
    ...block('if (req.http.X-Themecast)', [
      `set obj.http.Content-Type = ${literal(contentTypes.json)};`,
      ...firstOf(
        [
          answer('options', 200, 'OK', ...options()),
          answer(
            'moved',
            301,
            'Moved Permanently',
            '# To the same path with a slash, the query as it was.',
            'unset obj.http.Content-Type;',
            'set obj.http.Location = regsub(req.url, "^([^?]*)", "\\1/");',
            'synthetic "";',
          ),
          answer('forbidden', 403, 'Forbidden', body(refusals.post)),
          answer('notFound', 404, 'Not Found', body(refusals.notFound)),
          answer('notAllowed', 405, 'Method Not Allowed', METHOD_NOT_ALLOWED),
          answer('notAcceptable', 406, 'Not Acceptable', body(refusals.notAcceptable)),
          answer('changed', 412, 'Precondition Failed', body(detail('Precondition failed.'))),
        ],
        [
          '# Also what Fastly itself says of an origin that is not there.',
          'set obj.status = 503;',
          'set obj.response = "Service Unavailable";',
          body(detail('Service unavailable.')),
        ],
      ),
      'return(deliver);',
    ]),
  ]);
}

function body(text: string): string {
  return `synthetic ${literal(text)};`;
}

function options(): string[] {
  return firstOf(
    [['req.http.X-Themecast == "list"', body(JSON.stringify(optionsDocument(LIST)))]],
    [body(JSON.stringify(optionsDocument(CONFIG)))],
  );
}

const METHOD_NOT_ALLOWED = `synthetic ${literal('{"detail":"Method \\"')} + json.escape(req.method) + ${literal('\\" not allowed."}')};`;

/** What an origin, a bucket of Amazon S3 say, adds for itself. */
const ORIGINS_OWN = [
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
  'Allow',
  'Content-Disposition',
  'Content-Location',
  'Content-Security-Policy',
  'Expires',
  'Link',
  'Pragma',
  'Server',
  'x-amz-id-2',
  'x-amz-request-id',
  'x-amz-server-side-encryption',
  'x-amz-version-id',
];

/** The sub that vcl_deliver calls for answers of the service, those of vcl_error too. */
export function everyAnswer({ contentTypes, corsHeaders, corsOrigins, endpoints, headers }: EdgeRules): string[] {
  const isKind = (kind: string) => `req.http.X-Themecast == ${literal(kind)}`;
  const ofEndpoint = ({ kind, allow, vary }: EdgeEndpoint) =>
    [isKind(kind), ...setHeaders({ ...headers.endpoint, Allow: allow, Vary: vary })] as const;
  const pictures = Object.values(FORMATS).map(
    ({ extensions, mediaType }) =>
      [
        `req.url ~ ${literal(`(?i)\\.${oneOf(extensions)}$`)}`,
        ...setHeaders({ 'Content-Type': mediaType, ...(mediaType === 'image/svg+xml' ? headers.svg : {}) }),
      ] as const,
  );
  return block('sub themecast_headers', [
    ...unset('resp', ORIGINS_OWN),
    ...setHeaders(headers.all),
    ...firstOf([
      ...Object.values(endpoints).map(ofEndpoint),
      [`${isKind('picture')} && resp.status == 405`, ...setHeaders({ Allow: 'GET, HEAD' })],
    ]),
    '',
    ...firstOf([
      [
        '(resp.status == 200 || resp.status == 304) && req.method != "OPTIONS"',
        ...firstOf(
          [
            [isKind('list'), ...setHeaders({ 'Cache-Control': endpoints.list.cacheControl })],
            [
              isKind('config'),
              ...unset('resp', ['Age']),
              ...setHeaders({ 'Cache-Control': endpoints.config.cacheControl }),
            ],
          ],
          setHeaders(headers.media),
        ),
        ...firstOf(
          [
            ['req.url ~ "\\.html$"', ...setHeaders({ 'Content-Type': contentTypes.html, ...headers.html })],
            ...pictures,
          ],
          setHeaders({ 'Content-Type': contentTypes.json }),
        ),
      ],
      ['resp.status != 301', ...setHeaders(headers.error)],
    ]),
    ...cors(corsOrigins, corsHeaders),
  ]);
}

/** The CORS protocol of the Fetch standard, for the origins that the site lists. */
function cors(origins: readonly string[], requestHeaders: readonly string[]): string[] {
  if (origins.length === 0) return [];
  const preflight = {
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Max-Age': '600',
    ...(requestHeaders.length > 0 ? { 'Access-Control-Allow-Headers': requestHeaders.join(', ') } : {}),
  };
  const listed = `req.http.X-Themecast ~ "^(?:list|config)$" && req.http.Origin ~ ${literal(`^${oneOf(origins)}$`)}`;
  return [
    '',
    ...block(`if (${listed})`, [
      'set resp.http.Access-Control-Allow-Origin = req.http.Origin;',
      ...block('if (req.http.X-Themecast == "config")', setHeaders({ 'Access-Control-Allow-Credentials': 'true' })),
      ...block('if (req.method == "OPTIONS")', setHeaders(preflight)),
    ]),
  ];
}

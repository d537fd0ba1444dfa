import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { block, firstOf, quote, oneOf, setHeaders } from './syntax.ts';
import { redirectResponse } from './redirects.ts';
import { FILE_ALLOW, preflightHeaders } from '../../edge-runtime/handler.ts';
import { MEDIA_TYPES } from '../media.ts';
import { errorResponses, SERVER_ERRORS } from '../error-responses.ts';

/** `vcl_deliver`: a file with the headers of the contract. */
export function deliver(rules: EdgeRules): string[] {
  const { contentTypes, endpoints, headers } = rules;
  const file = (pattern: string) => `req.http.X-Themecast-File ~ ${quote(pattern)}`;
  const images = MEDIA_TYPES.map(
    ({ mediaType, extensions }) =>
      [
        file(`\\.(?i:${extensions.join('|')})$`),
        ...setHeaders({ 'Content-Type': mediaType, ...(mediaType === 'image/svg+xml' ? headers.svg : {}) }),
      ] as const,
  );
  return block('sub vcl_deliver', [
    ...block('if (req.http.X-Themecast-File)', [
      ...firstOf([
        ['resp.status >= 500', 'return (synth(503));'],
        ['resp.status != 200 && resp.status != 304', 'return (synth(404));'],
        [
          'req.http.X-Themecast == "picture" && req.http.If-Match && req.http.If-Match != "*" && req.http.If-Match != resp.http.ETag',
          'return (synth(412));',
        ],
      ]),
      'unset resp.http.Accept-Ranges;',
      ...firstOf(
        [
          ['req.method == "OPTIONS"', ...WITHOUT_VALIDATORS, ...setHeaders(headers.error)],
          ['req.http.X-Themecast == "list"', ...setHeaders({ 'Cache-Control': endpoints.list.cacheControl })],
          [
            'req.http.X-Themecast == "config"',
            ...WITHOUT_VALIDATORS,
            ...setHeaders({ 'Cache-Control': endpoints.config.cacheControl }),
          ],
          ...(rules.schemas.length === 0
            ? []
            : [['req.http.X-Themecast == "schema"', ...setHeaders(headers.schema)] as const]),
        ],
        setHeaders(headers.media),
      ),
      ...firstOf(
        [[file('\\.html$'), ...setHeaders({ 'Content-Type': contentTypes.html, ...headers.html })], ...images],
        setHeaders({ 'Content-Type': contentTypes.json }),
      ),
      'call themecast_headers;',
      'return (deliver);',
    ]),
  ]);
}

const WITHOUT_VALIDATORS = ['ETag', 'Last-Modified', 'Age'].map((name) => `unset resp.http.${name};`);

/** `vcl_synth`: responses without a file. */
export function synthetic(rules: EdgeRules): string[] {
  const { contentTypes, headers } = rules;
  const response = ([status, body]: readonly [number, string]) =>
    [`resp.status == ${status}`, `synthetic(${body});`] as const;
  return block('sub vcl_synth', [
    ...block('if (req.http.X-Themecast)', [
      'call themecast_headers;',
      ...redirectResponse(rules),
      ...block('if (resp.status == 301)', [
        '# Redirect to the path with a slash, and keep the query.',
        'set resp.http.Location = regsub(req.url, "^[^?]*", "\\0/");',
        'synthetic("");',
        'return (deliver);',
      ]),
      ...setHeaders({ 'Content-Type': contentTypes.json, ...headers.error }),
      ...firstOf(
        [
          ...errorResponses(rules.endpoints.list, rules, quote, METHOD_NOT_ALLOWED).map(response),
          response([412, quote(SERVER_ERRORS[412])]),
        ],
        [`synthetic(${quote(SERVER_ERRORS[503])});`],
      ),
      'return (deliver);',
    ]),
  ]);
}

/** Varnish accepts almost any method; characters that JSON would have to escape are removed. */
const METHOD_NOT_ALLOWED = [
  quote('{"detail":"Method \\"'),
  `regsuball(req.method, "[^!#-Z^-~]", "")`,
  quote('\\" not allowed."}'),
].join(' + ');

/** The headers of every response. */
export function commonHeaders({ corsOrigins, corsHeaders, endpoints, headers }: EdgeRules): string[] {
  return block('sub themecast_headers', [
    ...setHeaders(headers.all),
    ...firstOf([
      ...Object.values(endpoints).map(
        ({ kind, allow, vary }: EdgeEndpoint) =>
          [
            `req.http.X-Themecast == ${quote(kind)}`,
            ...setHeaders({ ...headers.endpoint, Allow: allow, Vary: vary }),
          ] as const,
      ),
      [
        'req.http.X-Themecast ~ "^(?:picture|schema)$" && resp.status == 405',
        ...setHeaders({ Allow: FILE_ALLOW }),
      ] as const,
    ]),
    ...cors(corsOrigins, corsHeaders),
  ]);
}

/** The CORS protocol of the Fetch standard, for the origins that the site allows. */
function cors(origins: readonly string[], requestHeaders: readonly string[]): string[] {
  if (origins.length === 0) return [];
  const preflight = preflightHeaders({ corsHeaders: requestHeaders });
  const listed = `req.http.X-Themecast ~ "^(?:list|config|schema)$" && req.http.Origin ~ ${quote(`^${oneOf(origins)}$`)}`;
  return block(`if (${listed})`, [
    'set resp.http.Access-Control-Allow-Origin = req.http.Origin;',
    ...block('if (req.http.X-Themecast == "config")', setHeaders({ 'Access-Control-Allow-Credentials': 'true' })),
    ...block('if (req.method == "OPTIONS")', setHeaders(preflight)),
  ]);
}

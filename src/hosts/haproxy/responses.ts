import { heading, noValidatorsComment } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { quoteFormat, quote } from './syntax.ts';
import { redirectHeaders } from './redirects.ts';
import { FILE_ALLOW, preflightHeaders } from '../../edge-runtime/handler.ts';
import { SERVER_ERRORS } from '../error-responses.ts';

/** Response headers of the origin that are passed on; all others are set here or removed. */
const PASSED_ON = ['content-length', 'transfer-encoding', 'date', 'etag', 'last-modified'];

/** The rules for responses of the origin, and the headers of all responses, including HAProxy's own. */
export function responseRules(rules: EdgeRules): string[] {
  const { headers, contentTypes, refusals, endpoints } = rules;
  const { list, config } = endpoints;
  return [
    heading('Responses of the origin'),
    '',
    '# Only files and 304 pass; every other response is replaced.',
    replaceResponse(412, SERVER_ERRORS[412], 'if { status 412 }'),
    replaceResponse(502, SERVER_ERRORS[502], 'if { status ge 500 }'),
    replaceResponse(404, refusals.notFound, 'unless { status 200 304 }'),
    `http-response del-header ${quote(`^(?!(?:${PASSED_ON.join('|')})$)`)} -m reg`,
    ...noValidatorsComment('The origin'),
    'http-response del-header ETag if config || options',
    'http-response del-header Last-Modified if config || options',
    '',
    heading('Headers of every response'),
    '',
    ...setHeaders(headers.all),
    ...setHeaders(headers.endpoint, 'if list || config'),
    ...[list, config].flatMap(({ kind, allow, vary }) => setHeaders({ Allow: allow, Vary: vary }, `if ${kind}`)),
    ...setHeaders({ Allow: FILE_ALLOW }, 'if media { status 405 }'),
    '',
    '# Only successful responses may be cached.',
    ...setHeaders(headers.error, 'unless { status 301 }'),
    ...redirectHeaders(rules),
    ...[list, config].flatMap(({ kind, cacheControl }) =>
      setHeaders({ 'Cache-Control': cacheControl }, `if ${kind} !options { status 200 304 }`),
    ),
    ...setHeaders(headers.media, 'if media { status 200 304 }'),
    ...schemaHeaders(rules),
    '',
    '# These override the media types of the origin.',
    ...['json', 'options'].flatMap((file) =>
      setHeaders({ 'Content-Type': contentTypes.json }, `if ${file} { status 200 }`),
    ),
    ...setHeaders({ 'Content-Type': contentTypes.html, ...headers.html }, 'if html { status 200 }'),
    'http-after-response set-header Content-Type %[var(txn.themecast_picture)] if media { status 200 }',
    ...setHeaders(headers.svg, 'if media { status 200 } { var(txn.themecast_picture) -m str image/svg+xml }'),
    ...corsHeaders(rules),
  ];
}

function schemaHeaders({ schemas, headers, contentTypes }: EdgeRules): string[] {
  if (schemas.length === 0) return [];
  return [
    ...setHeaders({ Allow: FILE_ALLOW }, 'if schema { status 405 }'),
    ...setHeaders(headers.schema, 'if schema { status 200 304 }'),
    ...setHeaders({ 'Content-Type': contentTypes.json }, 'if schema { status 200 }'),
  ];
}

function replaceResponse(status: number, body: string, condition: string): string {
  return `http-response return status ${status} content-type application/json string ${quote(body)} ${condition}`;
}

function setHeaders(headers: Readonly<Record<string, string>>, condition = ''): string[] {
  return Object.entries(headers).map(([name, value]) =>
    `http-after-response set-header ${name} ${quoteFormat(value)} ${condition}`.trimEnd(),
  );
}

function corsHeaders({ corsOrigins, corsHeaders: names }: EdgeRules): string[] {
  if (corsOrigins.length === 0) return [];
  const preflight = preflightHeaders({ corsHeaders: names });
  return [
    '',
    'acl cors var(txn.themecast_origin) -m found',
    'http-after-response set-header Access-Control-Allow-Origin %[var(txn.themecast_origin)] if cors',
    ...setHeaders({ 'Access-Control-Allow-Credentials': 'true' }, 'if cors config'),
    ...setHeaders(preflight, 'if cors options'),
  ];
}

import type { EdgeRules } from '../contract.ts';
import { quoteFormat, heading, quote } from './syntax.ts';
import { preflightHeaders } from '../../edge-runtime/handler.ts';
import { MEDIA_ALLOW } from '../media.ts';
import { SERVER_ERRORS } from '../error-responses.ts';

/** Headers of the origin that are kept; all others are set here, or are none of the client's business. */
const KEPT = ['content-length', 'transfer-encoding', 'date', 'etag', 'last-modified'];

/** What becomes of the origin's answers, and the headers of all answers, those that HAProxy gives itself among them. */
export function responseRules(rules: EdgeRules): string[] {
  const { headers, contentTypes, refusals, endpoints } = rules;
  const { list, config } = endpoints;
  return [
    ...heading("The origin's answers"),
    '# A file, or its confirmation; anything else must not get out as the origin has it.',
    instead(412, SERVER_ERRORS[412], 'if { status 412 }'),
    instead(502, SERVER_ERRORS[502], 'if { status ge 500 }'),
    instead(404, refusals.notFound, 'unless { status 200 304 }'),
    `http-response del-header ${quote(`^(?!(?:${KEPT.join('|')})$)`)} -m reg`,
    '# Servers make validators from the time and the size of a file. Two themes may have both in common, and a browser would be',
    "# told that somebody else's theme is still its user's: so neither ETag nor Last-Modified on CONFIG, and no 304.",
    'http-response del-header ETag if config || options',
    'http-response del-header Last-Modified if config || options',
    '',
    ...heading('Headers of every answer'),
    ...setHeaders(headers.all),
    ...setHeaders(headers.endpoint, 'if list || config'),
    ...[list, config].flatMap(({ kind, allow, vary }) => setHeaders({ Allow: allow, Vary: vary }, `if ${kind}`)),
    ...setHeaders({ Allow: MEDIA_ALLOW }, 'if media { status 405 }'),
    '',
    '# Whatever is not a success must not be kept.',
    ...setHeaders(headers.error, 'unless { status 301 }'),
    ...[list, config].flatMap(({ kind, cacheControl }) =>
      setHeaders({ 'Cache-Control': cacheControl }, `if ${kind} !options { status 200 304 }`),
    ),
    ...setHeaders(headers.media, 'if media { status 200 304 }'),
    '',
    '# What the origin calls a file does not count.',
    ...['json', 'options'].flatMap((file) =>
      setHeaders({ 'Content-Type': contentTypes.json }, `if ${file} { status 200 }`),
    ),
    ...setHeaders({ 'Content-Type': contentTypes.html, ...headers.html }, 'if html { status 200 }'),
    'http-after-response set-header Content-Type %[var(txn.themecast_picture)] if media { status 200 }',
    ...setHeaders(headers.svg, 'if media { status 200 } { var(txn.themecast_picture) -m str image/svg+xml }'),
    ...corsHeaders(rules),
  ];
}

function instead(status: number, body: string, condition: string): string {
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

import type { EdgeRules } from '../contract.ts';
import { credentialHeaders } from '../../theme/identity.ts';
import { BACKEND_STATE, STATE } from './state.ts';
import { block, firstOf } from './syntax.ts';
import { PRECONDITION_HEADERS } from '../request-headers.ts';

/** Request headers that identify the client, or that some servers interpret as another path. */
const CLIENT_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cookie',
  'Forwarded',
  'Host',
  'Origin',
  'Referer',
  'User-Agent',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'X-Rewrite-URL',
];

/** `vcl_backend_fetch`: requests the file without any header of the client. */
export function backendFetch({ identity }: EdgeRules): string[] {
  const read = identity.flatMap(({ credential }) => [
    ...credentialHeaders(credential),
    ...('secret' in credential ? [credential.secret.header] : []),
  ]);
  const removed = new Set([...CLIENT_HEADERS, ...STATE.filter((name) => !BACKEND_STATE.has(name)), ...read]);
  return block('sub vcl_backend_fetch', [
    ...block('if (bereq.http.X-Themecast-File)', [
      'set bereq.url = bereq.http.X-Themecast-File;',
      // Evaluated in vcl_deliver, where the object is complete.
      ...PRECONDITION_HEADERS.map((name) => `unset bereq.http.${name};`),
      ...[...removed].map((name) => `unset bereq.http.${name};`),
      'return (fetch);',
    ]),
  ]);
}

/** Response headers of the origin that are not passed on. */
const ORIGIN_HEADERS = [
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Allow',
  'Content-Disposition',
  'Content-Location',
  'Content-Security-Policy',
  'Expires',
  'Link',
  'Pragma',
  'Server',
  'Set-Cookie',
  'Vary',
];

/** `vcl_backend_response`: the lifetime of a file in the cache, and its headers. */
export function backendResponse({ endpoints }: EdgeRules): string[] {
  const listMaxAge = Number(/max-age=(\d+)/.exec(endpoints.list.cacheControl)?.[1] ?? 0);
  return block('sub vcl_backend_response', [
    ...block('if (bereq.http.X-Themecast-File)', [
      ...firstOf([
        [
          'beresp.status != 200 && bereq.http.X-Themecast-Instead',
          'set bereq.http.X-Themecast-File = bereq.http.X-Themecast-Instead;',
          'unset bereq.http.X-Themecast-Instead;',
          'return (retry);',
        ],
        ['bereq.uncacheable && beresp.status == 304', 'return (deliver);'],
        [
          'beresp.status != 200',
          'set beresp.ttl = 1s;',
          'set beresp.grace = 0s;',
          'set beresp.uncacheable = true;',
          'return (deliver);',
        ],
      ]),
      ...ORIGIN_HEADERS.map((name) => `unset beresp.http.${name};`),
      ...firstOf(
        [['bereq.http.X-Themecast == "picture"', 'set beresp.ttl = 1d;']],
        [
          '# Until then a new build may not be visible; the README explains how to purge it.',
          `set beresp.ttl = ${listMaxAge}s;`,
        ],
      ),
      `set beresp.grace = ${Math.min(listMaxAge, 10)}s;`,
      'set beresp.keep = 1d;',
      ...UNSTORED,
      'return (deliver);',
    ]),
  ]);
}

/**
 * A file that does not fit into the storage. Varnish fetches into its storage and sends from there: a file that does not fit is truncated,
 * or fails with 503 before its first byte (measured on 7.1 with `-s malloc,1m`). So a file is fetched completely before it is sent; if that
 * fails, it is fetched again without storing it, and so is every request for it within a day.
 */
const STORAGE = 'bereq.http.X-Themecast-Storage';
const UNSTORED = [
  '# A file that does not fit into the storage is fetched again (vcl_backend_error) and passed on without being stored.',
  ...firstOf([
    [`${STORAGE} == "full"`, 'return (pass(1d));'],
    ['!bereq.uncacheable', `set ${STORAGE} = "tried";`, 'set beresp.do_stream = false;'],
  ]),
];

/** `vcl_backend_error`: fetches a file again that did not fit into the storage. */
export function backendError(): string[] {
  return block('sub vcl_backend_error', [
    ...block('if (bereq.http.X-Themecast-File)', [
      ...block(`if (${STORAGE} == "tried")`, [`set ${STORAGE} = "full";`, 'return (retry);']),
      'return (deliver);',
    ]),
  ]);
}

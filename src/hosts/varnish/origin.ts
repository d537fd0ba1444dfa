import type { EdgeRules } from '../contract.ts';
import { credentialHeaders } from '../../theme/identity.ts';
import { BACKEND_STATE, STATE } from './state.ts';
import { block, firstOf } from './syntax.ts';
import { PRECONDITION_HEADERS } from '../request-headers.ts';

/** What is said of a requester, and what some servers take for the name of another file. */
const REQUESTERS_OWN = [
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

/** `vcl_backend_fetch`: the origin is asked for the file, and told nothing of the requester. */
export function backendFetch({ identity }: EdgeRules): string[] {
  const read = identity.flatMap(({ credential }) => [
    ...credentialHeaders(credential),
    ...('secret' in credential ? [credential.secret.header] : []),
  ]);
  const told = new Set([...REQUESTERS_OWN, ...STATE.filter((name) => !BACKEND_STATE.has(name)), ...read]);
  return block('sub vcl_backend_fetch', [
    ...block('if (bereq.http.X-Themecast-File)', [
      'set bereq.url = bereq.http.X-Themecast-File;',
      // Compared in vcl_deliver, where an object is whole.
      ...PRECONDITION_HEADERS.map((name) => `unset bereq.http.${name};`),
      ...[...told].map((name) => `unset bereq.http.${name};`),
      'return (fetch);',
    ]),
  ]);
}

/** What the origin says of a file in headers that are not for the requester. */
const ORIGINS_OWN = [
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

/** `vcl_backend_response`: how long a file is kept, and without which headers. */
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
      ...ORIGINS_OWN.map((name) => `unset beresp.http.${name};`),
      ...firstOf(
        [['bereq.http.X-Themecast == "picture"', 'set beresp.ttl = 1d;']],
        [
          '# Until then a new build may not be seen; the README says how to make it seen at once.',
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
 * A file that finds no room in the storage. Varnish fetches into its storage and sends from there: what does not fit is cut off, or
 * refused with 503 before its first byte (measured on 7.1 with `-s malloc,1m`). So a file is fetched whole before it is sent; if that
 * fails, it is fetched again past the storage, and so are requests for it that come within the same day.
 */
const STORAGE = 'bereq.http.X-Themecast-Storage';
const UNSTORED = [
  '# A file that finds no room in the storage is fetched again (vcl_backend_error), and passed on without being stored.',
  ...firstOf([
    [`${STORAGE} == "full"`, 'return (pass(1d));'],
    ['!bereq.uncacheable', `set ${STORAGE} = "tried";`, 'set beresp.do_stream = false;'],
  ]),
];

/** `vcl_backend_error`: what the origin has sent and the storage has not taken is fetched once more. */
export function backendError(): string[] {
  return block('sub vcl_backend_error', [
    ...block('if (bereq.http.X-Themecast-File)', [
      ...block(`if (${STORAGE} == "tried")`, [`set ${STORAGE} = "full";`, 'return (retry);']),
      'return (deliver);',
    ]),
  ]);
}

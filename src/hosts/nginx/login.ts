import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { block, headerVariable, map, quote, quoteTemplate } from './syntax.ts';

type LoginCredential = Extract<Credential, { from: 'auth_request' }>;

/** Timeouts of the login service, in seconds: the request for a theme waits for it, and then continues as anonymous. */
const CONNECT_TIMEOUT = 1;
export const READ_TIMEOUT = 2;

/** Names of the internal locations below those of the endpoint. */
const LOGIN = 'login';
const ASK = 'ask';
const ANONYMOUS = 'nobody';

/** The URL of the login service, if a rule uses one. */
export function loginUrl(identity: readonly IdentityRule[]): string | undefined {
  return loginRules(identity)[0]?.credential.url;
}

/** Queries the login service and stores its response, for the locations that send the theme of a user. */
export function queryLogin(identity: readonly IdentityRule[], folder: string): string[] {
  const rules = loginRules(identity);
  if (rules.length === 0) return [];
  return [
    `auth_request ${quote(folder + LOGIN)};`,
    // Status and header in one variable: only the header of a 2xx response counts. A status contains no `=`.
    ...rules.map(({ rule, credential }) => {
      const header = headerVariable('upstream_http', credential.header);
      return `auth_request_set $themecast_login_${rule} ${quoteTemplate(`$upstream_status=${header}`)};`;
    }),
  ];
}

/**
 * The locations for `auth_request`: one turns every status into 204, one forwards the request.
 * @param notFound - the directive for external requests to an internal location
 */
export function loginLocations(identity: readonly IdentityRule[], folder: string, notFound: string): string[] {
  const url = loginUrl(identity);
  if (url === undefined) return [];
  const login = folder + LOGIN;
  return [
    '',
    '# The login service identifies the user. auth_request would reject unknown users, and every request while the service is down,',
    '# with 401, 403 or 500. So every response becomes 204: nginx preserves the status of an error_page. maps.conf tests whether the',
    '# original status was 2xx. Requests without Cookie and Authorization are not forwarded.',
    ...block(`location = ${quote(login)}`, [
      'recursive_error_pages on;',
      `error_page 418 =204 ${quoteTemplate(`${login}/$themecast_login`)};`,
      notFound,
      'return 418;',
    ]),
    ...block(`location = ${quote(`${login}/${ASK}`)}`, [
      `proxy_pass ${quote(new URL(url).href)};`,
      ...PROXY,
      ...(url.startsWith('https:') ? TLS : []),
      `error_page 500 502 504 =204 ${quote(`${login}/${ANONYMOUS}`)};`,
      notFound,
    ]),
    ...block(`location = ${quote(`${login}/${ANONYMOUS}`)}`, ['return 204;']),
  ];
}

const PROXY = [
  '# Only the credentials of the request, without its body and Content-Length.',
  'proxy_pass_request_headers off;',
  'proxy_pass_request_body off;',
  'proxy_set_header Content-Length "";',
  'proxy_set_header Cookie $http_cookie;',
  'proxy_set_header Authorization $http_authorization;',
  'proxy_http_version 1.1;',
  `proxy_connect_timeout ${CONNECT_TIMEOUT}s;`,
  `proxy_send_timeout ${CONNECT_TIMEOUT}s;`,
  `proxy_read_timeout ${READ_TIMEOUT}s;`,
  'proxy_next_upstream error;',
  '# Never store or reinterpret a response.',
  'proxy_cache off;',
  'proxy_store off;',
  'proxy_intercept_errors off;',
  'proxy_ignore_headers X-Accel-Redirect;',
];

/** By default nginx accepts every certificate. */
const TLS = [
  'proxy_ssl_server_name on;',
  'proxy_ssl_verify on;',
  'proxy_ssl_verify_depth 3;',
  'proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;',
];

/** The map that decides whether to query the login service, for {@link loginLocations}. */
export function loginMap(identity: readonly IdentityRule[]): string[] {
  if (loginUrl(identity) === undefined) return [];
  return [
    '# Whether to query the login service: only for requests with credentials.',
    ...map('"$http_cookie$http_authorization"', 'login', [`default ${ASK}`, `"" ${ANONYMOUS}`]),
  ];
}

/** The key of a rule, from the response that {@link queryLogin} stores. */
export function loginKeyMap(rule: number): string[] {
  return [
    '# (The variable contains a status for each address that was tried, then "=" and the header.)',
    ...map(`$themecast_login_${rule}`, `key_${rule}`, [
      'default ""',
      `"~^[^=]*2\\d\\d=(?<themecast_answer_${rule}>.*)$" $themecast_answer_${rule}`,
    ]),
  ];
}

function loginRules(identity: readonly IdentityRule[]): { rule: number; credential: LoginCredential }[] {
  return identity.flatMap(({ credential }, index) =>
    credential.from === 'auth_request' ? [{ rule: index + 1, credential }] : [],
  );
}

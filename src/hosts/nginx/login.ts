import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { block, quote, headerVariable, quoteTemplate } from './syntax.ts';

type LoginCredential = Extract<Credential, { from: 'auth_request' }>;

/** Times that the login service has, in seconds: whoever asks for a theme waits for it, and then gets one as anybody does. */
const CONNECT_LIMIT = 1;
export const READ_LIMIT = 2;

/** Names of the internal locations below that of the endpoint's answers. */
const LOGIN = 'login';
const ASK = 'ask';
const NOBODY = 'nobody';

/** Where the login service is, if a rule asks one. */
export function loginUrl(identity: readonly IdentityRule[]): string | undefined {
  return loginRules(identity)[0]?.credential.url;
}

/** What asks the login service and keeps its answer, for the locations that send somebody's theme. */
export function askLogin(identity: readonly IdentityRule[], answers: string): string[] {
  const rules = loginRules(identity);
  if (rules.length === 0) return [];
  return [
    `auth_request ${quote(answers + LOGIN)};`,
    // Status and header in one, because the header of a refusal says nothing. A status holds no `=`.
    ...rules.map(({ rule, credential }) => {
      const header = headerVariable('upstream_http', credential.header);
      return `auth_request_set $themecast_login_${rule} ${quoteTemplate(`$upstream_status=${header}`)};`;
    }),
  ];
}

/**
 * The locations that `auth_request` asks: one that turns every status into 204, one that passes the request on.
 * @param notFound - what answers whoever asks for an internal location
 */
export function loginLocations(identity: readonly IdentityRule[], answers: string, notFound: string): string[] {
  const url = loginUrl(identity);
  if (url === undefined) return [];
  const login = answers + LOGIN;
  return [
    '',
    '# The login service says who asks. auth_request would refuse everyone whom it does not know, or while it is down, with 401, 403',
    '# or 500. So each of its answers becomes 204: nginx keeps the status of an error_page whatever comes after it. Whether its own',
    '# status was 2xx is looked at in maps.conf. It is not asked about requests without Cookie and Authorization.',
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
      `error_page 500 502 504 =204 ${quote(`${login}/${NOBODY}`)};`,
      notFound,
    ]),
    ...block(`location = ${quote(`${login}/${NOBODY}`)}`, ['return 204;']),
  ];
}

const PROXY = [
  '# Nothing of the request but its credentials; neither its body nor how long that is.',
  'proxy_pass_request_headers off;',
  'proxy_pass_request_body off;',
  'proxy_set_header Content-Length "";',
  'proxy_set_header Cookie $http_cookie;',
  'proxy_set_header Authorization $http_authorization;',
  'proxy_http_version 1.1;',
  `proxy_connect_timeout ${CONNECT_LIMIT}s;`,
  `proxy_send_timeout ${CONNECT_LIMIT}s;`,
  `proxy_read_timeout ${READ_LIMIT}s;`,
  'proxy_next_upstream error;',
  '# An answer is for one request, and is an answer.',
  'proxy_cache off;',
  'proxy_store off;',
  'proxy_intercept_errors off;',
  'proxy_ignore_headers X-Accel-Redirect;',
];

/** nginx trusts every certificate unless it is told whom. */
const TLS = [
  'proxy_ssl_server_name on;',
  'proxy_ssl_verify on;',
  'proxy_ssl_verify_depth 3;',
  'proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;',
];

/** Whether to ask at all: the map that {@link loginLocations} go by. */
export function loginMap(identity: readonly IdentityRule[]): string {
  if (loginUrl(identity) === undefined) return '';
  return `# Whether the login service is asked: only about a request that has something to show.
map "$http_cookie$http_authorization" $themecast_login {
    default ${ASK};
    ""      ${NOBODY};
}

`;
}

/** The key of a rule, out of what {@link askLogin} keeps. */
export function loginKeyMap(names: IdentityRule['names'], { url, header }: LoginCredential, rule: number): string {
  return `# Rule ${rule}: the ${names} is the header ${header} with which ${url} answers 2xx. locations.conf asks it.
# (Kept is a status for each of its addresses that was tried, then "=" and the header.)
map $themecast_login_${rule} $themecast_key_${rule} {
    default "";
    "~^[^=]*2\\d\\d=(?<themecast_answer_${rule}>.*)$" $themecast_answer_${rule};
}`;
}

function loginRules(identity: readonly IdentityRule[]): { rule: number; credential: LoginCredential }[] {
  return identity.flatMap(({ credential }, index) =>
    credential.from === 'auth_request' ? [{ rule: index + 1, credential }] : [],
  );
}

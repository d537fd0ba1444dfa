import type { KeyKind } from '../../users/key.ts';
import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { loginKeyMap, loginMap } from './login.ts';
import { quote, quoteMapKey, quoteTemplate, headerVariable } from './syntax.ts';
import { TOKEN_MODULE } from './token.ts';
import { escapeRegExp } from '../regexp.ts';
import { AFTER_HOSTNAME, type HostCredential } from '../hostnames.ts';

/** The maps from a request to the names of the files below config/. */
export function identityMaps(identity: readonly IdentityRule[], themes: readonly string[]): string {
  return `${tokenImport(identity)}${loginMap(identity)}# Each rule looks up its key; without a match the next rule applies, and after the last the default theme.
${identity.map((rule, index) => ruleMaps(rule, index + 1, identity.length, themes)).join('\n')}
# Names of the files below config/. Slugs come only from these maps: no part of a request becomes part of a path.
map $themecast_theme_1 $themecast_config_json {
    default $themecast_theme_1;
    ""      index;
}
map $themecast_theme_1 $themecast_config_html {
    default $themecast_theme_1;
    ""      browse;
}`;
}

function ruleMaps({ names, credential }: IdentityRule, rule: number, last: number, themes: readonly string[]): string {
  const fallback = rule === last ? '""' : `$themecast_theme_${rule + 1}`;
  return `${credentialMaps(names, credential, rule)}
${themeOfKey({ names, credential }, rule, fallback, themes)}
`;
}

function themeOfKey(
  { names, credential }: IdentityRule,
  rule: number,
  fallback: string,
  themes: readonly string[],
): string {
  if (names !== 'theme') return keyMap(names, rule, fallback);
  return credential.from === 'host' ? hostThemeMap(credential, rule, fallback) : themeMaps(rule, fallback, themes);
}

function keyMap(kind: KeyKind, rule: number, fallback: string): string {
  return `map $themecast_key_${rule} $themecast_theme_${rule} {
    default ${fallback};
    include themecast/${kind}s.map;
}`;
}

function themeMaps(rule: number, fallback: string, themes: readonly string[]): string {
  return `# (A map is case-insensitive; no slug has an upper-case letter.)
map $themecast_key_${rule} $themecast_slug_${rule} {
    default   $themecast_key_${rule};
    "~[A-Z]" "";
}
map $themecast_slug_${rule} $themecast_theme_${rule} {
    default ${fallback};
${themes.map((slug) => `    ${quoteMapKey(slug)} ${quote(slug)};`).join('\n')}
}`;
}

function credentialMaps(names: IdentityRule['names'], credential: Credential, rule: number): string {
  switch (credential.from) {
    case 'cookie':
      return `# Rule ${rule}: the ${names} is the first cookie \`${credential.name}\`, not decoded.
${cookieMap(credential.name, 'key', rule)}`;
    case 'header':
      return headerMap(names, credential, rule);
    case 'host':
      return hostMap(names, rule);
    case 'jwt':
      return tokenMap(names, credential, rule);
    default:
      return loginKeyMap(names, credential, rule);
  }
}

/**
 * The first cookie of this name, not decoded. `$cookie_…` would ignore the case of the name. No key contains white space, so a value with
 * white space matches no user.
 */
function cookieMap(cookie: string, into: 'key' | 'token', rule: number): string {
  return `# ($cookie_… would ignore the case of the name.)
map $http_cookie $themecast_${into}_${rule} {
    default "";
    '~(?:^|;)\\s*${escapeRegExp(cookie)}\\s*=\\s*(?:("?)(?<themecast_cookie_${rule}>[^;\\s"]*+)\\1\\s*+(?:;|$))?' $themecast_cookie_${rule};
}`;
}

/** `$host` is the hostname of the request target or else of Host, in lower case and without port, or else `server_name`. */
function hostMap(names: IdentityRule['names'], rule: number): string {
  if (names !== 'group') return hostKeyMap(names, '$host', rule);
  return `# (A group is a hostname only if it has a dot.)
map $host $themecast_host_${rule} {
    default "";
    "~\\." $host;
}
${hostKeyMap(names, `$themecast_host_${rule}`, rule)}`;
}

function hostKeyMap(names: IdentityRule['names'], host: string, rule: number): string {
  return `# Rule ${rule}: the ${names} is given by the hostname of the request. ($host alone would be server_name in requests without Host, and would
# accept any port. In HTTP/3, some versions of nginx have no $http_host.)
map "$server_protocol $http_host" $themecast_key_${rule} {
    default "";
    ${quoteTemplate(`~^HTTP/[^ ]+ [A-Za-z0-9.-]*[A-Za-z0-9]${AFTER_HOSTNAME}`)} ${host};
    "~^HTTP/3[^ ]* $" ${host};
}`;
}

function hostThemeMap({ themes = {} }: HostCredential, rule: number, fallback: string): string {
  return `map $themecast_key_${rule} $themecast_theme_${rule} {
    default ${fallback};
${Object.entries(themes)
  .map(([name, slug]) => `    ${quoteMapKey(name)} ${quote(slug)};`)
  .join('\n')}
}`;
}

function headerMap(
  names: IdentityRule['names'],
  credential: Extract<Credential, { from: 'header' }>,
  rule: number,
): string {
  return `${'proxies' in credential ? addressGuard(names, credential, rule) : secretGuard(names, credential, rule)}
map $themecast_trusted_${rule} $themecast_key_${rule} {
    default "";
    1       ${headerVariable('http', credential.name)};
}`;
}

function addressGuard(
  names: IdentityRule['names'],
  { name, proxies }: { name: string; proxies: readonly string[] },
  rule: number,
): string {
  return `# Rule ${rule}: the ${names} is the header ${name}, trusted only if the connection comes from one of these addresses.
# $realip_remote_addr is the address of the connection, even if the realip module changes $remote_addr.
geo $realip_remote_addr $themecast_trusted_${rule} {
    default 0;
${[...new Set(proxies)].map((address) => `    ${quote(address)} 1;`).join('\n')}
}`;
}

function secretGuard(
  names: IdentityRule['names'],
  { name, secret }: { name: string; secret: { header: string; env: string } },
  rule: number,
): string {
  return `# Rule ${rule}: the ${names} is the header ${name}, trusted only with the secret in ${secret.header}.
# Create ${secret.env}.map with the command in the README, and keep it out of Git. A value that is shorter than ${MIN_SECRET_BYTES} characters or
# contains other characters never matches, even if the file lists it.
map ${headerVariable('http', secret.header)} $themecast_given_${rule} {
    default "";
    "~^[A-Za-z0-9_-]{${MIN_SECRET_BYTES},512}$" ${headerVariable('http', secret.header)};
}
map $themecast_given_${rule} $themecast_trusted_${rule} {
    default 0;
    include themecast/${secret.env}.map;
}`;
}

/** The maps find a token, and njs verifies it. Without a rule that reads tokens, the njs module is not needed. */
function tokenImport(identity: readonly IdentityRule[]): string {
  if (!identity.some(({ credential }) => credential.from === 'jwt')) return '';
  return `# Requires the njs module, and the secrets in the environment: see the README. The path is relative to the folder of nginx.conf.
js_import ${TOKEN_MODULE} from themecast/token.js;

`;
}

function tokenMap(
  names: IdentityRule['names'],
  { cookie, claim }: Extract<Credential, { from: 'jwt' }>,
  rule: number,
): string {
  const place = cookie === undefined ? 'Authorization: Bearer' : `the first cookie \`${cookie}\``;
  return `# Rule ${rule}: the ${names} is the claim \`${claim}\` of the token in ${place}.
${cookie === undefined ? bearerMap(rule) : cookieMap(cookie, 'token', rule)}
js_set $themecast_key_${rule} ${TOKEN_MODULE}.rule_${rule};`;
}

function bearerMap(rule: number): string {
  return `map $http_authorization $themecast_token_${rule} {
    default "";
    "~*^Bearer +(?<themecast_bearer_${rule}>[^ ]+)$" $themecast_bearer_${rule};
}`;
}

import type { KeyKind } from '../../users/key.ts';
import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { loginKeyMap, loginMap } from './login.ts';
import { quote, quoteMapKey, headerVariable } from './syntax.ts';
import { TOKEN_MODULE } from './token.ts';
import { escapeRegExp } from '../regexp.ts';

/** The maps from a request to the names of the files below config/ that it is answered with. */
export function identityMaps(identity: readonly IdentityRule[], themes: readonly string[]): string {
  return `${tokenImport(identity)}${loginMap(identity)}# Each rule looks its key up; the one after it stands in where it knows nobody, and the default theme after the last.
${identity.map((rule, index) => ruleMaps(rule, index + 1, identity.length, themes)).join('\n')}
# Names of the files below config/. Slugs come from these maps alone: nothing that a request says becomes part of a path.
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
${names === 'theme' ? themeMaps(rule, fallback, themes) : keyMap(names, rule, fallback)}
`;
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
      return `# Rule ${rule}: the ${names} is the first cookie \`${credential.name}\`, as it is written.
${cookieMap(credential.name, 'key', rule)}`;
    case 'header':
      return headerMap(names, credential, rule);
    case 'jwt':
      return tokenMap(names, credential, rule);
    default:
      return loginKeyMap(names, credential, rule);
  }
}

/**
 * The first cookie of the name with its value as it stands; not `$cookie_…`, which does not mind the case of the name.
 * No key holds white space, so a value that does is nobody's.
 */
function cookieMap(cookie: string, into: 'key' | 'token', rule: number): string {
  return `# ($cookie_… would not mind the case of the name.)
map $http_cookie $themecast_${into}_${rule} {
    default "";
    "~(?:^|;)\\s*${escapeRegExp(cookie)}\\s*=\\s*(?:(?<themecast_cookie_${rule}>[^;\\s]*+)\\s*+(?:;|$))?" $themecast_cookie_${rule};
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
  return `# Rule ${rule}: the ${names} is the header ${name}, believed only when the connection comes from one of these addresses.
# $realip_remote_addr is the address of the connection itself, whatever the realip module makes of $remote_addr.
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
  return `# Rule ${rule}: the ${names} is the header ${name}, believed only together with the secret in ${secret.header}.
# The secret is yours to put there, and never in Git: the README has the command that writes ${secret.env}.map.
# What is shorter than ${MIN_SECRET_BYTES} characters, or holds others than these, is no secret, whatever the file says.
map ${headerVariable('http', secret.header)} $themecast_given_${rule} {
    default "";
    "~^[A-Za-z0-9_-]{${MIN_SECRET_BYTES},512}$" ${headerVariable('http', secret.header)};
}
map $themecast_given_${rule} $themecast_trusted_${rule} {
    default 0;
    include themecast/${secret.env}.map;
}`;
}

/** The maps find a token, and njs verifies it. Where no rule reads one, nothing here asks for the njs module. */
function tokenImport(identity: readonly IdentityRule[]): string {
  if (!identity.some(({ credential }) => credential.from === 'jwt')) return '';
  return `# Takes the njs module, and the secrets in the environment: see the README. The path is from the folder of nginx.conf.
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

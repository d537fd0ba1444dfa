import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { EdgeRules } from '../contract.ts';
import { AFTER_HOSTNAME } from '../hostnames.ts';
import { escapeRegExp } from '../regexp.ts';
import { numbered, type NumberedRule, ruleComment } from '../rule-comment.ts';
import { loginKeyMap, loginMap } from './login.ts';
import { block, headerVariable, map, quote, quoteMapKey, quoteTemplate } from './syntax.ts';
import { TOKEN_MODULE, tokenImport } from './token.ts';

/** The maps from a request to the slug of its theme, `$themecast_theme_1`: no part of a request becomes part of a path. */
export function identityMaps({ identity, themes }: EdgeRules): string[] {
  return [
    ...tokenImport(identity),
    ...loginMap(identity),
    '# Each rule looks up its key; without a match the next rule applies, and after the last the default theme.',
    ...numbered(identity).flatMap((rule) => [
      ruleComment(rule),
      ...keyMaps(rule),
      ...themeMaps(rule, rule.rule === identity.length ? '""' : `$themecast_theme_${rule.rule + 1}`, themes),
      '',
    ]),
  ];
}

function themeMaps({ names, credential, rule }: NumberedRule, fallback: string, themes: readonly string[]): string[] {
  const look = (key: string, lines: readonly string[]) => map(key, `theme_${rule}`, [`default ${fallback}`, ...lines]);
  const pairs = (slugs: readonly (readonly [string, string])[]) =>
    slugs.map(([key, slug]) => `${quoteMapKey(key)} ${quote(slug)}`);
  const key = `$themecast_key_${rule}`;
  if (names !== 'theme') return look(key, [`include themecast/${names}s.map`]);
  if (credential.from === 'host') return look(key, pairs(Object.entries(credential.themes ?? {})));
  return [
    '# (A map is case-insensitive; no slug has an upper-case letter.)',
    ...map(key, `slug_${rule}`, [`default ${key}`, '"~[A-Z]" ""']),
    ...look(`$themecast_slug_${rule}`, pairs(themes.map((slug) => [slug, slug]))),
  ];
}

/** `$themecast_key_1` and so on: the key that the rule reads, or the empty string. */
function keyMaps({ names, credential, rule }: NumberedRule): string[] {
  const key = `key_${rule}`;
  switch (credential.from) {
    case 'cookie':
      return cookieMap(credential.name, key, rule);
    case 'host':
      return hostMaps(names, rule);
    case 'jwt':
      return [
        ...(credential.cookie === undefined
          ? map('$http_authorization', `token_${rule}`, [
              'default ""',
              `"~*^Bearer +(?<themecast_bearer_${rule}>[^ ]+)$" $themecast_bearer_${rule}`,
            ])
          : cookieMap(credential.cookie, `token_${rule}`, rule)),
        `js_set $themecast_key_${rule} ${TOKEN_MODULE}.rule_${rule};`,
      ];
    case 'auth_request':
      return loginKeyMap(rule);
    default:
      return [
        ...('proxies' in credential ? addressGuard(credential.proxies, rule) : secretGuard(credential.secret, rule)),
        ...map(`$themecast_trusted_${rule}`, key, ['default ""', `1 ${headerVariable('http', credential.name)}`]),
      ];
  }
}

/**
 * The first cookie of this name, not decoded. `$cookie_…` would ignore the case of the name. No key contains white space, so a value with
 * white space matches no user.
 */
function cookieMap(cookie: string, into: string, rule: number): string[] {
  const first = `'~(?:^|;)\\s*${escapeRegExp(cookie)}\\s*=\\s*(?:("?)(?<themecast_cookie_${rule}>[^;\\s"]*+)\\1\\s*+(?:;|$))?'`;
  return map('$http_cookie', into, ['default ""', `${first} $themecast_cookie_${rule}`]);
}

/** `$host` is the hostname of the request target or else of Host, in lower case and without port, or else `server_name`. */
function hostMaps(names: IdentityRule['names'], rule: number): string[] {
  const host = names === 'group' ? `$themecast_host_${rule}` : '$host';
  return [
    ...(names === 'group' ? map('$host', `host_${rule}`, ['default ""', '"~\\." $host']) : []),
    '# ($host alone would be server_name in requests without Host, and would accept any port. In HTTP/3, some versions of nginx have no',
    '# $http_host.)',
    ...map('"$server_protocol $http_host"', `key_${rule}`, [
      'default ""',
      `${quoteTemplate(`~^HTTP/[^ ]+ [A-Za-z0-9.-]*[A-Za-z0-9]${AFTER_HOSTNAME}`)} ${host}`,
      `"~^HTTP/3[^ ]* $" ${host}`,
    ]),
  ];
}

/** `$realip_remote_addr` is the address of the connection, even if the realip module changes `$remote_addr`. */
function addressGuard(proxies: readonly string[], rule: number): string[] {
  const trusted = [...new Set(proxies)].map((address) => `${quote(address)} 1;`);
  return block(`geo $realip_remote_addr $themecast_trusted_${rule}`, ['default 0;', ...trusted]);
}

function secretGuard({ header, env }: { header: string; env: string }, rule: number): string[] {
  const given = headerVariable('http', header);
  return [
    `# Create ${env}.map with the command in the README, and keep it out of Git. A value that is shorter than ${MIN_SECRET_BYTES} characters or`,
    '# contains other characters never matches, even if the file lists it.',
    ...map(given, `given_${rule}`, ['default ""', `"~^[A-Za-z0-9_-]{${MIN_SECRET_BYTES},512}$" ${given}`]),
    ...map(`$themecast_given_${rule}`, `trusted_${rule}`, ['default 0', `include themecast/${env}.map`]),
  ];
}

import type { EdgeRules } from '../contract.ts';
import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { assign, condition, exactly } from './rewrite-rule.ts';
import { quoteExpression, quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';

/** The alphabet of keys. What holds anything else is nobody's, and is not looked up: httpd remembers every key that it was asked for. */
const KEY = '[A-Za-z0-9._@+:|=/~-]{1,128}';

/** Slugs in one regular expression: PCRE takes none that compiles to more than 64 KB. */
const SLUGS_IN_A_PATTERN = 250;

const UNKNOWN_SO_FAR = condition('%{ENV:themecast_theme}', '^$');

/** Each identity rule in its order; the first that knows a theme wins. */
export function identityRules({ identity, themes, endpoints }: EdgeRules): string[] {
  const path = exactly(endpoints.config);
  return identity.flatMap((rule, index) => {
    const { place, conditions } = keyOf(rule.credential);
    return [
      `# Rule ${index + 1}: the ${rule.names} is ${place}.`,
      ...knownThemes(rule, themes).flatMap((known) =>
        assign(path, 'theme', '%1', [UNKNOWN_SO_FAR, ...conditions, known]),
      ),
    ];
  });
}

/** Where a key comes from, in words, and the conditions of which the last leaves it in `%1`. */
function keyOf(credential: Credential): { place: string; conditions: string[] } {
  if (credential.from === 'cookie') {
    const { name } = credential;
    return { place: `the first cookie \`${name}\`, as it is written`, conditions: [firstCookie(name)] };
  }
  if (credential.from !== 'header')
    throw new Error(`Bug: ${credential.from} is not among the capabilities of Apache httpd.`);
  const [guard, believed] =
    'proxies' in credential
      ? [fromOneOf(credential.proxies), 'when the connection itself comes from one of these addresses']
      : [withSecret(credential.secret), `together with the secret in ${credential.secret.header}`];
  return {
    place: `the header ${credential.name}, believed only ${believed}`,
    conditions: [`expr ${quote(guard)}`, condition(`%{HTTP:${credential.name}}`, `^(${KEY})$`)],
  };
}

/** The optional group is what keeps the regular expression from a later cookie of the name when the first holds no key. */
function firstCookie(name: string): string {
  return condition('%{HTTP:Cookie}', `(?:^|;)\\s*${escapeRegExp(name)}\\s*=\\s*+(?:(${KEY})\\s*+(?:;|$))?`);
}

/** CONN_REMOTE_ADDR is the address of the connection, whatever mod_remoteip makes of REMOTE_ADDR. */
function fromOneOf(proxies: readonly string[]): string {
  return [...new Set(proxies)]
    .map((address) => `%{CONN_REMOTE_ADDR} -ipmatch ${quoteExpression(address)}`)
    .join(' || ');
}

/** Compared by digest, so that the time of the comparison tells nothing of the secret; a secret that is too short is none. */
function withSecret({ header, env }: { header: string; env: string }): string {
  const [given, secret] = [`req_novary(${quoteExpression(header)})`, `osenv(${quoteExpression(env)})`];
  return `${secret} =~ /^.{${MIN_SECRET_BYTES}}/ && sha1(${given}) == sha1(${secret})`;
}

/** Conditions that turn the key in `%1` into a theme; each for a rule of its own. */
function knownThemes({ names }: IdentityRule, themes: readonly string[]): string[] {
  if (names !== 'theme') return [condition(`\${themecast_${names}s:%1}`, '^([a-z0-9-]+)$')];
  const patterns: string[] = [];
  for (let at = 0; at < themes.length; at += SLUGS_IN_A_PATTERN) {
    const slugs = themes.slice(at, at + SLUGS_IN_A_PATTERN).map(escapeRegExp);
    patterns.push(condition('%1', `^(${slugs.join('|')})$`));
  }
  return patterns;
}

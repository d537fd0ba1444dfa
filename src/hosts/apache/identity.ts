import type { EdgeRules } from '../contract/contract.ts';
import type { Credential, IdentityRule } from '../../core/edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import { ruleComment } from '../contract/credentials.ts';
import { numbered } from '../contract/identity-rules.ts';
import type { View } from '../adapter/template.ts';
import { condition, quote, quoteExpression } from './syntax.ts';
import { ENCODED_KEY_CHARACTER, KEY_CHARACTER } from '../contract/encoded-keys.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import { AFTER_HOSTNAME, chunks, GROUP_HOST_HEADER, hostnameAlternatives } from '../contract/hostnames.ts';

/** Matches a key. No other value is looked up, because httpd caches every key that it looks up. */
const KEY = `${KEY_CHARACTER}{1,128}`;
/** Matches a key in a cookie. Other escapes are excluded: `int:unescape` would end the key at `%00`. */
const ENCODED_KEY = `${ENCODED_KEY_CHARACTER}{1,128}`;

/** The hostname of the request target, or else of Host, independent of `UseCanonicalName`. */
const HOST = '%{HTTP_HOST}';

/** Returns the identity rules in order, each with conditions for a theme; the first match wins. */
export function identityView({ identity, themes }: EdgeRules): View[] {
  return numbered(identity).map((rule) => ({ comment: ruleComment(rule), matches: matchesOf(rule, themes) }));
}

function matchesOf({ names, credential }: IdentityRule, themes: readonly string[]): View[] {
  if (names === 'theme' && credential.from === 'host')
    return hostnameAlternatives(credential).map(([theme, hosts]) => ({
      theme,
      conditions: [condition(HOST, `^(?:${hosts})${AFTER_HOSTNAME}`, 'NC')],
    }));
  const key = keyConditions(credential);
  return themeConditions({ names, credential }, themes).map((theme) => ({ theme: '%1', conditions: [...key, theme] }));
}

/** Returns conditions, the last of which captures the key in `%1`. */
function keyConditions(credential: Credential): string[] {
  if (credential.from === 'cookie') return [firstCookie(credential.name)];
  if (credential.from === 'host') return [condition(HOST, GROUP_HOST_HEADER)];
  if (credential.from !== 'header')
    throw new Error(`Bug: ${credential.from} is not among the capabilities of Apache httpd.`);
  const guard = 'proxies' in credential ? fromOneOf(credential.proxies) : withSecret(credential.secret);
  return [`expr ${quote(guard)}`, condition(`%{HTTP:${credential.name}}`, `^(${KEY})$`)];
}

/**
 * Returns a condition on the first cookie of this name. If that has no key, the optional group stops the pattern from matching a later
 * one. In a `RewriteCond`, a double quote between quotes has no escape: \x22.
 */
function firstCookie(name: string): string {
  return condition(
    '%{HTTP:Cookie}',
    `(?:^|;)\\s*${escapeRegExp(name)}\\s*=\\s*+(?:(?|\\x22(${ENCODED_KEY})\\x22|(${ENCODED_KEY}))\\s*+(?:;|$))?`,
  );
}

/** Compares CONN_REMOTE_ADDR, the address of the connection: mod_remoteip may change REMOTE_ADDR. */
function fromOneOf(proxies: readonly string[]): string {
  return [...new Set(proxies)]
    .map((address) => `%{CONN_REMOTE_ADDR} -ipmatch ${quoteExpression(address)}`)
    .join(' || ');
}

/** Compares digests, so that the timing reveals nothing about the secret, and rejects a secret that is too short. */
function withSecret({ header, env }: { header: string; env: string }): string {
  const [headerValue, secret] = [`req_novary(${quoteExpression(header)})`, `osenv(${quoteExpression(env)})`];
  return `${secret} =~ /^.{${MIN_SECRET_BYTES}}/ && sha1(${headerValue}) == sha1(${secret})`;
}

/** Returns conditions that map the key in `%1` to a theme, each for a rewrite rule. */
function themeConditions({ names, credential }: IdentityRule, themes: readonly string[]): string[] {
  const { from } = credential;
  const key = from === 'host' ? '${themecast_lower:%1}' : from === 'cookie' ? '${themecast_unescape:%1}' : '%1';
  if (names !== 'theme') return [condition(`\${themecast_${names}s:${key}}`, '^([a-z0-9-]+)$')];
  return chunks(themes.map(escapeRegExp)).map((slugs) => condition('%1', `^(${slugs.join('|')})$`));
}

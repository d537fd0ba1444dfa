import type { IdentityRule } from '../../core/edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { quoteJavaScript } from '../adapter/handler-modules.ts';
import { AFTER_HOSTNAME } from '../contract/hostnames.ts';
import { ruleComment } from '../contract/credentials.ts';
import { numbered, type NumberedRule, rulesFrom } from '../contract/identity-rules.ts';
import { decodingMaps, ENCODED_KEY_CHARACTER } from '../contract/encoded-keys.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import { secretOf } from '../contract/secrets.ts';
import type { View } from '../adapter/template.ts';
import { headerVariable, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** Returns the maps from a request to the slug of its theme. A slug comes from the mapping: no part of a request becomes part of a path. */
export function identityView({ identity, themes }: EdgeRules): View {
  return {
    tokens: rulesFrom(identity, 'jwt').map(({ rule }) => String(rule)),
    login: rulesFrom(identity, 'auth_request').map(({ rule }) => String(rule)),
    min_secret: String(MIN_SECRET_BYTES),
    // `$host` is the hostname of the request target, else of Host, else `server_name`: in lower case and without port.
    host_header: quoteTemplate(`~^HTTP/[^ ]+ [A-Za-z0-9.-]*[A-Za-z0-9]${AFTER_HOSTNAME}`),
    rules: numbered(identity).map((rule) => ({
      ...keyView(rule),
      ...themeView(rule, themes),
      rule: String(rule.rule),
      comment: ruleComment(rule),
      next: rule.rule === identity.length ? '""' : `$themecast_theme_${rule.rule + 1}`,
    })),
  };
}

/** Returns the map of `$themecast_key_1` and so on: the key that the rule reads, or the empty string. */
function keyView({ names, credential, rule }: NumberedRule): View {
  const { from } = credential;
  const decodes = from === 'cookie' && names !== 'theme';
  const cookie = from === 'cookie' ? credential.name : from === 'jwt' ? credential.cookie : undefined;
  const secret = from === 'header' && 'secret' in credential ? credential.secret : undefined;
  return {
    cookie: cookie === undefined ? '' : firstCookie(cookie, rule, decodes ? ENCODED_KEY : '[^;\\s"]*+'),
    into: from === 'jwt' ? 'token' : decodes ? 'encoded' : 'key',
    decoding: decodes
      ? decodingMaps(`$themecast_encoded_${rule}`, `$themecast_key_${rule}`, quoteTemplate, (group) => `$${group}`)
      : [],
    token: from === 'jwt',
    bearer: from === 'jwt' && cookie === undefined,
    asks: from === 'auth_request',
    host: from === 'host',
    group: names === 'group',
    hostname: names === 'group' ? `$themecast_host_${rule}` : '$host',
    header: from === 'header' ? headerVariable('http', credential.name) : '',
    // `$realip_remote_addr` is the address of the connection; the realip module may change `$remote_addr`.
    proxies: from === 'header' && 'proxies' in credential ? [...new Set(credential.proxies)].map(quote) : [],
    secret: secret?.env ?? '',
    given: secret === undefined ? '' : headerVariable('http', secret.header),
  };
}

/**
 * Matches the first cookie of this name, not decoded; `$cookie_…` would ignore the case of the name. No key contains white space, so a
 * value with white space matches no user.
 */
function firstCookie(cookie: string, rule: number, value: string): string {
  return `'~(?:^|;)\\s*${escapeRegExp(cookie)}\\s*=\\s*(?:("?)(?<themecast_cookie_${rule}>${value})\\1\\s*+(?:;|$))?'`;
}

/** Matches a key in a cookie. Its length is limited, so that no decoding step takes long. */
const ENCODED_KEY = `${ENCODED_KEY_CHARACTER}{1,128}+`;

function themeView({ names, credential }: NumberedRule, slugs: readonly string[]): View {
  if (names !== 'theme') return { slugs: false, map: `${names}s.map`, themes: [] };
  const isHost = credential.from === 'host';
  const themes = isHost ? Object.entries(credential.themes ?? {}) : slugs.map((slug) => [slug, slug] as const);
  return { slugs: !isHost, map: '', themes: themes.map(([key, slug]) => `${quoteMapKey(key)} ${quote(slug)}`) };
}

/**
 * Returns the values of `token.js` for the njs module, which verifies the tokens that maps.conf reads. `js_set` calls a function
 * without arguments and does not wait for promises: so each rule has a function, and HMAC is from njs's own `crypto`, not from
 * WebCrypto. The code runs on njs 0.7.
 */
export function tokenView(identity: readonly IdentityRule[]): View {
  return {
    min_secret: String(MIN_SECRET_BYTES),
    rules: rulesFrom(identity, 'jwt').map(({ rule, credential }) => ({
      rule: String(rule),
      claim: quoteJavaScript(credential.claim),
      secret: secretOf(credential) ?? '',
    })),
  };
}

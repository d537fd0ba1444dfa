import type { Credential } from '../../core/edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { AFTER_HOSTNAME } from '../contract/hostnames.ts';
import { ruleComment } from '../contract/credentials.ts';
import { numbered, type NumberedRule } from '../contract/identity-rules.ts';
import { decodingMaps, ENCODED_KEY_CHARACTER } from '../contract/encoded-keys.ts';
import { escapeRegExp } from '../adapter/regexp.ts';
import type { View } from '../adapter/template.ts';
import { quoteMapKey, quoteTemplate } from './syntax.ts';

/** Returns the maps from a request to the slug of its theme. A slug comes from the mapping: no part of a request becomes part of a path. */
export function identityView({ identity, themes }: EdgeRules): View {
  return {
    rules: numbered(identity).map((rule) => ({
      ...ruleView(rule, themes),
      rule: String(rule.rule),
      later: rule.rule > 1,
      comment: ruleComment(rule),
      next: rule.rule === identity.length ? '""' : `{themecast_theme_${rule.rule + 1}}`,
    })),
  };
}

/** Match a hostname in lower case, because Caddy cannot lower-case it; the key of a group has a dot. */
const NAME = '[a-z0-9.-]*[a-z0-9]';
const GROUP_NAME = '[a-z0-9.-]*[.][a-z0-9.-]*[a-z0-9]';

/** Returns the maps of a rule. `{themecast_key_1}` and so on are the key that it reads, or empty; no key contains white space. */
function ruleView({ names, credential, rule }: NumberedRule, slugs: readonly string[]): View {
  const { from } = credential;
  const themes = from === 'host' ? Object.entries(credential.themes ?? {}) : slugs.map((slug) => [slug, slug] as const);
  if (from === 'jwt' || from === 'auth_request')
    throw new Error(`Bug: ${from} is not among the capabilities of Caddy.`);
  const decodes = from === 'cookie' && names !== 'theme';
  return {
    themes:
      names === 'theme'
        ? themes.map(([key, slug]) => `${quoteMapKey(key)} ${quoteTemplate(slug)}`)
        : [`import ${names}s.caddy`],
    host: from === 'host' ? quoteTemplate(`~^(${names === 'group' ? GROUP_NAME : NAME})${AFTER_HOSTNAME}`) : '',
    cookie: from === 'cookie' ? firstCookie(credential.name, decodes ? `${ENCODED_KEY_CHARACTER}+` : '[^;\\s"]*') : '',
    into: decodes ? 'encoded' : 'key',
    decoding: decodes
      ? decodingMaps(`themecast_encoded_${rule}`, `themecast_key_${rule}`, quoteTemplate, (group) => `\${${group}}`)
      : [],
    header: from === 'header' ? credential.name : '',
    guard: from === 'header' ? guard(credential) : '',
  };
}

function firstCookie(name: string, value: string): string {
  return quoteTemplate(`~(?:^|;)\\s*${escapeRegExp(name)}\\s*=\\s*(?:(?:"(${value})"|(${value}))\\s*(?:;|$))?`);
}

/** Returns the condition for a trusted header. The secret is an environment variable of Caddy; a short secret is ignored. */
function guard(credential: Extract<Credential, { from: 'header' }>): string {
  if ('proxies' in credential) return `remote_ip ${[...new Set(credential.proxies)].join(' ')}`;
  const { header, env } = credential.secret;
  const headerValue = `{http.request.header.${header}}`;
  return `expression ${quoteTemplate(`${headerValue} == {env.${env}} && size(${headerValue}) >= ${MIN_SECRET_BYTES}`)}`;
}

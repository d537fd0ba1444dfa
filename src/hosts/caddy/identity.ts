import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { EdgeRules } from '../contract.ts';
import { AFTER_HOSTNAME, type HostCredential } from '../hostnames.ts';
import { escapeRegExp } from '../regexp.ts';
import { numbered, type NumberedRule, ruleComment } from '../identity-rules.ts';
import { map, quoteMapKey, quoteTemplate } from './syntax.ts';

/** The maps from a request to the slug of its theme, `{themecast_theme_1}`: no part of a request becomes part of a path. */
export function identityMaps({ identity, themes }: EdgeRules): string[] {
  return [
    '# Each rule looks up its key; without a match the next rule applies, and after the last the default theme.',
    ...numbered(identity).flatMap((rule) => {
      const { names, credential, rule: number } = rule;
      const fallback = `default ${number === identity.length ? '""' : `{themecast_theme_${number + 1}}`}`;
      if (credential.from === 'host') return [ruleComment(rule), ...hostMaps(credential, number, fallback), ''];
      const known =
        names === 'theme'
          ? themes.map((slug) => `${quoteMapKey(slug)} ${quoteTemplate(slug)}`)
          : [`import ${names}s.caddy`];
      const look = map(`{themecast_key_${number}}`, [`theme_${number}`], [...known, fallback]);
      return [ruleComment(rule), ...keyMaps(rule), ...look, ''];
    }),
  ];
}

/** The file with the groups that are hostnames. */
export const HOSTS_FILE = 'hosts.caddy';

/** A row for a hostname in any case. Caddy has no placeholder for it in lower case. */
export function hostRow(name: string, slug: string): string {
  return `${quoteTemplate(`~(?i)^${escapeRegExp(name)}${AFTER_HOSTNAME}`)} ${quoteTemplate(slug)}`;
}

/** A hostname with a dot, in lower case and without a dot at the end. */
const PLAIN = '[a-z0-9.-]*[.][a-z0-9.-]*[a-z0-9]';
const PORT = '(?::[0-9]*)?$';

function hostMaps({ themes }: HostCredential, rule: number, fallback: string): string[] {
  const host = (output: string, lines: readonly string[]) =>
    map('{http.request.hostport}', [`${output}_${rule}`], lines);
  if (themes !== undefined)
    return host('theme', [...Object.entries(themes).map(([name, slug]) => hostRow(name, slug)), fallback]);
  return [
    '# Names in lower case, without a dot at the end, are compared as text: 10,000 regular expressions take 18 ms (measured on Caddy 2.6).',
    ...host('key', [`${quoteTemplate(`~^(${PLAIN})${PORT}`)} "\${1}"`, 'default ""']),
    ...map(`{themecast_key_${rule}}`, [`plain_${rule}`], ['import groups.caddy', fallback]),
    ...host('other', [`import ${HOSTS_FILE}`, fallback]),
    ...host('form', [
      `${quoteTemplate(`~^${PLAIN}${PORT}`)} plain`,
      `${quoteTemplate(`~^[A-Za-z0-9.-]+${PORT}`)} other`,
      'default ""',
    ]),
    // Rows with regular expressions do not expand placeholders.
    ...map(
      `{themecast_form_${rule}}`,
      [`theme_${rule}`],
      [`plain {themecast_plain_${rule}}`, `other {themecast_other_${rule}}`, fallback],
    ),
  ];
}

/** `{themecast_key_1}` and so on: the key that the rule reads, or the empty string. No key contains white space. */
function keyMaps({ credential, rule }: NumberedRule): string[] {
  if (credential.from === 'cookie') {
    const first = `~(?:^|;)\\s*${escapeRegExp(credential.name)}\\s*=\\s*(?:(?:"([^;\\s"]*)"|([^;\\s"]*))\\s*(?:;|$))?`;
    return [
      '# ({cookie.…} would return the first well-formed one.)',
      ...map('{http.request.header.Cookie}', [`key_${rule}`], [`${quoteTemplate(first)} "\${1}\${2}"`, 'default ""']),
    ];
  }
  if (credential.from !== 'header') throw new Error('Bug: tokens are not among the capabilities of Caddy.');
  return [
    `@themecast_trusted_${rule} ${guard(credential)}`,
    `vars @themecast_trusted_${rule} themecast_trusted_${rule} yes`,
    ...map(
      `{http.vars.themecast_trusted_${rule}}`,
      [`key_${rule}`],
      [`yes {http.request.header.${credential.name}}`, 'default ""'],
    ),
  ];
}

/** The secret is an environment variable of Caddy; one that is too short is ignored. */
function guard(credential: Extract<IdentityRule['credential'], { from: 'header' }>): string {
  if ('proxies' in credential) return `remote_ip ${[...new Set(credential.proxies)].join(' ')}`;
  const { header, env } = credential.secret;
  const given = `{http.request.header.${header}}`;
  return `expression ${quoteTemplate(`${given} == {env.${env}} && size(${given}) >= ${MIN_SECRET_BYTES}`)}`;
}

import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { block, quoteMapKey, quoteTemplate } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { AFTER_HOSTNAME, type HostCredential } from '../hostnames.ts';

/** The maps from a request to the names of the files below config/. */
export function identityMaps(identity: readonly IdentityRule[], themes: readonly string[]): string {
  return `# Each rule looks up its key; without a match the next rule applies, and after the last the default theme.
${identity.map((rule, index) => ruleMaps(rule, index + 1, identity.length, themes)).join('\n')}
# Names of the files below config/. Slugs come only from these maps: no part of a request becomes part of a path.
map {themecast_theme_1} {themecast_config_json} {
	"" index
	default {themecast_theme_1}
}
map {themecast_theme_1} {themecast_config_html} {
	"" browse
	default {themecast_theme_1}
}
`;
}

function ruleMaps({ names, credential }: IdentityRule, rule: number, last: number, themes: readonly string[]): string {
  if (credential.from === 'host') return hostMap(names, credential, rule, fallbackOf(rule, last));
  const known =
    names === 'theme'
      ? themes.map((slug) => `${quoteMapKey(slug)} ${quoteTemplate(slug)}`)
      : [`import ${names}s.caddy`];
  const lookUp = block(`map {themecast_key_${rule}} {themecast_theme_${rule}}`, [
    ...known,
    `default ${fallbackOf(rule, last)}`,
  ]);
  return `${credentialMaps(names, credential, rule)}
${lookUp.join('\n')}
`;
}

function fallbackOf(rule: number, last: number): string {
  return rule === last ? '""' : `{themecast_theme_${rule + 1}}`;
}

/** The file with the groups that are hostnames. */
export const HOSTS_FILE = 'hosts.caddy';

/** A row for a hostname in any case. Caddy has no placeholder for it in lower case. */
export function hostRow(name: string, slug: string): string {
  return `${quoteTemplate(`~(?i)^${escapeRegExp(name)}${AFTER_HOSTNAME}`)} ${quoteTemplate(slug)}`;
}

function hostMap(names: IdentityRule['names'], { themes }: HostCredential, rule: number, fallback: string): string {
  const title = `# Rule ${rule}: the ${names} is given by the hostname of the request.`;
  const host = 'map {http.request.hostport}';
  const otherwise = `default ${fallback}`;
  if (themes !== undefined) {
    const rows = Object.entries(themes).map(([name, slug]) => hostRow(name, slug));
    return `${title}\n${block(`${host} {themecast_theme_${rule}}`, [...rows, otherwise]).join('\n')}\n`;
  }
  const plain = '[a-z0-9.-]*[.][a-z0-9.-]*[a-z0-9](?::[0-9]*)?$';
  const maps = [
    block(`${host} {themecast_key_${rule}}`, [
      `${quoteTemplate(`~^(${plain.replace('(?:', ')(?:')}`)} "\${1}"`,
      'default ""',
    ]),
    block(`map {themecast_key_${rule}} {themecast_plain_${rule}}`, ['import groups.caddy', otherwise]),
    block(`${host} {themecast_other_${rule}}`, [`import ${HOSTS_FILE}`, otherwise]),
    block(`${host} {themecast_form_${rule}}`, [
      `${quoteTemplate(`~^${plain}`)} plain`,
      `${quoteTemplate('~^[A-Za-z0-9.-]+(?::[0-9]*)?$')} other`,
      'default ""',
    ]),
    // Rows with regular expressions do not expand placeholders.
    block(`map {themecast_form_${rule}} {themecast_theme_${rule}}`, [
      `plain {themecast_plain_${rule}}`,
      `other {themecast_other_${rule}}`,
      otherwise,
    ]),
  ];
  return `${title} Names in lower case, without a dot at the end, are compared as text: 10,000
# regular expressions take 18 ms (measured on Caddy 2.6).
${maps.map((lines) => lines.join('\n')).join('\n')}
`;
}

function credentialMaps(names: IdentityRule['names'], credential: Credential, rule: number): string {
  if (credential.from === 'cookie') return cookieMap(names, credential.name, rule);
  if (credential.from === 'header') return headerMap(names, credential, rule);
  throw new Error('Bug: tokens are not among the capabilities of Caddy.');
}

/** No key contains white space, so a cookie value with white space matches no user. */
function cookieMap(names: IdentityRule['names'], cookie: string, rule: number): string {
  const first = `~(?:^|;)\\s*${escapeRegExp(cookie)}\\s*=\\s*(?:(?:"([^;\\s"]*)"|([^;\\s"]*))\\s*(?:;|$))?`;
  return `# Rule ${rule}: the ${names} is the first cookie \`${cookie}\`, not decoded. ({cookie.…} would return the first well-formed one.)
map {http.request.header.Cookie} {themecast_key_${rule}} {
	${quoteTemplate(first)} "\${1}\${2}"
	default ""
}`;
}

function headerMap(
  names: IdentityRule['names'],
  credential: Extract<Credential, { from: 'header' }>,
  rule: number,
): string {
  return `${'proxies' in credential ? addressGuard(names, credential, rule) : secretGuard(names, credential, rule)}
vars @themecast_trusted_${rule} themecast_trusted_${rule} yes
map {http.vars.themecast_trusted_${rule}} {themecast_key_${rule}} {
	yes {http.request.header.${credential.name}}
	default ""
}`;
}

function addressGuard(
  names: IdentityRule['names'],
  { name, proxies }: { name: string; proxies: readonly string[] },
  rule: number,
): string {
  return `# Rule ${rule}: the ${names} is the header ${name}, trusted only if the connection comes from one of these addresses.
@themecast_trusted_${rule} remote_ip ${[...new Set(proxies)].join(' ')}`;
}

function secretGuard(
  names: IdentityRule['names'],
  { name, secret }: { name: string; secret: { header: string; env: string } },
  rule: number,
): string {
  const given = `{http.request.header.${secret.header}}`;
  const isSecret = `${given} == {env.${secret.env}} && size(${given}) >= ${MIN_SECRET_BYTES}`;
  return `# Rule ${rule}: the ${names} is the header ${name}, trusted only with the secret in ${secret.header}, the
# environment variable ${secret.env} of Caddy. A secret shorter than ${MIN_SECRET_BYTES} characters is ignored.
@themecast_trusted_${rule} expression ${quoteTemplate(isSecret)}`;
}

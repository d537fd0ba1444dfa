import { GENERATED_COMMENT, heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { setTheme } from './keys.ts';
import { block, firstOf, quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { AFTER_HOSTNAME, GROUP_HOST_HEADER, HOST_HEADER, hostnameAlternatives } from '../hostnames.ts';
import {
  acceptPatterns,
  HTML_WINS,
  notAcceptable,
  OFFERED,
  PRECISION_COMMENT,
  type Rendering,
} from '../negotiation.ts';

/** `requests.vcl`: negotiation and identity. */
export function requestsVcl({ identity, themes }: EdgeRules): string {
  const kinds = [...new Set(identity.filter((rule) => !isHostTheme(rule)).map(({ names }) => names))];
  const acls = identity.flatMap(({ credential }, index) =>
    credential.from === 'header' && 'proxies' in credential ? [trustedProxies(credential.proxies, index + 1)] : [],
  );
  return `# themecast: subroutines for service.vcl. ${GENERATED_COMMENT}

${NEGOTIATION}
${heading('Identity')}

${kinds.map((kind) => (kind === 'theme' ? themesSub(themes) : `include "./${kind}s.vcl";`)).join('\n')}

${acls.map((acl) => `${acl}\n\n`).join('')}# Sets the theme, or none for the default theme. The first rule that matches wins.
${block('sub themecast_identify', [
  'unset req.http.X-Themecast-Theme;',
  ...identity.flatMap((rule, index) => identityRule(rule, index + 1)),
]).join('\n')}
`;
}

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = String.raw`${heading('Content negotiation')}

# Sets the rendering: json, html, or the status of an error.
sub themecast_negotiate {
    # The first format parameter of the query, not decoded.
    unset req.http.X-Themecast-Format;
    if (req.url ~ "^[^?]*\?(?:|.*?&)format=") {
        set req.http.X-Themecast-Format = regsub(req.url, "^[^?]*\?(?:|.*?&)format=([^&]*).*$", "\1");
    }
${indented(
  firstOf(
    [
      ['!req.http.X-Themecast-Format || req.http.X-Themecast-Format == ""', offered('both')],
      ['req.http.X-Themecast-Format == "json"', offered('json')],
      ['req.http.X-Themecast-Format == "api"', offered('html')],
    ],
    [offered('neither')],
  ),
)}

${indented(PRECISION_COMMENT)}
    std.collect(req.http.Accept);
${indented(precision('JSON', 'json'))}
${indented(precision('HTML', 'html'))}

    set req.http.X-Themecast-Choice = req.http.X-Themecast-Offered + ":" + req.http.X-Themecast-JSON + req.http.X-Themecast-HTML;
${indented(
  firstOf(
    [
      [chosenBy('^neither:'), rendering('404')],
      [chosenBy(notAcceptable(OFFERED)), rendering('406')],
      [chosenBy(`^(?:html:|both:${HTML_WINS}$)`), rendering('html')],
    ],
    [rendering('json')],
  ),
)}
}
`;

function precision(name: string, rendering: Rendering): string[] {
  const set = (value: string) => `set req.http.X-Themecast-${name} = "${value}";`;
  const cases = acceptPatterns(rendering).map(
    (pattern, index) => [`req.http.Accept ~ ${quote(`(?i)${pattern}`)}`, set(String(index))] as const,
  );
  return firstOf([['!req.http.Accept || req.http.Accept == ""', set('0')], ...cases.toReversed()], [set('-')]);
}

function offered(renderings: string): string {
  return `set req.http.X-Themecast-Offered = "${renderings}";`;
}

function chosenBy(pattern: string): string {
  return `req.http.X-Themecast-Choice ~ ${quote(pattern)}`;
}

function rendering(name: string): string {
  return `set req.http.X-Themecast-Rendering = "${name}";`;
}

function themesSub(themes: readonly string[]): string {
  return [
    '# Slugs come only from here: no part of a request becomes part of a path.',
    ...block(
      'sub themecast_theme',
      firstOf(themes.map((slug) => [`req.http.X-Themecast-Key == ${quote(slug)}`, setTheme(slug)] as const)),
    ),
  ].join('\n');
}

/** Whether a rule maps hostnames to themes by itself. */
function isHostTheme({ names, credential }: IdentityRule): boolean {
  return names === 'theme' && credential.from === 'host';
}

/** Looks up the key of a rule, unless an earlier rule matched. */
function identityRule({ names, credential }: IdentityRule, rule: number): string[] {
  const lookUp =
    names === 'theme' && credential.from === 'host'
      ? firstOf(
          hostnameAlternatives(credential).map(
            ([slug, some]) => [`req.http.X-Themecast-Key ~ ${quote(`^(?:${some})$`)}`, setTheme(slug)] as const,
          ),
        )
      : [`call themecast_${names};`];
  const found = ['unset req.http.X-Themecast-Key;', ...credentialLines(names, credential, rule), ...lookUp];
  return [
    '',
    `# Rule ${rule}: the ${names} is ${described(credential)}.`,
    ...(rule === 1 ? found : block('if (!req.http.X-Themecast-Theme)', found)),
  ];
}

function described(credential: Credential): string {
  if (credential.from === 'cookie') return `the first cookie \`${credential.name}\`, not decoded`;
  if (credential.from === 'host') return 'given by the hostname of the request';
  if (credential.from !== 'header') throw new Error('Bug: tokens are not among the capabilities of Varnish.');
  const trusted =
    'proxies' in credential
      ? 'if it comes from one of these addresses'
      : `with the secret in ${credential.secret.header}`;
  return `the header ${credential.name}, trusted only ${trusted}`;
}

function credentialLines(names: IdentityRule['names'], credential: Credential, rule: number): string[] {
  if (credential.from === 'cookie') return cookieLines(credential.name);
  if (credential.from === 'host') return hostLines(names === 'group' ? GROUP_HOST_HEADER : HOST_HEADER);
  if (credential.from !== 'header') return [];
  const { name } = credential;
  return [
    ...('proxies' in credential ? [] : [`std.collect(req.http.${credential.secret.header});`]),
    ...block(
      `if (${'proxies' in credential ? `client.ip ~ themecast_proxies_${rule}` : isSecret(credential.secret)})`,
      [`std.collect(req.http.${name});`, `set req.http.X-Themecast-Key = req.http.${name};`],
    ),
  ];
}

/**
 * The first cookie of this name, not decoded (vmod_cookie returns the last). No key contains white space, so a value with white space
 * leaves the key empty.
 */
function cookieLines(cookie: string): string[] {
  const first = `^(?:|.*?;)\\s*${escapeRegExp(cookie)}\\s*=\\s*`;
  return [
    'std.collect(req.http.Cookie, "; ");',
    ...block(`if (req.http.Cookie ~ ${quote(first)})`, [
      `set req.http.X-Themecast-Key = regsub(req.http.Cookie, ${quote(`${first}(?:(?|"([^;\\s"]*+)"|([^;\\s"]*+))\\s*+(?:;.*)?$|.*$)`)}, "\\1");`,
    ]),
  ];
}

/** Varnish itself replaces Host by the host of the request target, and rejects several. */
function hostLines(pattern: string): string[] {
  return block(`if (req.http.Host ~ ${quote(pattern)})`, [
    `set req.http.X-Themecast-Key = std.tolower(regsub(req.http.Host, ${quote(AFTER_HOSTNAME)}, ""));`,
  ]);
}

function isSecret({ header, env }: { header: string; env: string }): string {
  return `req.http.${header} == std.getenv("${env}") && req.http.${header} ~ "^.{${MIN_SECRET_BYTES}}"`;
}

/**
 * `client.ip` is the sender of the request. With the PROXY protocol it is the client that a TLS terminator such as Hitch names, which
 * forwards all headers of the client.
 */
function trustedProxies(proxies: readonly string[], rule: number): string {
  const entries = [...new Set(proxies)].map((range) => {
    const [address, bits] = range.split('/');
    return `"${address}"${bits === undefined ? '' : `/${bits}`};`;
  });
  // Not pedantic: in a range like 10.0.0.1/8 only the first 8 bits are compared.
  return block(`acl themecast_proxies_${rule} -pedantic`, entries).join('\n');
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}

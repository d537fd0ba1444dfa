import type { EdgeRules } from '../contract.ts';
import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { setTheme } from './keys.ts';
import { block, firstOf, quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { acceptPatterns, HTML_WINS, notAcceptable, OFFERED, type Rendering } from '../negotiation.ts';

/** `requests.vcl`: what a request asks for, and who asks. */
export function requestsVcl({ identity, themes }: EdgeRules): string {
  const kinds = [...new Set(identity.map(({ names }) => names))];
  const acls = identity.flatMap(({ credential }, index) =>
    credential.from === 'header' && 'proxies' in credential ? [trustedProxies(credential.proxies, index + 1)] : [],
  );
  return `# themecast: the subs with which service.vcl looks at a request. Generated from site.yaml: change that, not this.

${NEGOTIATION}
# --- Who asks --------------------------------------------------------------------------------------------------------

${kinds.map((kind) => (kind === 'theme' ? themesSub(themes) : `include "./${kind}s.vcl";`)).join('\n')}

${acls.map((acl) => `${acl}\n\n`).join('')}# Sets the theme; none for the default theme. The first rule that knows the requester decides.
${block('sub themecast_identify', [
  'unset req.http.X-Themecast-Theme;',
  ...identity.flatMap((rule, index) => identityRule(rule, index + 1)),
]).join('\n')}
`;
}

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = String.raw`# --- What is asked for -----------------------------------------------------------------------------------------------

# Sets the rendering: json, html, or the status of a refusal.
sub themecast_negotiate {
    # The first format of the query, undecoded.
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

    # How precisely Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - not at all.
    # As in Django REST Framework the most precise entry wins, ties go to JSON, and q is not looked at (nor does it count as a parameter).
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
    '# Slugs come from here alone: nothing that a request says becomes part of a path.',
    ...block(
      'sub themecast_theme',
      firstOf(themes.map((slug) => [`req.http.X-Themecast-Key == ${quote(slug)}`, setTheme(slug)] as const)),
    ),
  ].join('\n');
}

/** Looks the key of a rule up, unless a rule before it has found the theme. */
function identityRule({ names, credential }: IdentityRule, rule: number): string[] {
  const found = ['unset req.http.X-Themecast-Key;', ...credentialLines(credential, rule), `call themecast_${names};`];
  return [
    '',
    `# Rule ${rule}: the ${names} is ${described(credential)}.`,
    ...(rule === 1 ? found : block('if (!req.http.X-Themecast-Theme)', found)),
  ];
}

function described(credential: Credential): string {
  if (credential.from === 'cookie') return `the first cookie \`${credential.name}\`, as it is written`;
  if (credential.from !== 'header') throw new Error('Bug: tokens are not among the capabilities of Varnish.');
  const trusted =
    'proxies' in credential ? 'from one of these addresses' : `with the secret in ${credential.secret.header}`;
  return `the header ${credential.name}, believed only ${trusted}`;
}

function credentialLines(credential: Credential, rule: number): string[] {
  if (credential.from === 'cookie') return cookieLines(credential.name);
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
 * The first cookie of the name with its value as it stands (vmod_cookie takes the last). No key holds white space, so a value that
 * does is nobody's: it leaves the key empty.
 */
function cookieLines(cookie: string): string[] {
  const first = `^(?:|.*?;)\\s*${escapeRegExp(cookie)}\\s*=\\s*`;
  return [
    'std.collect(req.http.Cookie, "; ");',
    ...block(`if (req.http.Cookie ~ ${quote(first)})`, [
      `set req.http.X-Themecast-Key = regsub(req.http.Cookie, ${quote(`${first}(?:([^;\\s]*+)\\s*+(?:;.*)?$|.*$)`)}, "\\1");`,
    ]),
  ];
}

function isSecret({ header, env }: { header: string; env: string }): string {
  return `req.http.${header} == std.getenv("${env}") && req.http.${header} ~ "^.{${MIN_SECRET_BYTES}}"`;
}

/**
 * `client.ip` is who sent the request: with the PROXY protocol the client that a TLS terminator such as Hitch names, which itself
 * passes on whatever headers it is given.
 */
function trustedProxies(proxies: readonly string[], rule: number): string {
  const entries = [...new Set(proxies)].map((range) => {
    const [address, bits] = range.split('/');
    return `"${address}"${bits === undefined ? '' : `/${bits}`};`;
  });
  // Not pedantic: of a range like 10.0.0.1/8 only the first 8 bits count.
  return block(`acl themecast_proxies_${rule} -pedantic`, entries).join('\n');
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}

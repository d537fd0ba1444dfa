import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { WHOLE_OBJECT } from './json.ts';
import { quoteArgument, captured, escapeRegExp, quote } from './syntax.ts';

type HeaderCredential = Extract<Credential, { from: 'header' }>;
type TokenCredential = Extract<Credential, { from: 'jwt' }>;

/** Looks a key up in a map file. HAProxy expands environment variables only within double quotes. */
function lookUp(map: string): string {
  return `map_str("\${THEMECAST_DIR-/etc/haproxy/themecast}/${map}.map")`;
}

/** Stores the theme of the user in a variable, which is unset for the default theme. */
export function identityRules(identity: readonly IdentityRule[]): string[] {
  return identity.flatMap(({ names, credential }, index) => {
    const rule = index + 1;
    const maps = names === 'theme' ? ['themes'] : [`${names}s`, 'themes'];
    if (names === 'theme' && credential.from === 'host') maps.unshift(hostMapName(rule));
    const theme = [`var(${key(rule)})`, ...maps.map(lookUp)].join(',');
    return [
      ...credentialRules(names, credential, rule),
      `http-request set-var(txn.themecast_theme) ${theme}${rule === 1 ? '' : ' if !{ var(txn.themecast_theme) -m found }'}`,
      '',
    ];
  });
}

/** The map of the hostnames that a rule gives themes to. */
export function hostMapName(rule: number): string {
  return `hosts_${rule}`;
}

function key(rule: number): string {
  return `txn.themecast_key_${rule}`;
}

function credentialRules(names: IdentityRule['names'], credential: Credential, rule: number): string[] {
  if (credential.from === 'cookie') return fromCookie(names, credential.name, rule);
  if (credential.from === 'host') return fromHost(names, rule);
  if (credential.from === 'jwt') return fromToken(names, credential, rule);
  if (credential.from === 'auth_request')
    throw new Error('Bug: auth_request is not among the capabilities of HAProxy.');
  return 'proxies' in credential ? fromProxies(names, credential, rule) : withSecret(names, credential, rule);
}

function fromCookie(names: IdentityRule['names'], name: string, rule: number): string[] {
  return [
    `# Rule ${rule}: the ${names} is the first cookie \`${name}\`, not decoded. (req.cook() would return the last one.)`,
    `http-request set-var(${key(rule)}) ${cookie(name)}`,
  ];
}

/**
 * The first cookie of this name in any header line. No key contains white space, so a value with white space matches no user.
 * `req.hdrs` contains all header lines, with lower-case names.
 */
function cookie(name: string): string {
  const value = '(?:(?|"([^;\\s"]*+)"|([^;\\s"]*+))[ \\t]*+(?=[;\\r]))?';
  return quote(
    `req.hdrs,${captured(`(?:.*?\\r\\n)??cookie:(?:[^\\r]*?;)??[ \\t]*+${escapeRegExp(name)}[ \\t]*+=[ \\t]*+${value}.*`)}`,
  );
}

/**
 * HAProxy itself rejects a Host that differs from the host of the request target, and Hosts that differ from each other; it takes equal
 * ones for one (measured on 2.6.12).
 */
function fromHost(names: IdentityRule['names'], rule: number): string[] {
  const dotted = names === 'group' ? '(?=[^:]*[.][a-z0-9-])' : '';
  const name = captured(`${dotted}([a-z0-9.-]*[a-z0-9])[.]?(?::[0-9]*)?`);
  return [
    `# Rule ${rule}: the ${names} is given by the hostname of the request, in lower case, without port and without one trailing dot.`,
    `http-request set-var(${key(rule)}) ${quote(`req.fhdr(host),lower,${name}`)} if { req.fhdr_cnt(host) eq 1 }`,
  ];
}

function fromProxies(
  names: IdentityRule['names'],
  { name, proxies }: Extract<HeaderCredential, { proxies: unknown }>,
  rule: number,
): string[] {
  return [
    `# Rule ${rule}: the ${names} is the header ${name}, trusted only if the connection comes from one of these addresses.`,
    '# fc_src is the address of the connection, even if set-src changes src.',
    ...[...new Set(proxies)].map((address) => `acl trusted_${rule} fc_src ${quote(address)}`),
    `http-request set-var(${key(rule)}) req.fhdr(${name}) if trusted_${rule} { req.fhdr_cnt(${name}) eq 1 }`,
  ];
}

function withSecret(
  names: IdentityRule['names'],
  { name, secret }: Extract<HeaderCredential, { secret: unknown }>,
  rule: number,
): string[] {
  return [
    `# Rule ${rule}: the ${names} is the header ${name}, trusted only with the secret in ${secret.header}.`,
    ...secretRules(secret.env, rule),
    `acl trusted_${rule} req.fhdr(${secret.header}),secure_memcmp(txn.themecast_secret_${rule})`,
    `http-request set-var(${key(rule)}) req.fhdr(${name}) if trusted_${rule} { req.fhdr_cnt(${secret.header}) eq 1 } { req.fhdr_cnt(${name}) eq 1 }`,
  ];
}

function secretRules(env: string, rule: number): string[] {
  return [
    `# The secret is the environment variable ${env}; a secret shorter than ${MIN_SECRET_BYTES} bytes is ignored.`,
    `http-request set-var(txn.themecast_secret_${rule}) env(${env}) if { env(${env}),length ge ${MIN_SECRET_BYTES} }`,
  ];
}

/**
 * Each failed check unsets the token, or later its claims. `json_query` reads numbers without rounding only as `int`, but then accepts
 * strings and `true` as numbers too, and `sub` overflows below zero: hence the tests of the JSON text. It is decoded explicitly because
 * `jwt_payload_query` without a path returns nothing, contrary to the manual; and the escape `\/`, which some issuers write and
 * `json_query` does not support, is replaced by a slash. (All measured on 2.6.12.)
 */
function fromToken(
  names: IdentityRule['names'],
  { cookie: cookieName, claim, key: tokenKey }: TokenCredential,
  rule: number,
): string[] {
  if (tokenKey.algorithm !== 'HS256') throw new Error('Bug: HS256 alone is among the capabilities of HAProxy.');
  const token = `txn.themecast_token_${rule}`;
  const bearer = quote(`req.fhdr(Authorization),${captured('Bearer +([^ ]+)', 'i')}`);
  const header = `var(${token}),word(1,.),ub64dec`;
  const payload = `var(${token}),word(2,.),ub64dec`;
  const whole = (json: string) => `{ ${json} -m reg ${quote(WHOLE_OBJECT)} }`;
  const slashes = `regsub(${[String.raw`\\/`, '/', 'g'].map(quoteArgument).join(',')})`;
  const drop = (...conditions: string[]) =>
    conditions.map((condition) => `http-request unset-var(${token}) ${condition}`);
  return [
    `# Rule ${rule}: the ${names} is the claim \`${claim}\` of the token in ${cookieName === undefined ? 'Authorization: Bearer' : `the cookie \`${cookieName}\``}.`,
    cookieName === undefined
      ? `http-request set-var(${token}) ${bearer} if { req.fhdr_cnt(Authorization) eq 1 }`
      : `http-request set-var(${token}) ${cookie(cookieName)}`,
    ...secretRules(tokenKey.env, rule),
    ...drop(
      `unless { var(${token}),jwt_verify(HS256,txn.themecast_secret_${rule}) -m int eq 1 }`,
      `unless { ${quote(`${header},json_query(${quoteArgument('$.alg')})`)} -m str HS256 }`,
    ),
    '# Both parts must be complete JSON objects: json_query would accept an object followed by other text.',
    '# (A string ends at the first NUL byte.)',
    ...drop(`if { ${payload},hex -m reg ${quote('^(?:..)*?00')} }`, `unless ${whole(header)} ${whole(payload)}`),
    '# Reject tokens with critical extensions (RFC 7515, §4.1.11).',
    ...drop(`if { ${header} -m sub ${quote('"crit"')} }`),
    `http-request set-var(txn.themecast_claims_${rule}) ${quote(`${payload},${slashes}`)}`,
    ...fromClaims(claim, rule),
  ];
}

function fromClaims(claim: string, rule: number): string[] {
  const claims = `txn.themecast_claims_${rule}`;
  const member = (name: string) =>
    `var(${claims}),json_query(${quoteArgument(`$.${name.replaceAll('.', '\\.')}`)},int)`;
  const fromNow = (name: string) => quote(`${member(name)},sub(txn.themecast_now)`);
  const written = (name: string, value: string) =>
    `{ var(${claims}) -m reg ${quote(`"${escapeRegExp(name)}"\\s*:\\s*${value}`)} }`;
  const drop = (condition: string) => `http-request unset-var(${claims}) ${condition}`;
  return [
    '# exp is required and nbf optional; both must be numbers.',
    'http-request set-var(txn.themecast_now) date',
    drop(`unless ${written('exp', '\\d')} { ${quote(member('exp'))} -m int ge 0 } { ${fromNow('exp')} -m int gt 0 }`),
    drop(`if { var(${claims}) -m sub ${quote('"nbf"')} } !${written('nbf', '\\d')}`),
    drop(`if { ${fromNow('nbf')} -m int gt 0 }`),
    '# The claim must be a string or an integer. A map would read a string only to its first NUL byte.',
    drop(`unless ${written(claim, '(?:"|-?\\d+\\s*[,}])')}`),
    `http-request set-var(${key(rule)}) ${quote(member(claim))}`,
    `http-request unset-var(${key(rule)}) if { var(${key(rule)}) -m reg ${quote('\\x00')} }`,
  ];
}

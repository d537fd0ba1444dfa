import type { IdentityRule } from '../../core/edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import { compact } from '../../core/diagnostics/compact.ts';
import { printable } from '../../core/diagnostics/quote.ts';
import { credentialName, forgeriesOf, headersOf, type Secret } from '../../hosts/contract/credentials.ts';
import { secretOf } from '../../hosts/contract/secrets.ts';
import { type Build, defaultTheme } from '../../hosts/contract/published-build.ts';
import { anonymousTheme, type Deployment, type Headers, isConfidential, type Requester, themeByRule } from './build.ts';
import { fault, type Result } from './result.ts';

export interface Plan {
  requesters: Requester[];
  /** A fault for each identity rule that cannot be verified from here. */
  unverified: Result[];
  /** Number of verified themes. */
  themes: number;
}

/** Returns a client per declared hostname, at the address of the URL. */
function hostnameRequesters(build: Build): Requester[] {
  const { hostnames, here, rules } = build;
  const others = hostnames.filter(({ name }) => name !== here?.name);
  return others.map(({ name, theme, rule }) => {
    return { name, headers: { Host: name }, theme, rule: rules.identity[rule] as IdentityRule };
  });
}

/** No mapping contains this key: hosts must treat it as anonymous. */
const UNKNOWN_KEY = 'themecast-verify.unknown';

/** Why a rule cannot be verified from here, and what to do. */
interface Obstacle {
  why: string;
  remedy: string;
}

/** Explains why credentials are not sent: the connection is not encrypted. */
function withholdingReason({ url }: Deployment): Obstacle | undefined {
  if (isConfidential(url)) return undefined;
  const why = 'credentials are sent only by https, or within this machine';
  return { why, remedy: `Verify https://${new URL(url).host}.` };
}

/**
 * Plans the clients to request CONFIG as: anonymous, the users and groups of the command, or the owner of its credentials, and one key per
 * theme and per identity rule.
 */
export function planOf(deployment: Deployment): Plan {
  const { build, credentials } = deployment;
  const { identity } = build.rules;
  const [owner] = build.named;
  const ofOwner = identity.filter(({ names }) => names === owner?.kind);
  const isSent = credentials !== undefined && withholdingReason(deployment) === undefined;
  const theme = ofOwner[0] === undefined ? anonymousTheme(build) : themeByRule(build, ofOwner[0], owner?.theme);
  const fromCaller = isSent ? [{ name: 'the credentials given', headers: credentials, theme }] : [];
  const named = credentials === undefined ? namedRequesters(deployment) : [];
  const requesters: Requester[] = [
    { name: 'anonymous', headers: {}, theme: anonymousTheme(build) },
    ...named,
    ...fromCaller,
    ...sampleRequesters(deployment),
  ];
  const isVerified = (rule: IdentityRule): boolean =>
    requesters.some((requester) => requester.rule === rule) || (isSent && ofOwner.includes(rule));
  return {
    requesters,
    unverified: identity.flatMap((rule) => {
      const obstacle = isVerified(rule) ? undefined : (obstacleOf(deployment, rule) ?? noKeyOf(deployment, rule));
      const who = `${rule.names}s by ${credentialName(rule.credential)}`;
      return obstacle === undefined ? [] : unverifiedResult(build, who, obstacle);
    }),
    themes: new Set(requesters.map((requester) => requester.theme)).size,
  };
}

/** Returns the users and groups of the command, by each rule that can be verified from here. */
function namedRequesters(deployment: Deployment): Requester[] {
  const { named, rules } = deployment.build;
  const requesters = named.flatMap(({ kind, key, theme }, index) => {
    const name = `${kind} ${index + 1} (${maskedKey(key)})`;
    return rules.identity
      .filter(({ names }) => names === kind)
      .flatMap((rule) => [
        clientOf(deployment, rule, key, theme, name),
        ...spelledClients(deployment, rule, [[theme, key]]),
      ]);
  });
  return compact(requesters);
}

/** Returns a client for each hostname, and for each theme by each rule. A host may ignore a proxy's header from this machine: one key will do. */
function sampleRequesters(deployment: Deployment): Requester[] {
  const { build } = deployment;
  const byKey = build.rules.identity.flatMap((rule) => {
    const keys = rule.credential.from === 'host' ? [] : [...keysOf(build, rule)];
    if (keys.length === 0) return [];
    // Only a key with another theme than anonymous clients proves that the host uses the rule.
    const sample = needsProxy(rule) ? keys.filter(([theme]) => theme !== anonymousTheme(build)).slice(0, 1) : keys;
    return compact([
      ...sample.map(([theme, key]) => clientOf(deployment, rule, key, theme)),
      ...spelledClients(deployment, rule, [...keys, ...unusualKeys(build, rule)]),
      !needsProxy(rule) && clientOf(deployment, rule, UNKNOWN_KEY, undefined, `an unknown ${rule.names}`),
    ]);
  });
  return [...hostnameRequesters(build), ...byKey];
}

/** Returns clients with keys as some web frameworks send them: percent-encoded or quoted in a cookie, and with capital letters. */
function spelledClients(
  deployment: Deployment,
  rule: IdentityRule,
  keys: readonly (readonly [theme: string | undefined, key: string])[],
): (Requester | undefined)[] {
  if (needsProxy(rule)) return [];
  const isOther = (_: string, theme: string | undefined): boolean => theme !== anonymousTheme(deployment.build);
  const spellings: readonly [string, typeof isOther, (key: string) => string][] = [
    ['with capitals', (key) => /[A-Z]/.test(key), String],
    ['percent-encoded', (key) => encodeURIComponent(key) !== key, encodeURIComponent],
    ['in quotes', isOther, (key) => `"${key}"`],
  ];
  return spellings.slice(0, rule.credential.from === 'cookie' ? undefined : 1).map(([how, isMeant, spell]) => {
    const [theme, key = ''] = keys.find(([slug, each]) => isMeant(each, slug)) ?? [];
    const made =
      key === '' ? undefined : clientOf(deployment, rule, spell(key), theme, `${sampleName(rule, key)}, ${how}`);
    return made && { ...made, hint: SPELLING_HINT };
  });
}

/** Returns a requester by a rule with another theme, if it can be sent from here. */
function requesterUnlike(deployment: Deployment, rule: IdentityRule, theme: string): Requester | undefined {
  const { build } = deployment;
  if (rule.credential.from === 'host')
    return hostnameRequesters(build).find((requester) => requester.rule === rule && requester.theme !== theme);
  const [slug, key] = [...keysOf(build, rule)].find((pair) => themeByRule(build, rule, pair[0]) !== theme) ?? [];
  return key === undefined ? undefined : clientOf(deployment, rule, key, slug);
}

/** Returns a key per theme for a rule. */
function keysOf({ rules, samples }: Build, { names }: IdentityRule): ReadonlyMap<string, string> {
  return names === 'theme' ? new Map(rules.themes.map((slug) => [slug, slug])) : samples[names];
}

/** Returns the credentials of a key; this machine may be a trusted proxy. */
export function credentialsOf(rule: IdentityRule, key: string, secret: Secret): Headers | undefined {
  const { credential } = rule;
  return needsProxy(rule) && credential.from === 'header'
    ? { [credential.name]: key }
    : headersOf(credential, key, secret);
}

/** Whether the rule reads a header that only proxies of certain addresses may send. */
export function needsProxy({ credential }: IdentityRule): boolean {
  return credential.from === 'header' && 'proxies' in credential;
}

/** Returns a client with a key of a rule; undefined if its credentials cannot be sent from here. */
function clientOf(
  deployment: Deployment,
  rule: IdentityRule,
  key: string,
  theme: string | undefined,
  name = sampleName(rule, key),
): Requester | undefined {
  if (obstacleOf(deployment, rule) !== undefined) return undefined;
  const headers = credentialsOf(rule, key, deployment.secret ?? (() => undefined));
  return headers && { name, headers, theme: themeByRule(deployment.build, rule, theme), rule };
}

const REMEDY =
  'Set the secrets of the host in the environment, or name a user with `--as USER`. Pass a token or a session of a login service with `--header NAME=VARIABLE`.';

/** Explains why credentials for a rule cannot be made, or sent. */
function obstacleOf(deployment: Deployment, { names, credential }: IdentityRule): Obstacle | undefined {
  // Hostnames and names of themes are public.
  const isPublic = credential.from === 'host' || (names === 'theme' && credential.from === 'cookie');
  const withheld = isPublic ? undefined : withholdingReason(deployment);
  if (withheld !== undefined) return withheld;
  if (credential.from === 'auth_request') return { why: 'only the login service can identify them', remedy: REMEDY };
  if (credential.from === 'jwt' && credential.key.algorithm !== 'HS256')
    return { why: 'only the issuer of the tokens can sign one', remedy: REMEDY };
  const env = secretOf(credential);
  const value = env === undefined ? undefined : deployment.secret?.(env);
  if (env === undefined || (value !== undefined && Buffer.byteLength(value) >= MIN_SECRET_BYTES)) return undefined;
  const isShort = `${env} is shorter than the ${MIN_SECRET_BYTES} bytes that hosts require`;
  return { why: value === undefined ? `${env} is not in the environment here` : isShort, remedy: REMEDY };
}

function noKeyOf({ build }: Deployment, { names }: IdentityRule): Obstacle | undefined {
  const isKeyed = names !== 'theme' && build.rules.keyed;
  return isKeyed ? { why: 'the mapping is keyed and contains no keys', remedy: REMEDY } : undefined;
}

const SPELLING_HINT =
  'The host must take one pair of quotes off a cookie, decode `%40` and the like in it, and distinguish capitals, as the rules do.';

/** Returns keys with capitals and other characters, if the samples may have none. */
function unusualKeys({ unusual = [] }: Build, { names }: IdentityRule): [theme: string, key: string][] {
  return unusual.flatMap(({ kind, key, theme }) => (kind === names && theme !== undefined ? [[theme, key]] : []));
}

function sampleName({ names }: IdentityRule, key: string): string {
  return names === 'theme' ? `theme ${key}` : `${names === 'group' ? 'group ' : ''}${maskedKey(key)}`;
}

/** Returns the part of a key that may be logged. */
function maskedKey(key: string): string {
  return key.length > 5 ? `${key.slice(0, 2)}…` : '…';
}

/**
 * Returns requesters that show how the host tells users apart: forged credentials, several cookies, two rules at once, odd hostnames.
 * @param right - the requesters who got their theme
 */
export function oddRequesters(deployment: Deployment, right: readonly Requester[]): Requester[] {
  const { build } = deployment;
  const byRule = build.rules.identity.flatMap(
    (rule) => right.find((requester) => requester.rule === rule && requester.theme !== anonymousTheme(build)) ?? [],
  );
  const cookies = byRule.flatMap(({ name, theme, headers: { Cookie: cookie, ...headers } }): Requester[] => {
    if (cookie === undefined) return [];
    const severalCookies = { ...headers, Cookie: `themecast-verify=1; ${cookie}; themecast-verify-2=2` };
    const hint = 'The host must find the cookie at any place of the header.';
    const label = `${printable(name)}, whose cookie is between others`;
    return [{ name: label, headers: severalCookies, theme, hint }];
  });
  const pairs = byRule.flatMap((first, index) =>
    byRule.slice(index + 1).flatMap(({ rule: later }): Requester[] => {
      const second = later && requesterUnlike(deployment, later, first.theme);
      const headers = second && combinedHeaders(first.headers, second.headers);
      if (second === undefined || headers === undefined) return [];
      const name = `${printable(first.name)}, who is also ${printable(second.name)} by a later rule`;
      const hint = 'The host must apply the identity rules in the order of rules.json.';
      return [{ name, headers, theme: first.theme, hint, isOdd: 'Host' in headers }];
    }),
  );
  const isRouted = hostnameRequesters(build).every(({ name }) => right.some(({ headers }) => headers['Host'] === name));
  const hostnames = isRouted ? oddHostnames(deployment) : [];
  return [...forgeries(deployment), ...cookies, ...pairs, ...hostnames];
}

/** Returns requesters with forged credentials of a user or group: the right theme for each is the anonymous one. */
function forgeries(deployment: Deployment): Requester[] {
  const { build } = deployment;
  const theme = anonymousTheme(build);
  const hint = 'Any client can impersonate any user: the host does not use the identity rules.';
  if (withholdingReason(deployment) !== undefined) return [];
  const altered = alteredCredentials(deployment.credentials ?? {}).map(({ name, headers }): Requester => {
    return { id: 'config/forged', name: `${name} with its last characters changed`, headers, theme, hint };
  });
  const rules = build.rules.identity.flatMap((rule) => {
    const [, key] = [...keysOf(build, rule)].find(([slug]) => themeByRule(build, rule, slug) !== theme) ?? [];
    const forged = key === undefined ? [] : forgeriesOf(rule.credential, key);
    return forged.map(({ what: name, headers }): Requester => ({ id: 'config/forged', name, headers, theme, hint }));
  });
  return [...altered, ...rules];
}

/** Returns the credentials with the last characters of each header changed, as after an attack or a restart of the issuer. */
export function alteredCredentials(headers: Headers): { name: string; headers: Headers }[] {
  return Object.entries(headers).map(([name, value]) => {
    const end = value.slice(-4) === 'Zq9x' ? 'Xz7k' : 'Zq9x';
    return { name, headers: { ...headers, [name]: value.slice(0, Math.max(1, value.length - 4)) + end } };
  });
}

/** Combines two credentials in one request, the later rule's first; undefined if a request cannot have both. */
function combinedHeaders(first: Headers, second: Headers): Headers | undefined {
  const { Cookie: cookie, ...headers } = first;
  const { Cookie: laterCookie, ...laterHeaders } = second;
  const isSameCookie = cookie !== undefined && cookie.split('=')[0] === laterCookie?.split('=')[0];
  const isSameHeader = Object.entries(headers).some(([name, value]) => (laterHeaders[name] ?? value) !== value);
  if (isSameCookie || isSameHeader) return undefined;
  const cookies = compact([laterCookie, cookie]).join('; ');
  return { ...headers, ...laterHeaders, ...(cookies !== '' && { Cookie: cookies }) };
}

/** Returns requesters with other spellings of a declared hostname, an undeclared one, and one in another header. */
function oddHostnames({ build, capabilities }: Deployment): Requester[] {
  const anonymous = anonymousTheme(build);
  const { name, theme } =
    build.hostnames.find((each) => each.theme !== defaultTheme(build) && each.theme !== anonymous) ?? {};
  if (name === undefined || theme === undefined) return [];
  const hint = 'The host must read the hostname of Host alone, and compare all of it.';
  const forged = { id: 'config/forged', hint, isOdd: true } as const;
  // A rule may read this header from trusted proxies, and this machine may be one.
  const isRead = build.rules.identity.some(
    ({ credential }) => credential.from === 'header' && /^(?:x-forwarded-host|forwarded)$/i.test(credential.name),
  );
  const forwarded = { 'X-Forwarded-Host': name, Forwarded: `host=${name}` };
  const undeclared = { Host: 'themecast-verify.invalid' };
  const spelling = 'The host must ignore the port and a dot at the end of Host.';
  const capitals = 'DNS ignores case (RFC 4343), and so must the host. Caddy cannot: name it with `--host caddy`.';
  const spelled = (Host: string, why: string): Requester => {
    return { name: `the hostname ${Host}`, headers: { Host }, theme, hint: why, isOdd: true };
  };
  return compact([
    { ...forged, name: 'an undeclared hostname', headers: undeclared, theme: defaultTheme(build) },
    !isRead && { ...forged, name: `${name} in X-Forwarded-Host`, headers: forwarded, theme: anonymous },
    capabilities?.hostnames !== 'lower case' && spelled(name.toUpperCase(), capitals),
    spelled(`${name}:8443`, spelling),
    spelled(`${name}.`, spelling),
  ]);
}

/** Reports an unverified identity rule, because passing does not vouch for its users. */
export function unverifiedResult({ rulesAt }: Build, who: string, { why, remedy }: Obstacle): Result {
  return fault('config/asked', `CONFIG was not requested for ${who}.`, {
    expected: 'a request with each identity rule',
    found: `not requested: ${why}`,
    hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
  });
}

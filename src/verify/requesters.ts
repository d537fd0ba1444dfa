import type { IdentityRule } from '../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';
import { compact } from '../diagnostics/compact.ts';
import { credentialName, headersOf } from '../hosts/credentials.ts';
import { secretOf } from '../hosts/secrets.ts';
import type { Build } from '../hosts/published-build.ts';
import { anonymousTheme, type Deployment, isConfidential, type Requester, themeByRule } from './build.ts';

/** An identity rule that cannot be verified from here. */
export interface UnverifiedRule {
  /** `users by the cookie uid` */
  who: string;
  why: string;
  remedy: string;
}

export interface Plan {
  requesters: Requester[];
  unverified: UnverifiedRule[];
  /** Number of verified themes. */
  themes: number;
}

/** Returns a client per declared hostname, at the address of the URL. */
export function hostnameRequesters(build: Build): Requester[] {
  const { hostnames, here, rules } = build;
  return hostnames
    .filter(({ name }) => name !== here?.name)
    .map(({ name, theme, rule }) => ({
      name,
      headers: { Host: name },
      theme,
      rule: rules.identity[rule] as IdentityRule,
    }));
}

/** No mapping contains this key: hosts must treat it as anonymous. */
const UNKNOWN_KEY = 'themecast-verify.unknown';

/** Explains why credentials are not sent: the host is neither in `base_url` nor in the command, or the connection is not encrypted. */
export function withholdingReason({
  url,
  build,
  credentialsTo,
  command = 'npx themecast verify',
}: Deployment): Omit<UnverifiedRule, 'who'> | undefined {
  const { hostname, origin } = new URL(url);
  const baseHost = new URL(build.rules.baseUrl).hostname;
  const isKnown = [baseHost, credentialsTo].includes(hostname);
  if (isKnown && isConfidential(url)) return undefined;
  const flag = isKnown && credentialsTo === undefined ? '' : ` --send-credentials-to ${hostname}`;
  const secure = isConfidential(url) ? origin : `https://${hostname}`;
  return {
    why: isKnown
      ? 'credentials are sent only by https, or within this machine'
      : `credentials are sent only to ${baseHost}, the host of base_url, or to the host in --send-credentials-to`,
    remedy: `If ${hostname} may have user keys and secrets, run \`${command} ${secure}${flag}\`.`,
  };
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
    unverified: identity.flatMap((rule) => (isVerified(rule) ? [] : (problemOf(deployment, rule) ?? []))),
    themes: new Set(requesters.map((requester) => requester.theme)).size,
  };
}

/** Returns the users and groups of the command, by each rule that can be verified from here. */
function namedRequesters(deployment: Deployment): Requester[] {
  const { named, rules } = deployment.build;
  return named.flatMap(({ kind, key, theme }, index) =>
    rules.identity
      .filter(({ names }) => names === kind)
      .flatMap((rule) =>
        compact([
          clientOf(deployment, rule, key, theme, `${kind} ${index + 1} (${maskedKey(key)})`),
          encodedClient(deployment, rule, [[theme, key]]),
        ]),
      ),
  );
}

function sampleRequesters(deployment: Deployment): Requester[] {
  const { build } = deployment;
  const fallback = anonymousTheme(build);
  const remainingThemes = new Set(build.rules.themes);
  const requesters: Requester[] = hostnameRequesters(build);
  for (const { theme } of requesters) remainingThemes.delete(theme);
  // A host may ignore a proxy's header from this machine, so other rules come first.
  const inOrder = build.rules.identity
    .filter(({ credential }) => credential.from !== 'host')
    .toSorted((a, b) => Number(needsProxy(a)) - Number(needsProxy(b)));
  for (const rule of inOrder) {
    const keys = [...keysOf(build, rule)];
    if (keys.length === 0) continue;
    const remainingKeys = needsProxy(rule) ? [] : keys.filter(([theme]) => remainingThemes.has(theme));
    // Only a key with another theme than anonymous clients proves that the host uses the rule.
    const sample = new Map([...remainingKeys, ...keys.filter(([theme]) => theme !== fallback).slice(0, 1)]);
    const clients = compact([
      ...[...sample].map(([theme, key]) => clientOf(deployment, rule, key, theme)),
      encodedClient(deployment, rule, keys),
      !needsProxy(rule) && clientOf(deployment, rule, UNKNOWN_KEY, undefined, `an unknown ${rule.names}`),
    ]);
    requesters.push(...clients);
    if (clients.length > 0) for (const [theme] of remainingKeys) remainingThemes.delete(theme);
  }
  return requesters;
}

/** Returns a client that percent-encodes its cookie, as some web frameworks do, if any key changes by that. */
function encodedClient(
  deployment: Deployment,
  rule: IdentityRule,
  keys: readonly (readonly [theme: string | undefined, key: string])[],
): Requester | undefined {
  const [theme, key] = keys.find(([, candidate]) => encodeURIComponent(candidate) !== candidate) ?? [];
  if (key === undefined || rule.credential.from !== 'cookie') return undefined;
  return clientOf(deployment, rule, encodeURIComponent(key), theme, `${sampleName(rule, key)}, percent-encoded`);
}

/** Finds a key of a rule with an accepted theme, and returns its requester if it can be sent from here. */
export function requesterWith(
  deployment: Deployment,
  rule: IdentityRule,
  accepts: (theme: string) => boolean,
): Requester | undefined {
  const { build } = deployment;
  if (rule.credential.from === 'host')
    return hostnameRequesters(build).find((requester) => requester.rule === rule && accepts(requester.theme));
  const [theme, key] = [...keysOf(build, rule)].find(([slug]) => accepts(themeByRule(build, rule, slug))) ?? [];
  return key === undefined ? undefined : clientOf(deployment, rule, key, theme);
}

/** Returns a key per theme for a rule. */
export function keysOf({ rules, samples }: Build, { names }: IdentityRule): ReadonlyMap<string, string> {
  return names === 'theme' ? new Map(rules.themes.map((slug) => [slug, slug])) : samples[names];
}

/** Whether the rule reads a header that only proxies of certain addresses may send. */
export function needsProxy({ credential }: IdentityRule): boolean {
  return credential.from === 'header' && 'proxies' in credential;
}

/** Whether the keys of a rule are public and need no secret: names of themes, and hostnames. */
function isPublic({ names, credential }: IdentityRule): boolean {
  return credential.from === 'host' || (names === 'theme' && credential.from === 'cookie');
}

/** Returns a client with a key of a rule; undefined if its credentials cannot be sent from here. */
function clientOf(
  deployment: Deployment,
  rule: IdentityRule,
  key: string,
  theme: string | undefined,
  name = sampleName(rule, key),
): Requester | undefined {
  const { credential } = rule;
  if (!isPublic(rule) && withholdingReason(deployment) !== undefined) return undefined;
  const headers =
    needsProxy(rule) && credential.from === 'header'
      ? { [credential.name]: key }
      : headersOf(credential, key, (env) =>
          secretProblem(deployment, env) === undefined ? deployment.secret?.(env) : undefined,
        );
  return headers && { name, headers, theme: themeByRule(deployment.build, rule, theme), rule };
}

/** Explains why a secret cannot be used. */
function secretProblem({ secret }: Deployment, env: string): string | undefined {
  const value = secret?.(env);
  if (value === undefined) return `${env} is not in the environment here`;
  const isShort = Buffer.byteLength(value) < MIN_SECRET_BYTES;
  return isShort ? `${env} is shorter than the ${MIN_SECRET_BYTES} bytes that hosts require` : undefined;
}

/** Explains why a rule cannot be verified from here. */
function problemOf(deployment: Deployment, rule: IdentityRule): UnverifiedRule | undefined {
  const who = `${rule.names}s by ${credentialName(rule.credential)}`;
  const withheld = isPublic(rule) ? undefined : withholdingReason(deployment);
  if (withheld !== undefined) return { who, ...withheld };
  const why = missingFor(deployment, rule);
  return why === undefined ? undefined : { who, why, remedy: REMEDY };
}

const REMEDY =
  'Set the secrets of the host in the environment, or name a user with `--as USER`. Pass a token or a session of a login service with `--header NAME=VARIABLE`.';

function missingFor(deployment: Deployment, { names, credential }: IdentityRule): string | undefined {
  if (credential.from === 'auth_request') return 'only the login service can identify them';
  if (credential.from === 'jwt' && credential.key.algorithm !== 'HS256')
    return 'only the issuer of the tokens can sign one';
  const env = secretOf(credential);
  const isKeyed = names !== 'theme' && deployment.build.rules.keyed;
  const problem = env === undefined ? undefined : secretProblem(deployment, env);
  return problem ?? (isKeyed ? 'the mapping is keyed and contains no keys' : undefined);
}

function sampleName({ names }: IdentityRule, key: string): string {
  return names === 'theme' ? `theme ${key}` : `${names === 'group' ? 'group ' : ''}${maskedKey(key)}`;
}

/** Returns the part of a key that may be logged. */
function maskedKey(key: string): string {
  return key.length > 5 ? `${key.slice(0, 2)}…` : '…';
}

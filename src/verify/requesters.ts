import type { IdentityRule } from '../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';
import { compact } from '../diagnostics/compact.ts';
import { credentialName, headersOf } from '../hosts/credentials.ts';
import { secretOf } from '../hosts/secrets.ts';
import type { Build } from '../hosts/published-build.ts';
import { anonymousTheme, type Deployment, isConfidential, type Requester, themeByRule } from './build.ts';

/** Users that could not be checked. */
export interface Unasked {
  /** `users by the cookie uid` */
  who: string;
  why: string;
  remedy: string;
}

export interface Plan {
  requesters: Requester[];
  unasked: Unasked[];
  /** Number of themes that are checked. */
  themes: number;
}

/** A client per declared hostname, at the address of the URL. */
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

/** A key that is in no mapping; hosts must treat it as anonymous. */
const UNKNOWN_KEY = 'themecast-verify.unknown';

/** Why credentials are not sent, if so: they go to the host of `base_url` or one that was named, by https or within this machine. */
export function withholding({
  url,
  build,
  credentialsTo,
  command = 'npx themecast verify',
}: Deployment): Omit<Unasked, 'who'> | undefined {
  const { hostname, origin } = new URL(url);
  const own = new URL(build.rules.baseUrl).hostname;
  const isKnown = [own, credentialsTo].includes(hostname);
  if (isKnown && isConfidential(url)) return undefined;
  const flag = isKnown && credentialsTo === undefined ? '' : ` --send-credentials-to ${hostname}`;
  const secure = isConfidential(url) ? origin : `https://${hostname}`;
  return {
    why: isKnown
      ? 'credentials are sent only by https, or within this machine'
      : `credentials are sent only to ${own}, the host of base_url, or to one that is named`,
    remedy: `If ${hostname} may have user keys and secrets, run \`${command} ${secure}${flag}\`.`,
  };
}

/**
 * The clients to check CONFIG with: anonymous, the named users and groups, or the owner of the given credentials, and one key per theme,
 * so that each identity rule is used once.
 */
export function planOf(deployment: Deployment): Plan {
  const { build, given } = deployment;
  const { identity } = build.rules;
  const [owner] = build.named;
  const ofOwner = identity.filter(({ names }) => names === owner?.kind);
  const isSent = given !== undefined && withholding(deployment) === undefined;
  const theme = ofOwner[0] === undefined ? anonymousTheme(build) : themeByRule(build, ofOwner[0], owner?.theme);
  const handed = isSent ? [{ name: 'the credentials given', headers: given, theme }] : [];
  const named = given === undefined ? namedRequesters(deployment) : [];
  const requesters: Requester[] = [
    { name: 'anonymous', headers: {}, theme: anonymousTheme(build) },
    ...named,
    ...handed,
    ...sampled(deployment),
  ];
  const isAsked = (rule: IdentityRule): boolean =>
    requesters.some((requester) => requester.rule === rule) || (isSent && ofOwner.includes(rule));
  return {
    requesters,
    unasked: identity.flatMap((rule) => (isAsked(rule) ? [] : (problemOf(deployment, rule) ?? []))),
    themes: new Set(requesters.map((requester) => requester.theme)).size,
  };
}

/** The named users and groups, with each rule that can be checked from here. */
function namedRequesters(deployment: Deployment): Requester[] {
  const { named, rules } = deployment.build;
  return named.flatMap(({ kind, key, theme }, index) =>
    rules.identity
      .filter(({ names }) => names === kind)
      .flatMap((rule) =>
        compact([
          clientOf(deployment, rule, key, theme, `${kind} ${index + 1} (${masked(key)})`),
          encodedClient(deployment, rule, [[theme, key]]),
        ]),
      ),
  );
}

function sampled(deployment: Deployment): Requester[] {
  const { build } = deployment;
  const fallback = anonymousTheme(build);
  const left = new Set(build.rules.themes);
  const requesters: Requester[] = hostnameRequesters(build);
  for (const { theme } of requesters) left.delete(theme);
  // A host may not trust the header of a proxy from here, so other rules are tried first.
  const inOrder = build.rules.identity
    .filter(({ credential }) => credential.from !== 'host')
    .toSorted((a, b) => Number(needsProxy(a)) - Number(needsProxy(b)));
  for (const rule of inOrder) {
    const keys = [...keysOf(build, rule)];
    if (keys.length === 0) continue;
    const wanted = needsProxy(rule) ? [] : keys.filter(([theme]) => left.has(theme));
    // One key at least that gives another theme: without, nothing shows that the rule is used.
    const asked = new Map([...wanted, ...keys.filter(([theme]) => theme !== fallback).slice(0, 1)]);
    const clients = compact([
      ...[...asked].map(([theme, key]) => clientOf(deployment, rule, key, theme)),
      encodedClient(deployment, rule, keys),
      !needsProxy(rule) && clientOf(deployment, rule, UNKNOWN_KEY, undefined, `an unknown ${rule.names}`),
    ]);
    requesters.push(...clients);
    if (clients.length > 0) for (const [theme] of wanted) left.delete(theme);
  }
  return requesters;
}

/** A client whose web framework percent-encodes keys in cookies, with a key that this changes, if there is one. */
function encodedClient(
  deployment: Deployment,
  rule: IdentityRule,
  keys: readonly (readonly [theme: string | undefined, key: string])[],
): Requester | undefined {
  const [theme, key] = keys.find(([, one]) => encodeURIComponent(one) !== one) ?? [];
  if (key === undefined || rule.credential.from !== 'cookie') return undefined;
  return clientOf(deployment, rule, encodeURIComponent(key), theme, `${sampleName(rule, key)}, percent-encoded`);
}

/** A requester with a key of a rule that gives a theme of this kind, if one is known and can be sent from here. */
export function holderOf(
  deployment: Deployment,
  rule: IdentityRule,
  isWanted: (theme: string) => boolean,
): Requester | undefined {
  const { build } = deployment;
  if (rule.credential.from === 'host')
    return hostnameRequesters(build).find((requester) => requester.rule === rule && isWanted(requester.theme));
  const [theme, key] = [...keysOf(build, rule)].find(([slug]) => isWanted(themeByRule(build, rule, slug))) ?? [];
  return key === undefined ? undefined : clientOf(deployment, rule, key, theme);
}

/** A key per theme for a rule. */
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

/** A client with a key of a rule; none if it cannot be sent from here. */
function clientOf(
  deployment: Deployment,
  rule: IdentityRule,
  key: string,
  theme: string | undefined,
  name = sampleName(rule, key),
): Requester | undefined {
  const { credential } = rule;
  if (!isPublic(rule) && withholding(deployment) !== undefined) return undefined;
  const headers =
    needsProxy(rule) && credential.from === 'header'
      ? { [credential.name]: key }
      : headersOf(credential, key, (env) =>
          secretProblem(deployment, env) === undefined ? deployment.secret?.(env) : undefined,
        );
  return headers && { name, headers, theme: themeByRule(deployment.build, rule, theme), rule };
}

/** Why a secret cannot be used, if so. */
function secretProblem({ secret }: Deployment, env: string): string | undefined {
  const value = secret?.(env);
  if (value === undefined) return `${env} is not in the environment here`;
  const isShort = Buffer.byteLength(value) < MIN_SECRET_BYTES;
  return isShort ? `${env} is shorter than the ${MIN_SECRET_BYTES} bytes that hosts require` : undefined;
}

/** Why a rule cannot be checked from here, if so. */
function problemOf(deployment: Deployment, rule: IdentityRule): Unasked | undefined {
  const who = `${rule.names}s by ${credentialName(rule.credential)}`;
  const withheld = isPublic(rule) ? undefined : withholding(deployment);
  if (withheld !== undefined) return { who, ...withheld };
  const why = missingFor(deployment, rule);
  return why === undefined ? undefined : { who, why, remedy: REMEDY };
}

const REMEDY =
  'Set the secrets of the host in the environment, or name a user with `--as USER`; what only others can make, such as a token or a session, is passed with `--header NAME=VARIABLE`.';

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
  return names === 'theme' ? `theme ${key}` : `${names === 'group' ? 'group ' : ''}${masked(key)}`;
}

/** The part of a key that may be logged. */
function masked(key: string): string {
  return key.length > 5 ? `${key.slice(0, 2)}…` : '…';
}

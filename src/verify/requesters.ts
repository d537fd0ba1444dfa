import type { IdentityRule } from '../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';
import { claimedKey, credentialName, headersOf, type Secret } from '../hosts/credentials.ts';
import { secretOf } from '../hosts/secrets.ts';
import { anonymousTheme, isConfidential, themeByRule } from './hostnames.ts';
import type { Deployment } from './build.ts';
import type { Build } from '../hosts/published-build.ts';

/** A client that asks CONFIG. */
export interface Requester {
  /** Its name in messages: at most the beginning of a user key, because messages end up in logs. */
  name: string;
  headers: Readonly<Record<string, string>>;
  /** The theme that it must get. */
  theme: string;
  /** The identity rule that matches; none for anonymous clients and for given credentials. */
  rule?: IdentityRule;
  /** Whether it is a sample of the mapping. */
  isSample?: boolean;
}

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
      isSample: true,
    }));
}

/** The client without credentials, which must get the default theme. */
export function anonymous(build: Build): Requester {
  return { name: 'anonymous', headers: {}, theme: anonymousTheme(build) };
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

/** Reads the secrets that CONFIG is requested with; undefined if no credentials may be sent at all. */
function secretFor(deployment: Deployment): Secret | undefined {
  return withholding(deployment) === undefined ? (env) => deployment.secret?.(env) : undefined;
}

/**
 * The clients to check CONFIG with: anonymous, the named users and groups, the given credentials, and one key per theme, so that each
 * identity rule is used once.
 */
export function planOf(deployment: Deployment): Plan {
  const { build, given } = deployment;
  const secret = secretFor(deployment);
  const handed = given !== undefined && secret !== undefined ? [{ name: 'the credentials given', ...given }] : [];
  const named = given === undefined ? namedRequesters(build, secret) : [];
  const requesters: Requester[] = [anonymous(build), ...named, ...handed, ...sampled(deployment, secret)];
  const isAsked = (rule: IdentityRule): boolean =>
    requesters.some((requester) => requester.rule === rule) || handed.some(({ headers }) => carries(rule, headers));
  const unasked = build.rules.identity.filter((rule) => !isAsked(rule));
  return {
    requesters,
    unasked: merged(unasked.flatMap((rule) => problemOf(deployment, rule, secret) ?? [])),
    themes: new Set(requesters.map(({ theme }) => theme)).size,
  };
}

/** One cause once, for all whom it concerns. */
function merged(unasked: readonly Unasked[]): Unasked[] {
  const causeOf = ({ why, remedy }: Unasked): string => why + remedy;
  return [...new Map(unasked.map((problem) => [causeOf(problem), problem])).values()].map((problem) => {
    const same = unasked.filter((candidate) => causeOf(candidate) === causeOf(problem));
    return { ...problem, who: same.map(({ who }) => who).join(', ') };
  });
}

/** The named users and groups, with each rule that can be checked from here. */
function namedRequesters(build: Build, secret: Secret | undefined): Requester[] {
  return build.named.flatMap(({ kind, key, theme }, index) =>
    build.rules.identity
      .filter(({ names }) => names === kind)
      .flatMap((rule) => {
        const headers = headersFor(rule, key, secret);
        const name = `${kind} ${index + 1} (${masked(key)})`;
        return headers === undefined ? [] : [{ name, headers, theme: themeByRule(build, rule, theme), rule }];
      }),
  );
}

function sampled(deployment: Deployment, secret: Secret | undefined): Requester[] {
  const { build } = deployment;
  const fallback = anonymousTheme(build);
  const left = new Set(build.rules.themes);
  const requesters: Requester[] = hostnameRequesters(build);
  for (const { theme } of requesters) left.delete(theme);
  // A host may not trust the header of a proxy from here, so other rules are tried first.
  const inOrder = [...build.rules.identity].toSorted((a, b) => Number(needsProxy(a)) - Number(needsProxy(b)));
  for (const rule of inOrder) {
    const keys = keysOf(build, rule);
    const isAskable = problemOf(deployment, rule, secret) === undefined && rule.credential.from !== 'host';
    if (!isAskable || keys.size === 0) continue;
    const personal = [...keys].filter(([theme]) => theme !== fallback);
    const wanted = needsProxy(rule) ? [] : [...keys].filter(([theme]) => left.has(theme));
    const isTelling = wanted.some(([theme]) => theme !== fallback);
    for (const [theme, key] of isTelling ? wanted : [...wanted, ...personal.slice(0, 1)]) {
      const headers = headersFor(rule, key, secret) ?? {};
      const expected = themeByRule(build, rule, theme);
      requesters.push({ name: sampleName(rule, key), headers, theme: expected, rule, isSample: true });
      left.delete(theme);
    }
    if (!needsProxy(rule)) {
      const headers = headersFor(rule, UNKNOWN_KEY, secret) ?? {};
      requesters.push({ name: `an unknown ${rule.names}`, headers, theme: fallback, rule, isSample: true });
    }
  }
  return requesters;
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
  const headers = key === undefined ? undefined : headersFor(rule, key, secretFor(deployment));
  if (key === undefined || headers === undefined) return undefined;
  return { name: sampleName(rule, key), headers, theme: themeByRule(build, rule, theme), rule };
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

/** @param secret - undefined if no credentials may be sent */
function headersFor(rule: IdentityRule, key: string, secret: Secret | undefined): Record<string, string> | undefined {
  const { credential } = rule;
  if (secret === undefined) return isPublic(rule) ? headersOf(credential, key, () => undefined) : undefined;
  if (needsProxy(rule) && credential.from === 'header') return { [credential.name]: key };
  return headersOf(credential, key, secret);
}

/** Why a rule cannot be checked from here, if so. */
function problemOf(deployment: Deployment, rule: IdentityRule, secret: Secret | undefined): Unasked | undefined {
  const { names, credential } = rule;
  const who = `${names}s by ${credentialName(credential)}`;
  const withheld = secret === undefined && !isPublic(rule) ? withholding(deployment) : undefined;
  if (withheld !== undefined) return { who, ...withheld };
  const env = secretOf(credential);
  const flag = names === 'group' ? '--group GROUP' : '--as USER';
  if (credential.from === 'auth_request')
    return {
      who,
      why: 'only the login service can identify them',
      remedy: `Pass a session cookie with \`--cookie NAME=VARIABLE\`, and its owner with \`${flag}\`.`,
    };
  if (credential.from === 'jwt' && credential.key.algorithm !== 'HS256') {
    const token = credential.cookie === undefined ? '--token VARIABLE' : `--cookie ${credential.cookie}=VARIABLE`;
    return { who, why: 'only the issuer of the tokens can sign one', remedy: `Pass a valid token with \`${token}\`.` };
  }
  const value = env === undefined ? '' : secret?.(env);
  const remedy = `Set ${env} to the value of the host; it is sent only to a site that serves this build.`;
  if (value === undefined) return { who, why: `${env} is not in the environment here`, remedy };
  if (env !== undefined && Buffer.byteLength(value) < MIN_SECRET_BYTES)
    return { who, why: `${env} is shorter than the ${MIN_SECRET_BYTES} bytes that hosts require`, remedy };
  if (names === 'theme' || !deployment.build.rules.keyed) return undefined;
  return {
    who,
    why: 'the mapping is keyed and contains no keys',
    remedy: `Name one with \`${flag}\`, with THEMECAST_KEY_SECRET in the environment.`,
  };
}

/** Whether headers contain the credential of a rule. */
function carries({ credential }: IdentityRule, headers: Readonly<Record<string, string>>): boolean {
  if (credential.from === 'auth_request') return 'Cookie' in headers || 'Authorization' in headers;
  return claimedKey(credential, headers) !== undefined;
}

function sampleName({ names }: IdentityRule, key: string): string {
  return names === 'theme' ? `theme ${key}` : `${names === 'group' ? 'group ' : ''}${masked(key)}`;
}

/** The part of a key that may be logged. */
function masked(key: string): string {
  return key.length > 5 ? `${key.slice(0, 2)}…` : '…';
}

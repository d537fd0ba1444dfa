import type { IdentityRule } from '../edge-runtime/rules.ts';
import { claimedKey, headersOf, type Secret, secretOf } from '../hosts/credentials.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';
import { credentialName } from '../who/format.ts';
import { anonymousTheme, hostnameRequesters, themeByRule } from './hostnames.ts';
import { type Build, type Deployment, type LiveList } from './build.ts';

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

/** The client without credentials, which must get the default theme. */
export function anonymous(build: Build): Requester {
  return { name: 'anonymous', headers: {}, theme: anonymousTheme(build) };
}

/** A key that is in no mapping; hosts must treat it as anonymous. */
const UNKNOWN_KEY = 'themecast-verify.unknown';

/**
 * The clients to check CONFIG with: anonymous, the named users and groups, the given credentials, and one key per theme, so that each
 * identity rule is used once. A site that does not serve this build gets no secrets, and only the named keys.
 */
export function planOf(deployment: Deployment, { isCurrent }: LiveList): Plan {
  const { build } = deployment;
  const secret: Secret = (env) => (isCurrent ? deployment.secret?.(env) : undefined);
  const given = isCurrent ? deployment.given : undefined;
  const handed: Requester[] = given === undefined ? [] : [{ name: 'the credentials given', ...given }];
  const named = deployment.given === undefined ? namedRequesters(build, secret) : [];
  const samples = isCurrent ? sampled(build, secret) : { requesters: [], unasked: [] };
  const asked: Requester[] = [anonymous(build), ...named, ...handed, ...samples.requesters];
  const isAsked = (rule: IdentityRule): boolean =>
    asked.some((requester) => requester.rule === rule) || (given !== undefined && carries(rule, given.headers));
  return {
    requesters: asked,
    unasked: samples.unasked.filter(({ rule }) => !isAsked(rule)),
    themes: new Set(asked.map(({ theme }) => theme)).size,
  };
}

/** The named users and groups, with each rule that can be checked from here. */
function namedRequesters(build: Build, secret: Secret): Requester[] {
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

function sampled(
  build: Build,
  secret: Secret,
): { requesters: Requester[]; unasked: (Unasked & { rule: IdentityRule })[] } {
  const fallback = anonymousTheme(build);
  const left = new Set(build.rules.themes);
  const requesters: Requester[] = hostnameRequesters(build);
  for (const { theme } of requesters) left.delete(theme);
  const unasked: (Unasked & { rule: IdentityRule })[] = [];
  // A host may not trust the header of a proxy from here, so other rules are tried first.
  const inOrder = [...build.rules.identity].toSorted((a, b) => Number(needsProxy(a)) - Number(needsProxy(b)));
  for (const rule of inOrder) {
    const keys = keysOf(build, rule);
    const problem = problemOf(build, rule, secret);
    if (problem !== undefined) unasked.push({ rule, ...problem });
    if (problem !== undefined || keys.size === 0 || rule.credential.from === 'host') continue;
    const others = [...keys].filter(([theme]) => theme !== fallback);
    const wanted = needsProxy(rule) ? [] : [...keys].filter(([theme]) => left.has(theme));
    const isTelling = wanted.some(([theme]) => theme !== fallback);
    for (const [theme, key] of isTelling ? wanted : [...wanted, ...others.slice(0, 1)]) {
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
  return { requesters, unasked };
}

/** A key per theme for a rule. */
export function keysOf({ rules, samples }: Build, { names }: IdentityRule): ReadonlyMap<string, string> {
  return names === 'theme' ? new Map(rules.themes.map((slug) => [slug, slug])) : samples[names];
}

/** Whether the rule reads a header that only proxies of certain addresses may send. */
export function needsProxy({ credential }: IdentityRule): boolean {
  return credential.from === 'header' && 'proxies' in credential;
}

function headersFor(rule: IdentityRule, key: string, secret: Secret): Record<string, string> | undefined {
  const { credential } = rule;
  if (needsProxy(rule) && credential.from === 'header') return { [credential.name]: key };
  return headersOf(credential, key, secret);
}

/** Why a rule cannot be checked from here, if so. */
function problemOf(build: Build, rule: IdentityRule, secret: Secret): Unasked | undefined {
  const { names, credential } = rule;
  const who = `${names}s by ${credentialName(credential)}`;
  const env = secretOf(credential);
  if (credential.from === 'auth_request')
    return {
      who,
      why: 'only the login service can identify them',
      remedy: remedyFor(names, 'a session cookie'),
    };
  if (credential.from === 'jwt' && credential.key.algorithm !== 'HS256') {
    const flag = credential.cookie === undefined ? '--token VARIABLE' : `--cookie ${credential.cookie}=VARIABLE`;
    return { who, why: 'only the issuer of the tokens can sign one', remedy: `Pass a valid token with \`${flag}\`.` };
  }
  if (env !== undefined) {
    const value = secret(env);
    const remedy = `Set ${env} to the value of the host; it is sent only to a site that serves this build.`;
    if (value === undefined) return { who, why: `${env} is not in the environment here`, remedy };
    if (Buffer.byteLength(value) < MIN_SECRET_BYTES)
      return { who, why: `${env} is shorter than the ${MIN_SECRET_BYTES} bytes that hosts require`, remedy };
  }
  if (names !== 'theme' && build.rules.keyed)
    return {
      who,
      why: 'the mapping is keyed and contains no keys',
      remedy: `Name one with \`${names === 'user' ? '--as USER' : '--group GROUP'}\`, with THEMECAST_KEY_SECRET in the environment.`,
    };
  return undefined;
}

function remedyFor(names: IdentityRule['names'], what: string): string {
  const whose = names === 'group' ? '--group GROUP' : '--as USER';
  return `Pass ${what} with \`--cookie NAME=VARIABLE\`, and its owner with \`${whose}\`.`;
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

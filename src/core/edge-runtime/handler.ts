import type { Credential, EdgeEndpoint, EdgeRequest, IdentityRule, Rendering, RuntimeRules } from './rules.ts';
import { cookie, keyOfCookie } from './cookie.ts';
import { corsHeaders, originHeader } from './cors.ts';
import { hostnameOf, keyOfHostname } from './hostname.ts';
import { formatParameter, negotiate } from './negotiate.ts';
import {
  type Body,
  isNotModified,
  methodNotAllowed,
  notFound,
  respond,
  respondWithError,
  withoutBody,
} from './responses.ts';
import { THEME_ID } from './theme-id.ts';
import { claimOf, MIN_SECRET_BYTES, type TokenKeys } from './token.ts';

// The compiled files of this folder are copied to every host that runs code, so they import only each other.

/** The functions that a platform provides to the handler. */
export interface Platform extends TokenKeys {
  /** Reads a published file by its path from the root of `dist/`, with its strong, content-based ETag. */
  readFile(path: string): Promise<{ body: Body; etag: string } | undefined>;
  /** Returns the theme that a user or group key is mapped to; undefined for every other key. */
  themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined>;
  /** Returns whether this request came through one of these proxies, so that its headers can be trusted. */
  isTrusted(proxies: readonly string[]): boolean;
}

/** `Allow` of a published file, which only GET and HEAD may request. */
export const FILE_ALLOW = 'GET, HEAD';

/** Maximum length of a key in the mapping, in bytes. */
export const MAX_KEY_BYTES = 128;

/**
 * Serves the endpoints as the contract requires, on any platform with `Response`.
 * @returns undefined for a path outside the theme service
 */
export async function handle(
  request: EdgeRequest,
  rules: RuntimeRules,
  platform: Platform,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  // Taken from the undecoded URL: `URL` would escape quotes.
  const search = /\?[^#]*/.exec(request.url)?.[0] ?? '';
  const endpoints = endpointsAt(pathname, rules);
  if (endpoints.some(({ path }) => pathname === path.slice(0, -1))) {
    return respond(301, null, { ...rules.headers.all, Location: `${pathname}/${search}` });
  }
  const { method } = request;
  const target = rules.redirects?.[pathname];
  const file = [...rules.schemas, ...rules.records].find(({ path }) => path === pathname)?.file;
  if ((target ?? file) !== undefined && method !== 'GET' && method !== 'HEAD')
    return respondWithError(405, methodNotAllowed(method), rules, { Allow: FILE_ALLOW });
  if (target !== undefined) return respond(301, null, { ...rules.headers.all, ...REDIRECT_HEADERS, Location: target });
  const endpoint = endpoints.find(({ path }) => path === pathname);
  if (file !== undefined) {
    const response = await respondWithFile(request, file, rules, platform);
    return method === 'HEAD' ? withoutBody(response) : response;
  }
  if (endpoint === undefined) {
    return pathname.startsWith(rules.endpoints.list.path) ? notFound(rules) : undefined;
  }
  const response = await respondTo(request, search, endpoint, rules, platform);
  for (const [name, value] of Object.entries(corsHeaders(request, endpoint, rules))) response.headers.set(name, value);
  return method === 'HEAD' ? withoutBody(response) : response;
}

const LAST_ID = new RegExp(`/(${THEME_ID})/?$`);

/** Returns the endpoints, with the id at the end of the path in that of a theme; without one a space, which no URL contains. */
function endpointsAt(pathname: string, { endpoints }: RuntimeRules): EdgeEndpoint[] {
  const id = LAST_ID.exec(pathname)?.[1] ?? ' ';
  return Object.values(endpoints).map((endpoint) => ({
    ...endpoint,
    path: endpoint.path.replace('*', id),
    folder: endpoint.folder.replace('*', id),
  }));
}

async function respondWithFile(
  { headers }: EdgeRequest,
  path: string,
  rules: RuntimeRules,
  platform: Platform,
): Promise<Response> {
  const file = await platform.readFile(path);
  if (file === undefined) return notFound(rules);
  const fileHeaders = rules.headers[rules.records.some((record) => record.file === path) ? 'record' : 'schema'];
  const common = { ...rules.headers.all, ...fileHeaders, ...originHeader(headers, rules), ETag: file.etag };
  if (isNotModified(headers.get('If-None-Match'), file.etag)) return respond(304, null, common);
  return respond(200, file.body, { ...common, 'Content-Type': rules.contentTypes.json });
}

/** The headers of a redirect of an old path; they expire, because the target changes with the image. */
export const REDIRECT_HEADERS = { 'Cache-Control': 'public, max-age=86400' } as const;

async function respondTo(
  request: EdgeRequest,
  search: string,
  endpoint: EdgeEndpoint,
  rules: RuntimeRules,
  platform: Platform,
): Promise<Response> {
  const { method } = request;
  const headers = { ...rules.headers.endpoint, Allow: endpoint.allow, Vary: endpoint.vary };
  if (method === 'OPTIONS') {
    const file = await platform.readFile(endpoint.options);
    return file === undefined
      ? respondWithError(404, rules.refusals.notFound, rules, headers)
      : respondWithError(200, file.body, rules, headers);
  }
  if (method === 'POST' && endpoint.methods.includes('POST'))
    return respondWithError(403, rules.refusals.post, rules, headers);
  if (method !== 'GET' && method !== 'HEAD') {
    return respondWithError(405, methodNotAllowed(method), rules, headers);
  }

  const accept = endpoint.kind === 'theme' ? null : request.headers.get('Accept');
  const rendering = negotiate(endpoint.renderings, formatParameter(search), accept);
  if (rendering === 406) return respondWithError(406, rules.refusals.notAcceptable, rules, headers);
  if (rendering === 404) return respondWithError(404, rules.refusals.notFound, rules, headers);

  const decision =
    endpoint.kind === 'config' ? await decide(rules, rules.identity, lookupsFor(request, platform)) : undefined;
  const theme = decision?.theme;
  const file = await platform.readFile(endpoint.folder + fileName(rendering, theme));
  if (file === undefined) return respondWithError(404, rules.refusals.notFound, rules, headers);
  const { name } = rendering;
  const common = {
    ...rules.headers.all,
    ...headers,
    // A theme by its id is public: any page may use it.
    ...(name === 'json' || endpoint.kind === 'theme' ? {} : rules.headers[name]),
    'Cache-Control': endpoint.cacheControl,
    ETag: file.etag,
  };
  if (isNotModified(request.headers.get('If-None-Match'), file.etag)) return respond(304, null, common);
  return respond(200, file.body, { ...common, 'Content-Type': rules.contentTypes[name] });
}

/** Returns the file of a rendering; CONFIG has a file for each theme. */
export function fileName({ name, file }: Pick<Rendering, 'name' | 'file'>, theme: string | undefined): string {
  return theme === undefined ? file : `${theme}.${name}`;
}

/** The two look-ups that evaluate identity rules. */
export interface Lookups {
  /** Returns the key in the credential of the request; undefined without a trusted credential. */
  keyOf(rule: IdentityRule): Promise<string | undefined>;
  themeOf: Platform['themeOf'];
}

function lookupsFor(request: EdgeRequest, platform: Platform): Lookups {
  return {
    keyOf: ({ credential }) => readKey(credential, request, platform),
    themeOf: (kind, key) => platform.themeOf(kind, key),
  };
}

/**
 * Decides the theme of a request: the first identity rule that matches wins.
 * @param identity - the rules, in the order of evaluation
 * @returns undefined for the default theme
 */
export async function decide(
  { themes }: Pick<RuntimeRules, 'themes'>,
  identity: readonly IdentityRule[],
  lookups: Lookups,
): Promise<{ theme: string; rule: IdentityRule; key: string } | undefined> {
  for (const rule of identity) {
    const key = await lookups.keyOf(rule);
    if (key === undefined || key === '' || key.length > MAX_KEY_BYTES) continue;
    const theme = rule.names === 'theme' ? key : await lookups.themeOf(rule.names, key);
    // The theme becomes part of a path, so it must be a slug of this build, whether it comes from a cookie or the mapping.
    if (theme !== undefined && themes.includes(theme)) return { theme, rule, key };
  }
  return undefined;
}

async function readKey(
  credential: Credential,
  { headers, url }: EdgeRequest,
  platform: Platform,
): Promise<string | undefined> {
  // A request of HTTP/2 may have its host only in the URL.
  if (credential.from === 'host')
    return keyOfHostname(credential, hostnameOf(headers.get('Host') ?? new URL(url).host));
  if (credential.from === 'cookie') {
    const value = cookie(headers.get('Cookie'), credential.name);
    return value === undefined ? undefined : keyOfCookie(value);
  }
  if (credential.from === 'header') {
    const trusted =
      'proxies' in credential
        ? platform.isTrusted(credential.proxies)
        : isSecret(headers.get(credential.secret.header), platform.secret(credential.secret.env));
    return trusted ? (headers.get(credential.name) ?? undefined) : undefined;
  }
  // No host that runs code supports `auth_request`.
  if (credential.from === 'auth_request') return undefined;
  const bearer = /^Bearer +([^ ]+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
  const token = credential.cookie === undefined ? bearer : cookie(headers.get('Cookie'), credential.cookie);
  return token === undefined ? undefined : claimOf(token, credential.claim, credential.key, platform, Date.now());
}

/** Compares in constant time; rejects a secret that is too short. */
function isSecret(value: string | null, secret: string | undefined): boolean {
  if (value === null || secret === undefined || secret.length < MIN_SECRET_BYTES || value.length !== secret.length)
    return false;
  let difference = 0;
  for (let at = 0; at < secret.length; at++) difference |= value.charCodeAt(at) ^ secret.charCodeAt(at);
  return difference === 0;
}

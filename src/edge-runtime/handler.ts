import type { Credential, EdgeEndpoint, IdentityRule, RuntimeRules } from './rules.ts';
import { cookie } from './cookie.ts';
import { formatParameter, negotiate } from './negotiate.ts';
import { claimOf, type TokenKeys } from './token.ts';

// This folder is copied as it is compiled to every host that runs code: it imports nothing but itself and types.

/** The part of a `Request` that is looked at; a `Request` of any platform is one. */
export interface EdgeRequest {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
}

/** What a `Response` can be made of. */
type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** What a platform lends to the handler. */
export interface EdgeHost extends TokenKeys {
  /** A published file by its path from the root of `dist/`, with its strong, content-based ETag. */
  readFile(path: string): Promise<{ body: Body; etag: string } | undefined>;
  /** The theme that a user or group key is mapped to; nothing for everyone else. */
  themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined>;
  /** Whether this request came through one of these proxies, so that their headers can be believed. */
  isTrusted(proxies: readonly string[]): boolean;
}

/** Bytes of a key: longer ones are in no mapping. */
const KEY_LENGTH = 128;

/**
 * Answers the two endpoints as the contract says, on any platform with `Response`.
 * @returns nothing for a path that is not of the theme service
 */
export async function handle(request: EdgeRequest, rules: RuntimeRules, host: EdgeHost): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  // As it was sent: `URL` would escape quotes.
  const search = /\?[^#]*/.exec(request.url)?.[0] ?? '';
  const { list, config } = rules.endpoints;
  if (pathname === list.path.slice(0, -1) || pathname === config.path.slice(0, -1)) {
    return answer(301, null, { ...rules.headers.all, Location: `${pathname}/${search}` });
  }
  const endpoint = [list, config].find(({ path }) => path === pathname);
  if (endpoint === undefined) {
    return pathname.startsWith(list.path) ? notFound(rules) : undefined;
  }
  const response = await answerEndpoint(request, search, endpoint, rules, host);
  for (const [name, value] of Object.entries(corsHeaders(request, endpoint, rules))) response.headers.set(name, value);
  return request.method === 'HEAD' ? withoutBody(response) : response;
}

/** The answer to HEAD: the headers of GET, its length included. */
async function withoutBody(response: Response): Promise<Response> {
  const { byteLength } = await response.arrayBuffer();
  const head = new Response(null, response);
  head.headers.set('Content-Length', String(byteLength));
  return head;
}

async function answerEndpoint(
  request: EdgeRequest,
  search: string,
  endpoint: EdgeEndpoint,
  rules: RuntimeRules,
  host: EdgeHost,
): Promise<Response> {
  const { method } = request;
  const headers = { ...rules.headers.endpoint, Allow: endpoint.allow, Vary: endpoint.vary };
  if (method === 'OPTIONS') {
    const file = await host.readFile(`${endpoint.folder}options.json`);
    if (file === undefined) return refuse(404, rules.refusals.notFound, rules, headers);
    return answer(200, file.body, {
      ...rules.headers.all,
      ...headers,
      ...rules.headers.error,
      'Content-Type': rules.contentTypes.json,
    });
  }
  if (method === 'POST' && endpoint.methods.includes('POST')) return refuse(403, rules.refusals.post, rules, headers);
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(405, JSON.stringify({ detail: `Method "${method}" not allowed.` }), rules, headers);
  }

  const rendering = negotiate(formatParameter(search), request.headers.get('Accept'));
  if (rendering === 'not_acceptable') return refuse(406, rules.refusals.notAcceptable, rules, headers);
  if (rendering === 'not_found') return refuse(404, rules.refusals.notFound, rules, headers);

  const decision = endpoint.kind === 'config' ? await decide(rules, rules.identity, ask(request, host)) : undefined;
  const theme = decision?.theme;
  const file = await host.readFile(endpoint.folder + fileName(rendering, theme));
  if (file === undefined) return refuse(404, rules.refusals.notFound, rules, headers);
  const found = { ...rules.headers.all, ...headers, 'Cache-Control': endpoint.cacheControl, ETag: file.etag };
  if (matches(request.headers.get('If-None-Match'), file.etag)) return answer(304, null, found);
  return answer(200, file.body, {
    ...found,
    'Content-Type': rules.contentTypes[rendering],
    ...(rendering === 'html' ? rules.headers.html : {}),
  });
}

/** The file of a rendering; CONFIG has one for each theme. */
export function fileName(rendering: 'json' | 'html', theme: string | undefined): string {
  if (theme !== undefined) return `${theme}.${rendering}`;
  return rendering === 'json' ? 'index.json' : 'browse.html';
}

/** What identity rules are decided by. */
export interface Asked {
  /** What a credential of the requester says; nothing if there is none that can be believed. */
  keyOf(rule: IdentityRule): Promise<string | undefined>;
  themeOf: EdgeHost['themeOf'];
}

function ask(request: EdgeRequest, host: EdgeHost): Asked {
  return {
    keyOf: ({ credential }) => read(credential, request, host),
    themeOf: (kind, key) => host.themeOf(kind, key),
  };
}

/**
 * The theme of the requester: the first identity rule that hits decides; nothing for the default theme.
 * @param identity - the rules that are asked, in their order
 */
export async function decide(
  { themes }: Pick<RuntimeRules, 'themes'>,
  identity: readonly IdentityRule[],
  asked: Asked,
): Promise<{ theme: string; rule: IdentityRule; key: string } | undefined> {
  for (const rule of identity) {
    const key = await asked.keyOf(rule);
    if (key === undefined || key === '' || key.length > KEY_LENGTH) continue;
    const theme = rule.names === 'theme' ? key : await asked.themeOf(rule.names, key);
    // Only ever a slug of this build: neither a cookie nor a mapping becomes a path unchecked.
    if (theme !== undefined && themes.includes(theme)) return { theme, rule, key };
  }
  return undefined;
}

async function read(credential: Credential, { headers }: EdgeRequest, host: EdgeHost): Promise<string | undefined> {
  if (credential.from === 'cookie') return cookie(headers.get('Cookie'), credential.name);
  if (credential.from === 'header') {
    const trusted =
      'proxies' in credential
        ? host.isTrusted(credential.proxies)
        : sameSecret(headers.get(credential.secret.header), host.secret(credential.secret.env));
    return trusted ? (headers.get(credential.name) ?? undefined) : undefined;
  }
  // Only for hosts that say so among their capabilities, and those that run code do not.
  if (credential.from === 'auth_request') return undefined;
  const bearer = /^Bearer +([^ ]+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
  const token = credential.cookie === undefined ? bearer : cookie(headers.get('Cookie'), credential.cookie);
  return token === undefined ? undefined : claimOf(token, credential.claim, credential.key, host, Date.now());
}

/** Compares in a time that does not tell how much was right; a secret shorter than 32 bytes is none. */
function sameSecret(given: string | null, secret: string | undefined): boolean {
  if (given === null || secret === undefined || secret.length < 32 || given.length !== secret.length) return false;
  let difference = 0;
  for (let at = 0; at < secret.length; at++) difference |= given.charCodeAt(at) ^ secret.charCodeAt(at);
  return difference === 0;
}

/** Whether `If-None-Match` names the ETag, by weak comparison (RFC 9110, §13.1.2). */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The headers for pages of the origins that the site lists (Fetch standard, CORS protocol). */
function corsHeaders(
  { method, headers }: EdgeRequest,
  endpoint: EdgeEndpoint,
  rules: RuntimeRules,
): Record<string, string> {
  const origin = headers.get('Origin');
  if (origin === null || !rules.corsOrigins.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    ...(endpoint.kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...(method === 'OPTIONS'
      ? {
          'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
          'Access-Control-Max-Age': '600',
          ...(rules.corsHeaders.length > 0 ? { 'Access-Control-Allow-Headers': rules.corsHeaders.join(', ') } : {}),
        }
      : {}),
  };
}

/** The answer for a path at which there is nothing. */
export function notFound(rules: RuntimeRules): Response {
  return refuse(404, rules.refusals.notFound, rules);
}

function refuse(status: number, body: string, rules: RuntimeRules, headers: Record<string, string> = {}): Response {
  return answer(status, body, {
    ...rules.headers.all,
    ...headers,
    ...rules.headers.error,
    'Content-Type': rules.contentTypes.json,
  });
}

function answer(status: number, body: Body | null, headers: Record<string, string>): Response {
  return new Response(body, { status, headers });
}

import { CONTENT_TYPES, detail, type EdgeEndpoint, type EdgeRules } from '../mapping/edge-rules.ts';
import { formatParameter, negotiate } from './negotiate.ts';

/** The part of a `Request` that is looked at; a `Request` of any platform is one. */
export interface EdgeRequest {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
}

/** What a `Response` can be made of. */
type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** What a platform lends to the handler. */
export interface EdgeHost {
  /** A published file by its path from the root of `dist/`, with its strong, content-based ETag. */
  readFile(path: string): Promise<{ body: Body; etag: string } | undefined>;
  /** The theme that a user key is mapped to; nothing for everyone else. */
  themeOf(user: string): Promise<string | undefined>;
  /** Whether this request came through one of these proxies, so that their headers can be believed. */
  isTrusted(proxies: readonly string[]): boolean;
}

/**
 * Answers the two endpoints as the contract says, on any platform with `Response`.
 * @returns nothing for a path that is not of the theme service
 */
export async function handle(request: EdgeRequest, rules: EdgeRules, host: EdgeHost): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const { list, config } = rules.endpoints;
  if (pathname === list.path.slice(0, -1) || pathname === config.path.slice(0, -1)) {
    return answer(301, null, { ...rules.headers.all, Location: `${pathname}/${search}` });
  }
  const endpoint = [list, config].find(({ path }) => path === pathname);
  if (endpoint === undefined) {
    return pathname.startsWith(list.path) ? refuse(404, rules.refusals.notFound, rules) : undefined;
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
  rules: EdgeRules,
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
      'Content-Type': CONTENT_TYPES.json,
    });
  }
  if (method === 'POST' && endpoint.methods.includes('POST')) return refuse(403, rules.refusals.post, rules, headers);
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(405, detail(`Method "${method}" not allowed.`), rules, headers);

  const rendering = negotiate(formatParameter(search), request.headers.get('Accept'));
  if (rendering === 'not_acceptable') return refuse(406, rules.refusals.notAcceptable, rules, headers);
  if (rendering === 'not_found') return refuse(404, rules.refusals.notFound, rules, headers);

  const file = await host.readFile(endpoint.folder + (await fileName(request, rendering, endpoint, rules, host)));
  if (file === undefined) return refuse(404, rules.refusals.notFound, rules, headers);
  const found = { ...rules.headers.all, ...headers, 'Cache-Control': endpoint.cacheControl, ETag: file.etag };
  if (matches(request.headers.get('If-None-Match'), file.etag)) return answer(304, null, found);
  return answer(200, file.body, {
    ...found,
    'Content-Type': CONTENT_TYPES[rendering],
    ...(rendering === 'html' ? rules.headers.html : {}),
  });
}

/** The file that a request is answered with; CONFIG has one for each theme. */
async function fileName(
  request: EdgeRequest,
  rendering: 'json' | 'html',
  { kind }: EdgeEndpoint,
  rules: EdgeRules,
  host: EdgeHost,
): Promise<string> {
  const theme = kind === 'config' ? await themeOf(request, rules, host) : undefined;
  if (theme !== undefined) return `${theme}.${rendering}`;
  return rendering === 'json' ? 'index.json' : 'browse.html';
}

/** The theme of the requester by the identity rules, in their order; nothing for the default theme. */
async function themeOf(request: EdgeRequest, rules: EdgeRules, host: EdgeHost): Promise<string | undefined> {
  for (const { user } of rules.identity) {
    const key =
      'cookie' in user
        ? cookie(request.headers.get('Cookie'), user.cookie)
        : host.isTrusted(user.trusted_proxies)
          ? request.headers.get(user.header)
          : undefined;
    const theme = key ? await host.themeOf(key) : undefined;
    // Only ever a slug of this build: the value of a mapping never becomes a path unchecked.
    if (theme !== undefined && rules.themes.includes(theme)) return theme;
  }
  return undefined;
}

/** The first cookie of a name, its value as it is written. */
export function cookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name && value.length > 0) return value.join('=').trim();
  }
  return undefined;
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
  rules: EdgeRules,
): Record<string, string> {
  const origin = headers.get('Origin');
  if (origin === null || !rules.corsOrigins.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    ...(endpoint.kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...(method === 'OPTIONS'
      ? { 'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS', 'Access-Control-Max-Age': '600' }
      : {}),
  };
}

function refuse(status: number, body: string, rules: EdgeRules, headers: Record<string, string> = {}): Response {
  return answer(status, body, {
    ...rules.headers.all,
    ...headers,
    ...rules.headers.error,
    'Content-Type': CONTENT_TYPES.json,
  });
}

function answer(status: number, body: Body | null, headers: Record<string, string>): Response {
  return new Response(body, { status, headers });
}

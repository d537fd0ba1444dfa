import { expect } from 'vitest';
import { type PublishedSite, textOf, type Theme } from '../site.ts';
import type { Outcome } from './cases.ts';
import { expectDescribed } from './described.ts';
import { type Answer, describeRequest, type Request, sendAll } from './send.ts';

/** A running host of a site, with the headers that follow from the settings of the site. */
export interface Running {
  port: number;
  site: PublishedSite;
  base: string;
  vary: { list: string; config: string };
}

/** The expected response, with exactly these contract headers. */
export interface Expected {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export const LIST = '/api/v2/theme/';
export const CONFIG = '/api/v2/theme/config/';
/** The path of the second theme, meadow. */
export const THEME = '/api/v2/theme/2/';
export const ENDPOINTS = { list: LIST, config: CONFIG } as const;
export const PATHS = { ...ENDPOINTS, theme: THEME } as const;
export type EndpointKind = keyof typeof ENDPOINTS;
type PathKind = keyof typeof PATHS;

/** The outcome of GET and HEAD, or the name of another method. */
export type Operation = Outcome | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const ALLOW = { list: 'GET, POST, HEAD, OPTIONS', config: 'GET, HEAD, OPTIONS', theme: 'GET, HEAD, OPTIONS' };
const CACHE_CONTROL = { list: 'public, max-age=60', config: 'private, no-cache', theme: 'public, max-age=60' };
const EVERYWHERE = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' };
const ERROR = { ...EVERYWHERE, 'content-type': 'application/json', 'cache-control': 'no-store' };
const PAGE_POLICY = `default-src 'none'; img-src 'self' https://media.example.org; style-src 'sha256-c3R5bGU='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const LINKED_TYPES = {
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
} as const;

export const NOT_FOUND: Expected = { status: 404, headers: ERROR, body: '{"detail":"Not found."}' };

/** Returns the response that the contract requires, independently of the rules that hosts are built from. */
export function expectedOf(
  { site, vary }: Running,
  endpoint: PathKind,
  operation: Operation,
  theme: Theme = 'harbor',
): Expected {
  const common = {
    ...EVERYWHERE,
    allow: ALLOW[endpoint],
    vary: vary[endpoint === 'config' ? 'config' : 'list'],
    'x-frame-options': 'DENY',
  };
  const refusal = (status: number, body: string): Expected => ({ status, headers: { ...common, ...ERROR }, body });
  const folder = PATHS[endpoint].slice(1);
  const shared = endpoint !== 'config';
  switch (operation) {
    case 'json': {
      const headers = { ...common, 'content-type': 'application/json', 'cache-control': CACHE_CONTROL[endpoint] };
      return { status: 200, headers, body: textOf(site, `${folder}${shared ? 'index' : theme}.json`) };
    }
    case 'html': {
      const page = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY };
      const headers = { ...common, ...page, 'cache-control': CACHE_CONTROL[endpoint] };
      return { status: 200, headers, body: textOf(site, `${folder}${endpoint === 'list' ? 'browse' : theme}.html`) };
    }
    case 'css':
    case 'png':
    case 'webmanifest': {
      const policy: Record<string, string> = shared ? {} : { 'cross-origin-resource-policy': 'same-site' };
      const linked = { 'content-type': LINKED_TYPES[operation], ...policy };
      const headers = { ...common, ...linked, 'cache-control': CACHE_CONTROL[endpoint] };
      return { status: 200, headers, body: textOf(site, `${folder}${shared ? 'index' : theme}.${operation}`) };
    }
    case 'OPTIONS':
      return {
        ...refusal(
          200,
          textOf(site, endpoint === 'theme' ? `${LIST.slice(1)}theme-options.json` : `${folder}options.json`),
        ),
      };
    case 404:
      return refusal(404, '{"detail":"Not found."}');
    case 406:
      return refusal(406, '{"detail":"Could not satisfy the request Accept header."}');
    case 'POST':
      if (endpoint === 'list')
        return refusal(
          403,
          `{"detail":"Themes are edited in Git, not through this service: https://git.example.org/themes"}`,
        );
      return refusal(405, '{"detail":"Method \\"POST\\" not allowed."}');
    default:
      return refusal(405, `{"detail":"Method \\"${operation}\\" not allowed."}`);
  }
}

/** Returns the response to HEAD for a response to GET: no body, but its length. */
export function withoutBody({ status, headers, body }: Expected): Expected {
  return { status, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body: '' };
}

/** Sends the requests, and compares each response with the expected one and with the OpenAPI description. */
export async function expectAnswers(
  { port, site }: Running,
  exchanges: readonly (readonly [Request, Expected])[],
): Promise<void> {
  const answers = await sendAll(
    port,
    exchanges.map(([request]) => request),
  );
  for (const [index, answer] of answers.entries()) {
    const [request, expected] = exchanges[index] as [Request, Expected];
    expect(withContractHeaders(answer, expected), describeRequest(request)).toEqual(expected);
    expectDescribed(site, request, answer);
  }
}

/** Matches headers that the contract defines. Hosts add other headers, such as `Date`. */
const CONTRACT_HEADERS =
  /^(?:allow|vary|cache-control|content-type|content-security-policy|x-frame-options|x-content-type-options|referrer-policy|access-control-.*|cross-origin-resource-policy|expires|pragma|location|content-range)$/;

/** Removes headers that the contract does not define. */
function withContractHeaders({ status, headers, body }: Answer, expected: Expected): Expected {
  const contractHeaders = Object.entries(headers).filter(
    ([name]) => CONTRACT_HEADERS.test(name) || name in expected.headers,
  );
  // Varnish stores the compressed document, and does not know the length of the other.
  if (headers['x-varnish'] !== undefined && headers['content-length'] === undefined && body === '')
    contractHeaders.push(...Object.entries(expected.headers).filter(([name]) => name === 'content-length'));
  return { status, headers: Object.fromEntries(contractHeaders), body };
}

import { printable } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { fileName, handle } from '../edge-runtime/handler.ts';
import { type HttpResponse, mediaTypeOf, type Request, statusOf, urlOf } from '../http/exchange.ts';
import { cachesAs, cdnHeader, headerOf, members, sameMembers } from '../probe/headers.ts';
import type { Headers as PlainHeaders } from '../probe/table.ts';
import type { CheckId } from './checks.ts';
import { type Deployment, anonymousTheme } from './build.ts';
import { fault, type Result, verdict, passed } from './result.ts';

/** The response that the contract requires. */
export interface ContractResponse {
  status: number;
  /** By name in lower case. */
  headers: PlainHeaders;
  /** The published file with the body. */
  file?: string | undefined;
  /** The body, unless it is a file. */
  text: string;
}

/**
 * Returns the response that the contract requires. It runs the handler of edge hosts on a platform that records which file would be read.
 * @param theme - the theme of the requester
 */
export async function contractResponse(
  { build, url }: Pick<Deployment, 'build' | 'url'>,
  { method, origin, target, headers }: Request,
  theme = anonymousTheme(build),
): Promise<ContractResponse> {
  const { rules } = build;
  const base = new URL(url).pathname.replace(/\/$/, '');
  const { list, config } = rules.endpoints;
  const renderings = config.renderings.map((rendering) => ({ ...rendering, file: fileName(rendering, theme) }));
  const at = (files: typeof rules.schemas) => files.map(({ file }) => ({ file, path: base + file }));
  let file: string | undefined;
  const platform = {
    readFile: async (path: string) => {
      file = path.slice(1);
      return { body: '', etag: '' };
    },
    themeOf: async () => undefined,
    isTrusted: () => false,
    secret: () => undefined,
    jwks: async () => [],
  };
  const response = await handle(
    { method, url: origin + target, headers: new Headers(headers) },
    {
      ...rules,
      identity: [],
      endpoints: {
        list: { ...list, path: base + LIST.path },
        config: { ...config, path: base + CONFIG.path, renderings },
      },
      schemas: at(rules.schemas),
      records: at(rules.records),
    },
    platform,
  );
  if (response === undefined) throw new Error(`${target} is no path of the service.`);
  return { status: response.status, headers: Object.fromEntries(response.headers), file, text: await response.text() };
}

export function headerText(response: Pick<HttpResponse, 'headers'>, name: string): string {
  const value = headerOf(response, name);
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** Whether a header has the required meaning: a proxy may repeat it, reorder it, or add harmless values. */
type HeaderRule = (value: string, expected: string) => boolean;
const isInList: HeaderRule = (value, expected) => members(value).includes(expected.toLowerCase());
const hasAll: HeaderRule = (value, expected) => members(expected).every((name) => members(value).includes(name));

/** The headers in the contract, each with the check that fails if it differs. */
const HEADERS: Readonly<Record<string, readonly [id: CheckId, holds: HeaderRule]>> = {
  'Content-Type': ['headers/type', (value, expected) => mediaTypeOf(value) === mediaTypeOf(expected)],
  'Cache-Control': ['headers/cache', cachesAs],
  // A further name only splits a cache; `*` empties it.
  Vary: ['headers/vary', (value, expected) => hasAll(value, expected) && !members(value).includes('*')],
  Allow: ['headers/allow', sameMembers],
  // Fetch standard: the first value is used.
  'X-Content-Type-Options': ['headers/security', (value) => value.split(',')[0]?.trim().toLowerCase() === 'nosniff'],
  // HTML standard, §7.4.1: of several values, DENY wins.
  'X-Frame-Options': ['headers/security', isInList],
  'Cross-Origin-Resource-Policy': ['headers/security', sameMembers],
  // CSP, §3.2: browsers enforce every policy.
  'Content-Security-Policy': [
    'headers/security',
    (value, expected) => value.split(',').some((policy) => directives(policy) === directives(expected)),
  ],
  // Browsers use the last value that they know.
  'Referrer-Policy': ['headers/security', (value) => ['same-origin', 'no-referrer'].includes(lastOf(value))],
  'Access-Control-Allow-Origin': ['cors/origin', (value, expected) => value === expected],
  'Access-Control-Allow-Credentials': ['cors/origin', (value, expected) => value === expected],
  'Access-Control-Allow-Methods': ['cors/preflight', (value) => members(value).includes('get')],
  'Access-Control-Allow-Headers': ['cors/preflight', hasAll],
};

const lastOf = (value: string): string => value.toLowerCase().split(',').at(-1)?.trim() ?? '';

/** Returns the directives of a policy, except directives that only restrict or report. */
function directives(policy: string): string {
  const all = policy.split(';').map((directive) => directive.trim().replaceAll(/\s+/g, ' '));
  const harmless = /^$|^(?:upgrade-insecure-requests|block-all-mixed-content|report-uri|report-to)\b/;
  return all.filter((directive) => !harmless.test(directive)).join(';');
}

/** Policies that send only the origin to other sites; the second is the default of browsers. */
const USUAL_POLICIES = new Set(['strict-origin', 'strict-origin-when-cross-origin']);

export function headerResults(what: string, response: HttpResponse, expected: PlainHeaders): Result[] {
  return Object.entries(HEADERS).flatMap(([name, [usualId, holds]]): Result[] => {
    const value = headerOf({ headers: expected }, name) ?? expected[name];
    if (value === undefined) return [];
    const actual = headerOf(response, name);
    const isUsual = name === 'Referrer-Policy' && USUAL_POLICIES.has(lastOf(actual ?? ''));
    const id = isUsual ? 'headers/referrer' : usualId;
    const differs = `${what} ${actual === undefined ? `has no ${name}` : `has another ${name}`}.`;
    const message = id === 'headers/security' ? `${name} differs from the rules.` : differs;
    return [
      verdict(id, actual !== undefined && holds(actual, value), message, {
        expected: `${name}: ${value}`,
        found: headerText(response, name),
      }),
    ];
  });
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Compares the status, the redirect target and the headers of a response with the contract, but not its body. */
export function contractResults(
  { url }: Deployment,
  id: CheckId,
  what: string,
  { request, expected, endpoint = what }: { request: Request; expected: ContractResponse; endpoint?: string },
  response: HttpResponse,
): Result[] {
  const { status, headers } = expected;
  const target = headers['location'];
  const isSame = response.status === status || (status === 301 && response.status === 308);
  const leads = target === undefined || leadsTo(response, urlOf(request), [target]);
  const message = `${what} does not respond with ${status}${target === undefined ? '' : `, to ${target}`}.`;
  const details = {
    expected: target === undefined ? String(status) : `${status} to ${target}`,
    found: statusOf(response),
  };
  if (!isSame || !leads) return [fault(id, message, details)];
  const isPreflight = request.method === 'OPTIONS' && headers['access-control-allow-methods'] !== undefined;
  const { 'content-type': type = '', 'access-control-allow-origin': allowed, ...otherHeaders } = headers;
  const results = headerResults(endpoint, response, {
    ...otherHeaders,
    ...(allowed !== undefined && { 'access-control-allow-origin': allowed }),
    // The host may send its own error page; HEAD is compared with GET.
    ...(status < 300 && request.method !== 'HEAD' && { 'content-type': type }),
  }).map((result) =>
    isPreflight && result.id === 'cors/origin' ? { ...result, id: 'cors/preflight' as const } : result,
  );
  const isOpen = allowed === undefined && request.headers['Origin'] !== undefined;
  const isRelative = target === undefined || headerOf(response, 'Location')?.startsWith('/') === true;
  return [
    passed(id),
    ...results,
    ...(id === 'path/slash'
      ? [verdict('path/slash-relative', isRelative, 'The redirect to the trailing slash is absolute.', details)]
      : []),
    ...(isOpen ? [foreignResult(endpoint, request, response)] : []),
    ...(target === undefined && request.target.startsWith(new URL(url).pathname)
      ? cdnResults(endpoint, otherHeaders, response)
      : []),
  ];
}

/** Checks that pages of an origin outside `allowed_origins` cannot read the response. */
function foreignResult(what: string, { headers }: Request, response: HttpResponse): Result {
  const isClosed = headerOf(response, ALLOW_ORIGIN) === undefined;
  return verdict('cors/foreign', isClosed, `Pages of any origin can read ${what}.`, {
    expected: `no ${ALLOW_ORIGIN} header for Origin: ${headers['Origin']}`,
    found: [ALLOW_ORIGIN, 'Access-Control-Allow-Credentials'].map((name) => headerText(response, name)).join(', '),
  });
}

/** Checks that no header lets a CDN store a private response. */
function cdnResults(what: string, expected: PlainHeaders, response: HttpResponse): Result[] {
  const name = expected['cache-control']?.startsWith('private') === true ? cdnHeader(response) : undefined;
  if (name === undefined) return [];
  return [
    fault('headers/cache', `${what} has a header that lets a CDN store it.`, {
      expected: `no ${name} header`,
      found: headerText(response, name),
      hint: `CDNs obey it before Cache-Control (RFC 9213), and would show the theme of one user to another: remove it.`,
    }),
  ];
}

/** Whether a response redirects to one of the targets. */
export function leadsTo(response: HttpResponse, from: string, targets: readonly string[]): boolean {
  const location = headerOf(response, 'Location') ?? '';
  return (
    URL.canParse(location, from) &&
    targets.some((target) => new URL(target, from).href === new URL(location, from).href)
  );
}

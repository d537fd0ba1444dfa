import { printable } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { fileName, handle } from '../edge-runtime/handler.ts';
import { type HttpResponse, mediaTypeOf, type Request, statusOf, urlOf } from '../http/exchange.ts';
import { cachesAs, cdnHeader, headerOf, members, sameMembers } from '../probe/headers.ts';
import type { Headers as PlainHeaders } from '../probe/table.ts';
import type { CheckId } from './checks.ts';
import { type Deployment, anonymousTheme } from './build.ts';
import { fault, type Result, judged, passed } from './result.ts';

/** The response of the contract. */
export interface Expected {
  status: number;
  /** By name in lower case. */
  headers: PlainHeaders;
  /** The published file that is its body. */
  file?: string | undefined;
  /** Its body, if that is no file. */
  text: string;
}

/**
 * Returns the response of the contract, by the handler that hosts with code run. Its platform has no files: it tells which one would be read.
 * @param theme - the theme of the requester
 */
export async function expectedOf(
  { build, url }: Pick<Deployment, 'build' | 'url'>,
  { method, origin, target, headers }: Request,
  theme = anonymousTheme(build),
): Promise<Expected> {
  const { rules } = build;
  const base = new URL(url).pathname.replace(/\/$/, '');
  const { list, config } = rules.endpoints;
  const renderings = config.renderings.map((one) => ({ ...one, file: fileName(one, theme) }));
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

/** Formats a header for a report. */
export function headerText(response: Pick<HttpResponse, 'headers'>, name: string): string {
  const value = headerOf(response, name);
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** Whether a header means what it must: a proxy may repeat it, reorder it, or add what does no harm. */
type Holds = (value: string, expected: string) => boolean;
const isInList: Holds = (value, expected) => members(value).includes(expected.toLowerCase());
const hasAll: Holds = (value, expected) => members(expected).every((name) => members(value).includes(name));

/** The headers of the contract, with the checks that fail if they differ. */
const HEADERS: Readonly<Record<string, readonly [id: CheckId, holds: Holds]>> = {
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
  // CSP, §3.2: every policy holds.
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

/** The directives of a policy, without those that only restrict or report. */
function directives(policy: string): string {
  const all = policy.split(';').map((directive) => directive.trim().replaceAll(/\s+/g, ' '));
  const harmless = /^$|^(?:upgrade-insecure-requests|block-all-mixed-content|report-uri|report-to)\b/;
  return all.filter((directive) => !harmless.test(directive)).join(';');
}

/** Policies by which browsers send the origin, and no path: also their default. */
const USUAL_POLICIES = new Set(['strict-origin', 'strict-origin-when-cross-origin']);

/** Checks headers of a response. */
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
      judged(id, actual !== undefined && holds(actual, value), message, {
        expected: `${name}: ${value}`,
        found: headerText(response, name),
      }),
    ];
  });
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Compares a response with the contract: its status, where it leads, its headers; not its body. */
export function contractResults(
  { url }: Deployment,
  id: CheckId,
  what: string,
  { request, expected, endpoint = what }: { request: Request; expected: Expected; endpoint?: string },
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
  const { 'content-type': type = '', 'access-control-allow-origin': allowed, ...others } = headers;
  const results = headerResults(endpoint, response, {
    ...others,
    ...(allowed !== undefined && { 'access-control-allow-origin': allowed }),
    // An error may have a page of the host; HEAD is compared with GET.
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
      ? [judged('path/slash-relative', isRelative, 'The redirect to the trailing slash is absolute.', details)]
      : []),
    ...(isOpen ? [foreignResult(endpoint, request, response)] : []),
    ...(target === undefined && request.target.startsWith(new URL(url).pathname)
      ? cdnResults(endpoint, others, response)
      : []),
  ];
}

/** Pages of an origin that is not listed must not read the response. */
function foreignResult(what: string, { headers }: Request, response: HttpResponse): Result {
  const isClosed = headerOf(response, ALLOW_ORIGIN) === undefined;
  return judged('cors/foreign', isClosed, `Pages of any origin can read ${what}.`, {
    expected: `no ${ALLOW_ORIGIN} header for Origin: ${headers['Origin']}`,
    found: [ALLOW_ORIGIN, 'Access-Control-Allow-Credentials'].map((name) => headerText(response, name)).join(', '),
  });
}

/** No header may let a CDN store what is private. */
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

/** Whether a redirect leads to one of some targets. */
export function leadsTo(response: HttpResponse, from: string, targets: readonly string[]): boolean {
  const location = headerOf(response, 'Location') ?? '';
  return (
    URL.canParse(location, from) &&
    targets.some((target) => new URL(target, from).href === new URL(location, from).href)
  );
}

import { printable } from '../diagnostics/quote.ts';
import { type Build, type Kind, title } from './build.ts';
import type { CheckId } from './checks.ts';
import { type HttpResponse, type Request, urlOf } from './exchange.ts';
import { fault, type Result, judged, passed } from './result.ts';

type Headers = Readonly<Record<string, string>>;

/** Formats a header for a report. */
export function shown({ headers }: HttpResponse, name: string): string {
  const value = headers[name.toLowerCase()];
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** A media type in one spelling: case and space around parameters mean nothing (RFC 9110, §8.3.1). */
export function mediaTypeOf(text: string): string {
  const parts = text.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}

/** Whether a response has a media type. */
export function isType({ headers }: HttpResponse, type: string): boolean {
  return mediaTypeOf(headers['content-type'] ?? '') === mediaTypeOf(type);
}

/** The members of a comma-separated list, in any order, in lower case. */
export function members(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter(Boolean)
    .toSorted();
}

export function sameMembers(a: string | undefined, b: string): boolean {
  return members(a).join() === members(b).join();
}

/** Members of Vary that a host may add: they only split the cache. */
const HARMLESS = new Set(['accept-encoding', 'origin']);

/** Checks Vary, Allow and the security headers of a response. Faults that GET has too are not repeated. */
export function endpointResults(
  build: Build,
  kind: Kind,
  request: Request,
  response: HttpResponse,
  get?: HttpResponse,
): Result[] {
  return [
    ...named(build, kind, 'vary', request, response, get),
    ...named(build, kind, 'allow', request, response, get),
    ...securityResults(build, request, response, build.rules.headers.endpoint),
    ...(kind === 'list' && get?.headers['set-cookie'] === undefined ? [noCookieResult(build, request, response)] : []),
  ];
}

/** What shared caches store is the same for all clients. */
function noCookieResult({ rulesAt }: Build, request: Request, response: HttpResponse): Result {
  return judged('list/cache', response.headers['set-cookie'] === undefined, 'LIST sets a cookie.', {
    expected: 'no Set-Cookie header',
    found: 'a Set-Cookie header',
    hint: `A shared cache stores LIST: it would give the cookie of one client to all, or store nothing. See ${rulesAt}.`,
    url: urlOf(request),
  });
}

function named(
  { rules, rulesAt }: Build,
  kind: Kind,
  header: 'vary' | 'allow',
  request: Request,
  response: HttpResponse,
  get: HttpResponse | undefined,
): Result[] {
  const value = response.headers[header];
  if (get !== undefined && get !== response && value === get.headers[header]) return [];
  const id = `${kind}/${header}` as const;
  const expected = rules.endpoints[kind][header];
  if (header === 'vary' ? varyHolds(value, expected) : sameMembers(value, expected)) return [passed(id)];
  const name = header === 'vary' ? 'Vary' : 'Allow';
  const what = value === undefined ? `has no ${name}` : `has another ${name}`;
  return [
    fault(id, `The response to ${request.method} ${title(kind)} ${what}.`, {
      expected: `${name}: ${expected}`,
      found: shown(response, name),
      hint: `${header === 'vary' ? CONSEQUENCE[kind] : 'Clients read the supported methods from Allow.'} The rules of the host set it: see ${rulesAt}; a CDN in front may remove it.`,
      url: urlOf(request),
    }),
  ];
}

const CONSEQUENCE = {
  list: 'A cache would serve the page to programs, or the JSON to browsers.',
  config: 'A cache would serve the theme of one user to another.',
};

function varyHolds(value: string | undefined, expected: string): boolean {
  const wanted = members(expected);
  const found = members(value);
  return (
    wanted.every((member) => found.includes(member)) &&
    found.every((member) => wanted.includes(member) || HARMLESS.has(member))
  );
}

/** Cache-Control with exactly the directives that are expected (RFC 9111, §5.2), in any order. */
export function cacheResult(
  id: CheckId,
  what: string,
  expected: string,
  request: Request,
  response: HttpResponse,
  hint: string,
): Result {
  return judged(id, sameMembers(response.headers['cache-control'], expected), `${what} has the wrong Cache-Control.`, {
    expected: `Cache-Control: ${expected}`,
    found: shown(response, 'Cache-Control'),
    hint,
    url: urlOf(request),
  });
}

/** Checks the headers of every response, and those that this kind of response adds. */
export function securityResults(
  { rules, rulesAt }: Build,
  request: Request,
  response: HttpResponse,
  more: Headers = {},
): Result[] {
  return Object.entries({ ...rules.headers.all, ...more }).map(([name, value]) =>
    judged('headers/security', response.headers[name.toLowerCase()] === value, `${name} differs from the rules.`, {
      expected: `${name}: ${value}`,
      found: shown(response, name),
      hint: `The rules of the host set it on every response, including errors: see ${rulesAt}.`,
      url: urlOf(request),
    }),
  );
}

/** Errors must not be cached: one that is fixed a minute later would be seen for hours. */
export function errorCacheResult({ rules, rulesAt }: Build, request: Request, response: HttpResponse): Result {
  const expected = rules.headers.error['Cache-Control'] ?? 'no-store';
  const hint = `A cached error outlives its cause: see ${rulesAt}.`;
  return cacheResult('headers/error-cache', 'An error', expected, request, response, hint);
}

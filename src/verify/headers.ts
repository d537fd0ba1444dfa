import { printable } from '../diagnostics/quote.ts';
import { LIST } from '../document/endpoint.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, mediaTypeOf } from '../http/exchange.ts';
import { cachesAs, cdnHeader, cookiesOf, headerOf, members, sameMembers, typeOf } from '../probe/headers.ts';
import { type Headers, type Kind, title } from '../probe/table.ts';
import type { Deployment } from './build.ts';
import type { CheckId } from './checks.ts';
import { fault, type Result, judged } from './result.ts';

/** Formats a header for a report. */
export function headerText(response: Pick<HttpResponse, 'headers'>, name: string): string {
  const value = headerOf(response, name);
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** Whether a response has a media type. */
export function isType(response: HttpResponse, type: string): boolean {
  return typeOf(response) === mediaTypeOf(type);
}

/** The check of a header, and what follows if it differs. */
interface HeaderCheck {
  id: CheckId;
  holds: (value: string, expected: string) => boolean;
  hint: string;
}

const CACHED = 'Caches would keep what is out of date, or show the theme of one user to another.';
const SECURITY = 'Without it, browsers may run or frame what they must not, errors included.';
const security = (holds: HeaderCheck['holds']): HeaderCheck => ({ id: 'headers/security', holds, hint: SECURITY });

/** What each header means to clients: a proxy may repeat one, reorder it, or add what does no harm. */
const CHECK_OF: Readonly<Record<string, HeaderCheck>> = {
  'Content-Type': {
    id: 'headers/type',
    holds: (value, expected) => mediaTypeOf(value) === mediaTypeOf(expected),
    hint: 'With nosniff, clients do not read or show what has another type.',
  },
  'Cache-Control': { id: 'headers/cache', holds: cachesAs, hint: CACHED },
  Vary: {
    id: 'headers/vary',
    // A further name only splits a cache; `*` empties it.
    holds: (value, expected) =>
      members(expected).every((name) => members(value).includes(name)) && !members(value).includes('*'),
    hint: 'A cache would serve a page to programs, or the theme of one user to another.',
  },
  Allow: { id: 'headers/allow', holds: sameMembers, hint: 'Clients read the supported methods from Allow.' },
  // Fetch standard: the first value counts.
  'X-Content-Type-Options': security((value) => value.split(',')[0]?.trim().toLowerCase() === 'nosniff'),
  // HTML standard, §7.4.1: of several values, DENY wins.
  'X-Frame-Options': security((value, expected) => members(value).includes(expected.toLowerCase())),
  'Cross-Origin-Resource-Policy': security(sameMembers),
  // Every policy holds (CSP, §3.2).
  'Content-Security-Policy': security((value, expected) =>
    value.split(',').some((policy) => directives(policy) === directives(expected)),
  ),
  // The last value that a browser knows counts.
  'Referrer-Policy': security((value) => ['same-origin', 'no-referrer'].includes(lastOf(value))),
};

const lastOf = (value: string): string => value.toLowerCase().split(',').at(-1)?.trim() ?? '';

/** The directives of a policy, without those that only restrict or report. */
function directives(policy: string): string {
  const all = policy.split(';').map((directive) => directive.trim().replaceAll(/\s+/g, ' '));
  const other = /^$|^(?:upgrade-insecure-requests|block-all-mixed-content|report-uri|report-to)\b/;
  return all.filter((directive) => !other.test(directive)).join(';');
}

/** What browsers do without a `Referrer-Policy`: the origin is sent, and no path. */
const USUAL_POLICIES = new Set(['strict-origin', 'strict-origin-when-cross-origin']);

/** Checks headers of a response, and those of every response. */
export function headerResults(
  { rules, rulesAt }: Build,
  what: string,
  response: HttpResponse,
  expected: Headers = {},
): Result[] {
  return Object.entries({ ...rules.headers.all, ...expected }).map(([name, value]) => {
    const check = CHECK_OF[name] ?? security(sameMembers);
    const actual = headerOf(response, name);
    const isUsual = name === 'Referrer-Policy' && USUAL_POLICIES.has(lastOf(actual ?? ''));
    const id = isUsual ? 'headers/referrer' : check.id;
    const differs = actual === undefined ? `has no ${name}` : `has another ${name}`;
    const message = check.hint === SECURITY ? `${name} differs from the rules.` : `${what} ${differs}.`;
    return judged(id, actual !== undefined && check.holds(actual, value), message, {
      expected: `${name}: ${value}`,
      found: headerText(response, name),
      hint: `${check.hint} The rules of the host set it: see ${rulesAt}; a CDN in front may change it.`,
    });
  });
}

/** Checks the headers of every response of an endpoint, and those that this kind of response adds. */
export function endpointResults(build: Build, kind: Kind, response: HttpResponse, more: Headers = {}): Result[] {
  const { vary: Vary, allow: Allow } = build.rules.endpoints[kind];
  const expected = { Vary, Allow, ...build.rules.headers.endpoint, ...more };
  const results = headerResults(build, title(kind), response, expected);
  const name = kind === 'config' ? cdnHeader(response) : undefined;
  if (name === undefined) return results;
  const details = {
    expected: `no ${name} header`,
    found: headerText(response, name),
    hint: `${CACHED} CDNs obey it before Cache-Control (RFC 9213): remove it for ${build.rules.endpoints.config.path}.`,
  };
  return [...results, fault('headers/cache', 'CONFIG has a header that lets a CDN store it.', details)];
}

/**
 * Cookies in responses of LIST, which shared caches store and give to all clients.
 * @param others - responses that no application makes: a cookie of theirs is of whatever is in front
 */
export function cookieResults(
  { url, build: { rulesAt } }: Deployment,
  list: HttpResponse,
  others: readonly HttpResponse[],
): Result[] {
  const names = cookiesOf(list);
  if (names.length === 0) return [];
  const everywhere = names.every((name) => others.some((response) => cookiesOf(response).includes(name)));
  const message = everywhere ? 'Every response sets a cookie.' : 'LIST sets a cookie.';
  return [
    fault(everywhere ? 'headers/cookie' : 'headers/cache', message, {
      expected: 'no Set-Cookie header',
      found: `a Set-Cookie header: ${names.join(', ')}`,
      hint: everywhere
        ? `Right if a load balancer sets it, and no cache in front of that stores it with LIST.`
        : `A shared cache stores LIST: it would give the cookie of one client to all, or store nothing. See ${rulesAt}.`,
      url: url + LIST.path,
    }),
  ];
}

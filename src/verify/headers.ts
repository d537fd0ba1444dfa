import { printable } from '../diagnostics/quote.ts';
import { type Kind, title } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import type { CheckId } from './checks.ts';
import { type HttpResponse, mediaTypeOf } from '../http/exchange.ts';
import { type Result, judged } from './result.ts';

type Headers = Readonly<Record<string, string>>;

/** Formats a header for a report. */
export function headerText(
  { headers }: { headers: Readonly<Record<string, string | undefined>> },
  name: string,
): string {
  const value = headers[name.toLowerCase()];
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
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

function sameMembers(a: string | undefined, b: string): boolean {
  return members(a).join() === members(b).join();
}

/** Members of Vary that a host may add: they only split the cache. */
const HARMLESS = new Set(['accept-encoding', 'origin']);

/** The check of a header, and what follows if it differs. */
interface HeaderCheck {
  id: CheckId;
  holds: (value: string | undefined, expected: string) => boolean;
  hint: string;
}

const CHECK_OF: Readonly<Record<string, HeaderCheck>> = {
  'Content-Type': {
    id: 'headers/type',
    holds: (value, expected) => mediaTypeOf(value ?? '') === mediaTypeOf(expected),
    hint: 'With nosniff, clients do not read or show what has another type.',
  },
  'Cache-Control': {
    id: 'headers/cache',
    holds: sameMembers,
    hint: 'Caches would keep what is out of date, or show the theme of one user to another.',
  },
  Vary: {
    id: 'headers/vary',
    holds: varyHolds,
    hint: 'A cache would serve a page to programs, or the theme of one user to another.',
  },
  Allow: { id: 'headers/allow', holds: sameMembers, hint: 'Clients read the supported methods from Allow.' },
};

const SECURITY: HeaderCheck = {
  id: 'headers/security',
  holds: (value, expected) => value === expected,
  hint: 'Without it, browsers may run or frame what they must not, errors included.',
};

/** Checks headers of a response, and those of every response. */
export function headerResults(
  { rules, rulesAt }: Build,
  what: string,
  response: HttpResponse,
  expected: Headers = {},
): Result[] {
  return Object.entries({ ...rules.headers.all, ...expected }).map(([name, value]) => {
    const { id, holds, hint } = CHECK_OF[name] ?? SECURITY;
    const actual = response.headers[name.toLowerCase()];
    const differs = actual === undefined ? `has no ${name}` : `has another ${name}`;
    const message = id === SECURITY.id ? `${name} differs from the rules.` : `${what} ${differs}.`;
    return judged(id, holds(actual, value), message, {
      expected: `${name}: ${value}`,
      found: headerText(response, name),
      hint: `${hint} The rules of the host set it: see ${rulesAt}; a CDN in front may change it.`,
    });
  });
}

/** Checks the headers of every response of an endpoint, and those that this kind of response adds. */
export function endpointResults(build: Build, kind: Kind, response: HttpResponse, more: Headers = {}): Result[] {
  const { vary: Vary, allow: Allow } = build.rules.endpoints[kind];
  const expected = { Vary, Allow, ...build.rules.headers.endpoint, ...more };
  return [
    ...headerResults(build, title(kind), response, expected),
    ...(kind === 'list' ? [noCookieResult(build, response)] : []),
  ];
}

/** What shared caches store is the same for all clients. */
function noCookieResult({ rulesAt }: Build, response: HttpResponse): Result {
  return judged('headers/cache', response.headers['set-cookie'] === undefined, 'LIST sets a cookie.', {
    expected: 'no Set-Cookie header',
    found: 'a Set-Cookie header',
    hint: `A shared cache stores LIST: it would give the cookie of one client to all, or store nothing. See ${rulesAt}.`,
  });
}

function varyHolds(value: string | undefined, expected: string): boolean {
  const wanted = members(expected);
  const named = members(value);
  return (
    wanted.every((member) => named.includes(member)) &&
    named.every((member) => wanted.includes(member) || HARMLESS.has(member))
  );
}

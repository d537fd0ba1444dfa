import { printable } from '../../core/diagnostics/quote.ts';
import { type HttpResponse, mediaTypeOf } from '../../system/http/exchange.ts';
import type { Headers } from './build.ts';
import type { CheckId } from './checks.ts';

export function headerOf({ headers }: Pick<HttpResponse, 'headers'>, name: string): string | undefined {
  return headers[name.toLowerCase()];
}

/** Returns the sorted members of a comma-separated list, in lower case. */
export function members(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter(Boolean)
    .toSorted();
}

/** Whether a list has the same members, in any order, any number of times. */
export function sameMembers(a: string | undefined, b: string | undefined): boolean {
  return [...new Set(members(a))].join() === [...new Set(members(b))].join();
}

/** Returns the media type with its parameters, in normalised spelling. */
export function typeOf(response: HttpResponse): string | undefined {
  const type = headerOf(response, 'Content-Type');
  return type === undefined ? undefined : mediaTypeOf(type);
}

/** Parses the directives of `Cache-Control` (RFC 9111, §5.2). */
function directivesOf(value: string | undefined): ReadonlyMap<string, number> {
  return new Map(
    members(value).map((member): [string, number] => {
      const [name = '', argument = '0'] = member.split('=');
      return [name, Number(argument.replaceAll('"', ''))];
    }),
  );
}

/** Directives that make caches more careful, forbid them to modify bodies, or apply only while the host is down. */
const HARMLESS_DIRECTIVES = new Set([
  'stale-if-error',
  'no-transform',
  'must-revalidate',
  'proxy-revalidate',
  'private',
  'no-cache',
  'no-store',
]);

/** Whether `Cache-Control` allows the expected lifetime and sharing; a private response may have stricter directives. */
export function cachesAs(value: string | undefined, expected: string): boolean {
  const [sent, required] = [directivesOf(value), directivesOf(expected)];
  const age = required.get('max-age') ?? 0;
  const mayBeShared = required.has('public') || required.has('max-age');
  const has = (name: string): boolean => {
    if (name === 'public') return sent.has('max-age');
    if (['private', 'no-cache'].includes(name) && sent.has('no-store')) return true;
    return sent.get(name) === required.get(name);
  };
  return (
    [...required.keys()].every(has) &&
    [...sent].every(([name, seconds]) => {
      if (required.has(name)) return true;
      if (mayBeShared && ['private', 'no-cache', 'no-store'].includes(name)) return false;
      if (name === 'public') return mayBeShared;
      return HARMLESS_DIRECTIVES.has(name) || (name !== 'immutable' && seconds <= age);
    })
  );
}

/** Returns how long caches may store a response, and whether shared caches may; undefined without `Cache-Control`. */
export function lifetimeOf(response: HttpResponse): { seconds: number; isShared: boolean } | undefined {
  const value = headerOf(response, 'Cache-Control');
  if (value === undefined) return undefined;
  const directives = directivesOf(value);
  const isStored = !directives.has('no-store') && !directives.has('no-cache');
  const seconds = isStored ? (directives.get('s-maxage') ?? directives.get('max-age') ?? 0) : 0;
  return { seconds, isShared: isStored && !directives.has('private') };
}

/** CDNs obey these headers instead of `Cache-Control` (RFC 9213), and would store a private response. */
const CDN_HEADERS = /(?:^|-)(?:cdn-cache-control|surrogate-control|edge-control|akamai-cache-control|x-accel-expires)$/;

/** Returns the name of a header that lets a CDN store a private response, if there is one. */
function cdnHeader({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  return Object.keys(headers).find((name) => {
    const value = headers[name] ?? '';
    return CDN_HEADERS.test(name) && /(?:age=|^|@)\s*"?[1-9]/i.test(value) && !/no-store|private/i.test(value);
  });
}

/** Returns the names of the cookies that a response sets. */
export function cookiesOf(response: Pick<HttpResponse, 'headers'>): string[] {
  const value = headerOf(response, 'Set-Cookie') ?? '';
  // The date in `Expires` contains a comma.
  return value.split(/,\s*(?=[^;,=\s]+=)/).flatMap((cookie) => cookie.split('=')[0]?.trim() || []);
}

export function headerText(response: Pick<HttpResponse, 'headers'>, name: string): string {
  const value = headerOf(response, name);
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** Whether a header has the required meaning: a proxy may repeat it, reorder it, or add harmless values. */
type HeaderRule = (value: string, expected: string) => boolean;
const isInList: HeaderRule = (value, expected) => members(value).includes(expected.toLowerCase());
const hasAll: HeaderRule = (value, expected) => members(expected).every((name) => members(value).includes(name));
const isSame: HeaderRule = (value, expected) => value === expected;

/** The headers in the contract, each with the check that fails if it differs. */
export const HEADERS: Readonly<Record<string, readonly [CheckId, HeaderRule]>> = {
  'Content-Type': ['headers/type', (value, expected) => mediaTypeOf(value) === mediaTypeOf(expected)],
  // `*` forbids every cache to store the response.
  Vary: ['headers/vary', (value, expected) => hasAll(value, expected) && !members(value).includes('*')],
  Allow: ['headers/allow', sameMembers],
  'Cache-Control': ['headers/cache', cachesAs],
  'X-Content-Type-Options': ['headers/security', isInList],
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
  'Access-Control-Allow-Origin': ['cors/allowed', isSame],
  'Access-Control-Allow-Credentials': ['cors/allowed', isSame],
  'Access-Control-Allow-Methods': [
    'cors/allowed',
    (value) => ['get', '*'].some((name) => members(value).includes(name)),
  ],
  'Access-Control-Allow-Headers': ['cors/allowed', hasAll],
};

const lastOf = (value: string): string => value.toLowerCase().split(',').at(-1)?.trim() ?? '';

/** Returns the directives of a policy, except directives that only restrict or report. */
function directives(policy: string): string {
  const all = policy.split(';').map((directive) => directive.trim().replaceAll(/\s+/g, ' '));
  const harmless = /^$|^(?:upgrade-insecure-requests|block-all-mixed-content|report-uri|report-to)\b/;
  return all.filter((directive) => !harmless.test(directive)).join(';');
}

/** Whether a Referrer-Policy sends only the origin to other sites; the second is the default of browsers. */
export function isUsualReferrerPolicy(value: string): boolean {
  return ['strict-origin', 'strict-origin-when-cross-origin'].includes(lastOf(value));
}

/** Seconds by which a cache may serve a response after its lifetime, while it fetches a new one: the grace of Varnish is 10. */
const GRACE_SECONDS = 30;

/** What a response is, for the headers that are added in front of the host. */
interface Subject {
  isImage: boolean;
  /** `Cache-Control` of the contract. */
  cacheControl: string;
  /** The cookies that `identity` reads. */
  identityCookies: readonly string[];
}

interface Effect {
  name: string;
  isFault: (value: string, subject: Subject, response: Pick<HttpResponse, 'headers'>) => boolean;
  /** What clients suffer, and the remedy. */
  hint: string;
}

/** The headers that break clients although the document is right, by their effect. All others that are added are harmless. */
const EFFECTS: readonly Effect[] = [
  {
    name: 'Cross-Origin-Resource-Policy',
    isFault: (value, { isImage }) => isImage && value.trim().toLowerCase() !== 'cross-origin',
    hint: 'Pages of other origins, mails among them, show no image: send `cross-origin`, or no such header (Helmet adds `same-origin` by default).',
  },
  {
    name: 'Set-Cookie',
    isFault: (_, { identityCookies }, response) => cookiesOf(response).some((name) => identityCookies.includes(name)),
    hint: '`identity` reads this cookie: the next response is for another user.',
  },
  { name: 'Clear-Site-Data', isFault: () => true, hint: 'It signs users out, or deletes their data, with each theme.' },
  { name: 'Refresh', isFault: () => true, hint: 'Browsers leave the page or image for another URL.' },
  {
    name: 'Content-Disposition',
    isFault: (value) => /^\s*attachment/i.test(value),
    hint: 'Browsers download the page or image instead of showing it.',
  },
  {
    name: 'Vary',
    isFault: (value) => members(value).includes('*'),
    hint: 'No cache may store the response: name the headers that it depends on.',
  },
  {
    name: 'Age',
    isFault: (value, { cacheControl }) => {
      const lifetime = directivesOf(cacheControl).get('max-age');
      return lifetime !== undefined && Number(value) > lifetime + GRACE_SECONDS;
    },
    hint: 'A cache in front serves the response longer than its Cache-Control allows, so clients get outdated documents.',
  },
];

/** Returns the headers of a response that break clients, each with a hint. */
export function effectsOf(response: Pick<HttpResponse, 'headers'>, subject: Subject): { name: string; hint: string }[] {
  const faults = EFFECTS.filter(({ name, isFault }) => {
    const value = headerOf(response, name);
    return value !== undefined && isFault(value, subject, response);
  });
  const name = subject.cacheControl.startsWith('private') ? cdnHeader(response) : undefined;
  if (name === undefined) return faults;
  const hint =
    'CDNs obey it before Cache-Control (RFC 9213), and would show the theme of one user to another: remove it.';
  return [...faults, { name, hint }];
}

/** Headers of any response, with no meaning for its document. */
const USUAL =
  /^(?:date|server|content-type|connection|keep-alive|transfer-encoding|content-length|content-encoding|accept-ranges|etag|last-modified|age|via|expires|access-control-max-age)$/;

/** Returns the names of headers that neither the contract nor usual servers send. */
export function furtherHeaders({ headers }: Pick<HttpResponse, 'headers'>, expected: Headers): string[] {
  return Object.keys(headers).filter((name) => !(name in expected) && !USUAL.test(name));
}

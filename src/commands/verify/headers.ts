import { printable } from '../../core/diagnostics/quote.ts';
import { type HttpResponse, mediaTypeOf, type Request } from '../../system/http/exchange.ts';
import type { Headers } from './build.ts';
import type { CheckId } from './checks.ts';

type Head = Pick<HttpResponse, 'headers'>;

export function headerOf({ headers }: Head, name: string): string | undefined {
  return headers[name.toLowerCase()];
}

/** Returns the sorted members of a comma-separated list, each once, in lower case. */
export function members(value: string | undefined): string[] {
  const all = (value ?? '').split(',').map((member) => member.trim().toLowerCase());
  return [...new Set(all.filter(Boolean))].toSorted();
}

/** Returns the media type with its parameters, in normalised spelling. */
export function typeOf(response: Head): string | undefined {
  const type = headerOf(response, 'Content-Type');
  return type === undefined ? undefined : mediaTypeOf(type);
}

/** Returns a media type without its parameters. */
export function essenceOf(type: string | undefined): string | undefined {
  return type?.split(';')[0]?.trim().toLowerCase();
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
const HARMLESS_DIRECTIVES =
  /^(?:stale-if-error|no-transform|must-revalidate|proxy-revalidate|private|no-cache|no-store)$/;

/** Whether `Cache-Control` allows the expected lifetime and sharing; a private response may have stricter directives. */
function cachesAs(value: string, expected: string): boolean {
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
      return HARMLESS_DIRECTIVES.test(name) || (name !== 'immutable' && seconds <= age);
    })
  );
}

/** Returns how long caches may store a response, and whether shared caches may; undefined without `Cache-Control`. */
export function lifetimeOf(response: Head): { seconds: number; isShared: boolean } | undefined {
  const value = headerOf(response, 'Cache-Control');
  if (value === undefined) return undefined;
  const directives = directivesOf(value);
  const isStored = !directives.has('no-store') && !directives.has('no-cache');
  const seconds = isStored ? (directives.get('s-maxage') ?? directives.get('max-age') ?? 0) : 0;
  return { seconds, isShared: isStored && !directives.has('private') };
}

/** Returns the names of the cookies that a response sets. */
export function cookiesOf(response: Head): string[] {
  const value = headerOf(response, 'Set-Cookie') ?? '';
  // The date in `Expires` contains a comma.
  return value.split(/,\s*(?=[^;,=\s]+=)/).flatMap((cookie) => cookie.split('=')[0]?.trim() || []);
}

export function headerText(response: Head, name: string): string {
  const value = headerOf(response, name);
  return value === undefined ? `no ${name} header` : `${name}: ${printable(value)}`;
}

/** Whether a header has the required meaning: a proxy may repeat it, reorder it, or add harmless values. */
type HeaderRule = (value: string, expected: string, all: { expected: Headers; request: Request }) => boolean;
const isInList: HeaderRule = (value, expected) => members(value).includes(expected.toLowerCase());
const hasAll: HeaderRule = (value, expected) => members(expected).every((name) => members(value).includes(name));
const isSameList: HeaderRule = (value, expected) => members(value).join() === members(expected).join();

export const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
export const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';
export const ALLOW_HEADERS = 'Access-Control-Allow-Headers';

/** The headers that are compared, each with the check that fails if its meaning differs. */
export const HEADERS: Readonly<Record<string, readonly [CheckId, HeaderRule]>> = {
  'Content-Type': ['headers/type', (value, expected) => mediaTypeOf(value) === mediaTypeOf(expected)],
  // `*` forbids every cache to store the response.
  Vary: ['headers/vary', (value, expected, all) => hasAll(value, expected, all) && !members(value).includes('*')],
  Allow: ['headers/allow', isSameList],
  'Cache-Control': ['headers/cache', cachesAs],
  'X-Content-Type-Options': ['headers/security', isInList],
  // HTML standard, §7.4.1: of several values, DENY wins.
  'X-Frame-Options': ['headers/security', isInList],
  'Cross-Origin-Resource-Policy': ['headers/security', isSameList],
  // CSP, §3.2: browsers enforce every policy.
  'Content-Security-Policy': [
    'headers/security',
    (value, expected) => value.split(',').some((policy) => restrictionsOf(policy) === restrictionsOf(expected)),
  ],
  // Browsers use the last value that they know, and send at most the origin by the last one, their default.
  'Referrer-Policy': [
    'headers/security',
    (value) => /(?:^|,)\s*(?:same-origin|no-referrer|strict-origin|strict-origin-when-cross-origin)\s*$/i.test(value),
  ],
  [ALLOW_ORIGIN]: [
    'cors/allowed',
    (value, expected, { expected: { 'access-control-allow-credentials': cookies }, request }) =>
      [expected, request.headers['Origin']].includes(value) || (value === '*' && cookies === undefined),
  ],
  [ALLOW_CREDENTIALS]: ['cors/allowed', (value, expected) => value === expected],
  'Access-Control-Allow-Methods': ['cors/allowed', (value) => members(value).some((name) => /^(?:get|\*)$/.test(name))],
  [ALLOW_HEADERS]: ['cors/allowed', hasAll],
};

/** Returns the directives of a policy, except directives that only restrict or report. */
function restrictionsOf(policy: string): string {
  const all = policy.split(';').map((directive) => directive.trim().replaceAll(/\s+/g, ' '));
  const harmless = /^$|^(?:upgrade-insecure-requests|block-all-mixed-content|report-uri|report-to)\b/;
  return all.filter((directive) => !harmless.test(directive)).join(';');
}

/** Seconds by which a cache may serve a response after its lifetime, while it fetches a new one: the grace of Varnish is 10. */
const GRACE_SECONDS = 30;
/** CDNs obey these headers instead of `Cache-Control` (RFC 9213), and would store a private response. */
const CDN_HEADERS = /(?:^|-)(?:cdn-cache-control|surrogate-control|edge-control|akamai-cache-control|x-accel-expires)$/;

/** What a response is, for the headers that are added in front of the host. */
interface Subject {
  isImage: boolean;
  /** `Cache-Control` of the contract. */
  cacheControl: string;
  /** The cookies that `identity` reads. */
  identityCookies: readonly string[];
}

/** The headers that break clients although the document is right: when they do, and the remedy. All others are harmless. */
const EFFECTS: readonly (readonly [
  name: string | RegExp,
  isFault: (value: string, subject: Subject, response: Head) => boolean,
  hint: string,
])[] = [
  [
    'cross-origin-resource-policy',
    (value, { isImage }) => isImage && value.trim().toLowerCase() !== 'cross-origin',
    'Pages of other origins, mails among them, show no image: send `cross-origin`, or no such header (Helmet adds `same-origin` by default).',
  ],
  [
    'set-cookie',
    (_, { identityCookies }, response) => cookiesOf(response).some((name) => identityCookies.includes(name)),
    '`identity` reads this cookie: the next response is for another user.',
  ],
  ['clear-site-data', () => true, 'It signs users out, or deletes their data, with each theme.'],
  ['refresh', () => true, 'Browsers leave the page or image for another URL.'],
  [
    'content-disposition',
    (value) => /^\s*attachment/i.test(value),
    'Browsers download the page or image instead of showing it.',
  ],
  [
    'age',
    (value, { cacheControl }) =>
      Number(value) > (directivesOf(cacheControl).get('max-age') ?? Infinity) + GRACE_SECONDS,
    'A cache in front serves the response longer than its Cache-Control allows, so clients get outdated documents.',
  ],
  [
    CDN_HEADERS,
    (value, { cacheControl }) =>
      cacheControl.startsWith('private') && /(?:age=|^|@)\s*"?[1-9]/i.test(value) && !/no-store|private/i.test(value),
    'CDNs obey it before Cache-Control (RFC 9213), and would show the theme of one user to another: remove it.',
  ],
];

/** Returns the headers of a response that break clients, each with a hint. */
export function effectsOf(response: Head, subject: Subject): { name: string; hint: string }[] {
  return Object.entries(response.headers).flatMap(([name, value]) =>
    EFFECTS.flatMap(([effect, isFault, hint]) => {
      const isNamed = typeof effect === 'string' ? name === effect : effect.test(name);
      return isNamed && isFault(value, subject, response) ? [{ name: titleOf(name), hint }] : [];
    }),
  );
}

/** Returns the usual spelling of a header: `Set-Cookie`. */
function titleOf(name: string): string {
  return name.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}

/** Headers of any response, with no meaning for its document. */
const USUAL =
  /^(?:date|server|content-type|connection|keep-alive|transfer-encoding|content-length|content-encoding|accept-ranges|etag|last-modified|age|via|expires|access-control-max-age)$/;

/** Returns the names of headers that neither the other service nor usual servers send. */
export function furtherHeaders({ headers }: Head, expected: Headers): string[] {
  return Object.keys(headers).filter((name) => !(name in expected) && !USUAL.test(name));
}

import type { HttpResponse } from '../http/exchange.ts';
import { mediaTypeOf } from '../http/exchange.ts';

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

/** Directives that make caches more careful, or forbid them to modify bodies. */
const STRICTER_DIRECTIVES = new Set([
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
      return STRICTER_DIRECTIVES.has(name) || (name !== 'immutable' && seconds <= age);
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
export function cdnHeader({ headers }: HttpResponse): string | undefined {
  return Object.keys(headers).find((name) => {
    const value = headers[name] ?? '';
    return CDN_HEADERS.test(name) && /(?:age=|^|@)\s*"?[1-9]/i.test(value) && !/no-store|private/i.test(value);
  });
}

/** Cookies that load balancers and firewalls set with any response. */
const BALANCER_COOKIES =
  /^(?:AWSALB|AWSELB|__cf|_cfuvid|cf_|ARRAffinity|ApplicationGatewayAffinity|GCLB|GCILB|BIGipServer|TS[0-9a-f]{6}|visid_incap_|incap_ses_|nlbi_|ak_bm|bm_|akavpau|SERVERID|SRV$|NSC_|citrix_ns|X-Oracle-BMC|KEMP|fly-|__lb|lb|ROUTEID|route$|INGRESSCOOKIE|sticky|dtCookie)/i;

/** Returns the names of the cookies that a response sets, except cookies of known load balancers. */
export function cookiesOf(response: HttpResponse): string[] {
  const value = headerOf(response, 'Set-Cookie') ?? '';
  // The date in `Expires` contains a comma.
  const names = value.split(/,\s*(?=[^;,=\s]+=)/).map((cookie) => cookie.split('=')[0]?.trim() ?? '');
  return names.filter((name) => name !== '' && !BALANCER_COOKIES.test(name));
}

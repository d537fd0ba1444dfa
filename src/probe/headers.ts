import type { HttpResponse } from '../http/exchange.ts';
import { mediaTypeOf } from '../http/exchange.ts';

/** The value of a header. */
export function headerOf({ headers }: Pick<HttpResponse, 'headers'>, name: string): string | undefined {
  return headers[name.toLowerCase()];
}

/** The members of a comma-separated list, in any order, in lower case. */
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

/** The media type and its parameters, in one spelling. */
export function typeOf(response: HttpResponse): string | undefined {
  const type = headerOf(response, 'Content-Type');
  return type === undefined ? undefined : mediaTypeOf(type);
}

/** The directives of `Cache-Control`, in any order (RFC 9111, §5.2). */
function directivesOf(value: string | undefined): ReadonlyMap<string, number> {
  return new Map(
    members(value).map((member): [string, number] => {
      const [name = '', argument = '0'] = member.split('=');
      return [name, Number(argument.replaceAll('"', ''))];
    }),
  );
}

/** Directives with which caches are more careful, or leave bodies alone. */
const CAREFUL = new Set(['no-transform', 'must-revalidate', 'proxy-revalidate', 'private', 'no-cache', 'no-store']);

/** Whether caches store a response for as long and as many clients as another `Cache-Control` allows, or for fewer if that one is private. */
export function cachesAs(value: string | undefined, expected: string): boolean {
  const [sent, wanted] = [directivesOf(value), directivesOf(expected)];
  const age = wanted.get('max-age') ?? 0;
  const isShared = wanted.has('public') || wanted.has('max-age');
  const has = (name: string): boolean => {
    if (name === 'public') return sent.has('max-age');
    if (['private', 'no-cache'].includes(name) && sent.has('no-store')) return true;
    return sent.get(name) === wanted.get(name);
  };
  return (
    [...wanted.keys()].every(has) &&
    [...sent].every(([name, seconds]) => {
      if (wanted.has(name)) return true;
      if (isShared && ['private', 'no-cache', 'no-store'].includes(name)) return false;
      if (name === 'public') return isShared;
      return CAREFUL.has(name) || (name !== 'immutable' && seconds <= age);
    })
  );
}

/** How long caches may store a response, in seconds, and whether shared ones may; undefined without `Cache-Control`. */
export function lifetimeOf(response: HttpResponse): { seconds: number; isShared: boolean } | undefined {
  const value = headerOf(response, 'Cache-Control');
  if (value === undefined) return undefined;
  const directives = directivesOf(value);
  const isStored = !directives.has('no-store') && !directives.has('no-cache');
  const seconds = isStored ? (directives.get('s-maxage') ?? directives.get('max-age') ?? 0) : 0;
  return { seconds, isShared: isStored && !directives.has('private') };
}

/** Headers by which caches of CDNs store what `Cache-Control` keeps browsers from storing (RFC 9213). */
const OF_CDNS = /(?:^|-)(?:cdn-cache-control|surrogate-control|edge-control|akamai-cache-control|x-accel-expires)$/;

/** The header that lets the cache of a CDN store a personal response, if there is one. */
export function cdnHeader({ headers }: HttpResponse): string | undefined {
  return Object.keys(headers).find((name) => {
    const value = headers[name] ?? '';
    return OF_CDNS.test(name) && /(?:age=|^|@)\s*"?[1-9]/i.test(value) && !/no-store|private/i.test(value);
  });
}

/** Cookies of load balancers and firewalls, which they set with any response. */
const OF_BALANCERS =
  /^(?:AWSALB|AWSELB|__cf|_cfuvid|cf_|ARRAffinity|ApplicationGatewayAffinity|GCLB|GCILB|BIGipServer|TS[0-9a-f]{6}|visid_incap_|incap_ses_|nlbi_|ak_bm|bm_|akavpau|SERVERID|SRV$|NSC_|citrix_ns|X-Oracle-BMC|KEMP|fly-|__lb|lb|ROUTEID|route$|INGRESSCOOKIE|sticky|dtCookie)/i;

/** The names of the cookies that a response sets, without those of known load balancers. */
export function cookiesOf(response: HttpResponse): string[] {
  const value = headerOf(response, 'Set-Cookie') ?? '';
  // `Expires` has a comma, too.
  const names = value.split(/,\s*(?=[^;,=\s]+=)/).map((cookie) => cookie.split('=')[0]?.trim() ?? '');
  return names.filter((name) => name !== '' && !OF_BALANCERS.test(name));
}

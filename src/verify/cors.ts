import type { HttpResponse, Request } from '../http/exchange.ts';
import { headerOf, members } from '../probe/headers.ts';
import { type Origin, type Probe, requestOf, title } from '../probe/table.ts';
import type { Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import { headerText } from './headers.ts';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';
const ALLOW_METHODS = 'Access-Control-Allow-Methods';
const ALLOW_HEADERS = 'Access-Control-Allow-Headers';

/**
 * Origins whose pages may not read anything: one that no site lists (RFC 2606), that of sandboxed frames and of files, which any page can
 * have (Fetch standard, §3.1), and those that begin or end as the first that is listed, for hosts that compare by part.
 */
export function foreignOrigins([listed]: readonly string[]): Origin[] {
  const { protocol, host } = new URL(listed ?? 'https://x.invalid');
  const alike = [`${listed}.themecast-verify.invalid`, `${protocol}//themecast-verify-${host}`];
  const all = ['https://themecast-verify.invalid', 'null', ...(listed === undefined ? [] : alike)];
  return all.map((origin) => ({ name: origin, origin }));
}

/** What a row with an origin must get, by the origins of site.yaml; no preflight of a page that may not read. */
export function crossOriginExchange(deployment: Deployment, probe: Probe): Exchange[] {
  const { url, build } = deployment;
  const origin = probe.headers['Origin'] ?? '';
  const isListed = build.rules.corsOrigins.includes(origin);
  const request = requestOf(probe, url);
  if (probe.method === 'OPTIONS') return isListed ? [preflightExchange(deployment, probe, request)] : [];
  const what = title(probe.kind);
  if (isListed) return [originExchange(deployment, what, request, probe.kind === 'config')];
  return [
    {
      id: 'cors/foreign',
      request,
      is: (response) => headerOf(response, ALLOW_ORIGIN) === undefined,
      expected: `no ${ALLOW_ORIGIN} header for Origin: ${origin}`,
      found: (response) => textOf(response, [ALLOW_ORIGIN, ALLOW_CREDENTIALS]),
      message: `Pages of any origin can read ${what}.`,
      hint: `Only the origins in site.yaml may read the documents: with ${ALLOW_CREDENTIALS}, any website could read CONFIG as its visitors. The host or a CDN adds the header by itself: see ${build.rulesAt}.`,
    },
  ];
}

function textOf(response: HttpResponse, names: readonly string[]): string {
  return names.map((name) => headerText(response, name)).join(', ');
}

/** Whether the page of an allowed origin that sends a request can read the response, `isPersonal` with cookies. */
export function originExchange({ build }: Deployment, what: string, request: Request, isPersonal: boolean): Exchange {
  const { Origin: origin = '' } = request.headers;
  return {
    id: 'cors/origin',
    request,
    is: (response) =>
      headerOf(response, ALLOW_ORIGIN) === origin && (!isPersonal || headerOf(response, ALLOW_CREDENTIALS) === 'true'),
    expected: `${ALLOW_ORIGIN}: ${origin}${isPersonal ? `, ${ALLOW_CREDENTIALS}: true` : ''}`,
    found: (response) => textOf(response, [ALLOW_ORIGIN, ...(isPersonal ? [ALLOW_CREDENTIALS] : [])]),
    message: `Pages of ${origin} cannot read ${what}${isPersonal ? ' with cookies' : ''}.`,
    hint: `\`cors: allowed_origins\` in site.yaml lists it; the rules of the host must allow it: see ${build.rulesAt}. A CDN must forward the Origin header.`,
  };
}

function preflightExchange({ build }: Deployment, { kind, headers }: Probe, request: Request): Exchange {
  const origin = headers['Origin'] ?? '';
  const asked = members(headers['Access-Control-Request-Headers']);
  const allowed = asked.length === 0 ? '' : `, ${ALLOW_HEADERS}: ${asked.join(', ')}`;
  return {
    id: 'cors/preflight',
    request,
    // Browsers also want an OK status (Fetch standard, CORS-preflight fetch).
    is: (response) =>
      response.status >= 200 &&
      response.status < 300 &&
      headerOf(response, ALLOW_ORIGIN) === origin &&
      members(headerOf(response, ALLOW_METHODS)).includes('get') &&
      asked.every((name) => members(headerOf(response, ALLOW_HEADERS)).includes(name)),
    expected: `200, ${ALLOW_ORIGIN}: ${origin}, and ${ALLOW_METHODS} with GET${allowed}`,
    found: (response) =>
      `${response.status}, ${textOf(response, [ALLOW_ORIGIN, ALLOW_METHODS, ...(asked.length === 0 ? [] : [ALLOW_HEADERS])])}`,
    message: `The preflight of ${origin} on ${title(kind)} fails.`,
    hint: `Requests with identity headers fail in browsers: see ${build.rulesAt}.`,
  };
}

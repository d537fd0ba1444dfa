import { type HttpResponse, type Request, requestTo } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { type Deployment, ENDPOINTS, type Gets, type Kind, kindsOf, title } from './build.ts';
import { headerText, members } from './headers.ts';

/** An origin that no site lists (RFC 2606), and that of sandboxed frames and of files, which any page can have (Fetch standard, §3.1). */
const FOREIGN = ['https://themecast-verify.invalid', 'null'];
const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';
const ALLOW_METHODS = 'Access-Control-Allow-Methods';

/** The CORS protocol of the Fetch standard, for the origins of site.yaml and for some that it does not list. */
export function corsExchanges(deployment: Deployment, gets: Gets): Exchange[] {
  const { url, build } = deployment;
  const { corsOrigins } = build.rules;
  return kindsOf(gets).flatMap((kind) => [
    ...[...FOREIGN, ...lookalikes(corsOrigins)].map((origin) => foreignExchange(deployment, kind, origin)),
    ...corsOrigins.map((origin) =>
      originExchange(deployment, title(kind), pageRequest(url, kind, origin), kind === 'config'),
    ),
    ...corsOrigins.slice(0, 1).map((origin) => preflightExchange(deployment, kind, origin)),
  ]);
}

/** Origins that begin or end as the first that is listed, as hosts that compare by part take for it. */
function lookalikes([listed]: readonly string[]): string[] {
  if (listed === undefined) return [];
  const { protocol, host } = new URL(listed);
  return [`${listed}.themecast-verify.invalid`, `${protocol}//themecast-verify-${host}`];
}

/** GET as a page of an origin sends it. */
function pageRequest(url: string, kind: Kind, origin: string): Request {
  return requestTo(url, ENDPOINTS[kind].path, { headers: { Accept: 'application/json', Origin: origin } });
}

const headerOf = ({ headers }: HttpResponse, name: string): string | undefined => headers[name.toLowerCase()];

/** Whether the page of an allowed origin that sends a request can read the response, `isPersonal` with cookies. */
export function originExchange({ build }: Deployment, what: string, request: Request, isPersonal: boolean): Exchange {
  const { Origin: origin = '' } = request.headers;
  const names = [ALLOW_ORIGIN, ...(isPersonal ? [ALLOW_CREDENTIALS] : [])];
  return {
    id: 'cors/origin',
    request,
    is: (response) =>
      headerOf(response, ALLOW_ORIGIN) === origin && (!isPersonal || headerOf(response, ALLOW_CREDENTIALS) === 'true'),
    expected: `${ALLOW_ORIGIN}: ${origin}${isPersonal ? `, ${ALLOW_CREDENTIALS}: true` : ''}`,
    found: (response) => names.map((name) => headerText(response, name)).join(', '),
    message: `Pages of ${origin} cannot read ${what}${isPersonal ? ' with cookies' : ''}.`,
    hint: `\`cors: allowed_origins\` in site.yaml lists it; the rules of the host must allow it: see ${build.rulesAt}. A CDN must forward the Origin header.`,
  };
}

function preflightExchange({ url, build }: Deployment, kind: Kind, origin: string): Exchange {
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
  return {
    id: 'cors/preflight',
    request: requestTo(url, ENDPOINTS[kind].path, { method: 'OPTIONS', headers }),
    // Browsers also want an OK status (Fetch standard, CORS-preflight fetch).
    is: (response) =>
      response.status >= 200 &&
      response.status < 300 &&
      headerOf(response, ALLOW_ORIGIN) === origin &&
      members(headerOf(response, ALLOW_METHODS)).includes('get'),
    expected: `200, ${ALLOW_ORIGIN}: ${origin}, and ${ALLOW_METHODS} with GET`,
    found: (response) =>
      `${response.status}, ${headerText(response, ALLOW_ORIGIN)}, ${headerText(response, ALLOW_METHODS)}`,
    message: `The preflight of ${origin} on ${title(kind)} fails.`,
    hint: `Requests with identity headers fail in browsers: see ${build.rulesAt}.`,
  };
}

function foreignExchange({ url, build }: Deployment, kind: Kind, origin: string): Exchange {
  const names = [ALLOW_ORIGIN, ALLOW_CREDENTIALS];
  return {
    id: 'cors/foreign',
    request: pageRequest(url, kind, origin),
    is: (response) => headerOf(response, ALLOW_ORIGIN) === undefined,
    expected: `no ${ALLOW_ORIGIN} header for Origin: ${origin}`,
    found: (response) => names.map((name) => headerText(response, name)).join(', '),
    message: `Pages of any origin can read ${title(kind)}.`,
    hint: `Only the origins in site.yaml may read the documents: with ${ALLOW_CREDENTIALS}, any website could read CONFIG as its visitors. The host or a CDN adds the header by itself: see ${build.rulesAt}.`,
  };
}

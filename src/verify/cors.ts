import { type Deployment, ENDPOINTS, type Gets, type Kind, kindsOf, title } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, type Request, requestTo } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { judged, type Result } from './result.ts';
import { members, headerText } from './headers.ts';

/** An origin that no site lists (RFC 2606), and that of sandboxed frames and of files, which any page can have (Fetch standard, §3.1). */
const FOREIGN = ['https://themecast-verify.invalid', 'null'];
const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';

/** The CORS protocol of the Fetch standard, for the origins of site.yaml and for one that it does not list. */
export function corsExchanges(deployment: Deployment, gets: Gets): Exchange[] {
  const kinds = kindsOf(gets);
  const { corsOrigins } = deployment.build.rules;
  return kinds.flatMap((kind) => [
    ...[...FOREIGN, ...lookalikes(corsOrigins)].map((origin) => foreignExchange(deployment, kind, origin)),
    ...corsOrigins.map((origin) => originExchange(deployment, kind, origin)),
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

function originExchange({ url, build }: Deployment, kind: Kind, origin: string): Exchange {
  const judge = (response: HttpResponse): Result[] => [
    originResult(build, title(kind), origin, response, kind === 'config'),
  ];
  return { id: 'cors/origin', request: pageRequest(url, kind, origin), judge };
}

/** Whether pages of an allowed origin can read a response, `isPersonal` ones with cookies. */
export function originResult(
  { rulesAt }: Build,
  what: string,
  origin: string,
  response: HttpResponse,
  isPersonal = false,
): Result {
  const isAllowed = response.headers[ALLOW_ORIGIN.toLowerCase()] === origin;
  const isTrusted = !isPersonal || response.headers[ALLOW_CREDENTIALS.toLowerCase()] === 'true';
  const name = isAllowed ? ALLOW_CREDENTIALS : ALLOW_ORIGIN;
  const how = isAllowed ? ' with cookies' : '';
  return judged('cors/origin', isAllowed && isTrusted, `Pages of ${origin} cannot read ${what}${how}.`, {
    expected: `${name}: ${isAllowed ? 'true' : origin}`,
    found: headerText(response, name),
    hint: `\`cors: allowed_origins\` in site.yaml lists it; the rules of the host must allow it: see ${rulesAt}. A CDN must forward the Origin header.`,
  });
}

function preflightExchange({ url, build }: Deployment, kind: Kind, origin: string): Exchange {
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
  const request = requestTo(url, ENDPOINTS[kind].path, { method: 'OPTIONS', headers });
  const judge = (response: HttpResponse): Result[] => {
    const isAllowed = response.headers[ALLOW_ORIGIN.toLowerCase()] === origin;
    // Browsers also want an OK status (Fetch standard, CORS-preflight fetch).
    const isOk = response.status >= 200 && response.status < 300;
    const hasGet = members(response.headers['access-control-allow-methods']).includes('get');
    return [
      judged('cors/preflight', isOk && isAllowed && hasGet, `The preflight of ${origin} on ${title(kind)} fails.`, {
        expected: `200, ${ALLOW_ORIGIN}: ${origin}, and Access-Control-Allow-Methods with GET`,
        found: `${response.status}, ${headerText(response, ALLOW_ORIGIN)}, ${headerText(response, 'Access-Control-Allow-Methods')}`,
        hint: `Requests with identity headers fail in browsers: see ${build.rulesAt}.`,
      }),
    ];
  };
  return { id: 'cors/preflight', request, judge };
}

function foreignExchange({ url, build }: Deployment, kind: Kind, origin: string): Exchange {
  const judge = (response: HttpResponse): Result[] => {
    const isRejected = response.headers[ALLOW_ORIGIN.toLowerCase()] === undefined;
    const withCookies = response.headers[ALLOW_CREDENTIALS.toLowerCase()] === 'true';
    const danger = withCookies
      ? 'Any website could read CONFIG with the identity of its visitors.'
      : 'Only the origins in site.yaml may read the documents.';
    return [
      judged('cors/foreign', isRejected, `Pages of any origin can read ${title(kind)}.`, {
        expected: `no ${ALLOW_ORIGIN} header for Origin: ${origin}`,
        found: headerText(response, ALLOW_ORIGIN) + (withCookies ? `, ${ALLOW_CREDENTIALS}: true` : ''),
        hint: `${danger} The host or a CDN adds the header by itself: see ${build.rulesAt}.`,
      }),
    ];
  };
  return { id: 'cors/foreign', request: pageRequest(url, kind, origin), judge };
}

import { compact } from '../diagnostics/compact.ts';
import { printable } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { type HttpResponse, requestTo } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { type Deployment, ENDPOINTS, firstOfEach, type Gets, kindsOf, themeName, title } from './build.ts';
import { configRequest, type Responded, themeOf } from './config-theme.ts';
import { anonymousTheme } from './hostnames.ts';
import { headerText } from './headers.ts';
import { listRequest } from './list.ts';
import { judged, type Result } from './result.ts';

/** Sends the ETag of LIST back: 304 saves every client the download (RFC 9110, §13.1.2). */
export function conditionalExchange(deployment: Deployment, { headers: { etag } }: HttpResponse): Exchange[] {
  if (etag === undefined) return [];
  return [
    {
      id: 'list/conditional',
      request: listRequest(deployment, { 'If-None-Match': etag }),
      is: 304,
      message: 'LIST does not respond with 304 to its own ETag.',
      hint: 'Clients download the list again although it is unchanged.',
    },
  ];
}

/** An ETag that no response has had must get 200: clients that get 304 never see another build (RFC 9110, §13.1.2). */
export function unknownTagExchanges({ url, build }: Deployment, gets: Gets): Exchange[] {
  const headers = { Accept: 'application/json', 'If-None-Match': '"themecast-verify"' };
  return kindsOf(gets).map((kind) => ({
    id: `${kind}/validator`,
    request: requestTo(url, ENDPOINTS[kind].path, { headers }),
    is: 200,
    message: `${title(kind)} does not respond with 200 to an unknown ETag.`,
    hint: `With 304, clients keep an old document for ever: see ${build.rulesAt}.`,
  }));
}

/** Two renderings must not share a strong ETag: a client with one would get 304 for the other (RFC 9110, §8.8.3). */
export function listValidator(
  { url, build }: Deployment,
  list: HttpResponse,
  page: HttpResponse | undefined,
): Result[] {
  const { etag } = list.headers;
  if (etag === undefined || page === undefined) return [];
  return [
    judged(
      'list/validator',
      page.headers['etag'] !== etag || page.sha256 === list.sha256,
      'The JSON of LIST and its page have the same ETag.',
      {
        expected: 'different ETags',
        found: headerText(page, 'ETag'),
        hint: `A browser that cached the page would get 304 for the JSON: see ${build.rulesAt}.`,
        url: url + LIST.path,
      },
    ),
  ];
}

/** Users of a theme, with the ETag and the date that another theme was sent with: 304 would leave them with that theme. */
export function validatorExchanges(deployment: Deployment, responded: readonly Responded[]): Exchange[] {
  return responded.flatMap((from, index) => {
    const to = responded[(index + 1) % responded.length];
    if (to === undefined || to.response.sha256 === from.response.sha256) return [];
    const { etag, 'last-modified': date } = from.response.headers;
    return compact([
      etag !== undefined && validatorExchange(deployment, to, from, 'If-None-Match', etag),
      date !== undefined && validatorExchange(deployment, to, from, 'If-Modified-Since', date),
    ]);
  });
}

function validatorExchange(
  deployment: Deployment,
  to: Responded,
  from: Responded,
  header: string,
  value: string,
): Exchange {
  const { build } = deployment;
  const [old, own] = [from, to].map(({ requester }) => themeName(build, requester.theme));
  return {
    id: 'config/validator',
    request: configRequest(deployment, to.requester, { [header]: value }),
    is: ({ status }) => status !== 304 && !(header === 'If-None-Match' && to.response.headers['etag'] === value),
    expected: `200 with ${own} for ${printable(to.requester.name)}, and an ETag of its own`,
    found: ({ status }) => `${status} to ${header}: ${printable(value)} of ${old}`,
    message: 'CONFIG has the validator of another theme, or responds with 304 to it.',
    hint: `After a login the old theme would stay. Derive the ETag from the content, or send neither ETag nor Last-Modified on CONFIG: see ${build.rulesAt}.`,
  };
}

/**
 * Requesters once more, after others have asked: the anonymous one, and of each rule one whose key gives another theme and one whose
 * key does not. What a shared cache has stored for one of them, another would get now. That a response was stored proves nothing:
 * Varnish and CloudFront store each theme once, and choose it for each request.
 */
export function againExchanges(deployment: Deployment, responded: readonly Responded[]): Exchange[] {
  const { build } = deployment;
  if (new Set(responded.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: Responded): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  return firstOfEach(responded, kindOf).map(({ requester, response: before }) => {
    const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
    return {
      id: 'config/shared-cache',
      request: configRequest(deployment, requester),
      is: ({ sha256 }) =>
        sha256 === before.sha256 || !responded.some(({ response: theirs }) => theirs.sha256 === sha256),
      expected: themeName(build, requester.theme),
      found: (response) => themeName(build, themeOf(build, response) ?? ''),
      message: `After requests from others, ${who} the theme of another requester.`,
      hint: `A shared cache in front stores CONFIG: exclude ${CONFIG.path} from it, and see ${build.rulesAt}.`,
    };
  });
}

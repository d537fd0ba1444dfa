import { compact } from '../diagnostics/compact.ts';
import { printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { type HttpResponse, urlOf } from '../http/exchange.ts';
import { conditionalProbe, type Kind, plainProbe, requestOf, title } from '../probe/table.ts';
import type { Exchange } from './ask.ts';
import {
  anonymousTheme,
  type Deployment,
  firstOfEach,
  type Plain,
  type Responded,
  themeName,
  themeOf,
} from './build.ts';
import { headerText } from './headers.ts';
import { judged, type Result } from './result.ts';

/** LIST with its own ETag, which saves every client the download; each rendering with one that no response has had (RFC 9110, §13.1.2). */
export function conditionalExchanges({ url, build }: Deployment, plain: Plain): Exchange[] {
  const { endpoints } = build.rules;
  const etag = plain.get('list json')?.headers['etag'];
  const [listJson] = endpoints.list.renderings;
  const own = (tag: string): Exchange => ({
    id: 'list/conditional',
    request: requestOf(conditionalProbe(plainProbe('list', listJson as never), 'If-None-Match', tag), url),
    is: 304,
    message: 'LIST does not respond with 304 to its own ETag.',
    hint: 'Clients download the list again although it is unchanged.',
  });
  const unknown = [endpoints.list, endpoints.config].flatMap(({ kind, renderings }) =>
    renderings
      .filter(({ name }) => plain.has(`${kind} ${name}`))
      .map((rendering): Exchange => {
        const probe = conditionalProbe(plainProbe(kind, rendering), 'If-None-Match', '"themecast-verify"');
        return {
          id: `${kind}/validator`,
          request: requestOf(probe, url),
          is: 200,
          message: `${title(kind)} does not respond with 200 to an unknown ETag.`,
          hint: `With 304, clients keep an old document for ever: see ${build.rulesAt}.`,
        };
      }),
  );
  return [...(etag === undefined ? [] : [own(etag)]), ...unknown];
}

/** Two renderings must not share a strong ETag: a client with one would get 304 for the other (RFC 9110, §8.8.3). */
export function sharedTagResults({ url, build }: Deployment, plain: Plain): Result[] {
  const { endpoints } = build.rules;
  return [endpoints.list, endpoints.config].flatMap(({ kind, renderings }) => {
    const json = plain.get(`${kind} json`);
    const etag = json?.headers['etag'];
    return renderings.slice(1).flatMap((rendering) => {
      const other = plain.get(`${kind} ${rendering.name}`);
      if (json === undefined || other === undefined || etag === undefined) return [];
      const isOwn = other.headers['etag'] !== etag || other.sha256 === json.sha256;
      const what = rendering.name === 'html' ? 'page' : rendering.name;
      return judged(`${kind}/validator`, isOwn, `The JSON of ${title(kind)} and its ${what} have the same ETag.`, {
        expected: 'different ETags',
        found: headerText(other, 'ETag'),
        hint: `A browser that cached the ${what} would get 304 for the JSON: see ${build.rulesAt}.`,
        url: urlOf(requestOf(plainProbe(kind as Kind, rendering), url)),
      });
    });
  });
}

/** Pairs of themes of each rendering whose validators are compared. */
const MAX_PAIRS = 12;

/** Users of a theme, with the ETag and the date that another theme was sent with: 304 would leave them with that theme. */
export function validatorExchanges(deployment: Deployment, responded: readonly Responded[]): Exchange[] {
  return responded
    .flatMap((from, index) => {
      const to = responded[(index + 1) % responded.length];
      if (to === undefined || to.response.sha256 === from.response.sha256) return [];
      const { etag, 'last-modified': date } = from.response.headers;
      return compact([
        etag !== undefined && validatorExchange(deployment, to, from, 'If-None-Match', etag),
        date !== undefined && validatorExchange(deployment, to, from, 'If-Modified-Since', date),
      ]);
    })
    .slice(0, MAX_PAIRS);
}

function validatorExchange(
  { build, url }: Deployment,
  to: Responded,
  from: Responded,
  header: 'If-None-Match' | 'If-Modified-Since',
  value: string,
): Exchange {
  const [old, own] = [from, to].map(({ requester }) => themeName(build, requester.theme));
  return {
    id: 'config/validator',
    request: requestOf(conditionalProbe(to.probe, header, value), url),
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
export function againExchanges({ build, url }: Deployment, responded: readonly Responded[]): Exchange[] {
  if (new Set(responded.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: Responded): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  return firstOfEach(responded, kindOf).map(({ probe, requester, response: before }) => {
    const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
    const nameIn = (response: HttpResponse): string => themeOf(build, response, String(probe.returns)) ?? '';
    return {
      id: 'config/shared-cache',
      request: requestOf(probe, url),
      is: ({ sha256 }) =>
        sha256 === before.sha256 || !responded.some(({ response: theirs }) => theirs.sha256 === sha256),
      expected: themeName(build, requester.theme),
      found: (response) => themeName(build, nameIn(response)),
      message: `After requests from others, ${who} the theme of another requester.`,
      hint: `A shared cache in front stores CONFIG: exclude ${CONFIG.path} from it, and see ${build.rulesAt}.`,
    };
  });
}

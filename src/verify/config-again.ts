import { compact } from '../diagnostics/compact.ts';
import { printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { type Deployment, type LiveList, themeName } from './build.ts';
import { type Responded, configRequest, themeOf } from './config-theme.ts';
import type { HttpResponse } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { cacheNamed } from './headers.ts';
import { type Result, judged } from './result.ts';
import { anonymousTheme } from './hostnames.ts';

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
  const request = configRequest(deployment, to.requester, { [header]: value });
  const isReused = header === 'If-None-Match' && to.response.headers['etag'] === value;
  const judge = (response: HttpResponse): Result[] => [
    judged(
      'config/validator',
      response.status !== 304 && !isReused,
      isReused ? 'Two themes share an ETag.' : 'CONFIG responds with 304 to the validator of another theme.',
      {
        expected: `200 with ${themeName(build, to.requester.theme)} for ${printable(to.requester.name)}`,
        found: isReused
          ? `ETag: ${printable(value)} with both ${themeName(build, from.requester.theme)} and ${themeName(build, to.requester.theme)}`
          : `304 to ${header}: ${printable(value)} of ${themeName(build, from.requester.theme)}`,
        hint: `After a login the old theme would stay. Derive the ETag from the content, or send neither ETag nor Last-Modified on CONFIG: see ${build.rulesAt}.`,
      },
    ),
  ];
  return { id: 'config/validator', request, judge };
}

/**
 * Requesters once more, after others have asked: the anonymous one, and of each rule one whose key gives another theme and one whose
 * key does not. What a shared cache has stored for one of them, another would get now. That a response was stored proves nothing:
 * Varnish and CloudFront store each theme once, and choose it for each request.
 */
export function againExchanges(deployment: Deployment, live: LiveList, responded: readonly Responded[]): Exchange[] {
  const { build } = deployment;
  if (new Set(responded.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: Responded): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  const sample = new Map(responded.toReversed().map((one) => [kindOf(one), one]));
  return [...sample.values()].map(({ requester, response: before }): Exchange => {
    const request = configRequest(deployment, requester);
    const judge = (response: HttpResponse): Result[] => {
      const isLeak =
        response.sha256 !== before.sha256 &&
        responded.some(({ response: theirs }) => theirs.sha256 === response.sha256);
      const cache = cacheNamed(response);
      const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
      return [
        judged('config/shared-cache', !isLeak, `After requests from others, ${who} the theme of another requester.`, {
          expected: themeName(build, requester.theme),
          found: themeName(build, themeOf(build, live, response) ?? ''),
          hint: `A shared cache in front${cache === '' ? '' : ` (${cache})`} stores CONFIG: exclude ${CONFIG.path} from it, and see ${build.rulesAt}.`,
        }),
      ];
    };
    return { id: 'config/shared-cache', request, judge };
  });
}

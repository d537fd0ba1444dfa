import { CONFIG, LIST } from '../document/endpoint.ts';
import type { Deployment } from './build.ts';
import { type HttpResponse, type Exchange, requestTo, statusOf, urlOf } from './exchange.ts';
import { fault, type Result, judged, passed } from './result.ts';
import { headerResults } from './headers.ts';

/** A query that a host may be tempted to decode, sort or drop. */
const QUERY = '?format=json&next=%2Fa%20b';

/** The redirects to the trailing slash, and what is not there. */
export function pathExchanges(deployment: Deployment): Exchange[] {
  const { build } = deployment;
  const slugs = build.rules.themes.slice(0, 1).map((slug) => `${CONFIG.path}${slug}.json`);
  return [
    ...[LIST.path, CONFIG.path].map((path) => slashExchange(deployment, path)),
    ...[`${LIST.path}no-such-page/`, `${LIST.path}index.json`, ...slugs].map((path) =>
      notFoundExchange(deployment, path),
    ),
  ];
}

function slashExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path.slice(0, -1) + QUERY);
  const wanted = new URL(url).pathname.replace(/\/$/, '') + path + QUERY;
  const details = {
    expected: `301 to ${wanted}`,
    hint: `Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query: see ${build.rulesAt}.`,
    url: urlOf(request),
  };
  const judge = (response: HttpResponse): Result[] => {
    const location = response.headers['location'] ?? '';
    const found = statusOf(response);
    const isRight = URL.canParse(location, url) && new URL(location, url).href === new URL(wanted, url).href;
    if (response.status !== 301) {
      const hint = `Clients that omit the slash get an error, or a redirect that they may not cache: see ${build.rulesAt}.`;
      return [fault('path/slash', 'A path without its trailing slash is not redirected.', { ...details, found, hint })];
    }
    if (!isRight)
      return [fault('path/slash', 'A path without its trailing slash is redirected elsewhere.', { ...details, found })];
    return [
      passed('path/slash'),
      judged('path/slash-relative', location.startsWith('/'), 'The redirect to the trailing slash is absolute.', {
        ...details,
        found,
      }),
      ...headerResults(build, 'A redirect', request, response),
    ];
  };
  return { id: 'path/slash', request, judge };
}

function notFoundExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path, { headers: { Accept: 'application/json' } });
  const judge = (response: HttpResponse): Result[] => {
    const result = judged('path/not-found', response.status === 404, 'A path below LIST exists that must not.', {
      expected: '404',
      found: statusOf(response),
      hint: `The files of dist/ must be served only through the two endpoints: see ${build.rulesAt}.`,
      url: urlOf(request),
    });
    return result.ok
      ? [result, ...headerResults(build, 'An error', request, response, build.rules.headers.error)]
      : [result];
  };
  return { id: 'path/not-found', request, judge };
}

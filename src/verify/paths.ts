import { count } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { REDIRECT_HEADERS } from '../edge-runtime/handler.ts';
import type { Build } from '../hosts/published-build.ts';
import { redirectPairs } from '../hosts/redirects.ts';
import { type HttpResponse, type Request, requestTo, statusOf, textOf, urlOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import { headerResults, headerText } from './headers.ts';
import { fault, judged, passed } from './result.ts';

/** A query that a host may be tempted to decode, sort or drop. */
const QUERY = '?format=json&next=%2Fa%20b';

/** The redirects to the trailing slash, and what is not there. */
export function pathExchanges(deployment: Deployment): Exchange[] {
  const { rules } = deployment.build;
  const slugs = rules.themes.slice(0, 1).map((slug) => `${CONFIG.path}${slug}.json`);
  const missing = [`${LIST.path}no-such-page/`, `${LIST.path}index.json`, ...slugs];
  return [
    ...[LIST.path, CONFIG.path].map((path) => slashExchange(deployment, path)),
    ...missing.map((path) => notFoundExchange(deployment, path)),
    ...redirectExchanges(deployment),
    ...privateExchanges(deployment),
  ];
}

function slashExchange({ url, build }: Deployment, path: string): Exchange {
  const wanted = new URL(url).pathname.replace(/\/$/, '') + path + QUERY;
  const details = {
    expected: `301 to ${wanted}`,
    hint: `Without 301, clients that omit the slash get an error, or a redirect that they may not cache. Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query: see ${build.rulesAt}.`,
  };
  const locationOf = ({ headers }: HttpResponse): string => headers['location'] ?? '';
  return {
    id: 'path/slash',
    request: requestTo(url, path.slice(0, -1) + QUERY),
    is: (response) => response.status === 301 && leadsTo(locationOf(response), url, [new URL(wanted, url).href]),
    message: 'A path without its trailing slash is not redirected to it.',
    ...details,
    also: (response) => [
      judged(
        'path/slash-relative',
        locationOf(response).startsWith('/'),
        'The redirect to the trailing slash is absolute.',
        {
          ...details,
          found: statusOf(response),
        },
      ),
      ...headerResults(build, 'A redirect', response),
    ],
  };
}

function leadsTo(location: string, from: string, targets: readonly string[]): boolean {
  return URL.canParse(location, from) && targets.includes(new URL(location, from).href);
}

function notFoundExchange({ url, build }: Deployment, path: string): Exchange {
  return {
    id: 'path/not-found',
    request: requestTo(url, path, { headers: { Accept: 'application/json' } }),
    is: 404,
    message: 'A path below LIST exists that must not.',
    hint: `The files of dist/ must be served only through the two endpoints: see ${build.rulesAt}.`,
    also: (response) => headerResults(build, 'An error', response, build.rules.headers.error),
  };
}

/** Redirects that are requested. */
const MAX_REQUESTED = 50;

/** The first old paths. */
function redirectExchanges({ url, build }: Deployment): Exchange[] {
  const { rules, rulesAt } = build;
  const pairs = redirectPairs(rules);
  const sample = pairs.slice(0, MAX_REQUESTED);
  const label = `${count(sample.length, 'old path')} of ${pairs.length}`;
  const { origin } = new URL(url);
  return sample.map(([target, to]): Exchange => {
    const request: Request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 };
    const expected = `301, Location: ${to}`;
    // Behind a CDN, the host may give its public name.
    const targets = [urlOf(request), rules.baseUrl].map((base) => new URL(to, base).href);
    return {
      id: 'redirect/status',
      request,
      instead: (response) => {
        const isServed = response.status === 200 && response.headers['content-type']?.startsWith('image/') === true;
        const message = 'An old path of an image still leads to another service.';
        const details = {
          expected,
          found: statusOf(response),
          hint: 'Right until that service goes; then pass old paths on to the host.',
        };
        return isServed ? [fault('redirect/served', message, details)] : undefined;
      },
      is: ({ status, headers }) =>
        [301, 308].includes(status) && leadsTo(headers['location'] ?? '', urlOf(request), targets),
      expected,
      found: (response) => `${response.status}, ${headerText(response, 'Location')}`,
      message: 'An old path of an image does not lead to the image.',
      hint: `Load the rules of this build: see ${rulesAt}. A proxy in front must pass old paths on to the host.`,
      also: (response) => [
        passed('redirect/status', label),
        ...headerResults(build, 'A redirect', response, REDIRECT_HEADERS),
      ],
    };
  });
}

/** Names of the private output that are asked for at most: with many shards, the first of them. */
const NAMES = 200;

/**
 * Ways to the private output that are not its own names, to one of another build or host, and to what a checkout holds beside it. Dot
 * segments go out as they stand.
 */
const WAYS = [
  '/edge/users.ndjson',
  '/users.ndjson',
  '/edge/rules.json',
  '/rules.json',
  '/edge/shards/pointer',
  '/users.csv',
  '/themes/users.csv',
  '/themes/site.yaml',
  '/.git/config',
  '/../edge/users.ndjson',
  '/media/../../edge/users.ndjson',
  '/media/..%2f..%2fedge/users.ndjson',
  '/media../edge/users.ndjson',
  '/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.ndjson',
];

/** What may not be public: every file of `edge/` at the places where it is put by mistake, and a few ways around. */
function privateExchanges({ url, build }: Deployment): Exchange[] {
  const own = build.privateFiles
    .slice(0, NAMES)
    .flatMap(({ path, start }) => placesOf(path, build).map((place) => [place, start] as const));
  const ways = [...WAYS, `/themes/${build.rules.themes[0] ?? ''}/theme.yaml`].map((way) => [way, ''] as const);
  const asked = new Map([...ways, ...own]);
  // A service below a path has a root beside it.
  const bases = new Set([url, new URL(url).origin]);
  return [...bases].flatMap((base) => [...asked].map(([path, start]) => privateExchange(requestTo(base, path), start)));
}

/** Where `nginx/users.map` is reached if `edge/nginx`, or `edge`, or what was made of them, lies below the public root. */
function placesOf(path: string, { hosts }: Build): string[] {
  const [folder = '', ...rest] = path.split('/');
  const isOfHost = hosts.includes(folder);
  const inner = isOfHost ? rest.join('/') : path;
  return [
    `/${inner}`,
    `/edge/${path}`,
    `/themecast/${inner}`,
    ...(isOfHost ? [`/${path}`] : hosts.flatMap((host) => [`/${host}/${path}`, `/edge/${host}/${path}`])),
  ];
}

// The beginnings of users.ndjson, rules.json, a shard pointer, users.csv and a repository's configuration.
const OURS = /^\s*(?:\{"version":\d+,"(?:rules|build)":|\["(?:user|group)",|"?user"?,"?theme|\[core\])/;
// Names that no site has for anything else.
const MAPPING = /(?:^|\/)(?:users|groups|rules|shards)\b[^/]*$|\/shards\//;

/** @param start - how the file of this build begins; empty if it has none of that name */
function privateExchange(request: Request, start: string): Exchange {
  const isOurs = (response: HttpResponse): boolean =>
    OURS.test(textOf(response)) || (start !== '' && textOf(response).startsWith(start));
  // A community site may respond to any path with a page of its own.
  const isPage = ({ headers }: HttpResponse): boolean => headers['content-type']?.startsWith('text/html') === true;
  const isSuspect = start === '' || MAPPING.test(request.target);
  return {
    id: 'path/private',
    request,
    is: (response) =>
      response.status < 200 || response.status >= 300 || !(isOurs(response) || (isSuspect && !isPage(response))),
    expected: '404',
    found: (response) =>
      `${response.status}, ${count(response.bytes, 'byte')}${isOurs(response) ? ' of private data' : ''}`,
    message: 'The path of a private file is public.',
    hint: 'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
  };
}

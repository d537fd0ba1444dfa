import { count } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import type { Deployment } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, type Request, requestTo, statusOf, textOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { headerResults, isType } from './headers.ts';
import { fault, judged, passed, type Result, statusResult } from './result.ts';

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
    ...privateExchanges(deployment),
  ];
}

function slashExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path.slice(0, -1) + QUERY);
  const wanted = new URL(url).pathname.replace(/\/$/, '') + path + QUERY;
  const judge = (response: HttpResponse): Result[] => {
    const location = response.headers['location'] ?? '';
    const isRight = URL.canParse(location, url) && new URL(location, url).href === new URL(wanted, url).href;
    const details = {
      expected: `301 to ${wanted}`,
      found: statusOf(response),
      hint: `Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query: see ${build.rulesAt}.`,
    };
    if (response.status !== 301) {
      const hint = `Clients that omit the slash get an error, or a redirect that they may not cache: see ${build.rulesAt}.`;
      return [fault('path/slash', 'A path without its trailing slash is not redirected.', { ...details, hint })];
    }
    if (!isRight) return [fault('path/slash', 'A path without its trailing slash is redirected elsewhere.', details)];
    const isRelative = location.startsWith('/');
    return [
      passed('path/slash'),
      judged('path/slash-relative', isRelative, 'The redirect to the trailing slash is absolute.', details),
      ...headerResults(build, 'A redirect', response),
    ];
  };
  return { id: 'path/slash', request, judge };
}

function notFoundExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path, { headers: { Accept: 'application/json' } });
  const judge = (response: HttpResponse): Result[] => {
    const hint = `The files of dist/ must be served only through the two endpoints: see ${build.rulesAt}.`;
    const message = 'A path below LIST exists that must not.';
    const result = statusResult('path/not-found', response, 404, message, hint);
    return result.ok ? [result, ...headerResults(build, 'An error', response, build.rules.headers.error)] : [result];
  };
  return { id: 'path/not-found', request, judge };
}

/** Ways to the private output that are not its own names, and to what a checkout holds beside it. Dot segments go out as they stand. */
const WAYS = [
  '/users.csv',
  '/themes/users.csv',
  '/themes/site.yaml',
  '/.dist.history.json',
  '/.git/config',
  '/../edge/users.ndjson',
  '/media/../../edge/users.ndjson',
  '/media/..%2f..%2fedge/users.ndjson',
  '/media../edge/users.ndjson',
  '/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.ndjson',
];

/** Names of the private output that are asked for at most: with many shards, the first of them. */
const NAMES = 200;

/** What may not be public: every file of `edge/` at the places where it is put by mistake, and a few ways around. */
function privateExchanges(deployment: Deployment): Exchange[] {
  const { url, build } = deployment;
  const { origin } = new URL(url);
  // A service below a path has a root beside it.
  const bases = [...new Set([url, origin])];
  const asked = new Map<string, string>();
  for (const { path, start } of build.privateFiles.slice(0, NAMES))
    for (const place of placesOf(path, build)) asked.set(place, start);
  const [slug = ''] = build.rules.themes;
  for (const way of [...FORMER, ...WAYS, `/themes/${slug}/theme.yaml`]) if (!asked.has(way)) asked.set(way, '');
  return bases.flatMap((base) => [...asked].map(([path, start]) => privateExchange(requestTo(base, path), start)));
}

// A mapping of another build, or of another host.
const FORMER = ['/edge/users.ndjson', '/users.ndjson', '/edge/rules.json', '/rules.json', '/edge/shards/pointer'];

/** Where `nginx/users.map` is reached if `edge/nginx`, or `edge`, or what was made of them, lies below the public root. */
function placesOf(path: string, { hosts }: Build): string[] {
  const [folder = '', ...rest] = path.split('/');
  const name = rest.join('/');
  const isOfHost = hosts.includes(folder);
  const inner = isOfHost ? name : path;
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
  const judge = (response: HttpResponse): Result[] => {
    // A community site may respond to any path with a page of its own.
    const isPage = isType(response, 'text/html') || response.headers['content-type']?.startsWith('text/html;') === true;
    const text = textOf(response);
    const isOurs = OURS.test(text) || (start !== '' && text.startsWith(start));
    const isSuspect = isOurs || (!isPage && (start === '' || MAPPING.test(request.target)));
    const isPublic = response.status >= 200 && response.status < 300 && isSuspect;
    const message = isOurs ? 'A private file of this service is public.' : 'The path of a private file exists.';
    return [
      judged('path/private', !isPublic, message, {
        expected: '404',
        found: `${response.status}, ${count(response.bytes, 'byte')}${isOurs ? ' of private data' : ''}`,
        hint: 'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
      }),
    ];
  };
  return { id: 'path/private', request, judge };
}

import { count } from '../diagnostics/quote.ts';
import type { Build, Deployment } from './build.ts';
import { type HttpResponse, type Exchange, type Request, requestTo, textOf, urlOf } from './exchange.ts';
import { type Result, judged } from './result.ts';
import { isType } from './headers.ts';

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
export function privateExchanges(deployment: Deployment): Exchange[] {
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
    const hasResponded = response.status >= 200 && response.status < 300;
    const isSuspect = isOurs || (!isPage && (start === '' || MAPPING.test(request.target)));
    return [
      judged(
        'path/private',
        !(hasResponded && isSuspect),
        isOurs ? 'A private file of this service is public.' : 'The path of a private file exists.',
        {
          expected: '404',
          found: `${response.status}, ${count(response.bytes, 'byte')}${isOurs ? ' of private data' : ''}`,
          hint: 'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
          url: urlOf(request),
        },
      ),
    ];
  };
  return { id: 'path/private', request, judge };
}

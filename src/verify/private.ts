import { count } from '../diagnostics/quote.ts';
import { type Request, requestTo, textOf } from '../http/exchange.ts';
import type { Build } from '../hosts/published-build.ts';
import { typeOf } from '../probe/headers.ts';
import type { Deployment } from './build.ts';
import { judged, type Question } from './result.ts';

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
  '/themes/users/users.csv',
  '/themes/site.yaml',
  '/.git/config',
  '/../edge/users.ndjson',
  '/media/../../edge/users.ndjson',
  '/media/..%2f..%2fedge/users.ndjson',
  '/media../edge/users.ndjson',
  '/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.ndjson',
];

/** What may not be public: every file of `edge/` and of users at the places where it is put by mistake, and a few ways around. */
export function privateQuestions({ url, build, checkout = [] }: Deployment): Question[] {
  const own = build.privateFiles
    .slice(0, NAMES)
    .flatMap(({ path, start }) => placesOf(path, build).map((place) => [place, start] as const));
  const ways = [...WAYS, `/themes/${build.rules.themes[0] ?? ''}/theme.yaml`].map((way) => [way, ''] as const);
  const users = checkout.map(({ path, start }) => [`/themes/${path}`, start] as const);
  const asked = new Map([...ways, ...own, ...users]);
  // A service below a path has a root beside it.
  const bases = new Set([url, new URL(url).origin]);
  return [...bases].flatMap((base) => [...asked].map(([path, start]) => privateQuestion(requestTo(base, path), start)));
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
const MAPPING = /(?:^|\/)(?:users|groups|rules|shards)\b[^/]*$|\/shards\/|\/themes\/users\//;

/** @param start - how the file of this build begins; empty if it has none of that name */
function privateQuestion(request: Request, start: string): Question {
  const isSuspect = start === '' || MAPPING.test(request.target);
  return {
    id: 'path/private',
    request,
    judge: (response) => {
      const text = textOf(response);
      const isOurs = OURS.test(text) || (start !== '' && text.startsWith(start));
      // A community site may respond to any path with a page of its own.
      const isPage = typeOf(response)?.startsWith('text/html') === true;
      const isThere = response.status >= 200 && response.status < 300 && response.bytes > 0;
      return [
        judged(
          'path/private',
          !isThere || !(isOurs || (isSuspect && !isPage)),
          'The path of a private file is public.',
          {
            expected: '404',
            found: `${response.status}, ${count(response.bytes, 'byte')}${isOurs ? ' of private data' : ''}`,
          },
        ),
      ];
    },
  };
}

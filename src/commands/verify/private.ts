import { count } from '../../core/diagnostics/quote.ts';
import { requestTo, textOf } from '../../system/http/exchange.ts';
import type { Build } from '../../hosts/contract/published-build.ts';
import type { Deployment } from './build.ts';
import { typeOf } from './headers.ts';
import type { Judge, Row } from './judge.ts';
import { verdict } from './result.ts';

/** Limits the private files that are requested: the mapping may have many shards. */
const MAX_NAMES = 200;

/**
 * Usual paths of private files, also of other builds and hosts, of a checkout, and by traversal of the public root. Dot segments are
 * sent literally.
 */
const USUAL_PATHS = [
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
  '/.env',
  '/dist/manifest.json',
  '/../edge/users.ndjson',
  '/media/../../edge/users.ndjson',
  '/media/..%2f..%2fedge/users.ndjson',
  '/media../edge/users.ndjson',
  '/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.ndjson',
];

/** Code and texts of themecast, which everyone may read; rules and a mapping as code are private. */
const CODE = /(?:^|\/)(?!mapping|rules)[\w-]+\.(?:js|md)$/;

/** Requests every private file of `edge/` and `themes/` at the paths where a wrong upload would publish it. */
export function privateRows({ url, build, usersFiles = [] }: Deployment): Row[] {
  const edgeFiles = build.privateFiles.filter((name) => !CODE.test(name)).slice(0, MAX_NAMES);
  const paths = new Set([
    ...USUAL_PATHS,
    `/themes/${build.rules.themes[0] ?? ''}/theme.yaml`,
    ...edgeFiles.flatMap((name) => placesOf(name, build)),
    ...usersFiles.map((name) => `/themes/${name}`),
  ]);
  // For a service below a path, files may also lie at the root of the host.
  const bases = new Set([url, new URL(url).origin]);
  const expected = { status: 404, headers: {}, text: '' };
  return [...bases].flatMap((base) =>
    [...paths].map((path): Row => {
      const what = 'The path of a private file';
      return { id: 'path/private', what, request: requestTo(base, path), expected, judge: judgePrivate };
    }),
  );
}

/** Returns the URL paths of `nginx/users.map` if `edge/nginx`, `edge` or a copy of either lies below the public root. */
function placesOf(path: string, { hosts }: Build): string[] {
  const [folder = '', ...names] = path.split('/');
  const isOfHost = hosts.includes(folder);
  const inner = isOfHost ? names.join('/') : path;
  return [
    `/${inner}`,
    `/edge/${path}`,
    `/themecast/${inner}`,
    ...(isOfHost ? [`/${path}`] : hosts.map((host) => `/${host}/${path}`)),
  ];
}

/** A community site may respond to any path with its own page. */
const judgePrivate: Judge = ({ id, what }, response) => {
  const isPage = typeOf(response)?.startsWith('text/html') === true && textOf(response).trimStart().startsWith('<');
  const isThere = response.status >= 200 && response.status < 300 && response.bytes > 0;
  const found = `${response.status}, ${count(response.bytes, 'byte')}`;
  return [verdict(id, !isThere || isPage, `${what} is public.`, { expected: '404', found })];
};

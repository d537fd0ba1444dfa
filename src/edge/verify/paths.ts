import { CONFIG, LIST } from '../../document/endpoint.ts';
import type { Deployment } from './build.ts';
import { type Answer, type Exchange, requestTo, statusOf, textOf, urlOf } from './exchange.ts';
import { fault, type Finding, judged, passed } from './finding.ts';
import { errorCacheFinding, isType, securityFindings } from './headers.ts';

/** A query that a host may be tempted to decode, sort or drop. */
const QUERY = '?format=json&next=%2Fa%20b';

/** The redirects to the trailing slash, what is not there, and what nobody may get. */
export function pathExchanges(deployment: Deployment): Exchange[] {
  const { build } = deployment;
  const slugs = build.rules.themes.slice(0, 1).map((slug) => `${CONFIG.path}${slug}.json`);
  return [
    ...[LIST.path, CONFIG.path].map((path) => slashExchange(deployment, path)),
    ...[`${LIST.path}no-such-page/`, `${LIST.path}index.json`, ...slugs].map((path) =>
      notFoundExchange(deployment, path),
    ),
    ...PRIVATE.map((path) => privateExchange(deployment, path)),
  ];
}

function slashExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path.slice(0, -1) + QUERY);
  const wanted = new URL(url).pathname.replace(/\/$/, '') + path + QUERY;
  const details = {
    expected: `301 to ${wanted}`,
    hint: `Behind a CDN a host knows neither its public name nor its port, so its Location must hold the path and the query alone: see ${build.rulesAt}.`,
    url: urlOf(request),
  };
  const judge = (answer: Answer): Finding[] => {
    const location = answer.headers['location'] ?? '';
    const found = statusOf(answer);
    const isRight = URL.canParse(location, url) && new URL(location, url).href === new URL(wanted, url).href;
    if (answer.status !== 301) {
      const hint = `Clients that leave the slash out get nothing, or a redirect that they may not keep: see ${build.rulesAt}.`;
      return [fault('path/slash', 'A path without its slash is not redirected.', { ...details, found, hint })];
    }
    if (!isRight)
      return [fault('path/slash', 'A path without its slash is redirected elsewhere.', { ...details, found })];
    return [
      passed('path/slash'),
      judged('path/slash-relative', location.startsWith('/'), 'The redirect to the slash is absolute.', {
        ...details,
        found,
      }),
      ...securityFindings(build, request, answer),
    ];
  };
  return { id: 'path/slash', request, judge };
}

function notFoundExchange({ url, build }: Deployment, path: string): Exchange {
  const request = requestTo(url, path, { headers: { Accept: 'application/json' } });
  const judge = (answer: Answer): Finding[] => {
    const finding = judged(
      'path/not-found',
      answer.status === 404,
      'A path below LIST answers although nothing is there.',
      {
        expected: '404',
        found: statusOf(answer),
        hint: `The files of dist/ are reached through the two endpoints alone: see ${build.rulesAt}.`,
        url: urlOf(request),
      },
    );
    return finding.ok
      ? [finding, ...securityFindings(build, request, answer), errorCacheFinding(build, request, answer)]
      : [finding];
  };
  return { id: 'path/not-found', request, judge };
}

/** Ways to the private output, and to what a checkout holds beside it. Dot segments go out as they stand. */
const PRIVATE = [
  '/edge/rules.json',
  '/edge/users.ndjson',
  '/edge/shards/pointer',
  '/users.ndjson',
  '/rules.json',
  '/users.csv',
  '/themes/users.csv',
  '/.git/config',
  '/../edge/users.ndjson',
  '/media/../../edge/users.ndjson',
  '/media/..%2f..%2fedge/users.ndjson',
  '/media../edge/users.ndjson',
  '/api/v2/theme/..%2f..%2f..%2f..%2fedge/users.ndjson',
];

// The beginnings of users.ndjson, rules.json, a shard pointer, users.csv and a repository's configuration.
const OURS = /^\s*(?:\{"version":\d+,"(?:rules|build)":|\["(?:user|group)",|"?user"?,"?theme|\[core\])/;

function privateExchange({ url }: Deployment, path: string): Exchange {
  const request = requestTo(url, path);
  const judge = (answer: Answer): Finding[] => {
    // A community site may answer any path with a page of its own.
    const isPage = isType(answer, 'text/html') || answer.headers['content-type']?.startsWith('text/html;') === true;
    const isOurs = OURS.test(textOf(answer));
    const isAnswered = answer.status >= 200 && answer.status < 300;
    return [
      judged(
        'path/private',
        !isAnswered || (isPage && !isOurs),
        isOurs
          ? 'The whole world can read who gets which theme, or the repository.'
          : 'A path of private files is answered.',
        {
          expected: '404',
          found: `${answer.status}, ${answer.bytes.toLocaleString('en')} bytes${isOurs ? ' of private data' : ''}`,
          hint: 'Upload only dist/, and make it the public root: edge/ and themes/ lie beside it, never in it. What was public must be taken as known.',
          url: urlOf(request),
        },
      ),
    ];
  };
  return { id: 'path/private', request, judge };
}

import { count } from '../diagnostics/quote.ts';
import { redirectPairs } from '../hosts/redirects.ts';
import type { Deployment } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, type Request, statusOf, urlOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { members, headerText } from './headers.ts';
import { fault, judged, passed, type Result } from './result.ts';

/** Redirects that are requested: the first, the last and others between them. */
const MAX_REQUESTED = 50;

/** An image may change, so its redirect may, too; days. */
const MAX_REDIRECT_DAYS = 31;

/** A sample of the old paths. */
export function redirectExchanges({ url, build }: Deployment): Exchange[] {
  const pairs = redirectPairs(build.rules);
  const step = Math.max(1, (pairs.length - 1) / (MAX_REQUESTED - 1));
  const sample = pairs.filter((_, at) => at === Math.round(Math.round(at / step) * step));
  const label = `${count(sample.length, 'old path')} of ${pairs.length}`;
  const { origin } = new URL(url);
  return sample.map(([target, to]) => {
    const request: Request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 };
    const judge = (response: HttpResponse): Result[] => redirectResults(build, urlOf(request), response, to, label);
    return { id: 'redirect/status', request, judge };
  });
}

function redirectResults(build: Build, url: string, response: HttpResponse, to: string, label: string): Result[] {
  const { rules, rulesAt } = build;
  const { location = '', 'content-type': type, 'cache-control': cacheControl } = response.headers;
  const hint = `Load the rules of this build: see ${rulesAt}. A proxy in front must pass old paths on to the host.`;
  const expected = `301, Location: ${to}`;
  if (response.status === 200 && type?.startsWith('image/'))
    return [
      fault('redirect/served', 'An old path of an image still leads to another service.', {
        expected,
        found: statusOf(response),
        hint: 'Right until that service goes; then pass old paths on to the host.',
      }),
    ];
  const target = URL.canParse(location, url) ? new URL(location, url).href : '';
  // Behind a CDN, the host may give its public name.
  const isRight = [url, rules.baseUrl].some((base) => new URL(to, base).href === target);
  if (![301, 308].includes(response.status) || !isRight) {
    const found = location === '' ? statusOf(response) : `${response.status}, ${headerText(response, 'Location')}`;
    const message = 'An old path of an image does not lead to the image.';
    return [fault('redirect/status', message, { expected, found, hint })];
  }
  const control = members(cacheControl);
  const seconds = Number(control.find((member) => member.startsWith('max-age='))?.slice('max-age='.length) ?? 0);
  const isCacheable = seconds > 0 && seconds <= MAX_REDIRECT_DAYS * 86_400 && !control.includes('immutable');
  return [
    passed('redirect/status', label),
    judged('headers/cache', isCacheable, 'A redirect of an old path cannot be cached, or for ever.', {
      expected: `Cache-Control with a max-age of at most ${MAX_REDIRECT_DAYS} days`,
      found: headerText(response, 'Cache-Control'),
      hint,
    }),
  ];
}

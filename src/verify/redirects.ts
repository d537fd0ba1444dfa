import { count } from '../diagnostics/quote.ts';
import { redirectPairs } from '../hosts/redirects.ts';
import type { Deployment } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, type Request, statusOf, urlOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { members, shown } from './headers.ts';
import { fault, judged, passed, type Result } from './result.ts';

/** Redirects that are requested: the first, the last and others between them. */
const MAX_REQUESTED = 50;

/** A sample of the old paths. */
export function redirectExchanges({ url, build }: Deployment): Exchange[] {
  const pairs = redirectPairs(build.rules);
  const step = Math.max(1, (pairs.length - 1) / (MAX_REQUESTED - 1));
  const sample = pairs.filter((_, at) => at === Math.round(Math.round(at / step) * step));
  const { origin } = new URL(url);
  return sample.map(([target, to]) => {
    const request: Request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 };
    const hint = `Load the rules of this build: see ${build.rulesAt}. A proxy in front must pass old paths on to the host.`;
    return {
      id: 'redirect/status',
      request,
      judge: (response) =>
        results(build, request, response, to, hint, `${count(sample.length, 'old path')} of ${pairs.length}`),
    };
  });
}

/** An image may change, so its redirect may, too; days. */
const MAX_REDIRECT_DAYS = 31;

function results(
  { rules }: Build,
  request: Request,
  response: HttpResponse,
  to: string,
  hint: string,
  label: string,
): Result[] {
  const url = urlOf(request);
  if (response.status === 200 && response.headers['content-type']?.startsWith('image/')) {
    const details = { expected: `301, Location: ${to}`, found: statusOf(response) };
    return [
      fault('redirect/served', 'An old path of an image still leads to another service.', {
        ...details,
        hint: 'Right until that service goes; then pass old paths on to the host.',
      }),
    ];
  }
  const location = response.headers['location'] ?? '';
  const leadsTo = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const wanted = new URL(to, url);
  // Behind a CDN, the host may give its public name.
  const isRight = [wanted.href, new URL(to, rules.baseUrl).href].includes(leadsTo?.href ?? '');
  if (![301, 308].includes(response.status) || !isRight) {
    const found = location === '' ? statusOf(response) : `${response.status}, ${shown(response, 'Location')}`;
    const details = { expected: `301, Location: ${to}`, found, hint };
    return [judged('redirect/status', false, 'An old path of an image does not lead to the image.', details)];
  }
  const control = members(response.headers['cache-control']);
  const seconds = Number(control.find((member) => member.startsWith('max-age='))?.slice('max-age='.length) ?? 0);
  const isCacheable = seconds > 0 && seconds <= MAX_REDIRECT_DAYS * 86_400 && !control.includes('immutable');
  const expected = `Cache-Control with a max-age of at most ${MAX_REDIRECT_DAYS} days`;
  const details = { expected, found: shown(response, 'Cache-Control'), hint };
  return [
    passed('redirect/status', label),
    judged('headers/cache', isCacheable, 'A redirect of an old path cannot be cached, or for ever.', details),
  ];
}

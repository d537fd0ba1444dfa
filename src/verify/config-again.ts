import { printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import type { Exchange } from './ask.ts';
import { type Deployment, firstOfEach, themeName } from './build.ts';
import { configRequest, type Responded, themeOf } from './config-theme.ts';
import { cacheNamed } from './headers.ts';
import { anonymousTheme } from './hostnames.ts';

/**
 * Requesters once more, after others have asked: the anonymous one, and of each rule one whose key gives another theme and one whose
 * key does not. What a shared cache has stored for one of them, another would get now. That a response was stored proves nothing:
 * Varnish and CloudFront store each theme once, and choose it for each request.
 */
export function againExchanges(deployment: Deployment, responded: readonly Responded[]): Exchange[] {
  const { build } = deployment;
  if (new Set(responded.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ requester: { rule, theme } }: Responded): string =>
    `${rule === undefined ? '' : build.rules.identity.indexOf(rule)} ${theme === fallback}`;
  return firstOfEach(responded, kindOf).map(({ requester, response: before }) => {
    const who = requester.name === 'anonymous' ? 'anonymous clients get' : `${printable(requester.name)} gets`;
    return {
      id: 'config/shared-cache',
      request: configRequest(deployment, requester),
      is: ({ sha256 }) =>
        sha256 === before.sha256 || !responded.some(({ response: theirs }) => theirs.sha256 === sha256),
      expected: themeName(build, requester.theme),
      found: (response) => themeName(build, themeOf(build, response) ?? ''),
      message: `After requests from others, ${who} the theme of another requester.`,
      hint: (response) => {
        const cache = cacheNamed(response);
        return `A shared cache in front${cache === '' ? '' : ` (${cache})`} stores CONFIG: exclude ${CONFIG.path} from it, and see ${build.rulesAt}.`;
      },
    };
  });
}

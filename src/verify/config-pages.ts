import { CONFIG } from '../document/endpoint.ts';
import { type Deployment, type LiveList, themeName } from './build.ts';
import type { Responded } from './config-theme.ts';
import { type Exchange, requestTo, urlOf, WHOLE } from './exchange.ts';
import { judged } from './result.ts';

/** The page of CONFIG, as one requester of each theme whose JSON is right: it must not be that of another theme. */
export function pageExchanges({ url, build }: Deployment, live: LiveList, responded: readonly Responded[]): Exchange[] {
  if (!live.isCurrent) return [];
  const published = (file: string): string | undefined => build.files.get(CONFIG.path.slice(1) + file)?.sha256;
  const pages = new Map(build.rules.themes.map((slug) => [published(`${slug}.html`), slug]));
  const right = responded.filter(({ requester, response }) => response.sha256 === published(`${requester.theme}.json`));
  const first = new Map(right.toReversed().map(({ requester }) => [requester.theme, requester]));
  return [...first.values()].map(({ theme, headers }): Exchange => {
    const request = requestTo(url, CONFIG.path, { headers: { Accept: 'text/html', ...headers }, ...WHOLE });
    return {
      id: 'page/theme',
      request,
      judge: (response) => {
        // Something on the way may write into pages: what is no page of this build is no page of another theme.
        const found = pages.get(response.sha256) ?? theme;
        return [
          judged('page/theme', found === theme, 'The page of CONFIG shows a different theme from its JSON.', {
            expected: themeName(build, theme),
            found: themeName(build, found),
            hint: `The host must choose both by user: see ${build.rulesAt}.`,
            url: urlOf(request),
          }),
        ];
      },
    };
  });
}

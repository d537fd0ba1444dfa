import { CONFIG } from '../document/endpoint.ts';
import { prettyJson } from '../document/pretty-json.ts';
import { configRecord } from '../document/record.ts';
import { type Build, type Deployment, type Kind, type LiveList, themeName } from './build.ts';
import { publishedHash, type Responded, rightRequesters } from './config-theme.ts';
import { type Exchange, type HttpResponse, requestTo, textOf, urlOf, WHOLE } from './exchange.ts';
import { judged } from './result.ts';

/** The page of CONFIG, as one requester of each theme whose JSON is right: it must not be that of another theme or build. */
export function pageExchanges(deployment: Deployment, live: LiveList, responded: readonly Responded[]): Exchange[] {
  const { url, build } = deployment;
  if (!live.isCurrent) return [];
  const pages = new Map(build.rules.themes.map((slug) => [publishedHash(build, `${slug}.html`), slug]));
  const right = rightRequesters(build, responded);
  const first = new Map(right.toReversed().map((requester) => [requester.theme, requester]));
  return [...first.values()].map(({ theme, headers }): Exchange => {
    const request = requestTo(url, CONFIG.path, { headers: { Accept: 'text/html', ...headers }, ...WHOLE });
    return {
      id: 'page/theme',
      request,
      judge: (response) => {
        const found = pages.get(response.sha256);
        const isRight = found === theme || (found === undefined && !isStalePage(build, 'config', theme, response));
        return [
          judged('page/theme', isRight, 'The page of CONFIG shows a different theme from its JSON.', {
            expected: themeName(build, theme),
            found: found === undefined ? 'a page of another theme or build' : themeName(build, found),
            hint: `The host must choose both by user, from phase 2 of manifest.json: see ${build.rulesAt}.`,
            url: urlOf(request),
          }),
        ];
      },
    };
  });
}

/** Whether a page does not show the document of this build. Something on the way may write into pages, so the text of it counts. */
export function isStalePage(build: Build, kind: Kind, theme: string, response: HttpResponse): boolean {
  const isPage = response.status === 200 && response.headers['content-type']?.startsWith('text/html') === true;
  const record = build.list[build.rules.themes.indexOf(theme)];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const shown = [...prettyJson(document)].map(({ text }) => text).join('');
  return isPage && response.end === 'complete' && !lettersOf(textOf(response)).includes(lettersOf(shown));
}

/** The letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}

import { count } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { prettyJson } from '../document/pretty-json.ts';
import { configRecord } from '../document/record.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, requestTo, textOf, WHOLE } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { type Deployment, ENDPOINTS, firstOfEach, type Kind, themeName, title } from './build.ts';
import { publishedHash, type Responded, rightRequesters } from './config-theme.ts';
import { anonymousTheme } from './hostnames.ts';
import { judged, type Result } from './result.ts';

/** Whether a page of an anonymous client is that of this build; if something on the way has written into it, whether its text is. */
export function pageResults(build: Build, kind: Kind, response: HttpResponse): Result[] {
  const file = build.files.get(`${ENDPOINTS[kind].path.slice(1)}browse.html`);
  if (file === undefined) return [];
  const isStale = response.sha256 !== file.sha256 && isStalePage(build, kind, anonymousTheme(build), response);
  const details = {
    expected: `${file.path}, ${count(file.bytes, 'byte')}`,
    found: `another page, ${count(response.bytes, 'byte')}`,
  };
  const shows = judged('page/theme', !isStale, `The page of ${title(kind)} does not show the document of this build.`, {
    ...details,
    hint: 'Upload phase 2 of manifest.json again, and purge the caches in front.',
  });
  if (isStale) return [shows];
  const isSame = response.sha256 === file.sha256;
  const hint =
    'A proxy or CDN modifies pages (analytics, e-mail protection), or the upload of phase 2 of manifest.json is incomplete.';
  return [shows, judged('page/document', isSame, 'The browsable page is modified.', { ...details, hint })];
}

/** The page of CONFIG, as one requester of each theme whose JSON is right: it must not be that of another theme or build. */
export function pageExchanges({ url, build }: Deployment, responded: readonly Responded[]): Exchange[] {
  const pages = new Map(build.rules.themes.map((slug) => [publishedHash(build, `${slug}.html`), slug]));
  const requesters = firstOfEach(rightRequesters(build, responded), ({ theme }) => theme);
  return requesters.map(({ theme, headers }) => ({
    id: 'page/theme',
    request: requestTo(url, CONFIG.path, { headers: { Accept: 'text/html', ...headers }, ...WHOLE }),
    is: (response) => {
      const served = pages.get(response.sha256);
      return served === theme || (served === undefined && !isStalePage(build, 'config', theme, response));
    },
    expected: themeName(build, theme),
    found: (response) => {
      const served = pages.get(response.sha256);
      return served === undefined ? 'a page of another theme or build' : themeName(build, served);
    },
    message: 'The page of CONFIG shows a different theme from its JSON.',
    hint: `The host must choose both by user, from phase 2 of manifest.json: see ${build.rulesAt}.`,
  }));
}

/** Whether a page does not show the document of this build. Something on the way may write into pages, so the text of it counts. */
function isStalePage(build: Build, kind: Kind, theme: string, response: HttpResponse): boolean {
  const isPage = response.status === 200 && response.headers['content-type']?.startsWith('text/html') === true;
  const record = build.list[build.rules.themes.indexOf(theme)];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  return isPage && response.end === 'complete' && !lettersOf(textOf(response)).includes(lettersOf(text));
}

/** The letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}

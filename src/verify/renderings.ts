import { count } from '../diagnostics/quote.ts';
import { CONFIG, CONTENT_TYPES } from '../document/endpoint.ts';
import { prettyJson } from '../document/pretty-json.ts';
import { configRecord } from '../document/record.ts';
import { type Deployment, ENDPOINTS, type Gets, type Kind, kindsOf, themeName, title } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import type { Rendering } from '../edge-runtime/rules.ts';
import type { CheckId } from './checks.ts';
import { publishedHash, type Responded, rightRequesters } from './config-theme.ts';
import { type HttpResponse, requestTo, statusOf, textOf, WHOLE } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { endpointResults, isType, headerText } from './headers.ts';
import { anonymousTheme } from './hostnames.ts';
import { judged, type Result } from './result.ts';

/** The Accept header of a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** One way to ask for a rendering, and the response that the contract requires. */
interface Case {
  id: CheckId;
  query: string;
  accept: string;
  expected: Rendering['name'] | 404 | 406;
}

const CASES: readonly Case[] = [
  { id: 'rendering/format', query: '?format=json', accept: '*/*', expected: 'json' },
  { id: 'rendering/format', query: '?format=api', accept: '*/*', expected: 'html' },
  { id: 'rendering/format', query: '?format=css', accept: '*/*', expected: 'css' },
  { id: 'rendering/format', query: '?format=xml', accept: '*/*', expected: 404 },
  { id: 'rendering/accept', query: '', accept: BROWSER, expected: 'html' },
  { id: 'rendering/accept', query: '', accept: 'image/png', expected: 406 },
];

/** Content negotiation by `format` and Accept, on the endpoints that respond. */
export function renderingExchanges(deployment: Deployment, gets: Gets): Exchange[] {
  return kindsOf(gets).flatMap((kind) =>
    CASES.filter(({ expected }) => isOffered(deployment.build, kind, expected)).map((example) =>
      renderingExchange(deployment, kind, gets[kind], example),
    ),
  );
}

/** Whether an endpoint has a rendering: LIST has no stylesheet. */
function isOffered({ rules }: Build, kind: Kind, expected: Case['expected']): boolean {
  return typeof expected === 'number' || rules.endpoints[kind].renderings.some(({ name }) => name === expected);
}

function renderingExchange(deployment: Deployment, kind: Kind, get: HttpResponse | undefined, example: Case): Exchange {
  const { build, url } = deployment;
  const { id, query, accept, expected } = example;
  const request = requestTo(url, ENDPOINTS[kind].path + query, { headers: { Accept: accept }, ...WHOLE });
  const judge = (response: HttpResponse): Result[] => {
    const isError = typeof expected === 'number';
    const type = CONTENT_TYPES[isError ? 'json' : expected];
    const status = isError ? expected : 200;
    const asked = query === '' ? `Accept: ${accept === BROWSER ? 'text/html,… (a browser)' : accept}` : query;
    const isRight =
      response.status === status &&
      (isError ||
        isType(response, type) ||
        (response.headers['content-type'] === get?.headers['content-type'] && expected === 'json'));
    const result = judged(id, isRight, `${title(kind)} returns an unexpected response to ${asked}.`, {
      expected: isError ? String(status) : `${status}, Content-Type: ${type}`,
      found:
        response.status === status
          ? `${statusOf(response)}, ${headerText(response, 'Content-Type')}`
          : statusOf(response),
      hint: `The rules of the host choose the rendering by \`format\` and Accept: see ${build.rulesAt}.`,
    });
    if (!isRight) return [result];
    const { headers, endpoints } = build.rules;
    if (isError) return [result, ...endpointResults(build, kind, response, headers.error)];
    const cached = { 'Cache-Control': endpoints[kind].cacheControl };
    const own = expected === 'html' ? headers.html : expected === 'css' ? headers.css : {};
    return [
      result,
      ...endpointResults(build, kind, response, { ...cached, ...own }),
      ...(expected === 'html' ? pageResults(build, kind, response) : []),
    ];
  };
  return { id, request, judge };
}

function pageResults(build: Build, kind: Kind, response: HttpResponse): Result[] {
  const file = build.files.get(`${ENDPOINTS[kind].path.slice(1)}browse.html`);
  if (file === undefined) return [];
  const isStale = response.sha256 !== file.sha256 && isStalePage(build, kind, anonymousTheme(build), response);
  const shows = judged('page/theme', !isStale, `The page of ${title(kind)} does not show the document of this build.`, {
    expected: `${file.path}, ${count(file.bytes, 'byte')}`,
    found: `another page, ${count(response.bytes, 'byte')}`,
    hint: 'Upload phase 2 of manifest.json again, and purge the caches in front.',
  });
  if (isStale) return [shows];
  const isPage = /<title>/i.test(textOf(response));
  const document = judged('page/document', response.sha256 === file.sha256, 'The browsable page is modified.', {
    expected: `${file.path}, ${count(file.bytes, 'byte')}`,
    found: isPage ? `another page, ${count(response.bytes, 'byte')}` : 'no page',
    hint: 'A proxy or CDN modifies pages (analytics, e-mail protection), or the upload of phase 2 of manifest.json is incomplete.',
  });
  return [shows, document];
}

/** The page of CONFIG, as one requester of each theme whose JSON is right: it must not be that of another theme or build. */
export function pageExchanges(deployment: Deployment, responded: readonly Responded[]): Exchange[] {
  const { url, build } = deployment;
  const pages = new Map(build.rules.themes.map((slug) => [publishedHash(build, `${slug}.html`), slug]));
  const right = rightRequesters(build, responded);
  const first = new Map(right.toReversed().map((requester) => [requester.theme, requester]));
  return [...first.values()].map(({ theme, headers }): Exchange => {
    const request = requestTo(url, CONFIG.path, { headers: { Accept: 'text/html', ...headers }, ...WHOLE });
    return {
      id: 'page/theme',
      request,
      judge: (response) => {
        const served = pages.get(response.sha256);
        const isRight = served === theme || (served === undefined && !isStalePage(build, 'config', theme, response));
        return [
          judged('page/theme', isRight, 'The page of CONFIG shows a different theme from its JSON.', {
            expected: themeName(build, theme),
            found: served === undefined ? 'a page of another theme or build' : themeName(build, served),
            hint: `The host must choose both by user, from phase 2 of manifest.json: see ${build.rulesAt}.`,
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
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  return isPage && response.end === 'complete' && !lettersOf(textOf(response)).includes(lettersOf(text));
}

/** The letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}

import { CONTENT_TYPES } from '../document/endpoint.ts';
import type { Rendering } from '../edge-runtime/rules.ts';
import { detail } from '../hosts/contract.ts';
import { type HttpResponse, jsonOf, type Outcome, requestTo, startOf, statusOf, WHOLE } from '../http/exchange.ts';
import { type Asking, evaluated, type Exchange } from './ask.ts';
import { type Deployment, ENDPOINTS, type Gets, type Kind, kindsOf, title } from './build.ts';
import type { CheckId } from './checks.ts';
import { endpointResults, headerText, isType } from './headers.ts';
import { pageResults } from './pages.ts';
import { judged, type Result } from './result.ts';

/** HEAD and the renderings of the endpoints that respond. */
export function endpointExchanges(deployment: Deployment, gets: Gets): Exchange[] {
  const { endpoints } = deployment.build.rules;
  return kindsOf(gets).flatMap((kind) => [
    headExchange(deployment, kind, gets),
    ...RENDERINGS.filter(
      ({ expected }) =>
        typeof expected === 'number' || endpoints[kind].renderings.some(({ name }) => name === expected),
    ).map((row) => renderingExchange(deployment, kind, gets, row)),
  ]);
}

const SAME_HEADERS = ['Content-Type', 'Cache-Control', 'Vary', 'Allow', 'ETag', 'Content-Length'];

/** RFC 9110, §9.3.2: the header fields that GET would have; it may leave out Content-Length. */
function headExchange({ url, build }: Deployment, kind: Kind, gets: Gets): Exchange {
  const get = gets[kind] as HttpResponse;
  const id = 'method/head';
  const message = `HEAD ${title(kind)} differs from GET.`;
  const hint = `See ${build.rulesAt}.`;
  return {
    id,
    request: requestTo(url, ENDPOINTS[kind].path, { method: 'HEAD', headers: { Accept: 'application/json' } }),
    is: get.status,
    message,
    hint,
    also: (response) => {
      const length = response.headers['content-length'] === undefined ? undefined : String(get.bytes);
      const wanted = { headers: { ...get.headers, 'content-length': length } };
      return SAME_HEADERS.map((name) => {
        const [expected, found] = [headerText(wanted, name), headerText(response, name)];
        return judged(id, expected === found, message, { expected, found, hint });
      });
    },
  };
}

function optionsExchange({ url, build }: Deployment, kind: Kind): Exchange {
  const { name, path } = ENDPOINTS[kind];
  return {
    id: 'method/options',
    request: requestTo(url, path, { method: 'OPTIONS' }),
    is: (response) => response.status === 200 && (jsonOf(response) as { name?: unknown } | undefined)?.name === name,
    expected: `200 with ${path.slice(1)}options.json`,
    message: `OPTIONS ${title(kind)} does not describe the endpoint.`,
    hint: `Many hosts and CDNs handle OPTIONS themselves: forward it on ${path}; see ${build.rulesAt}.`,
    also: (response) => endpointResults(build, kind, response),
  };
}

/** The methods that themecast refuses, with their statuses. */
const REFUSED = [
  ['POST', 'list', 403],
  ['PUT', 'list', 405],
  ['POST', 'config', 405],
  ['PUT', 'config', 405],
] as const;

/** Those methods, without a body. @param proved - the endpoints that may be sent them: see {@link proofOf} */
export function refusedExchanges({ url, build }: Deployment, proved: ReadonlySet<Kind>): Exchange[] {
  return REFUSED.filter(([, kind]) => proved.has(kind)).map(([method, kind, status]) => {
    const body = status === 403 ? build.rules.refusals.post : detail(`Method "${method}" not allowed.`);
    return {
      id: status === 403 ? 'method/post' : 'method/not-allowed',
      request: requestTo(url, ENDPOINTS[kind].path, { method, headers: { 'Content-Length': '0' } }),
      is: (response) => {
        const { detail: reason } = { detail: undefined, ...(jsonOf(response) as object | undefined) };
        return response.status === status && typeof reason === 'string';
      },
      expected: `${status} ${body}`,
      found: (response) => `${statusOf(response)} ${startOf(response)}`,
      message: `${method} ${title(kind)} is not rejected with a reason.`,
      hint: `A client would assume that its change succeeded, or not know why it did not: see ${build.rulesAt}.`,
      also: (response) => endpointResults(build, kind, response, build.rules.headers.error),
    };
  });
}

/** The Accept header of a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** One way to ask for a rendering, and the response that the contract requires. */
interface RenderingRow {
  id: CheckId;
  query: string;
  accept: string;
  expected: Rendering['name'] | 404 | 406;
}

const PAGE: RenderingRow = { id: 'rendering/format', query: '?format=api', accept: '*/*', expected: 'html' };
const RENDERINGS: readonly RenderingRow[] = [
  { id: 'rendering/format', query: '?format=json', accept: '*/*', expected: 'json' },
  { id: 'rendering/format', query: '?format=css', accept: '*/*', expected: 'css' },
  { id: 'rendering/format', query: '?format=xml', accept: '*/*', expected: 404 },
  { id: 'rendering/accept', query: '', accept: BROWSER, expected: 'html' },
  { id: 'rendering/accept', query: '', accept: 'image/png', expected: 406 },
];

function renderingExchange({ build, url }: Deployment, kind: Kind, gets: Gets, row: RenderingRow): Exchange {
  const { id, query, accept, expected } = row;
  const { headers, endpoints } = build.rules;
  const isError = typeof expected === 'number';
  const [status, type] = isError ? [expected, CONTENT_TYPES.json] : [200, CONTENT_TYPES[expected]];
  const asked = query === '' ? `Accept: ${accept === BROWSER ? 'text/html,… (a browser)' : accept}` : query;
  const own = { json: {}, html: headers.html, css: headers.css };
  const isOfGet = ({ headers: { 'content-type': sent } }: HttpResponse): boolean =>
    expected === 'json' && sent === gets[kind]?.headers['content-type'];
  return {
    id,
    request: requestTo(url, ENDPOINTS[kind].path + query, { headers: { Accept: accept }, ...WHOLE }),
    is: (response) => response.status === status && (isError || isType(response, type) || isOfGet(response)),
    expected: isError ? String(status) : `${status}, Content-Type: ${type}`,
    found: (response) =>
      response.status === status ? `${status}, ${headerText(response, 'Content-Type')}` : statusOf(response),
    message: `${title(kind)} returns an unexpected response to ${asked}.`,
    hint: `The rules of the host choose the rendering by \`format\` and Accept: see ${build.rulesAt}.`,
    also: (response) => {
      if (isError) return endpointResults(build, kind, response, headers.error);
      const more = { 'Cache-Control': endpoints[kind].cacheControl, ...own[expected] };
      const page = expected === 'html' ? pageResults(build, kind, response) : [];
      return [...endpointResults(build, kind, response, more), ...page];
    },
  };
}

/** Where the service is proved to be this build, and the pages by which it is. */
export interface Proof {
  results: readonly Result[];
  proved: ReadonlySet<Kind>;
  pages: Gets;
}

/**
 * The page and the metadata of the endpoints that respond; and which endpoints are proved to be of this build: those alone may be sent
 * methods that a service could act on.
 *
 * The list is no proof: a service that themes were imported from may list the same ones, images included. Nor is any other
 * published file, `manifest.json` or an image: while the endpoints are moved from one service to another, files and endpoints
 * may be served by different ones. So each endpoint itself has to send its JSON, its browsable page, which only themecast
 * writes, and its metadata, byte for byte; the latter by OPTIONS, as proxies that divide reading from writing count it with
 * writing.
 */
export function* proofOf(deployment: Deployment, gets: Gets): Asking<Proof> {
  const { files } = deployment.build;
  const results: Result[] = [];
  const proved = new Set<Kind>();
  const pages: Partial<Record<Kind, HttpResponse>> = {};
  for (const kind of kindsOf(gets)) {
    const exchanges = [renderingExchange(deployment, kind, gets, PAGE), optionsExchange(deployment, kind)];
    const outcomes = yield exchanges.map(({ request }) => request);
    results.push(...exchanges.flatMap((exchange, at) => evaluated(exchange, outcomes[at])));
    const isPublished = (outcome: Outcome | undefined, file: string): outcome is HttpResponse =>
      isOk(outcome) && outcome.sha256 === files.get(ENDPOINTS[kind].path.slice(1) + file)?.sha256;
    const [page, options] = outcomes;
    if (isOk(page)) pages[kind] = page;
    if (
      isPublished(gets[kind], 'index.json') &&
      isPublished(page, 'browse.html') &&
      isPublished(options, 'options.json')
    )
      proved.add(kind);
  }
  return { results, proved, pages };
}

function isOk(outcome: Outcome | undefined): outcome is HttpResponse {
  return outcome !== undefined && 'status' in outcome && outcome.status === 200 && outcome.end === 'complete';
}

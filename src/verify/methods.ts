import { detail } from '../hosts/contract.ts';
import { type HttpResponse, jsonOf, type Request, requestTo, statusOf, textOf } from '../http/exchange.ts';
import type { Asking, Exchange } from './ask.ts';
import { type Deployment, ENDPOINTS, type Gets, type Kind, kindsOf, title } from './build.ts';
import { endpointResults, headerText } from './headers.ts';
import { fault, judged, passed, type Result } from './result.ts';

/** The methods that themecast refuses, with their statuses. */
const REFUSED = [
  ['POST', 'list', 403],
  ['PUT', 'list', 405],
  ['POST', 'config', 405],
  ['PUT', 'config', 405],
] as const;

/**
 * HEAD and OPTIONS; and the methods that themecast refuses, without a body.
 * @param proved - endpoints that may be sent those: see `proofOf`
 */
export function methodExchanges(deployment: Deployment, gets: Gets, proved: ReadonlySet<Kind>): Exchange[] {
  return [
    ...kindsOf(gets).flatMap((kind) => [headExchange(deployment, kind, gets), optionsExchange(deployment, kind, gets)]),
    ...REFUSED.flatMap(([method, kind, status]) =>
      proved.has(kind) && kind in gets ? [refusedExchange(deployment, method, kind, status, gets)] : [],
    ),
  ];
}

const SAME_HEADERS = ['Content-Type', 'Cache-Control', 'Vary', 'Allow', 'ETag'];

/** RFC 9110, §9.3.2: the header fields that GET would have. */
function headExchange({ url, build }: Deployment, kind: Kind, gets: Gets): Exchange {
  const request = requestTo(url, ENDPOINTS[kind].path, { method: 'HEAD', headers: { Accept: 'application/json' } });
  const get = gets[kind] as HttpResponse;
  const differs = (expected: string, found: string): Result =>
    fault('method/head', `HEAD ${title(kind)} differs from GET.`, { expected, found, hint: `See ${build.rulesAt}.` });
  const judge = (response: HttpResponse): Result[] => {
    if (response.status !== get.status) return [differs(String(get.status), statusOf(response))];
    const length = response.headers['content-length'];
    const faults = SAME_HEADERS.filter(
      (name) => response.headers[name.toLowerCase()] !== get.headers[name.toLowerCase()],
    ).map((name) => differs(headerText(get, name), headerText(response, name)));
    if (length !== undefined && Number(length) !== get.bytes)
      faults.push(differs(`Content-Length: ${get.bytes}`, headerText(response, 'Content-Length')));
    return faults.length === 0 ? [passed('method/head')] : faults;
  };
  return { id: 'method/head', request, judge };
}

function optionsExchange({ url, build }: Deployment, kind: Kind, gets: Gets): Exchange {
  const { name, path } = ENDPOINTS[kind];
  const judge = (response: HttpResponse): Result[] => {
    const document = jsonOf(response) as { name?: unknown } | undefined;
    const isMetadata = response.status === 200 && document?.name === name;
    const result = judged('method/options', isMetadata, `OPTIONS ${title(kind)} does not describe the endpoint.`, {
      expected: `200 with ${path.slice(1)}options.json`,
      found: response.status === 200 ? `200 with ${contentOf(response, gets)}` : statusOf(response),
      hint: `Many hosts and CDNs handle OPTIONS themselves: forward it on ${path}; see ${build.rulesAt}.`,
    });
    return result.ok ? [result, ...endpointResults(build, kind, response)] : [result];
  };
  return { id: 'method/options', request: requestTo(url, path, { method: 'OPTIONS' }), judge };
}

function refusedExchange(
  { url, build }: Deployment,
  method: Request['method'],
  kind: Kind,
  status: number,
  gets: Gets,
): Exchange {
  const id = status === 403 ? 'method/post' : 'method/not-allowed';
  const request = requestTo(url, ENDPOINTS[kind].path, { method, headers: { 'Content-Length': '0' } });
  const body = status === 403 ? build.rules.refusals.post : detail(`Method "${method}" not allowed.`);
  const judge = (response: HttpResponse): Result[] => {
    const isDone = response.status < 300;
    if (response.status !== status)
      return [
        fault(id, `${method} ${title(kind)} is not rejected.`, {
          expected: `${status} ${body}`,
          found: isDone ? `${response.status} with ${contentOf(response, gets)}` : statusOf(response),
          hint: `${isDone ? 'A client would assume that its change succeeded' : 'An unexpected status misleads clients'}: see ${build.rulesAt}.`,
        }),
      ];
    const { detail: reason } = { detail: undefined, ...(jsonOf(response) as object | undefined) };
    const message = `The error response to ${method} ${title(kind)} has no reason.`;
    const hint = `The host sends its own page for ${status}: see ${build.rulesAt}.`;
    return [
      judged(id, typeof reason === 'string', message, { expected: body, found: contentOf(response, gets), hint }),
      ...endpointResults(build, kind, response, build.rules.headers.error),
    ];
  };
  return { id, request, judge };
}

/** What a body is, in a few words. */
function contentOf(response: HttpResponse, { list, config }: Gets): string {
  if (response.bytes === 0) return 'an empty body';
  if (response.sha256 === list?.sha256) return 'the body of GET LIST';
  if (response.sha256 === config?.sha256) return 'the body of GET CONFIG';
  if (textOf(response).trimStart().startsWith('<')) return 'an HTML page';
  return jsonOf(response) === undefined ? 'another body' : 'other JSON';
}

/** What an endpoint returns if this build is behind it, and how that is asked for. */
const DOCUMENTS = [
  { method: 'GET', query: '', accept: 'application/json', file: 'index.json' },
  { method: 'GET', query: '?format=api', accept: 'text/html', file: 'browse.html' },
  { method: 'OPTIONS', query: '', accept: '*/*', file: 'options.json' },
] as const;

/** Where the service is proved to be this build, and the pages by which it is. */
export interface Proof {
  proved: ReadonlySet<Kind>;
  pages: Readonly<Partial<Record<Kind, HttpResponse>>>;
}

/**
 * Which endpoints are proved to be of this build: those alone may be sent methods that a service could act on.
 *
 * The list is no proof: a service that themes were imported from may list the same ones, images included. Nor is any other
 * published file, `manifest.json` or an image: while the endpoints are moved from one service to another, files and endpoints
 * may be served by different ones. So each endpoint itself has to send its JSON, its browsable page, which only themecast
 * writes, and its metadata, byte for byte; the latter by OPTIONS, as proxies that divide reading from writing count it with
 * writing.
 */
export function* proofOf({ url, build }: Deployment): Asking<Proof> {
  const proved = new Set<Kind>(['list', 'config']);
  const pages: Partial<Record<Kind, HttpResponse>> = {};
  const documents = [...proved].flatMap((kind) => DOCUMENTS.map((document) => ({ kind, ...document })));
  const outcomes = yield documents.map(({ kind, method, query, accept }) =>
    requestTo(url, ENDPOINTS[kind].path + query, { method, headers: { Accept: accept } }),
  );
  for (const [index, { kind, file }] of documents.entries()) {
    const response = outcomes[index];
    const isResponse = response !== undefined && !('noResponse' in response) && response.status === 200;
    const published = build.files.get(ENDPOINTS[kind].path.slice(1) + file);
    if (!isResponse || response.end !== 'complete' || response.sha256 !== published?.sha256) proved.delete(kind);
    if (isResponse && file === 'browse.html') pages[kind] = response;
  }
  return { proved, pages };
}

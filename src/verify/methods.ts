import { CONFIG, type Endpoint, LIST } from '../document/endpoint.ts';
import { detail } from '../hosts/contract.ts';
import { type Deployment, type Kind, title } from './build.ts';
import type { CheckId } from './checks.ts';
import { type HttpResponse, jsonOf, type Request, requestTo, statusOf, textOf } from '../http/exchange.ts';
import type { Asking, Exchange } from './ask.ts';
import { endpointResults, shown } from './headers.ts';
import { fault, judged, passed, type Result } from './result.ts';

/** The response to GET: the other methods are compared with it. */
export type Gets = Readonly<Partial<Record<Kind, HttpResponse>>>;

/** The endpoints that respond. */
export function kindsOf(gets: Gets): Kind[] {
  return Object.keys(gets) as Kind[];
}

export const ENDPOINTS: Readonly<Record<Kind, Endpoint>> = { list: LIST, config: CONFIG };

/**
 * HEAD and OPTIONS; and the methods that themecast refuses, without a body.
 * @param proved - endpoints that may be sent those: see `proofOf`
 */
export function methodExchanges(deployment: Deployment, gets: Gets, proved: ReadonlySet<Kind>): Exchange[] {
  const kinds = kindsOf(gets);
  const refused: readonly [Request['method'], Kind, number][] = [
    ['POST', 'list', 403],
    ['PUT', 'list', 405],
    ['POST', 'config', 405],
    ['PUT', 'config', 405],
  ];
  return [
    ...kinds.flatMap((kind) => [headExchange(deployment, kind, gets), optionsExchange(deployment, kind, gets)]),
    ...refused
      .filter(([, kind]) => proved.has(kind) && kinds.includes(kind))
      .map(([method, kind, status]) => refusedExchange(deployment, method, kind, status, gets)),
  ];
}

const SAME_HEADERS = ['Content-Type', 'Cache-Control', 'Vary', 'Allow', 'ETag'];

/** RFC 9110, §9.3.2: the header fields that GET would have. */
function headExchange({ url, build }: Deployment, kind: Kind, gets: Gets): Exchange {
  const request = requestTo(url, ENDPOINTS[kind].path, { method: 'HEAD', headers: { Accept: 'application/json' } });
  const get = gets[kind] as HttpResponse;
  const other = (text: { expected: string; found: string }): Result =>
    fault('method/head', `HEAD ${title(kind)} differs from GET.`, {
      ...text,
      hint: `See ${build.rulesAt}.`,
    });
  const judge = (response: HttpResponse): Result[] => {
    if (response.status !== get.status) return [other({ expected: String(get.status), found: statusOf(response) })];
    const length = response.headers['content-length'];
    const faults = SAME_HEADERS.filter(
      (name) => response.headers[name.toLowerCase()] !== get.headers[name.toLowerCase()],
    ).map((name) => other({ expected: shown(get, name), found: shown(response, name) }));
    if (length !== undefined && Number(length) !== get.bytes) {
      faults.push(other({ expected: `Content-Length: ${get.bytes}`, found: shown(response, 'Content-Length') }));
    }
    return faults.length === 0 ? [passed('method/head')] : faults;
  };
  return { id: 'method/head', request, judge };
}

function optionsExchange({ url, build }: Deployment, kind: Kind, gets: Gets): Exchange {
  const { name, path } = ENDPOINTS[kind];
  const request = requestTo(url, path, { method: 'OPTIONS' });
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
  return { id: 'method/options', request, judge };
}

function refusedExchange(
  { url, build }: Deployment,
  method: Request['method'],
  kind: Kind,
  status: number,
  gets: Gets,
): Exchange {
  const id: CheckId = status === 403 ? 'method/post' : 'method/not-allowed';
  const { path } = ENDPOINTS[kind];
  const request = requestTo(url, path, { method, headers: { 'Content-Length': '0' } });
  const body = status === 403 ? build.rules.refusals.post : detail(`Method "${method}" not allowed.`);
  const judge = (response: HttpResponse): Result[] => {
    if (response.status !== status) {
      return [
        fault(id, `${method} ${title(kind)} is not rejected.`, {
          expected: `${status} ${body}`,
          found: response.status < 300 ? `${response.status} with ${contentOf(response, gets)}` : statusOf(response),
          hint:
            response.status < 300
              ? `A client would assume that its change succeeded: see ${build.rulesAt}.`
              : `An unexpected status misleads clients: see ${build.rulesAt}.`,
        }),
      ];
    }
    return [
      judged(
        id,
        typeof (jsonOf(response) as { detail?: unknown } | undefined)?.detail === 'string',
        `The error response to ${method} ${title(kind)} has no reason.`,
        {
          expected: body,
          found: contentOf(response, gets),
          hint: `The host sends its own page for ${status}: see ${build.rulesAt}.`,
        },
      ),
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
export function* proofOf({ url, build }: Deployment, isCurrent: boolean): Asking<Proof> {
  if (!isCurrent) return { proved: new Set(), pages: {} };
  const asked = (['list', 'config'] as const).flatMap((kind) =>
    DOCUMENTS.map(({ method, query, accept, file }) => ({
      kind,
      name: file,
      published: build.files.get(ENDPOINTS[kind].path.slice(1) + file),
      request: requestTo(url, ENDPOINTS[kind].path + query, { method, headers: { Accept: accept } }),
    })),
  );
  const outcomes = yield asked.map(({ request }) => request);
  const responses = outcomes.map((outcome) => ('noResponse' in outcome ? undefined : outcome));
  const isPublished = ({ published }: (typeof asked)[number], response: HttpResponse | undefined): boolean =>
    response?.status === 200 && response.end === 'complete' && response.sha256 === published?.sha256;
  const missing = new Set(asked.flatMap((one, index) => (isPublished(one, responses[index]) ? [] : [one.kind])));
  const pages = asked.flatMap(({ kind, name }, index) => {
    const response = responses[index];
    return name === 'browse.html' && response?.status === 200 ? [[kind, response]] : [];
  });
  return {
    proved: new Set((['list', 'config'] as const).filter((kind) => !missing.has(kind))),
    pages: Object.fromEntries(pages) as Proof['pages'],
  };
}

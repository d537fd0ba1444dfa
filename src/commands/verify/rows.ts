import { ASSETS } from '../../core/document/endpoint.ts';
import type { Rendering } from '../../core/edge-runtime/rules.ts';
import { FORMATS } from '../../core/image/format.ts';
import { redirectPairs } from '../../hosts/redirects.ts';
import { type Request, requestTo, WHOLE } from '../../system/http/exchange.ts';
import type { Deployment, Headers, Requester } from './build.ts';
import { foreignOrigins } from './build.ts';
import type { CheckId } from './checks.ts';
import { expectedOf, imageOf, type Route, routesOf } from './expected.ts';
import type { ContractRow } from './judge.ts';
import { CODINGS, endpointProbes, linkOf, pathProbes, type Probe, requestOf } from './table.ts';

/** Limits the total download of images, smallest first; of larger images only the headers are checked. */
const MAX_DOWNLOAD_BYTES = 300e6;
const MAX_REDIRECTS = 50;

type More = Partial<Omit<ContractRow, 'id' | 'what' | 'request' | 'expected'>>;

/** Makes a row of a request: the handler answers it. */
async function rowOf(
  deployment: Deployment,
  id: CheckId,
  what: string,
  request: Request,
  more: More = {},
): Promise<ContractRow> {
  const { requester } = more;
  const isOdd = requester?.isOdd === true || requester?.id === 'config/forged';
  const sent: Request = requester?.isOdd === undefined ? request : { ...request, isOdd: requester.isOdd };
  return { id, what, request: sent, expected: await expectedOf(deployment, request, requester?.theme), isOdd, ...more };
}

/** Requests a rendering as its usual client does, for a requester. */
export function renderingRow(
  deployment: Deployment,
  route: Route,
  rendering: Rendering,
  requester?: Requester,
): Promise<ContractRow> {
  const { kind, title, path } = route;
  const { query, accept } = linkOf(rendering);
  const { name } = rendering;
  const headers = { Accept: accept, ...requester?.headers };
  const isList = kind === 'list' && name === 'json';
  const id = name !== 'json' ? 'rendering/document' : isList ? 'list/document' : 'config/theme';
  const what = name === 'json' ? title : `${title} (${name})`;
  const request = requestTo(deployment.url, path + query, { headers, ...WHOLE });
  return rowOf(deployment, id, what, request, { kind, rendering: name, requester });
}

/** A row that was requested, with its response. */
export interface Answered {
  row: ContractRow;
  response: NonNullable<ContractRow['get']>;
}

/** Requests a rendering again by HEAD, with its own tag, and as pages of other origins. */
export function variantRows(
  deployment: Deployment,
  { row, response }: Answered,
  isWhole: boolean,
): Promise<ContractRow>[] {
  const { kind, rendering, requester, request, what } = row;
  const more = { kind, rendering, requester, get: response };
  const { corsOrigins } = deployment.build.rules;
  const origins = [...corsOrigins, ...foreignOrigins(corsOrigins).slice(0, isWhole ? undefined : 1)];
  return [
    rowOf(deployment, 'method/head', `${what} by HEAD`, { ...request, method: 'HEAD' }, more),
    ...origins.map((Origin) =>
      rowOf(deployment, 'cors/allowed', what, { ...request, headers: { ...request.headers, Origin } }, more),
    ),
  ];
}

/** Requests a rendering with its own tag: 304 refreshes the stored response, so its headers must be the same. */
export async function unmodifiedRow(
  deployment: Deployment,
  { row, response }: Answered,
  etag: string,
): Promise<ContractRow> {
  const request = { ...row.request, headers: { ...row.request.headers, 'If-None-Match': etag } };
  const expected = await expectedOf(deployment, row.request, row.requester?.theme, true);
  return {
    ...row,
    id: 'conditional/own',
    what: `${row.what} with its own ETag`,
    request,
    expected,
    get: response,
    only: '304',
  };
}

/** Requests documents again in each content coding: a host may store a compressed copy of each. */
export function codedRows(rows: readonly { row: ContractRow; response?: ContractRow['get'] }[]): ContractRow[] {
  return rows.flatMap(({ row, response }) =>
    CODINGS.map((coding): ContractRow => {
      const headers = { ...row.request.headers, 'Accept-Encoding': coding };
      return {
        ...row,
        id: 'compression/document',
        request: { ...row.request, headers, decode: true },
        coding,
        get: response,
      };
    }),
  );
}

/** Requests an endpoint in every other way: Accept, formats, OPTIONS, without slash, preflights. */
export function endpointRows(deployment: Deployment, route: Route): Promise<ContractRow>[] {
  const { url, build } = deployment;
  const { corsOrigins, corsHeaders, endpoints } = build.rules;
  const all = [
    ...new Map(Object.values(endpoints).flatMap((each) => each.renderings.map((one) => [one.name, one]))).values(),
  ];
  const asked = corsHeaders.length > 0 && { 'Access-Control-Request-Headers': corsHeaders.join(', ') };
  const preflights = [...corsOrigins, ...foreignOrigins(corsOrigins)].map((Origin): Probe => {
    const headers: Headers = { Origin, 'Access-Control-Request-Method': 'GET', ...asked };
    return { what: `A preflight of ${route.title}`, kind: route.kind, method: 'OPTIONS', path: route.path, headers };
  });
  return [...endpointProbes(route, all), ...preflights].map((probe) => {
    const { what, kind, method, headers, path } = probe;
    const isSlash = !path.split('?')[0]?.endsWith('/');
    const isPreflight = headers['Origin'] !== undefined;
    const id = isPreflight
      ? 'cors/allowed'
      : method === 'OPTIONS'
        ? 'method/options'
        : isSlash
          ? 'path/slash'
          : 'rendering/choice';
    return rowOf(deployment, id, what, requestOf(probe, url), { kind, ...(isPreflight && { only: 'cors' }) }).then(
      (row) => ({
        ...row,
        rendering: row.expected.status === 200 ? renderingOf(route, row) : undefined,
      }),
    );
  });
}

/** Returns the rendering of the file that is expected. */
function renderingOf({ endpoint }: Route, { expected: { file } }: ContractRow): string | undefined {
  return endpoint.renderings.find(({ name }) => file?.path.endsWith(`.${name}`))?.name;
}

/** Requests other paths: suffixes of Django REST Framework, and the files behind the endpoints. */
export function pathRows(deployment: Deployment): Promise<ContractRow>[] {
  const { url, build } = deployment;
  const routes = routesOf(build.rules);
  const files = routes.flatMap(({ kind, path, endpoint }) => [
    ...endpoint.renderings.map(
      ({ file }) => path + (kind === 'config' ? file.replace(/^index/, build.rules.themes[0] ?? 'index') : file),
    ),
    endpoint.options,
  ]);
  const missing = pathProbes(build.list[0], build.rules.themes[0]);
  const isTheme = (path: string): boolean =>
    routes.some((route) => route.kind === 'theme' && route.path === path.replace(/\/?$/, '/'));
  const paths = [...new Set([...missing.map(({ path }) => path), ...files])];
  return paths
    .filter((path) => path.startsWith(routes[0]?.path ?? '') && !isTheme(path))
    .map((path) => {
      const isEndpoint = routes.some((route) => path.split('?')[0] === route.path);
      const request = requestTo(url, path, { headers: { Accept: 'application/json' }, ...WHOLE });
      const more: More = isEndpoint ? { kind: 'list', rendering: 'json' } : {};
      return rowOf(
        deployment,
        isEndpoint ? 'rendering/choice' : 'path/not-found',
        isEndpoint ? `LIST ${path.slice(path.indexOf('?'))}` : 'A path below LIST',
        request,
        more,
      );
    });
}

/** Sends methods that every published file and endpoint refuses, without a body. */
export function refusedRows(
  deployment: Deployment,
  routes: readonly Route[],
  files: readonly ContractRow[],
): Promise<ContractRow>[] {
  const headers = { Accept: 'application/json', 'Content-Length': '0' };
  return [
    ...routes.flatMap(({ kind, title, path }) =>
      (['POST', 'PUT'] as const).map((method) =>
        rowOf(
          deployment,
          'method/refused',
          `${method} ${title}`,
          requestTo(deployment.url, path, { method, headers }),
          { kind },
        ),
      ),
    ),
    ...files.map(({ request, what }) =>
      rowOf(deployment, 'method/refused', `POST on ${what}`, { ...request, method: 'POST', headers }),
    ),
  ];
}

/** Requests the schemas and assets.json as a page of an allowed origin does. */
export function fileRows(deployment: Deployment): Promise<ContractRow>[] {
  const { schemas, records, corsOrigins } = deployment.build.rules;
  const [Origin] = corsOrigins;
  return [...schemas, ...records.filter(({ file }) => file === ASSETS)].map(({ file }) => {
    const request = requestTo(deployment.url, file, { headers: Origin === undefined ? {} : { Origin } });
    return rowOf(deployment, 'schema/document', 'a schema or assets.json', request);
  });
}

/** Requests the old paths of images. */
export function redirectRows(deployment: Deployment): Promise<ContractRow>[] {
  const { origin } = new URL(deployment.url);
  const pairs = redirectPairs(deployment.build.rules);
  const sample = pairs.slice(0, MAX_REDIRECTS);
  const label = `${sample.length} of ${pairs.length} old paths`;
  return sample.map(([target]) => {
    const request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 } as const;
    return rowOf(deployment, 'redirect/status', 'The old path of an image', request, { label });
  });
}

/**
 * Requests every image, the smallest first. An SVG is requested again in each content coding, other images by HEAD: the requests for one
 * image follow each other, so that two servers behind one address get one each.
 */
export function imageRows(deployment: Deployment): ContractRow[][] {
  const images = [...deployment.build.files.values()].filter(({ path }) => path.startsWith('media/'));
  let budget = MAX_DOWNLOAD_BYTES;
  return images
    .toSorted((a, b) => a.bytes - b.bytes)
    .map((file) => {
      budget -= file.bytes;
      const row: ContractRow = { id: 'media/image', what: 'An image', ...imageOf(deployment, file) };
      const head: ContractRow = { ...row, request: { ...row.request, method: 'HEAD' } };
      if (budget < 0) return [head];
      return file.type === FORMATS.svg.mediaType ? [row, ...codedRows([{ row }])] : [row, head];
    });
}

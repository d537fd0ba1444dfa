import { ASSETS, LIST } from '../../core/document/endpoint.ts';
import type { Rendering } from '../../core/edge-runtime/rules.ts';
import { FORMATS } from '../../core/image/format.ts';
import { printable } from '../../core/diagnostics/quote.ts';
import { redirectPairs } from '../../hosts/contract/redirects.ts';
import { type Request, requestTo, statusOf, WHOLE } from '../../system/http/exchange.ts';
import { type Deployment, type Requester, themeName } from './build.ts';
import type { CheckId } from './checks.ts';
import { documentResults, judgeList } from './documents.ts';
import { expectedOf, imageOf } from './expected.ts';
import { headerOf, headerText } from './headers.ts';
import type { Answered, Row } from './judge.ts';
import { verdict } from './result.ts';
import {
  CODINGS,
  endpointProbes,
  pathProbes,
  preflight,
  renderingProbe,
  requestOf,
  type Route,
  routesOf,
} from './table.ts';

/** Limits the total download of images, smallest first; of larger images only the headers are checked. */
const MAX_DOWNLOAD_BYTES = 300e6;
const MAX_REDIRECTS = 50;
/** Limits the pairs of responses whose validators are compared. */
const MAX_PAIRS = 12;

type More = Partial<Omit<Row, 'id' | 'what' | 'request' | 'expected'>>;

/** Makes a row of a request: the handler answers it. */
async function rowOf(
  deployment: Deployment,
  id: CheckId,
  what: string,
  request: Request,
  more: More = {},
): Promise<Row> {
  const { requester } = more;
  const { theme, isOdd, hint } = requester ?? {};
  const isRouted = request.headers['Host'] !== undefined;
  return {
    id,
    what,
    request: isOdd === undefined ? request : { ...request, isOdd },
    expected: await expectedOf(deployment, request, theme),
    isOdd: isOdd === true || requester?.id === 'config/forged',
    ...(theme !== undefined && !isRouted && { who: ` as a requester of ${themeName(deployment.build, theme)}` }),
    hint,
    more: documentResults(deployment),
    ...more,
  };
}

/** Requests a rendering as its usual client does, for a requester. */
export function renderingRow(
  deployment: Deployment,
  route: Route,
  rendering: Rendering,
  requester?: Requester,
): Promise<Row> {
  const { kind } = route;
  const { name } = rendering;
  const probe = renderingProbe(route, rendering);
  const id = name !== 'json' ? 'rendering/document' : kind === 'config' ? 'config/theme' : 'list/document';
  const request = requestOf(probe, deployment.url, requester?.headers);
  return rowOf(deployment, id, probe.what, request, { kind, rendering: name, requester });
}

/** Returns the first request: LIST as JSON. */
export async function listRow(deployment: Deployment): Promise<Row> {
  const [list] = routesOf(deployment.build.rules) as [Route];
  const row = await renderingRow(deployment, list, list.endpoint.renderings[0] as Rendering);
  return { ...row, judge: judgeList(deployment) };
}

/**
 * Returns origins whose pages must not read anything. No site lists the first (RFC 2606). Any page can have the origin `null`, by a
 * sandboxed frame (Fetch standard, §3.1). The others contain an allowed origin: a host that compares only a part would accept them.
 */
function foreignOrigins([allowed]: readonly string[]): string[] {
  const all = ['https://themecast-verify.invalid', 'null'];
  if (allowed === undefined) return all;
  const { protocol, host } = new URL(allowed);
  return [...all, `${allowed}.themecast-verify.invalid`, `${protocol}//themecast-verify-${host}`];
}

/** Requests a rendering again by HEAD, with its own tag, and as pages of other origins. */
export function variantRows(deployment: Deployment, { row, response }: Answered): Promise<Row>[] {
  const { kind, rendering, requester, request, what } = row;
  const more = { kind, rendering, requester };
  const { corsOrigins } = deployment.build.rules;
  const isWhole = rendering === 'json' && requester?.rule === undefined;
  const origins = [...corsOrigins, ...foreignOrigins(corsOrigins).slice(0, isWhole ? undefined : 1)];
  const { etag } = response.headers;
  return [
    rowOf(deployment, 'method/head', `${what} by HEAD`, { ...request, method: 'HEAD' }, more),
    ...origins.map((Origin) =>
      rowOf(deployment, 'cors/allowed', what, { ...request, headers: { ...request.headers, Origin } }, more),
    ),
    ...(etag === undefined ? [] : [unmodifiedRow(deployment, row, etag)]),
  ];
}

/** Requests a rendering with its own tag: 304 refreshes the stored response, so its headers must be the same. */
async function unmodifiedRow(deployment: Deployment, row: Row, etag: string): Promise<Row> {
  const headers = { ...row.request.headers, 'If-None-Match': etag };
  const expected = await expectedOf(deployment, row.request, row.requester?.theme, true);
  const { judge: _, more: __, ...shared } = row;
  const what = `${row.what} with its own ETag`;
  return { ...shared, id: 'conditional/own', what, request: { ...row.request, headers }, expected, only: '304' };
}

/**
 * Requests each document with the validators of the next one. After a wrong 304, clients keep an old document, after a login the old theme,
 * or a page in place of the JSON (RFC 9110, §8.8.3 and §13.1.2).
 */
export function foreignRows(answers: readonly Answered[]): Row[] {
  const rows = answers.flatMap(({ row, response }, at): Row[] => {
    const next = answers[(at + 1) % answers.length]?.response;
    const { etag, 'last-modified': date } = next?.sha256 === response.sha256 ? {} : (next?.headers ?? {});
    // One unknown tag is enough.
    const tag = etag ?? (at === 0 ? '"themecast-verify"' : undefined);
    return [
      ...(tag === undefined ? [] : [foreignRow(row, 'If-None-Match', tag)]),
      // Files of one build have one date, which is right unless the requester decides.
      ...(date === undefined || row.kind !== 'config' ? [] : [foreignRow(row, 'If-Modified-Since', date)]),
    ];
  });
  return rows.slice(0, MAX_PAIRS);
}

function foreignRow(row: Row, header: 'If-None-Match' | 'If-Modified-Since', value: string): Row {
  const id = 'conditional/foreign';
  const request = { ...row.request, headers: { ...row.request.headers, [header]: value } };
  const message = `${row.what} has the validator of another document, or responds with 304 to it.`;
  return {
    ...row,
    id,
    request,
    judge: (_, response) => {
      const isSame = header === 'If-None-Match' && headerOf(response, 'ETag') === value;
      const found = `${statusOf(response)} to ${header}: ${printable(value)} of another document, ${headerText(response, 'ETag')}`;
      return [
        verdict(id, response.status !== 304 && !isSame, message, { expected: '200, and an ETag of its own', found }),
      ];
    },
  };
}

/** Requests documents again in each content coding: a host may store a compressed copy of each. */
export function codedRows(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) =>
    CODINGS.map((coding): Row => {
      const request = { ...row.request, headers: { ...row.request.headers, 'Accept-Encoding': coding }, decode: true };
      const { judge: _, ...shared } = row;
      return { ...shared, id: 'compression/document', what: `${row.what} with ${coding}`, request, coding };
    }),
  );
}

/** Requests an endpoint in every other way: Accept, formats, OPTIONS, without slash, preflights. */
export function endpointRows(deployment: Deployment, route: Route): Promise<Row>[] {
  const { url, build } = deployment;
  const { corsOrigins, corsHeaders } = build.rules;
  const preflights = [...corsOrigins, ...foreignOrigins(corsOrigins)].map((origin) => {
    const probe = preflight(route, origin, corsHeaders);
    return rowOf(deployment, 'cors/allowed', probe.what, requestOf(probe, url), { kind: route.kind, only: 'cors' });
  });
  const rows = endpointProbes(route, build.rules).map(async (probe) => {
    const { what, kind, method } = probe;
    const row = await rowOf(deployment, 'rendering/document', what, requestOf(probe, url), { kind });
    const { status, file } = row.expected;
    if (status === 301) return { ...row, id: 'redirect/status' as const };
    if (method === 'OPTIONS') return { ...row, id: 'method/options' as const };
    return { ...row, rendering: route.endpoint.renderings.find(({ name }) => file?.path.endsWith(`.${name}`))?.name };
  });
  return [...rows, ...preflights];
}

/** Requests other paths: suffixes and queries of Django REST Framework, and the files behind the endpoints. */
export function pathRows(deployment: Deployment): Promise<Row>[] {
  const { url, build } = deployment;
  const [slug = 'index'] = build.rules.themes;
  const routes = routesOf(build.rules);
  const files = routes.flatMap(({ kind, path, endpoint }) => [
    ...endpoint.renderings.map(({ file }) => path + (kind === 'config' ? file.replace(/^index/, slug) : file)),
    endpoint.options,
  ]);
  const paths = [...pathProbes(build.list[0], slug).map(({ path }) => path), ...files];
  const isTheme = (path: string): boolean =>
    routes.some((route) => route.kind === 'theme' && route.path === path.replace(/\/?$/, '/'));
  return [...new Set(paths)]
    .filter((path) => path.startsWith(LIST.path) && !isTheme(path))
    .map((path) => {
      const request = requestTo(url, path, { headers: { Accept: 'application/json' }, ...WHOLE });
      if (!path.startsWith(`${LIST.path}?`)) return rowOf(deployment, 'path/not-found', 'A path below LIST', request);
      const more = { kind: 'list', rendering: 'json' } as const;
      return rowOf(deployment, 'rendering/document', `LIST ${path.slice(LIST.path.length)}`, request, more);
    });
}

/** Sends methods that endpoints and published files refuse, without a body. */
export function refusedRows(deployment: Deployment, routes: readonly Route[], files: readonly Row[]): Promise<Row>[] {
  const headers = { Accept: 'application/json', 'Content-Length': '0' };
  const endpoints = routes.flatMap(({ kind, title, path }) =>
    (['POST', 'PUT'] as const).map((method) => {
      const request = requestTo(deployment.url, path, { method, headers });
      return rowOf(deployment, 'method/refused', `${method} ${title}`, request, { kind });
    }),
  );
  const posts = files.map(({ request, what }) =>
    rowOf(deployment, 'method/refused', `POST on ${what}`, { ...request, method: 'POST', headers }),
  );
  return [...endpoints, ...posts];
}

/** Requests the schemas and assets.json as a page of an allowed origin does. */
export function fileRows(deployment: Deployment): Promise<Row>[] {
  const { schemas, records, corsOrigins } = deployment.build.rules;
  const [Origin] = corsOrigins;
  return [...schemas, ...records.filter(({ file }) => file === ASSETS)].map(({ file }) => {
    const request = requestTo(deployment.url, file, { headers: Origin === undefined ? {} : { Origin } });
    return rowOf(deployment, 'schema/document', 'A schema or assets.json', request);
  });
}

/** Requests the old paths of images. */
export function redirectRows(deployment: Deployment): Promise<Row>[] {
  const { origin } = new URL(deployment.url);
  const pairs = redirectPairs(deployment.build.rules);
  const sample = pairs.slice(0, MAX_REDIRECTS);
  const label = `${sample.length} of ${pairs.length} old paths`;
  return sample.map(([target]) => {
    const request = { method: 'GET', origin, target, headers: {}, limit: 1024, keep: 0 } as const;
    return rowOf(deployment, 'redirect/status', 'The old path of an image', request, { label });
  });
}

/** Limits the images whose requests follow each other, so that two servers behind one address get one each. */
const MAX_PAIRED_IMAGES = 50;

/** Requests every image, the smallest first: an SVG in each content coding, others also by HEAD. */
export function imageRows(deployment: Deployment): Row[][] {
  const images = [...deployment.build.files.values()].filter(({ path }) => path.startsWith('media/'));
  let budget = MAX_DOWNLOAD_BYTES;
  return images
    .toSorted((a, b) => a.bytes - b.bytes)
    .map((file, at) => {
      budget -= file.bytes;
      const parts = imageOf(deployment, file);
      const row: Row = { id: 'media/image', what: 'An image', ...parts, more: documentResults(deployment) };
      const head: Row = { ...row, request: { ...row.request, method: 'HEAD' } };
      if (budget < 0) return [head];
      if (file.type === FORMATS.svg.mediaType) return [row, ...codedRows([row])];
      return at < MAX_PAIRED_IMAGES ? [row, head] : [row];
    });
}

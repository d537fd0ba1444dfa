import { printable } from '../../core/diagnostics/quote.ts';
import { ASSETS, CONFIG, LIST } from '../../core/document/endpoint.ts';
import { handle } from '../../core/edge-runtime/handler.ts';
import type { EdgeEndpoint, Rendering, RuntimeRules } from '../../core/edge-runtime/rules.ts';
import { FORMATS } from '../../core/image/format.ts';
import type { PublishedFile } from '../../hosts/contract/published-build.ts';
import { redirectPairs } from '../../hosts/contract/redirects.ts';
import { WHOLE, requestTo, statusOf, type Request } from '../../system/http/exchange.ts';
import {
  anonymousTheme,
  firstOfEach,
  themeName,
  type Deployment,
  type Headers,
  type Kind,
  type Requester,
} from './build.ts';
import type { CheckId } from './checks.ts';
import { documentResults, judgeList } from './documents.ts';
import { headerOf, headerText } from './headers.ts';
import type { Answered, Expected, Row } from './judge.ts';
import { verdict } from './result.ts';

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
  return images
    .toSorted((a, b) => a.bytes - b.bytes)
    .map((file, at) => {
      const parts = imageOf(deployment, file);
      const row: Row = { id: 'media/image', what: 'An image', ...parts, more: documentResults(deployment) };
      const head: Row = { ...row, request: { ...row.request, method: 'HEAD' } };
      if (file.type === FORMATS.svg.mediaType) return [row, ...codedRows([row])];
      return at < MAX_PAIRED_IMAGES ? [row, head] : [row];
    });
}

/** A request that both the contract and another service can answer. */
export interface Probe {
  /** Its permanent name for accept files: `LIST ?format=json`. */
  what: string;
  kind: Kind;
  method: 'GET' | 'HEAD' | 'OPTIONS';
  /** Below the base URL. */
  path: string;
  headers: Headers;
  /** The media type of an optional response: a difference is reported only if the old service has it. */
  extra?: string | undefined;
}

/** The endpoints as the rows request them. */
export interface Route {
  kind: Kind;
  /** Its name in reports: LIST, CONFIG or THEME. */
  title: string;
  /** Below the base URL. */
  path: string;
  endpoint: EdgeEndpoint;
}

/** Returns every endpoint of the rules; a theme by its id, as the first theme. */
export function routesOf({ endpoints, basePath, themeIds: [id] }: RuntimeRules): Route[] {
  return Object.values(endpoints).map((endpoint) => {
    const { kind, path } = endpoint;
    return { kind, title: kind.toUpperCase(), path: path.slice(basePath.length).replace('*', String(id)), endpoint };
  });
}

const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
/** The renderings of the interface, which every service has. */
const STANDARD_RENDERINGS = new Set(['json', 'html']);
/** A redirect must keep this query, but servers may decode, sort or drop it. */
const QUERY = '?format=json&next=%2Fa%20b';
/** Content codings (RFC 9110, §8.4.1; RFC 7932). Each is requested alone, because a host may store a compressed copy per coding. */
export const CODINGS = ['gzip', 'br'] as const;

const extraOf = ({ name, mediaType }: Rendering) => (STANDARD_RENDERINGS.has(name) ? {} : { extra: mediaType });

/** Requests a rendering as its usual client does: programs and browsers by Accept, links by `format`, as clients.md prints them. */
export function renderingProbe({ kind, title, path }: Route, rendering: Rendering): Probe {
  const { name, format, mediaType } = rendering;
  const isStandard = STANDARD_RENDERINGS.has(name);
  const query = isStandard ? '' : `?format=${format}${name === 'png' ? '&for=themecast-verify' : ''}`;
  const headers = { Accept: isStandard ? mediaType : `${mediaType},*/*;q=0.1` };
  const what = name === 'json' ? title : `${title} ${name}`;
  return { what, kind, method: 'GET', path: path + query, headers, ...extraOf(rendering) };
}

/** Combines Accept headers, formats and methods with an endpoint. */
export function endpointProbes({ kind, title, path }: Route, { endpoints }: RuntimeRules): Probe[] {
  const renderings = Object.values(endpoints).flatMap((each) => each.renderings);
  // CONFIG has a stylesheet by Accept, a theme by its id only by `format`.
  const all = firstOfEach(renderings, ({ name }) => name);
  const row = (what: string, more: Partial<Probe> = {}): Probe => {
    return { what: `${title} ${what}`, kind, method: 'GET', path, headers: {}, ...more };
  };
  const accept = (Accept: string, name = `Accept: ${Accept}`): Probe => row(name, { headers: { Accept } });
  const format = (value: string, type = '*/*'): Probe =>
    row(`?format=${value}${type === '*/*' ? '' : ` with Accept: ${type}`}`, {
      path: `${path}?format=${value}`,
      headers: { Accept: type },
    });
  return [
    row('GET'),
    accept('*/*'),
    ...all.flatMap((each) => (each.isExplicit ? [] : [{ ...accept(each.mediaType), ...extraOf(each) }])),
    accept(BROWSER_ACCEPT, 'Accept of a browser'),
    accept('image/*'),
    ...all.map((each) => ({ ...format(each.format), ...extraOf(each) })),
    format('api', 'application/json'),
    format('json', 'text/html'),
    format('xml'),
    row('OPTIONS', { method: 'OPTIONS', headers: { Accept: 'application/json' } }),
    row('without slash', { path: path.slice(0, -1) }),
    row('without slash, with a query', { path: path.slice(0, -1) + QUERY }),
  ];
}

/** Asks, as a browser does, whether pages of an origin may send these headers. */
export function preflight({ kind, title, path }: Route, Origin: string, asked: readonly string[]): Probe {
  const names = asked.length > 0 && { 'Access-Control-Request-Headers': asked.join(', ') };
  const headers = { Origin, 'Access-Control-Request-Method': 'GET', ...names };
  return { what: `${title} preflight`, kind, method: 'OPTIONS', path, headers };
}

/** Requests paths and queries of Django REST Framework: details, and those that this service lacks: suffixes, filters, pages. */
export function pathProbes(theme: { id?: unknown; name?: unknown } | undefined, slug?: string): Probe[] {
  const json = 'application/json';
  const get = (what: string, path: string, extra?: string): Probe => {
    return { what, kind: 'list', method: 'GET', path, headers: { Accept: json }, extra };
  };
  const { id, name } = { ...theme };
  const values = { is_default: 'true', id, name, search: name, ordering: '-id', page: 2, page_size: 1, limit: 1 };
  const filters = Object.entries(values).filter(([, value]) => ['string', 'number'].includes(typeof value));
  const detail = (value: unknown): string => `${LIST.path}${encodeURIComponent(String(value))}`;
  return [
    get('path below LIST', `${LIST.path}no-such-page/`),
    ...(id === undefined
      ? []
      : [get('detail path', `${detail(id)}/`, json), get('detail path without slash', detail(id), json)]),
    ...(slug === undefined ? [] : [get('detail path by name', `${detail(slug)}/`, json)]),
    get('suffix path LIST.json', `${LIST.path.slice(0, -1)}.json`, json),
    get('suffix path CONFIG.json', `${CONFIG.path.slice(0, -1)}.json`, json),
    ...filters.map(([field, value]) =>
      get(`LIST ?${field}=`, `${LIST.path}?${field}=${encodeURIComponent(String(value))}`),
    ),
  ];
}

/** Makes the request of a probe to a service. */
export function requestOf({ method, path, headers }: Probe, url: string, credentials: Headers = {}): Request {
  return requestTo(url, path, { method, headers: { ...headers, ...credentials }, ...WHOLE });
}

const TAG = '"themecast"';
/** The header that gives a requester a theme, instead of the identity rules of the build. */
const THEME_HEADER = 'themecast-verify';

/**
 * Returns the response that the contract requires. It runs the handler of edge hosts on a platform that records which file would be read.
 * @param theme - the theme of the requester
 * @param isUnmodified - whether the request has the ETag of the response
 */
export async function expectedOf(
  { build, url }: Pick<Deployment, 'build' | 'url'>,
  { method, origin, target, headers }: Request,
  theme = anonymousTheme(build),
  isUnmodified = false,
): Promise<Expected> {
  const { rules, files } = build;
  let file: string | undefined;
  const platform = {
    readFile: async (path: string) => {
      file = path.replace(/^\//, '');
      return { body: '', etag: TAG };
    },
    themeOf: async () => undefined,
    isTrusted: () => true,
    secret: () => undefined,
    jwks: async () => [],
  };
  const credential = { from: 'header', name: THEME_HEADER, proxies: [] } as const;
  const sent = new globalThis.Headers({
    ...headers,
    [THEME_HEADER]: theme,
    ...(isUnmodified && { 'If-None-Match': TAG }),
  });
  // The verified URL may have another path than `base_url`; old paths of images are at the root.
  const base = new URL(url).pathname.replace(/\/$/, '');
  const isOld = Object.hasOwn(rules.redirects ?? {}, target.replace(/\?.*/, ''));
  const request = {
    method,
    url: origin + (isOld ? target : rules.basePath + target.slice(base.length)),
    headers: sent,
  };
  const response = await handle(request, { ...rules, identity: [{ names: 'theme', credential }] }, platform);
  if (response === undefined) throw new Error(`${target} is no path of the service.`);
  const { etag: _, 'content-length': __, location, ...others } = Object.fromEntries(response.headers);
  const moved = location === undefined || isOld ? location : base + location.slice(rules.basePath.length);
  return {
    status: response.status,
    headers: { ...others, ...(moved !== undefined && { location: moved }) },
    file: file === undefined ? undefined : files.get(file),
    text: await response.text(),
  };
}

/** The Accept header of browsers for images: a CDN may convert images to a format in it. */
const IMAGE_ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
/** Enough bytes to recognise the format of an image. */
const SNIFFED_BYTES = 1024;

/** Returns the request of an image, and its response: the handler serves none, so that is made of the list of files. */
export function imageOf(
  { url, build: { rules } }: Pick<Deployment, 'url' | 'build'>,
  file: PublishedFile,
): { request: Request; expected: Expected } {
  const { baseUrl, mediaUrl } = rules;
  const base = mediaUrl.startsWith(`${baseUrl}/`) ? url + mediaUrl.slice(baseUrl.length) : mediaUrl;
  const { origin, pathname: target } = new URL(base + file.path.slice('media'.length));
  const svg = file.type === FORMATS.svg.mediaType && rules.headers.svg;
  const headers = { ...rules.headers.all, 'Content-Type': file.type, ...rules.headers.media, ...svg };
  const sent = { method: 'GET', headers: { Accept: IMAGE_ACCEPT }, isFresh: true } as const;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    request: { ...sent, origin, target, limit: file.bytes, keep: SNIFFED_BYTES },
    expected: { status: 200, headers: Object.fromEntries(lower) as Headers, file, text: '' },
  };
}

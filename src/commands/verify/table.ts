import { CONFIG, LIST } from '../../core/document/endpoint.ts';
import type { EdgeEndpoint, Rendering, RuntimeRules } from '../../core/edge-runtime/rules.ts';
import { type Request, requestTo, WHOLE } from '../../system/http/exchange.ts';
import { firstOfEach, type Headers, type Kind } from './build.ts';

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
/** The name of the probe for a path that is no endpoint. */
export const BELOW_LIST = 'path below LIST';
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
    get(BELOW_LIST, `${LIST.path}no-such-page/`),
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

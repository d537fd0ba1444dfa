import { CONFIG, type Endpoint, LIST } from '../document/endpoint.ts';
import type { EdgeEndpoint, Rendering } from '../edge-runtime/rules.ts';
import { type Request, requestTo, WHOLE } from '../http/exchange.ts';

export type Kind = EdgeEndpoint['kind'];
export type Headers = Readonly<Record<string, string>>;

export const ENDPOINTS: Readonly<Record<Kind, Endpoint>> = { list: LIST, config: CONFIG };

/** LIST and CONFIG, as reports call them. */
export function title(kind: Kind): string {
  return kind.toUpperCase();
}

/** A client of the service. */
export interface Requester {
  /** As reports call it: never by its key. */
  name: string;
  /** Its credentials. A service gets them; no other origin does. */
  headers: Headers;
  /** Its credentials at the old service, if they are others. */
  old?: Headers | undefined;
}

/** A row of the table: one request, and what the contract says about the response. */
export interface Probe {
  /** Its permanent name, which accept files refer to: `LIST ?format=json`. */
  what: string;
  kind: Kind;
  method: 'GET' | 'HEAD' | 'OPTIONS';
  /** Below the base URL. */
  path: string;
  headers: Headers;
  requester?: Requester;
  /** The response of the contract: the name of a rendering, the metadata, a status, or anything. */
  returns: string | number | undefined;
  /** The media type of a response that services need not have: nothing is lost where the old service does not. */
  extra?: string | undefined;
}

/** The parts of which the table is made. */
export interface Service {
  renderings: Readonly<Record<Kind, readonly Rendering[]>>;
  requesters: readonly Requester[];
  /** How many requesters ask for every rendering, and not only for the JSON. */
  complete?: number;
  /** Origins whose pages read the service, and others that may not. */
  origins: readonly Origin[];
  /** Request headers that those pages may want to send. */
  requestHeaders: readonly string[];
  /** Any theme of the list. */
  theme?: { id: unknown; name: unknown } | undefined;
}

export interface Origin {
  /** As reports call it. */
  name: string;
  origin: string;
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
/** The two renderings of the interface; only themecast has others. */
const OF_INTERFACE = new Set(['json', 'html']);
/** A query that a server may be tempted to decode, sort or drop. */
export const QUERY = '?format=json&next=%2Fa%20b';
/** The name of the probe of a path that is no endpoint. */
export const BELOW_LIST = 'path below LIST';

/** GET of a rendering as its usual client sends it: JSON by programs, the page by browsers, the rest by a link. */
export function plainProbe(kind: Kind, { name, format, mediaType }: Rendering, requester?: Requester): Probe {
  const isLinked = !OF_INTERFACE.has(name);
  const who = requester === undefined ? '' : ` as ${requester.name}`;
  return {
    what: `${title(kind)}${isLinked ? ` ?format=${format}` : ''} ${name}${who}`,
    kind,
    method: 'GET',
    path: ENDPOINTS[kind].path + (isLinked ? `?format=${format}` : ''),
    headers: { Accept: isLinked ? `${mediaType},*/*;q=0.1` : mediaType },
    returns: name,
    ...(requester !== undefined && { requester }),
    ...(isLinked && { extra: mediaType }),
  };
}

/** Every requester × endpoint × rendering; of LIST, the JSON alone. */
export function requesterProbes({ renderings, requesters, complete = Infinity }: Service): Probe[] {
  return requesters.flatMap((requester, at) => [
    ...renderings.config
      .filter(({ name }) => name === 'json' || at < complete)
      .map((rendering) => plainProbe('config', rendering, requester)),
    ...renderings.list
      .filter(({ name }) => name === 'json')
      .map((rendering) => plainProbe('list', rendering, requester)),
  ]);
}

/** Renderings × negotiation × methods of one endpoint. */
export function endpointProbes(kind: Kind, { renderings }: Pick<Service, 'renderings'>): Probe[] {
  const { path } = ENDPOINTS[kind];
  const own = new Set(renderings[kind].map(({ name }) => name));
  const row = (what: string, returns: Probe['returns'], more: Partial<Probe> = {}): Probe => {
    return { what: `${title(kind)} ${what}`, kind, method: 'GET', path, headers: {}, returns, ...more };
  };
  const accept = (value: string, returns: Probe['returns'], name = `Accept: ${value}`): Probe =>
    row(name, returns, { headers: { Accept: value } });
  const format = (value: string, returns: Probe['returns'], type = '*/*'): Probe =>
    row(`?format=${value}${type === '*/*' ? '' : ` with Accept: ${type}`}`, returns, {
      path: `${path}?format=${value}`,
      headers: { Accept: type },
    });
  const all = new Map([...renderings.list, ...renderings.config].map((rendering) => [rendering.name, rendering]));
  const each = [...all.values()].map((rendering) => {
    return { ...rendering, extra: OF_INTERFACE.has(rendering.name) ? undefined : rendering.mediaType };
  });
  return [
    row('GET', 'json'),
    accept('*/*', 'json'),
    ...each
      .filter(({ isExplicit }) => isExplicit !== true)
      .map(({ name, mediaType, extra }) => ({ ...accept(mediaType, own.has(name) ? name : 406), extra })),
    accept(BROWSER, 'html', 'Accept of a browser'),
    accept('image/*', 406),
    ...each.map((rendering) => ({
      ...format(rendering.format, own.has(rendering.name) ? rendering.name : 404),
      extra: rendering.extra,
    })),
    format('api', 406, 'application/json'),
    format('json', 406, 'text/html'),
    format('xml', 404),
    ...renderings[kind]
      .filter(({ name }) => name !== 'html')
      .map((rendering) => {
        const what = `${title(kind)} HEAD${rendering.name === 'json' ? '' : ` ${rendering.name}`}`;
        return { ...plainProbe(kind, rendering), what, method: 'HEAD' as const };
      }),
    row('OPTIONS', 'options', { method: 'OPTIONS', headers: { Accept: 'application/json' } }),
    row('without slash', 301, { path: path.slice(0, -1) }),
    row('without slash, with a query', 301, { path: path.slice(0, -1) + QUERY }),
  ];
}

/** A conditional request with a validator, such as the ETag of another response. */
export function conditionalProbe(plain: Probe, header: 'If-None-Match' | 'If-Modified-Since', value: string): Probe {
  return { ...plain, what: `${plain.what} ${header}`, headers: { ...plain.headers, [header]: value } };
}

/** Paths and queries that Django REST Framework has, and this service does not: details, suffixes, filters, pages. */
export function pathProbes({ theme }: Pick<Service, 'theme'>): Probe[] {
  const json = 'application/json';
  const get = (what: string, path: string, returns: Probe['returns'], extra?: string): Probe => {
    return { what, kind: 'list', method: 'GET', path, headers: { Accept: json }, returns, extra };
  };
  const { id, name } = { ...theme };
  const values = { is_default: 'true', id, name, search: name, ordering: '-id', page: 2, page_size: 1, limit: 1 };
  const filters = Object.entries(values).filter(([, value]) => ['string', 'number'].includes(typeof value));
  const detail = `${LIST.path}${encodeURIComponent(String(id))}/`;
  return [
    get(BELOW_LIST, `${LIST.path}no-such-page/`, 404),
    ...(id === undefined ? [] : [get('detail path', detail, 404, json)]),
    get('suffix path LIST.json', `${LIST.path.slice(0, -1)}.json`, undefined, json),
    get('suffix path CONFIG.json', `${CONFIG.path.slice(0, -1)}.json`, 404, json),
    ...filters.map(([field, value]) =>
      get(`LIST ?${field}=`, `${LIST.path}?${field}=${encodeURIComponent(String(value))}`, 'json'),
    ),
  ];
}

/** Requests that browsers send for pages of origins (Fetch standard, CORS protocol): GET and preflights. */
export function originProbes(kind: Kind, { origins, requestHeaders }: Service): Probe[] {
  const { path } = ENDPOINTS[kind];
  const asked = requestHeaders.length > 0 && { 'Access-Control-Request-Headers': requestHeaders.join(', ') };
  const preflight = { 'Access-Control-Request-Method': 'GET', ...asked };
  return origins.flatMap(({ name, origin }): Probe[] => [
    {
      what: `${title(kind)} from ${name}`,
      kind,
      method: 'GET',
      path,
      headers: { Accept: 'application/json', Origin: origin },
      returns: 'json',
    },
    {
      what: `${title(kind)} preflight from ${name}`,
      kind,
      method: 'OPTIONS',
      path,
      headers: { Origin: origin, ...preflight },
      returns: 'options',
    },
  ]);
}

/** Every row that does not depend on an earlier response. */
export function table(service: Service): Probe[] {
  return [
    ...requesterProbes(service),
    ...endpointProbes('list', service),
    ...endpointProbes('config', service),
    ...pathProbes(service),
    ...originProbes('list', service),
    ...originProbes('config', service),
  ];
}

/** Content codings that clients ask for (RFC 9110, §8.4.1; RFC 7932). Each is asked for alone: beside a file may be one copy of each. */
export const CODINGS = ['gzip', 'br'] as const;

/** The request of a row to one service. @param credentials - those that this service gets */
export function requestOf(
  { method, path, headers, requester }: Probe,
  url: string,
  credentials: Headers = requester?.headers ?? {},
): Request {
  return requestTo(url, path, { method, headers: { ...headers, ...credentials }, ...WHOLE });
}

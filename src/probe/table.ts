import { CONFIG, type Endpoint, LIST } from '../document/endpoint.ts';
import type { EdgeEndpoint, Rendering } from '../edge-runtime/rules.ts';
import { type Request, requestTo, WHOLE } from '../http/exchange.ts';

export type Kind = EdgeEndpoint['kind'];
export type Headers = Readonly<Record<string, string>>;

export const ENDPOINTS: Readonly<Record<Kind, Endpoint>> = { list: LIST, config: CONFIG };

/** Returns the name of an endpoint in reports: LIST or CONFIG. */
export function title(kind: Kind): string {
  return kind.toUpperCase();
}

/** A client of the service. */
export interface Requester {
  /** Its name in reports, which never contains its key. */
  name: string;
  /** Its credentials. They are sent to the service, never to another origin. */
  headers: Headers;
  /** Its credentials at the old service, if they differ. */
  old?: Headers | undefined;
}

/** A request, and the kind of response that the contract requires. */
export interface Probe {
  /** Its permanent name for accept files: `LIST ?format=json`. */
  what: string;
  kind: Kind;
  method: 'GET' | 'HEAD' | 'OPTIONS';
  /** Below the base URL. */
  path: string;
  headers: Headers;
  requester?: Requester;
  /** The response of the contract: the name of a rendering, the metadata, a status, or anything. */
  returns: string | number | undefined;
  /** The media type of an optional response: a difference is reported only if the old service has it. */
  extra?: string | undefined;
}

/** The requesters, renderings and origins that the table combines. */
export interface Service {
  renderings: Readonly<Record<Kind, readonly Rendering[]>>;
  requesters: readonly Requester[];
  /** How many requesters request every rendering; the others request only the JSON. */
  complete?: number;
  /** Allowed and foreign origins of pages. */
  origins: readonly Origin[];
  /** Request headers of these pages, for preflights. */
  requestHeaders: readonly string[];
  /** Any theme of the list. */
  theme?: { id: unknown; name: unknown } | undefined;
}

export interface Origin {
  /** Its name in reports. */
  name: string;
  origin: string;
}

const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
/** The renderings that the old service has too. */
const STANDARD_RENDERINGS = new Set(['json', 'html']);
/** A redirect must keep this query, but servers may decode, sort or drop it. */
export const QUERY = '?format=json&next=%2Fa%20b';
/** The name of the probe for a path that is no endpoint. */
export const BELOW_LIST = 'path below LIST';

/** Requests a rendering as its usual client does: programs and browsers by Accept, links by `format`. */
export function plainProbe(kind: Kind, { name, format, mediaType }: Rendering, requester?: Requester): Probe {
  const isLinked = !STANDARD_RENDERINGS.has(name);
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

/** Combines requesters, endpoints and renderings; LIST is requested only as JSON. */
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

/** Combines the renderings, Accept headers, formats and methods of an endpoint. */
export function endpointProbes(kind: Kind, { renderings }: Pick<Service, 'renderings'>): Probe[] {
  const { path } = ENDPOINTS[kind];
  const names = new Set(renderings[kind].map(({ name }) => name));
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
    return { ...rendering, extra: STANDARD_RENDERINGS.has(rendering.name) ? undefined : rendering.mediaType };
  });
  return [
    row('GET', 'json'),
    accept('*/*', 'json'),
    ...each
      .filter(({ isExplicit }) => isExplicit !== true)
      .map(({ name, mediaType, extra }) => ({ ...accept(mediaType, names.has(name) ? name : 406), extra })),
    accept(BROWSER_ACCEPT, 'html', 'Accept of a browser'),
    accept('image/*', 406),
    ...each.map((rendering) => ({
      ...format(rendering.format, names.has(rendering.name) ? rendering.name : 404),
      extra: rendering.extra,
    })),
    format('api', 406, 'application/json'),
    format('json', 406, 'text/html'),
    format('xml', 404),
    ...renderings[kind]
      .filter(({ name }) => name !== 'html')
      .map((rendering) => {
        const suffix = rendering.name === 'json' ? '' : ` ${rendering.name}`;
        return { ...plainProbe(kind, rendering), what: `${title(kind)} HEAD${suffix}`, method: 'HEAD' as const };
      }),
    row('OPTIONS', 'options', { method: 'OPTIONS', headers: { Accept: 'application/json' } }),
    row('without slash', 301, { path: path.slice(0, -1) }),
    row('without slash, with a query', 301, { path: path.slice(0, -1) + QUERY }),
  ];
}

/** Adds a validator to a request, such as the ETag of another response. */
export function conditionalProbe(plain: Probe, header: 'If-None-Match' | 'If-Modified-Since', value: string): Probe {
  return { ...plain, what: `${plain.what} ${header}`, headers: { ...plain.headers, [header]: value } };
}

/** Requests paths and queries of Django REST Framework that this service lacks: details, suffixes, filters, pages. */
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

/** Sends the requests of browsers for pages of other origins (Fetch standard, CORS protocol): GET and preflights. */
export function originProbes(kind: Kind, { origins, requestHeaders }: Service): Probe[] {
  const { path } = ENDPOINTS[kind];
  const requestedHeaders = requestHeaders.length > 0 && { 'Access-Control-Request-Headers': requestHeaders.join(', ') };
  const preflight = { 'Access-Control-Request-Method': 'GET', ...requestedHeaders };
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

/** Returns every probe that does not depend on an earlier response. */
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

/** Content codings (RFC 9110, §8.4.1; RFC 7932). Each is requested alone, because a host may store a compressed copy per coding. */
export const CODINGS = ['gzip', 'br'] as const;

/** Makes the request of a probe to a service. @param credentials - the requester's credentials for this service */
export function requestOf(
  { method, path, headers, requester }: Probe,
  url: string,
  credentials: Headers = requester?.headers ?? {},
): Request {
  return requestTo(url, path, { method, headers: { ...headers, ...credentials }, ...WHOLE });
}

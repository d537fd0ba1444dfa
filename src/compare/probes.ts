import { jsonText, printable, shownUrl } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { parseJson } from '../http/parse-json.ts';
import type { HttpResponse, Request } from '../http/exchange.ts';
import { mediaTypeOf } from '../http/exchange.ts';
import type { AnyRecord } from './records.ts';
import { type Compared, compareTexts, differs, same } from './result.ts';

/** A request that both services get. */
export interface Probe {
  what: string;
  method: Extract<Request['method'], 'GET' | 'HEAD' | 'OPTIONS'>;
  /** Below the base URL. */
  path: string;
  headers: Readonly<Record<string, string>>;
}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const JSON_ONLY = 'application/json';
/** The name of the probe of a path that is no endpoint. */
export const BELOW_LIST = 'path below LIST';

/** Negotiation, methods and errors of both endpoints. POST and PUT are left out: an old service may act on them. */
export const PROBES: readonly Probe[] = [
  ...endpointProbes('LIST', LIST.path),
  ...endpointProbes('CONFIG', CONFIG.path),
  { what: BELOW_LIST, method: 'GET', path: `${LIST.path}no-such-page/`, headers: { Accept: JSON_ONLY } },
];

function endpointProbes(name: string, path: string): Probe[] {
  const get = (what: string, query: string, accept?: string): Probe => ({
    what: `${name} ${what}`,
    method: 'GET',
    path: path + query,
    headers: accept === undefined ? {} : { Accept: accept },
  });
  return [
    get('GET', ''),
    get('Accept: */*', '', '*/*'),
    get('Accept: application/json', '', JSON_ONLY),
    get('Accept: text/html', '', 'text/html'),
    get('Accept of a browser', '', BROWSER),
    get('Accept: image/png', '', 'image/png'),
    get('?format=json', '?format=json', '*/*'),
    get('?format=api', '?format=api', '*/*'),
    get('?format=api with Accept: application/json', '?format=api', JSON_ONLY),
    get('?format=json with Accept: text/html', '?format=json', 'text/html'),
    get('?format=xml', '?format=xml', '*/*'),
    { ...get('HEAD', ''), method: 'HEAD' },
    { ...get('OPTIONS', '', JSON_ONLY), method: 'OPTIONS' },
    { ...get('without slash', ''), path: path.slice(0, -1) },
  ];
}

/** Compares the responses to a probe: status, then type, `Allow`, `Vary`, `Location`, and the body of OPTIONS and of errors. */
export function compareResponses(
  group: 'responses' | 'requests',
  { what, method }: Pick<Probe, 'what' | 'method'>,
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  const difference = (aspect: string, before: string | undefined, after: string | undefined): Compared[] => {
    const result = compareTexts(group, `${what} ${aspect}`, before, after);
    return result.class === 'same' ? [] : [result];
  };
  const found =
    old.status === now.status
      ? [
          // The type of no content says nothing.
          ...(old.status < 300 || old.status >= 400 ? difference('Content-Type', typeOf(old), typeOf(now)) : []),
          ...difference('Allow', namesOf(old, 'allow', true), namesOf(now, 'allow', true)),
          ...varyDifference(what, group, old, now),
          ...difference('Location', locationOf(old), locationOf(now)),
          ...compareBodies(group, what, method, old, now),
        ]
      : [differs(group, `${what} status`, shownStatus(old), shownStatus(now))];
  return found.length === 0 ? [same(group, what)] : found;
}

/** NEW may name more request headers than OLD, which only makes caches more careful, but not fewer. */
function varyDifference(
  what: string,
  group: 'responses' | 'requests',
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  const [before, after] = [namesOf(old, 'vary'), namesOf(now, 'vary')];
  const names = after?.split(', ') ?? [];
  const isCovered = before === undefined || before.split(', ').every((name) => names.includes(name));
  return isCovered ? [] : [compareTexts(group, `${what} Vary`, before, after)];
}

/** Documents are compared as themes, pages not at all: they are for people. What OPTIONS says, too, is one difference. */
function compareBodies(
  group: 'responses' | 'requests',
  what: string,
  method: Probe['method'],
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  const isCompared = method === 'OPTIONS' || (method === 'GET' && old.status >= 400);
  if (!isCompared || typeOf(old) !== 'application/json' || typeOf(now) !== 'application/json') return [];
  const [before, after] = [jsonOf(old), jsonOf(now)] as const;
  if (!isObject(before) || !isObject(after)) return [];
  const textOf = (body: typeof before, key: string): string | undefined =>
    body[key] === undefined ? undefined : jsonText(body[key]);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => textOf(before, key) !== textOf(after, key));
  if (method !== 'OPTIONS')
    return changed.map((key) =>
      compareTexts(group, `${what} body.${printable(key)}`, textOf(before, key), textOf(after, key)),
    );
  const texts = [before, after].map((body) => changed.map((key) => `${printable(key)} ${textOf(body, key) ?? 'none'}`));
  return changed.length === 0
    ? []
    : [compareTexts(group, `${what} body.*`, texts[0]?.join(', '), texts[1]?.join(', '))];
}

/** The body of a response as JSON, if it is valid. */
export function jsonOf({ start, headers }: HttpResponse): unknown {
  const parsed = parseJson(start, headers['content-type']);
  return 'json' in parsed ? parsed.json : undefined;
}

/** A status, with the target of a redirect. */
export function shownStatus({ status, headers: { location } }: HttpResponse): string {
  return location === undefined ? String(status) : `${status} to ${shownUrl(location)}`;
}

/** The media type and its parameters, in one spelling. */
export function typeOf({ headers }: HttpResponse): string | undefined {
  const type = headers['content-type'];
  return type === undefined ? undefined : mediaTypeOf(type);
}

/** The names that a header lists: a set, whatever their order. */
function namesOf({ headers }: HttpResponse, name: 'allow' | 'vary', isUpper = false): string | undefined {
  const names = headers[name]?.split(',').map((item) => item.trim().toLowerCase()) ?? [];
  const distinct = [...new Set(names)].filter((item) => item !== '').toSorted();
  const spelt = distinct.map((item) =>
    isUpper ? item.toUpperCase() : item.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()),
  );
  return spelt.length === 0 ? undefined : spelt.join(', ');
}

/** Where a response leads, below the base URL: that of the other service is another. */
function locationOf({ headers: { location } }: HttpResponse): string | undefined {
  if (location === undefined) return undefined;
  const at = location.indexOf(LIST.path.slice(0, -1));
  return at === -1 ? location : location.slice(at);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The theme of a response, if it is one. */
export function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

/** Responses of which one did not come, or not completely. */
export function unusable(
  group: Compared['group'],
  what: string,
  old: HttpResponse | string,
  now: HttpResponse | string,
): Compared {
  const textOf = (response: HttpResponse | string): string =>
    typeof response === 'string' ? response : `status ${response.status}`;
  return differs(group, what, textOf(old), textOf(now));
}

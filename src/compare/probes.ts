import { jsonText, printable, shownUrl } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import type { HttpResponse, Request } from '../http/exchange.ts';
import { jsonOf, mediaTypeOf } from '../http/exchange.ts';
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

/** Compares the responses to a probe: the status, or else what they have in common. */
export function compareResponses(
  { what, method }: Pick<Probe, 'what' | 'method'>,
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  if (old.status !== now.status) return [differs('responses', `${what} status`, shownStatus(old), shownStatus(now))];
  // Documents are compared as themes, and pages not at all: they are for people.
  const hasBody = method === 'OPTIONS' || (method === 'GET' && old.status >= 400);
  const [oldBody, newBody] = [bodyOf(old), bodyOf(now)];
  const hasBodies = hasBody && oldBody !== undefined && newBody !== undefined;
  const before = { ...headersOf(old), ...(hasBodies && oldBody) };
  const after = { ...headersOf(now), ...(hasBodies && newBody) };
  if (isCovered(before.Vary, after.Vary)) after.Vary = before.Vary;
  const rows = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => compareTexts('responses', `${what} ${name}`, before[name], after[name]))
    .filter((row) => row.class !== 'same');
  return rows.length === 0 ? [same('responses', what)] : rows;
}

type Texts = Record<string, string | undefined>;

function headersOf(response: HttpResponse): Texts & { Vary: string | undefined } {
  const isRedirect = response.status >= 300 && response.status < 400;
  return {
    // The type of no content says nothing.
    'Content-Type': isRedirect ? undefined : typeOf(response),
    Allow: namesOf(response, 'allow')?.toUpperCase(),
    Vary: namesOf(response, 'vary'),
    Location: locationOf(response),
  };
}

/** The values of a JSON object, by name: `body.detail`. */
function bodyOf(response: HttpResponse): Texts | undefined {
  const body = typeOf(response) === 'application/json' ? jsonOf(response) : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [`body.${printable(key)}`, jsonText(value)]));
}

/** NEW may name more request headers in Vary than OLD, which only makes caches more careful, but not fewer. */
function isCovered(old: string | undefined, now = ''): boolean {
  const names = now.split(', ');
  return old === undefined || old.split(', ').every((name) => names.includes(name));
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
function namesOf({ headers }: HttpResponse, name: 'allow' | 'vary'): string | undefined {
  const names = headers[name]?.split(',').map((item) => item.trim().toLowerCase()) ?? [];
  const distinct = [...new Set(names)].filter((item) => item !== '').toSorted();
  const spelt = distinct.map((item) => item.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()));
  return spelt.length === 0 ? undefined : spelt.join(', ');
}

/** Where a response leads, below the base URL: that of the other service is another. */
function locationOf({ headers: { location } }: HttpResponse): string | undefined {
  if (location === undefined) return undefined;
  const at = location.indexOf(LIST.path.slice(0, -1));
  return at === -1 ? location : location.slice(at);
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

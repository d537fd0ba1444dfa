import { jsonText, printable, shownUrl } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import { type HttpResponse, jsonOf, type Outcome } from '../../../system/http/exchange.ts';
import { headerOf, lifetimeOf, members, typeOf } from '../headers.ts';
import type { Probe } from '../table.ts';
import { BELOW_LIST } from '../table.ts';
import type { OldRequester } from './requesters.ts';
import { type AnyRecord, compareConfigs, type ListComparison, plainUrls, themeName } from './records.ts';
import { type CompareResult, compareTexts, differs, same } from './result.ts';

/** A row of the table, with the requester that both services get. */
export interface OldRow extends Probe {
  requester?: OldRequester | undefined;
  /** The hostname that both services get. */
  hostname?: string;
  /** Whether it requests a rendering as its usual client does. */
  isDocument?: boolean;
}

/** The lists of both services, to compare responses with. */
export interface LiveLists extends Pick<ListComparison, 'pairs'> {
  /** The responses to LIST, formatted by {@link plainList}. */
  old: string | undefined;
  new: string | undefined;
  /** Whether users request LIST too. */
  hasUsers: boolean;
}

/** No service lists this origin (RFC 2606): if it is allowed, every origin is. */
export const ANY_ORIGIN = 'https://themecast-verify.invalid';

/** Returns a complete response, or a short problem. */
export function completeResponse(outcome: Outcome): HttpResponse | string {
  if ('noResponse' in outcome) return outcome.noResponse;
  return outcome.end === 'complete' ? outcome : `body ${outcome.end}`;
}

/** Compares the responses of both services to a probe. */
export function compareRow(probe: OldRow, before: Outcome, after: Outcome, lists: LiveLists): CompareResult[] {
  const [group, what] = nameOf(probe);
  const [old, now] = [completeResponse(before), completeResponse(after)];
  const busy = [old, now].findIndex((response) => typeof response !== 'string' && [429, 503].includes(response.status));
  if (busy !== -1) {
    const { status } = [old, now][busy] as HttpResponse;
    return [
      {
        group,
        what,
        class: 'not compared',
        old: `${busy === 0 ? 'OLD' : 'NEW'} still responds with ${status}`,
        new: 'use a lower --rate',
      },
    ];
  }
  if (typeof old === 'string' || typeof now === 'string') return [differs(group, what, describe(old), describe(now))];
  // A missing rendering is no loss if OLD does not have it either.
  const hasExtra = old.status === 200 && typeOf(old)?.split(';')[0] === probe.extra;
  if (probe.extra !== undefined && !hasExtra) return [same(group, what)];
  const { Origin: origin } = probe.headers;
  if (origin !== undefined) return compareOrigins({ ...probe, what }, origin, old, now);
  const isAsked = probe.method === 'GET' && (probe.requester !== undefined || old.status === now.status);
  const difference = isAsked ? documentDifference(probe, old, now, lists) : undefined;
  if (probe.requester !== undefined) {
    if (difference !== undefined) return [differs(group, what, difference.old, difference.new)];
    return [old.status === now.status ? same(group, what) : differs(group, what, describe(old), describe(now))];
  }
  const rows = compareResponses({ ...probe, what }, old, now, lists);
  if (difference === undefined) return rows;
  return [
    ...rows.filter((row) => row.class !== 'same'),
    differs(group, `${what} body`, difference.old, difference.new),
  ];
}

function describe(response: HttpResponse | string): string {
  return typeof response === 'string' ? response : `status ${response.status}`;
}

/** Returns the group and the permanent name of a probe. */
function nameOf({ what, requester }: OldRow): [group: CompareResult['group'], what: string] {
  if (requester === undefined) return ['responses', what];
  return ['users', `${requester.name}${what === 'CONFIG' ? '' : ` ${what}`}`];
}

/** Compares the status of two responses; if it is equal, also their headers and the body of errors and metadata. */
export function compareResponses(
  { what, method, kind }: Pick<Probe, 'what' | 'method' | 'kind'>,
  old: HttpResponse,
  now: HttpResponse,
  { hasUsers }: Pick<LiveLists, 'hasUsers'>,
): CompareResult[] {
  if (old.status !== now.status) return [differs('responses', `${what} status`, formatStatus(old), formatStatus(now))];
  // JSON documents are compared as themes; pages are for people and not compared.
  // Metadata has texts for people; every service of Django REST Framework differs.
  const hasBody = method === 'GET' && old.status >= 400;
  const [oldBody, newBody] = [bodyOf(old), bodyOf(now)];
  const hasBodies = hasBody && oldBody !== undefined && newBody !== undefined;
  const before = { ...headersOf(old), ...(hasBodies && oldBody) };
  const after = { ...headersOf(now), ...(hasBodies && newBody) };
  if (isCovered(before.Vary, after.Vary)) after.Vary = before.Vary;
  const isPlain = what === `${kind.toUpperCase()} GET` && old.status === 200;
  // Its errors below LIST are HTML pages.
  if (what === BELOW_LIST) after['Content-Type'] = before['Content-Type'];
  const rows = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => compareTexts('responses', `${what} ${name}`, before[name], after[name]))
    .filter((row) => row.class !== 'same')
    .map((row): CompareResult => {
      const isOfUsers = kind === 'list' && row.what.endsWith(' Vary') && !hasUsers;
      const needs = 'compare LIST as a user of OLD: add `--sample FILE:N`';
      return isOfUsers ? { ...row, needs } : row;
    });
  const hasTag = (response: HttpResponse): boolean => headerOf(response, 'ETag') !== undefined;
  const tag = isPlain && hasTag(old) && !hasTag(now) ? [differs('responses', `${what} ETag`, 'an ETag', 'none')] : [];
  const all = [...rows, ...(isPlain ? compareCaching(what, old, now) : []), ...tag];
  return all.length === 0 ? [same('responses', what)] : all;
}

/** Reports a response that caches may store for less time than before, or share although OLD is private. */
export function compareCaching(what: string, old: HttpResponse, now: HttpResponse): CompareResult[] {
  const [before, after] = [lifetimeOf(old), lifetimeOf(now)];
  const isLess = before !== undefined && (after?.seconds ?? 0) < before.seconds;
  const isOpen = before !== undefined && !before.isShared && after?.isShared === true;
  const valueOf = (response: HttpResponse): string => printable(headerOf(response, 'Cache-Control') ?? 'none');
  return isLess || isOpen ? [differs('responses', `${what} Cache-Control`, valueOf(old), valueOf(now))] : [];
}

type Texts = Record<string, string | undefined>;

function headersOf(response: HttpResponse): Texts & { Vary: string | undefined } {
  const isRedirect = response.status >= 300 && response.status < 400;
  return {
    // A redirect needs no body.
    'Content-Type': isRedirect ? undefined : typeOf(response),
    Allow: namesOf(response, 'Allow')?.toUpperCase(),
    Vary: namesOf(response, 'Vary'),
    Location: locationOf(response),
  };
}

/** Returns the values of a JSON object, by name: `body.detail`. */
function bodyOf(response: HttpResponse): Texts | undefined {
  const body = typeOf(response) === 'application/json' ? jsonOf(response) : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [`body.${printable(key)}`, jsonText(value)]));
}

/** Whether Vary of NEW includes Vary of OLD: further names only make caches more careful. */
function isCovered(old: string | undefined, now = ''): boolean {
  const names = now.split(', ');
  return old === undefined || old.split(', ').every((name) => names.includes(name));
}

export function formatStatus({ status, headers: { location } }: HttpResponse): string {
  return location === undefined ? String(status) : `${status} to ${shownUrl(location)}`;
}

/** Returns the sorted names in a header, each once. */
function namesOf(response: HttpResponse, name: string): string | undefined {
  const names = [...new Set(members(headerOf(response, name)))];
  const capitalised = names.map((item) => item.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()));
  return capitalised.length === 0 ? undefined : capitalised.join(', ');
}

/** Returns the target of a redirect below the base URL, because the base URLs differ. */
function locationOf({ headers: { location } }: HttpResponse): string | undefined {
  if (location === undefined) return undefined;
  const at = location.indexOf(LIST.path.slice(0, -1));
  return at === -1 ? location : location.slice(at);
}

/** Compares two JSON documents, except differences that the lists have too; undefined for other responses. */
function documentDifference(
  { kind, isDocument = false }: OldRow,
  old: HttpResponse,
  now: HttpResponse,
  lists: LiveLists,
): { old: string; new: string } | undefined {
  const isJson = (response: HttpResponse): boolean =>
    response.status === 200 && typeOf(response)?.startsWith('application/json') === true;
  if (kind === 'config') {
    if (!isDocument && !(isJson(old) && isJson(now))) return undefined;
    const [before, after] = [old, now].map((response) => (response.status === 200 ? recordOf(response) : undefined));
    if (before !== undefined && after !== undefined) return compareConfigs(before, after, lists.pairs);
    const isSame = old.status === now.status && old.status !== 200;
    return isSame || !(isJson(old) || isJson(now))
      ? undefined
      : { old: nameOfRecord(old, before), new: nameOfRecord(now, after) };
  }
  if (!isJson(old) || !isJson(now)) return undefined;
  const records = [recordOf(old), recordOf(now)] as const;
  if (records[0] !== undefined && records[1] !== undefined) return compareConfigs(records[0], records[1], lists.pairs);
  const [before, after] = [plainList(old) === lists.old, plainList(now) === lists.new].map((isList) =>
    isList ? 'the list' : 'another list',
  ) as [string, string];
  return before === after ? undefined : { old: before, new: after };
}

function nameOfRecord(response: HttpResponse, record: AnyRecord | undefined): string {
  if (record !== undefined) return themeName(record);
  return response.status === 200 ? 'no theme' : `status ${response.status}`;
}

/** Formats a response to LIST, with URLs without signatures. */
export function plainList(response: HttpResponse): string | undefined {
  return plainUrls(jsonOf(response));
}

export function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

/** CORS libraries for Django allow these headers by default, so OLD may allow them although no client sends them. */
const DEFAULT_HEADERS = 'accept accept-encoding content-type dnt origin user-agent x-csrftoken x-requested-with'.split(
  ' ',
);

/** Compares the access of pages of an origin. NEW may allow more, but not less. */
export function compareOrigins(
  { what, method }: Pick<Probe, 'what' | 'method'>,
  origin: string,
  old: HttpResponse,
  now: HttpResponse,
): CompareResult[] {
  const reads = (response: HttpResponse): boolean =>
    ['*', origin].includes(headerOf(response, ALLOW_ORIGIN) ?? '') && (method === 'GET' || isOk(response));
  const sendsCookies = (response: HttpResponse): boolean =>
    headerOf(response, ALLOW_ORIGIN) === origin && headerOf(response, ALLOW_CREDENTIALS) === 'true';
  const allowedHeaders = (response: HttpResponse): string[] =>
    reads(response) ? members(headerOf(response, ALLOW_HEADERS)).filter((name) => !DEFAULT_HEADERS.includes(name)) : [];
  const lost =
    method === 'OPTIONS'
      ? allowedHeaders(old).some((name) => !allowedHeaders(now).includes(name)) && ALLOW_HEADERS
      : reads(old) && !reads(now)
        ? ALLOW_ORIGIN
        : sendsCookies(old) && !sendsCookies(now) && ALLOW_CREDENTIALS;
  if (lost === false) return [same('responses', what)];
  const row = compareTexts('responses', `${what} ${lost}`, headerOf(old, lost), headerOf(now, lost));
  // With an equal header, the status or another header forbids the access.
  return [row.class === 'same' ? differs('responses', row.what, 'allowed', `not allowed, status ${now.status}`) : row];
}

function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';
const ALLOW_HEADERS = 'Access-Control-Allow-Headers';

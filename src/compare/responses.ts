import { jsonText, printable, shownUrl } from '../diagnostics/quote.ts';
import { LIST } from '../document/endpoint.ts';
import { type HttpResponse, jsonOf, type Outcome } from '../http/exchange.ts';
import { headerOf, lifetimeOf, members, typeOf } from '../probe/headers.ts';
import { type Probe, title } from '../probe/table.ts';
import { type AnyRecord, compareConfigs, type ComparedLists, plainUrls, themeName } from './records.ts';
import { type Compared, compareTexts, differs, same } from './result.ts';

/** The lists that responses are compared with. */
export interface Known extends Pick<ComparedLists, 'pairs'> {
  /** The responses to LIST as {@link plainList} has them. */
  old: string | undefined;
  new: string | undefined;
  /** Whether LIST is compared as users. */
  hasUsers: boolean;
}

/** An origin that no service lists (RFC 2606): one that it may read from is any. */
export const ANY_ORIGIN = 'https://themecast-compare.invalid';

/** A response that is complete, or what is wrong, in a few words. */
export function completeResponse(outcome: Outcome): HttpResponse | string {
  if ('noResponse' in outcome) return outcome.noResponse;
  return outcome.end === 'complete' ? outcome : `body ${outcome.end}`;
}

/** Compares the outcomes of a row of the table. */
export function compareRow(probe: Probe, one: Outcome, other: Outcome, known: Known): Compared[] {
  const [group, what] = nameOf(probe);
  const [old, now] = [completeResponse(one), completeResponse(other)];
  if (typeof old === 'string' || typeof now === 'string') return [differs(group, what, shown(old), shown(now))];
  // Nothing is lost where OLD has nothing of the kind.
  const hasExtra = old.status === 200 && typeOf(old)?.split(';')[0] === probe.extra;
  if (probe.extra !== undefined && !hasExtra) return [same(group, what)];
  const { Origin: origin } = probe.headers;
  if (origin !== undefined) return compareOrigins({ ...probe, what }, origin, old, now);
  const isAsked = probe.method === 'GET' && (probe.requester !== undefined || old.status === now.status);
  const document = isAsked ? documentDifference(probe, old, now, known) : undefined;
  if (probe.requester !== undefined) {
    if (document !== undefined) return [differs(group, what, document.old, document.new)];
    return [old.status === now.status ? same(group, what) : differs(group, what, shown(old), shown(now))];
  }
  const rows = compareResponses({ ...probe, what }, old, now, known);
  if (document === undefined) return rows;
  return [...rows.filter((row) => row.class !== 'same'), differs(group, `${what} body`, document.old, document.new)];
}

function shown(response: HttpResponse | string): string {
  return typeof response === 'string' ? response : `status ${response.status}`;
}

/** The permanent name of a row. */
function nameOf({ what, requester, kind, returns }: Probe): [group: Compared['group'], what: string] {
  if (requester === undefined) return ['responses', what];
  const rendering = returns === 'json' ? '' : ` ${String(returns)}`;
  return ['users', `${requester.name}${kind === 'list' ? ` ${title(kind)}` : rendering}`];
}

/** Compares the responses to a probe: the status, or else what they have in common. */
export function compareResponses(
  { what, method, kind }: Pick<Probe, 'what' | 'method' | 'kind'>,
  old: HttpResponse,
  now: HttpResponse,
  { hasUsers }: Pick<Known, 'hasUsers'>,
): Compared[] {
  if (old.status !== now.status) return [differs('responses', `${what} status`, shownStatus(old), shownStatus(now))];
  // Documents are compared as themes, and pages are not: they are for people.
  const hasBody = method === 'OPTIONS' || (method === 'GET' && old.status >= 400);
  const [oldBody, newBody] = [bodyOf(old), bodyOf(now)];
  const hasBodies = hasBody && oldBody !== undefined && newBody !== undefined;
  const before = { ...headersOf(old), ...(hasBodies && oldBody) };
  const after = { ...headersOf(now), ...(hasBodies && newBody) };
  if (isCovered(before.Vary, after.Vary)) after.Vary = before.Vary;
  const isPlain = what === `${title(kind)} GET` && old.status === 200;
  const rows = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => compareTexts('responses', `${what} ${name}`, before[name], after[name]))
    .filter((row) => row.class !== 'same')
    .map((row): Compared => {
      const isOfUsers = kind === 'list' && row.what.endsWith(' Vary') && !hasUsers;
      const needs = 'compare LIST as users of OLD: add `--sample FILE:N`, or `--header` for one of them';
      return isOfUsers ? { ...row, needs } : row;
    });
  const hasTag = (response: HttpResponse): boolean => headerOf(response, 'ETag') !== undefined;
  const tag = isPlain && hasTag(old) && !hasTag(now) ? [differs('responses', `${what} ETag`, 'an ETag', 'none')] : [];
  const all = [...rows, ...(isPlain ? compareCaching(what, old, now) : []), ...tag];
  return all.length === 0 ? [same('responses', what)] : all;
}

/** Whether caches keep a response for less time than before, or for more clients. OLD may say nothing about that. */
export function compareCaching(what: string, old: HttpResponse, now: HttpResponse): Compared[] {
  const [before, after] = [lifetimeOf(old), lifetimeOf(now)];
  const isLess = before !== undefined && (after?.seconds ?? 0) < before.seconds;
  const isOpen = before !== undefined && !before.isShared && after?.isShared === true;
  const [one, other] = [old, now].map((response) => printable(headerOf(response, 'Cache-Control') ?? 'none'));
  return isLess || isOpen ? [differs('responses', `${what} Cache-Control`, one ?? '', other ?? '')] : [];
}

type Texts = Record<string, string | undefined>;

function headersOf(response: HttpResponse): Texts & { Vary: string | undefined } {
  const isRedirect = response.status >= 300 && response.status < 400;
  return {
    // The type of no content says nothing.
    'Content-Type': isRedirect ? undefined : typeOf(response),
    Allow: namesOf(response, 'Allow')?.toUpperCase(),
    Vary: namesOf(response, 'Vary'),
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

/** The names that a header lists: a set, whatever their order. */
function namesOf(response: HttpResponse, name: string): string | undefined {
  const names = [...new Set(members(headerOf(response, name)))];
  const spelt = names.map((item) => item.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()));
  return spelt.length === 0 ? undefined : spelt.join(', ');
}

/** Where a response leads, below the base URL: the base URLs of the services differ. */
function locationOf({ headers: { location } }: HttpResponse): string | undefined {
  if (location === undefined) return undefined;
  const at = location.indexOf(LIST.path.slice(0, -1));
  return at === -1 ? location : location.slice(at);
}

/** How two documents differ, beyond what their lists say already; nothing for other responses. */
function documentDifference(
  { kind, returns }: Probe,
  old: HttpResponse,
  now: HttpResponse,
  known: Known,
): { old: string; new: string } | undefined {
  const isDocument = (response: HttpResponse): boolean =>
    response.status === 200 && typeOf(response)?.startsWith('application/json') === true;
  if (kind === 'config') {
    if (returns !== 'json' && !(isDocument(old) && isDocument(now))) return undefined;
    const [before, after] = [old, now].map((response) => (response.status === 200 ? recordOf(response) : undefined));
    if (before !== undefined && after !== undefined) return compareConfigs(before, after, known.pairs);
    const isSame = old.status === now.status && old.status !== 200;
    return isSame || !(isDocument(old) || isDocument(now))
      ? undefined
      : { old: nameOfRecord(old, before), new: nameOfRecord(now, after) };
  }
  if (!isDocument(old) || !isDocument(now)) return undefined;
  const [before, after] = [plainList(old) === known.old, plainList(now) === known.new].map((isList) =>
    isList ? 'the list' : 'another list',
  ) as [string, string];
  return before === after ? undefined : { old: before, new: after };
}

function nameOfRecord(response: HttpResponse, record: AnyRecord | undefined): string {
  if (record !== undefined) return themeName(record);
  return response.status === 200 ? 'no theme' : `status ${response.status}`;
}

/** A response to LIST, without what a signature of its URLs changes. */
export function plainList(response: HttpResponse): string | undefined {
  return plainUrls(jsonOf(response));
}

/** The theme of a response, if it is one. */
export function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

/** Header names that libraries for Django allow by default: that OLD allows them says nothing about clients. */
const USUAL = 'accept accept-encoding content-type dnt origin user-agent x-csrftoken x-requested-with'.split(' ');

/** Compares the access of pages of an origin. NEW may allow more, as with `Vary`, but not less. */
export function compareOrigins(
  { what, method }: Pick<Probe, 'what' | 'method'>,
  origin: string,
  old: HttpResponse,
  now: HttpResponse,
): Compared[] {
  const reads = (response: HttpResponse): boolean =>
    ['*', origin].includes(headerOf(response, ALLOW_ORIGIN) ?? '') && (method === 'GET' || isOk(response));
  const sendsCookies = (response: HttpResponse): boolean =>
    headerOf(response, ALLOW_ORIGIN) === origin && headerOf(response, ALLOW_CREDENTIALS) === 'true';
  const sent = (response: HttpResponse): string[] =>
    reads(response) ? members(headerOf(response, ALLOW_HEADERS)).filter((name) => !USUAL.includes(name)) : [];
  const lost =
    method === 'OPTIONS'
      ? sent(old).some((name) => !sent(now).includes(name)) && ALLOW_HEADERS
      : reads(old) && !reads(now)
        ? ALLOW_ORIGIN
        : sendsCookies(old) && !sendsCookies(now) && ALLOW_CREDENTIALS;
  if (lost === false) return [same('responses', what)];
  const row = compareTexts('responses', `${what} ${lost}`, headerOf(old, lost), headerOf(now, lost));
  // The header may be there and be for something else: the status, or the origin.
  return [row.class === 'same' ? differs('responses', row.what, 'allowed', `not allowed, status ${now.status}`) : row];
}

function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ALLOW_CREDENTIALS = 'Access-Control-Allow-Credentials';
const ALLOW_HEADERS = 'Access-Control-Allow-Headers';

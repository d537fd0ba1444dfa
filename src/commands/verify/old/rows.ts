import { jsonText, printable } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import type { EdgeRules } from '../../../hosts/contract.ts';
import { type HttpResponse, jsonOf, type Outcome } from '../../../system/http/exchange.ts';
import type { Headers } from '../build.ts';
import {
  ALLOW_CREDENTIALS,
  ALLOW_HEADERS,
  ALLOW_ORIGIN,
  essenceOf,
  headerOf,
  lifetimeOf,
  members,
  typeOf,
} from '../headers.ts';
import { headerResult, judgeOutcome, type Row } from '../judge.ts';
import { fault, passed, type Result } from '../result.ts';
import {
  BELOW_LIST,
  endpointProbes,
  pathProbes,
  preflight,
  type Probe,
  renderingProbe,
  requestOf,
  type Route,
  routesOf,
} from '../table.ts';
import { type AnyRecord, compareConfigs, formatPair, type ListComparison, plainUrls, themeName } from './records.ts';
import { type OldRequester, wrongRequesters } from './requesters.ts';

/** A question to both services: the answer of the old one is the expected one. */
export interface Question extends Probe {
  requester?: OldRequester | undefined;
  /** The hostname that both services get. */
  hostname?: string;
  /** Whether it requests a rendering as its usual client does: then caching and validators count too. */
  isDocument?: boolean;
}

/** What the questions combine. */
export interface OldTable {
  rules: EdgeRules;
  requesters: readonly OldRequester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  hostnames?: readonly string[] | undefined;
}

/** Limits the requesters of every rendering; the others request only the JSON. */
const MAX_COMPLETE_REQUESTERS = 3;
/** No service lists this origin (RFC 2606): if it is allowed, every origin is. */
export const ANY_ORIGIN = 'https://themecast-verify.invalid';

/** Returns every question that does not depend on an earlier answer. @param records - the list of the old service */
export function questions(table: OldTable, records: readonly unknown[]): Question[] {
  const { rules, requesters, origins, hostnames = [] } = table;
  const theme = records.find((record): record is AnyRecord => typeof record === 'object' && record !== null);
  const name = theme?.['name'];
  const paths = pathProbes(theme, typeof name === 'string' ? name : undefined);
  const detail = paths.filter(({ what }) => what === 'detail path');
  const routes = routesOf(rules).filter(({ kind }) => kind !== 'theme');
  const json = routes.flatMap((route) => documentsOf(route).slice(0, 1));
  const asked = [...new Set(['authorization', ...rules.corsHeaders.map((header) => header.toLowerCase())])];
  const documents = routes.flatMap(documentsOf);
  return [
    ...requesters.flatMap((requester, at) =>
      documents
        .filter((row) => row.isDocument === true || (row.kind === 'config' && at < MAX_COMPLETE_REQUESTERS))
        .map((row) => ({ ...row, requester })),
    ),
    ...requesters.slice(0, 1).flatMap((requester) => detail.map((row) => ({ ...row, requester }))),
    ...wrongRequesters(requesters).flatMap((requester) => json.map((row) => ({ ...row, requester }))),
    ...hostnames.flatMap((hostname) => json.map((row) => ({ ...row, what: `${row.what} at ${hostname}`, hostname }))),
    ...routes.flatMap((route) =>
      endpointProbes(route, rules).map((row) => ({ ...row, isDocument: row.what.endsWith(' GET') })),
    ),
    ...documents
      .filter(({ what }) => !what.endsWith(' html'))
      .map((row): Question => ({
        ...row,
        what: row.what.replace(/^\w+/, '$& HEAD'),
        method: 'HEAD',
        isDocument: false,
      })),
    ...paths,
    ...routes.flatMap((route) =>
      [['any origin', ANY_ORIGIN] as const, ...origins.map((origin) => [origin, origin] as const)].flatMap(
        ([origin, Origin]): Question[] => [
          {
            ...preflight(route, Origin, []),
            what: `${route.title} from ${origin}`,
            method: 'GET',
            headers: { Origin },
          },
          { ...preflight(route, Origin, asked), what: `${route.title} preflight from ${origin}` },
        ],
      ),
    ),
  ];
}

/** Requests each rendering as its usual client does, the JSON first. */
function documentsOf(route: Route): Question[] {
  return route.endpoint.renderings.map((each) => ({
    ...renderingProbe(route, each),
    isDocument: each.name === 'json',
  }));
}

/** What responses are compared with. */
export interface Context extends Pick<ListComparison, 'pairs'> {
  /** The URL of the new service. */
  url: string;
  /** The lists of both services, formatted by {@link plainList}. */
  old: string | undefined;
  new: string | undefined;
  /** Whether users request LIST too. */
  hasUsers: boolean;
}

/** LIST may differ by user, which an entry of an accept file must not hide. */
const NEEDS_USERS = 'Before you accept Vary of LIST, compare LIST as a user of OLD: add `--sample FILE:N`.';

/** Compares the answers of both services. */
export function compareAnswers(question: Question, before: Outcome, after: Outcome, context: Context): Result[] {
  const { extra, requester } = question;
  const id = requester === undefined ? 'responses/same' : 'users/same';
  const what =
    requester === undefined
      ? question.what
      : `${requester.name}${question.what === 'CONFIG' ? '' : ` ${question.what}`}`;
  const [old, now] = [before, after].map((outcome) => problemOf(outcome));
  const problem = old ?? now;
  if (problem !== undefined)
    return [
      fault(id, what, { expected: old ?? 'a response', found: now ?? 'not compared: repeat with a lower --rate' }),
    ];
  const response = before as HttpResponse;
  // A missing rendering is no loss if OLD does not have it either.
  if (extra !== undefined && !(response.status === 200 && essenceOf(typeOf(response)) === extra)) return [passed(id)];
  return judgeOutcome(rowOf({ ...question, what }, id, response, context), after).map((result) => {
    const isOfUsers = question.kind === 'list' && result.message.endsWith(' Vary') && !context.hasUsers;
    return result.ok || !isOfUsers ? result : { ...result, hint: NEEDS_USERS };
  });
}

/** Returns why a response cannot be compared. */
export function problemOf(outcome: Outcome): string | undefined {
  if ('noResponse' in outcome) return outcome.noResponse;
  if ([429, 503].includes(outcome.status)) return `still status ${outcome.status}`;
  return outcome.end === 'complete' ? undefined : `body ${outcome.end}`;
}

/** Makes the row of a question. */
function rowOf(question: Question, id: Row['id'], old: HttpResponse, context: Context): Row {
  const { what, requester, headers, hostname } = question;
  const { url } = context;
  const { Origin: origin } = headers;
  const host = hostname === undefined ? {} : { Host: hostname };
  const row: Row = {
    id,
    what,
    request: requestOf(question, url, { ...requester?.headers, ...host }),
    expected: { status: old.status, headers: {}, text: '' },
    isOld: true,
  };
  if (origin !== undefined) {
    const expected = { ...row.expected, headers: originHeaders(question.method, origin, old) };
    return { ...row, only: 'cors', expected };
  }
  const location = headerOf(old, 'Location');
  const target = location === undefined ? {} : { location: targetAt(url, location) };
  const more: Row['more'] = (_, now) => [
    ...documentResults(question, row, old, now, context),
    ...(question.isDocument === true && requester === undefined ? cachingResults(row, old, now) : []),
    ...(requester === undefined ? errorResults(question, row, old, now) : []),
  ];
  if (requester !== undefined) return { ...row, expected: { ...row.expected, headers: target }, more };
  return {
    ...row,
    expected: { ...row.expected, headers: { ...pick(old, ['Content-Type', 'Allow', 'Vary']), ...target } },
    more,
  };
}

function pick(response: HttpResponse, names: readonly string[]): Headers {
  const entries = names.flatMap((name): [string, string][] => {
    const value = headerOf(response, name);
    return value === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the target of a redirect at the new service. */
function targetAt(url: string, location: string): string {
  const at = location.indexOf(LIST.path.slice(0, -1));
  return at === -1 ? location : url + location.slice(at);
}

/** CORS libraries for Django allow these headers by default, so OLD may allow them although no client sends them. */
const DEFAULT_HEADERS = /^(?:accept|accept-encoding|content-type|dnt|origin|user-agent|x-csrftoken|x-requested-with)$/;

/** Returns the headers by which OLD gives pages of an origin access. NEW may allow more, but not less. */
export function originHeaders(method: string, origin: string, old: HttpResponse): Headers {
  const allowed = headerOf(old, ALLOW_ORIGIN);
  const isOk = old.status >= 200 && old.status < 300;
  if (allowed === undefined || !['*', origin].includes(allowed) || !isOk) return {};
  const access = pick(old, [ALLOW_ORIGIN]);
  if (method !== 'OPTIONS') {
    const sendsCookies = allowed === origin && headerOf(old, ALLOW_CREDENTIALS) === 'true';
    return sendsCookies ? { ...access, [ALLOW_CREDENTIALS.toLowerCase()]: 'true' } : access;
  }
  const names = members(headerOf(old, ALLOW_HEADERS)).filter((name) => !DEFAULT_HEADERS.test(name));
  return names.length === 0 ? {} : { ...access, [ALLOW_HEADERS.toLowerCase()]: names.join(', ') };
}

/** Reports a response that caches may store for less time than before, or share although OLD is private; and a missing ETag. */
export function cachingResults(row: Row, old: HttpResponse, now: HttpResponse): Result[] {
  const [before, after] = [lifetimeOf(old), lifetimeOf(now)];
  const isLess = before !== undefined && (after?.seconds ?? 0) < before.seconds;
  const isOpen = before !== undefined && !before.isShared && after?.isShared === true;
  const isTagged = headerOf(old, 'ETag') === undefined || headerOf(now, 'ETag') !== undefined;
  const [cacheControl = 'none', other] = [old, now].map((response) => headerOf(response, 'Cache-Control'));
  return [
    headerResult(row, row.id, 'Cache-Control', !isLess && !isOpen, cacheControl, other),
    headerResult(row, row.id, 'ETag', isTagged, 'an ETag', undefined),
  ];
}

/** Compares the JSON of errors: clients show its texts. Metadata has texts for people, which every service of Django REST Framework differs in. */
function errorResults({ method }: Question, row: Row, old: HttpResponse, now: HttpResponse): Result[] {
  if (method !== 'GET' || old.status < 400 || row.what === BELOW_LIST) return [];
  const [before, after] = [old, now].map((response) =>
    typeOf(response) === 'application/json' ? jsonOf(response) : undefined,
  );
  if (typeof before !== 'object' || before === null || Array.isArray(before)) return [];
  const values = { ...(typeof after === 'object' ? after : {}) } as AnyRecord;
  return Object.entries(before).flatMap(([key, value]) => {
    const [expected, found] = formatPair(jsonText(value), jsonText(values[key] ?? 'none'));
    return expected === found ? [] : [fault(row.id, `${row.what} body.${printable(key)}`, { expected, found })];
  });
}

/** Compares two JSON documents, except differences that the lists have too. */
function documentResults(
  { kind, method, isDocument = false }: Question,
  row: Row,
  old: HttpResponse,
  now: HttpResponse,
  lists: Context,
): Result[] {
  const isJson = (response: HttpResponse): boolean => essenceOf(typeOf(response)) === 'application/json';
  if (method !== 'GET' || old.status !== 200 || !(isDocument || (isJson(old) && isJson(now)))) return [];
  const differs = (details: { expected: string; found: string } | undefined): Result[] => {
    const what = row.id === 'users/same' ? row.what : `${row.what} body`;
    return details === undefined || details.expected === details.found ? [] : [fault(row.id, what, details)];
  };
  const [before, after] = [recordOf(old), recordOf(now)];
  if (before !== undefined && after !== undefined) return differs(compareConfigs(before, after, lists.pairs));
  if (kind === 'config')
    return differs({ expected: before ? themeName(before) : 'no theme', found: after ? themeName(after) : 'no theme' });
  const [isOldList, isNewList] = [plainList(old) === lists.old, plainList(now) === lists.new];
  return differs({ expected: isOldList ? 'the list' : 'another list', found: isNewList ? 'the list' : 'another list' });
}

/** Formats a response to LIST, with URLs without signatures. */
export function plainList(response: HttpResponse): string | undefined {
  return plainUrls(jsonOf(response));
}

export function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

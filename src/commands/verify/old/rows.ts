import { jsonText, printable } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { type HttpResponse, jsonOf, type Outcome } from '../../../system/http/exchange.ts';
import type { Headers } from '../build.ts';
import * as h from '../headers.ts';
import { headerResult, judgeOutcome, type Row } from '../judge.ts';
import { fault, passed, type Result } from '../result.ts';
import { endpointProbes, pathProbes, preflight, type Probe, renderingProbe, requestOf, routesOf } from '../table.ts';
import { type AnyRecord, compareConfigs, differs, type ListComparison, plainUrls, themeName } from './records.ts';
import { type OldRequester, wrongRequesters } from './requesters.ts';

/** A question to both services: the answer of the old one is the expected one. */
export interface Question extends Probe {
  requester?: OldRequester | undefined;
  /** The hostname that both services get. */
  hostname?: string;
  /** Whether it requests the JSON as its usual client does: then caching and validators count too. */
  isDocument?: boolean;
}

/** What the questions combine. */
export interface OldTable {
  rules: EdgeRules;
  requesters: readonly OldRequester[];
  hostnames?: readonly string[] | undefined;
}

/** Limits the requesters of every rendering; the others request only the JSON. */
const MAX_COMPLETE_REQUESTERS = 3;
/** No service lists this origin (RFC 2606): if it is allowed, every origin is. */
export const ANY_ORIGIN = 'https://themecast-verify.invalid';

/** Returns every question that does not depend on an earlier answer. @param records - the list of the old service */
export function questions({ rules, requesters, hostnames = [] }: OldTable, records: readonly unknown[]): Question[] {
  const theme = records.find((record): record is AnyRecord => typeof record === 'object' && record !== null);
  const { name } = { ...theme };
  const paths: Question[] = pathProbes(theme, typeof name === 'string' ? name : undefined);
  const routes = routesOf(rules).filter(({ kind }) => kind !== 'theme');
  const documents = routes.flatMap((route) =>
    route.endpoint.renderings.map((each): Question => {
      return { ...renderingProbe(route, each), isDocument: each.name === 'json' };
    }),
  );
  const json = documents.filter(({ isDocument }) => isDocument);
  const personal = documents.filter(({ kind, isDocument }) => kind === 'config' && isDocument !== true);
  const asked = [...new Set(['authorization', ...rules.corsHeaders.map((header) => header.toLowerCase())])];
  const as = (requester: OldRequester, rows: readonly Question[]): Question[] =>
    rows.map((row) => ({ ...row, requester }));
  return [
    ...requesters.flatMap((requester, at) =>
      as(requester, at < MAX_COMPLETE_REQUESTERS ? [...json, ...personal] : json),
    ),
    ...requesters.slice(0, 1).flatMap((each) => as(each, paths.slice(1, 2))),
    ...wrongRequesters(requesters).flatMap((requester) => as(requester, json)),
    ...hostnames.flatMap((hostname) => json.map((row) => ({ ...row, what: `${row.what} at ${hostname}`, hostname }))),
    ...documents.map((row): Question => {
      return { ...row, what: row.what.replace(/^\w+/, '$& HEAD'), method: 'HEAD', isDocument: false };
    }),
    ...paths,
    ...routes.flatMap((route): Question[] => [
      ...endpointProbes(route, rules).map((row) => ({ ...row, isDocument: row.what.endsWith(' GET') })),
      ...[ANY_ORIGIN, ...rules.corsOrigins].flatMap((Origin): Question[] => {
        const from = `from ${Origin === ANY_ORIGIN ? 'any origin' : Origin}`;
        const probe = preflight(route, Origin, asked);
        return [
          { ...probe, what: `${route.title} ${from}`, method: 'GET', headers: { Origin } },
          { ...probe, what: `${probe.what} ${from}` },
        ];
      }),
    ]),
  ];
}

/** What responses are compared with. */
export interface Context extends Pick<ListComparison, 'pairs'> {
  /** The URL of the new service. */
  url: string;
  /** The lists of both services, formatted by {@link plainList}. */
  lists: readonly (string | undefined)[];
}

/** Compares the answers of both services. */
export function compareAnswers(question: Question, before: Outcome, after: Outcome, context: Context): Result[] {
  const { extra, requester } = question;
  const id = requester === undefined ? 'responses/same' : 'users/same';
  const named = question.what === 'CONFIG' ? '' : ` ${question.what}`;
  const what = requester === undefined ? question.what : `${requester.name}${named}`;
  const [old, now] = [before, after].map(problemOf);
  if ((old ?? now) !== undefined) {
    const [expected = 'a response', found = 'not compared'] = [old, now];
    return [fault(id, what, { expected, found, hint: 'Compare what got no response again, with a lower `--rate`.' })];
  }
  const response = before as HttpResponse;
  // A missing rendering is no loss if OLD does not have it either.
  const isMissing = extra !== undefined && !(response.status === 200 && h.essenceOf(h.typeOf(response)) === extra);
  return isMissing ? [passed(id)] : judgeOutcome(rowOf({ ...question, what }, id, response, context), after);
}

/** Returns why a response cannot be compared. */
export function problemOf(outcome: Outcome): string | undefined {
  if ('noResponse' in outcome) return outcome.noResponse;
  if ([429, 503].includes(outcome.status)) return `still status ${outcome.status}`;
  return outcome.end === 'complete' ? undefined : `body ${outcome.end}`;
}

/** Returns a row that expects from the new service what the old one answered. */
function rowOf(question: Question, id: Row['id'], old: HttpResponse, context: Context): Row {
  const { what, method, requester, headers, hostname, isDocument } = question;
  const { url } = context;
  const request = requestOf(question, url, {
    ...requester?.headers,
    ...(hostname !== undefined && { Host: hostname }),
  });
  const row = { id, what, request, isOld: true } as const;
  const { status } = old;
  if (headers['Origin'] !== undefined)
    return {
      ...row,
      only: 'cors',
      expected: { status, headers: originHeaders(method, headers['Origin'], old), text: '' },
    };
  const location = h.headerOf(old, 'Location');
  const at = location?.indexOf(LIST.path.slice(0, -1)) ?? -1;
  const target = location !== undefined && { location: at === -1 ? location : url + location.slice(at) };
  const isShared = requester === undefined;
  const expected = {
    status,
    headers: { ...(isShared && pick(old, 'Content-Type', 'Allow', 'Vary')), ...target },
    text: '',
  };
  return {
    ...row,
    expected,
    more: (_, now) => [
      ...documentResults(question, row, old, now, context),
      ...(isShared && isDocument === true ? cachingResults(row, old, now) : []),
      ...(isShared && method === 'GET' && status >= 400 ? errorResults(row, old, now) : []),
    ],
  };
}

function pick(response: HttpResponse, ...names: string[]): Headers {
  return Object.fromEntries(
    names.map((name) => [name.toLowerCase(), h.headerOf(response, name)]).filter(([, value]) => value !== undefined),
  ) as Headers;
}

/** CORS libraries for Django allow these headers by default, so OLD may allow them although no client sends them. */
const DEFAULT_HEADERS = /^(?:accept|accept-encoding|content-type|dnt|origin|user-agent|x-csrftoken|x-requested-with)$/;

/** Returns the headers by which OLD gives pages of an origin access. NEW may allow more, but not less. */
export function originHeaders(method: string, origin: string, old: HttpResponse): Headers {
  const access = pick(old, h.ALLOW_ORIGIN);
  const [allowed = ''] = Object.values(access);
  if (!['*', origin].includes(allowed) || old.status < 200 || old.status > 299) return {};
  const names = h.members(h.headerOf(old, h.ALLOW_HEADERS)).filter((name) => !DEFAULT_HEADERS.test(name));
  if (method === 'OPTIONS')
    return names.length === 0 ? {} : { ...access, [h.ALLOW_HEADERS.toLowerCase()]: names.join(', ') };
  return allowed === '*' ? access : { ...access, ...pick(old, h.ALLOW_CREDENTIALS) };
}

/** Reports a response that caches may store for less time than before, or share although OLD is private; and a missing ETag. */
export function cachingResults(
  row: Pick<Row, 'id' | 'what' | 'isOld'>,
  old: HttpResponse,
  now: HttpResponse,
): Result[] {
  const [before, after] = [h.lifetimeOf(old), h.lifetimeOf(now)];
  const isLess = before !== undefined && (after?.seconds ?? 0) < before.seconds;
  const isOpen = before !== undefined && !before.isShared && after?.isShared === true;
  const isTagged = h.headerOf(old, 'ETag') === undefined || h.headerOf(now, 'ETag') !== undefined;
  const [cacheControl = 'none', other] = [old, now].map((response) => h.headerOf(response, 'Cache-Control'));
  return [
    headerResult(row, row.id, 'Cache-Control', !isLess && !isOpen, cacheControl, other),
    headerResult(row, row.id, 'ETag', isTagged, 'an ETag', undefined),
  ];
}

/** Compares the JSON of errors: clients show its texts. */
function errorResults({ id, what }: Pick<Row, 'id' | 'what'>, old: HttpResponse, now: HttpResponse): Result[] {
  const [before, after] = [old, now].map((response) => ({ ...(jsonOf(response) as AnyRecord | undefined) }));
  return Object.entries(before ?? {}).map(([key, value]) =>
    differs(id, `${what} body.${printable(key)}`, jsonText(value), jsonText(after?.[key] ?? 'none')),
  );
}

/** Compares two JSON documents, except differences that the lists have too. */
function documentResults(
  { kind, method, isDocument }: Question,
  { id, what }: Pick<Row, 'id' | 'what'>,
  old: HttpResponse,
  now: HttpResponse,
  { pairs, lists }: Context,
): Result[] {
  const isJson = [old, now].every((response) => h.essenceOf(h.typeOf(response)) === 'application/json');
  if (method !== 'GET' || old.status !== 200 || !(isDocument === true || isJson)) return [];
  const name = id === 'users/same' ? what : `${what} body`;
  const [before, after] = [recordOf(old), recordOf(now)];
  if (before !== undefined && after !== undefined) return compareConfigs(id, name, before, after, pairs);
  const texts = [old, now].map((response, at) => (plainList(response) === lists[at] ? 'the list' : 'another list'));
  const themes = [before, after].map((record) => (record === undefined ? 'no theme' : themeName(record)));
  const [expected = '', found = ''] = kind === 'config' ? themes : texts;
  return [differs(id, name, expected, found)];
}

/** Formats a response to LIST, with URLs without signatures. */
export function plainList(response: HttpResponse): string | undefined {
  return plainUrls(jsonOf(response));
}

export function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

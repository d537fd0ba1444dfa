import { type HttpResponse, type Outcome, type Request, statusOf, urlOf } from '../../system/http/exchange.ts';
import type { PublishedFile } from '../../hosts/contract/published-build.ts';
import type { Headers, Kind, Requester } from './build.ts';
import type { CheckId } from './checks.ts';
import { ALLOW_ORIGIN, essenceOf, headerOf, HEADERS, headerText, typeOf } from './headers.ts';
import { fault, passed, type Result, verdict } from './result.ts';

/** The whole response that the contract requires. */
export interface Expected {
  status: number;
  /** By name in lower case. */
  headers: Headers;
  /** The published file with the body. */
  file?: PublishedFile | undefined;
  /** The body, unless it is a file. */
  text: string;
}

/** A row of the table: a request, and the whole response that is expected: that of the build, or that of the old service. */
export interface Row {
  /** The check that fails with another status or body. */
  id: CheckId;
  /** Its name in messages, and in accept files. */
  what: string;
  request: Request;
  expected: Expected;
  kind?: Kind | undefined;
  /** The name of the rendering that is requested. */
  rendering?: string | undefined;
  requester?: Requester | undefined;
  /** As whom the request is sent, for the report, which merges faults that differ only by that. */
  who?: string;
  /** The content coding that the request allows. */
  coding?: string;
  /** What is judged, if not everything: a gateway may answer preflights, and 304 refreshes a stored response. */
  only?: 'cors' | '304';
  /** Whether the old service answered: differences have the name of the row and the header. */
  isOld?: true;
  /** What a passed row adds to the report. */
  label?: string;
  /** The likeliest cause of a fault of this row, if it is not that of the check. */
  hint?: string | undefined;
  /** Judges the body and what else is expected, once status and headers are judged. */
  more?: Judge;
  /** Judges a response that is not compared with a whole one. */
  judge?: Judge;
}

export type Judge = (row: Row, response: HttpResponse) => Result[];

/** A row that was requested, with its response. */
export interface Answered {
  row: Row;
  response: HttpResponse;
  /** Whether it is the document that is expected. */
  isRight: boolean;
}

const HOST_HINT =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it.';

/** Judges the outcome of a row. Faults get the URL of the request, unless they have one; a missing response is a fault. */
export function judgeOutcome(row: Row, outcome: Outcome | undefined): Result[] {
  const { id, request, requester, isOld, who = '' } = row;
  const url = urlOf(request) + who;
  // A host may refuse forged and odd requests.
  const isRefused = outcome === undefined || 'noResponse' in outcome || outcome.status !== 200;
  if (isRefused && (request.isOdd === true || requester?.id === 'config/forged')) return [];
  if (outcome === undefined || 'noResponse' in outcome) {
    const found = outcome?.noResponse ?? 'no response';
    const hint = 'The rest of the site responds: check the component that handles only this request.';
    return [fault(id, `${request.method} got no response.`, { expected: 'a response', found, hint, url })];
  }
  const usual = row.hint ?? (request.headers['Host'] === undefined || isOld ? undefined : HOST_HINT);
  return (row.judge ?? judge)(row, outcome).map((result) =>
    result.ok ? result : { url, ...result, hint: result.hint ?? (result.id === id ? usual : undefined) },
  );
}

/** Compares a response with the expected one: status and target, headers, then everything else. */
export const judge: Judge = (row, response) => {
  const { id, what, kind, rendering, only, expected } = row;
  const isShared = kind !== 'config' && rendering === 'json';
  if (only === '304' && response.status === 200)
    return isShared ? [fault(id, `${what} does not respond with 304.`, { expected: '304', found: '200' })] : [];
  const status = statusResult(row, response);
  if (status !== undefined) return [status];
  const type = expected.headers['content-type'];
  if (rendering !== undefined && expected.status === 200 && essenceOf(typeOf(response)) !== essenceOf(type)) {
    const found = `${response.status}, ${headerText(response, 'Content-Type')}`;
    return [fault(id, `${what} gets another rendering.`, { expected: `200, Content-Type: ${type}`, found })];
  }
  return [passed(id, row.label), ...headerResults(row, response), ...(row.more?.(row, response) ?? [])];
};

function statusResult(row: Row, response: HttpResponse): Result | undefined {
  const { what, request, expected, only, isOld } = row;
  let { id } = row;
  const { status, headers } = expected;
  const target = headers['location'];
  // Any successful status will do for a preflight (Fetch standard, §4.8).
  if (only === 'cors') {
    const isFine =
      headers[ALLOW_ORIGIN.toLowerCase()] === undefined || (response.status >= 200 && response.status < 300);
    const message = isOld ? `${what} status` : `${what} does not respond with a status of 2xx.`;
    return isFine ? undefined : fault(id, message, { expected: '2xx', found: statusOf(response) });
  }
  const isSame = response.status === status || (status === 301 && response.status === 308);
  if (isSame && (target === undefined || leadsTo(response, urlOf(request), target))) return undefined;
  const to = target === undefined ? '' : ` to ${target}`;
  if (isOld) {
    const [before, now] = isSame ? [target, headerOf(response, 'Location')] : [`${status}${to}`, statusOf(response)];
    const details = { expected: withoutQueries(before ?? 'none'), found: withoutQueries(now ?? 'none') };
    return fault(id, `${what} ${isSame ? 'Location' : 'status'}`, details);
  }
  if (id === 'redirect/status' && response.status === 200 && typeOf(response)?.startsWith('image/') === true)
    id = 'redirect/served';
  // A missing HEAD method is no missing image.
  if (request.method === 'HEAD' && [405, 501].includes(response.status)) id = 'method/head';
  const message = `${what} does not respond with ${status}${to}.`;
  return fault(id, message, { expected: `${status}${to}`, found: statusOf(response) });
}

/** Removes the queries of URLs: a query may be personal, or a signature. */
export function withoutQueries(text: string): string {
  return text.replaceAll(/[^\s"]+/g, (word) => {
    const end = word.indexOf('?') + 1;
    return word.slice(0, end).includes('/') ? `${word.slice(0, end)}…` : word;
  });
}

/** Whether a response redirects to a target, by a path or a URL. */
function leadsTo(response: HttpResponse, from: string, target: string): boolean {
  const location = headerOf(response, 'Location') ?? '';
  return URL.canParse(location, from) && new URL(target, from).href === new URL(location, from).href;
}

/** Compares the headers by their meaning. */
function headerResults(row: Row, response: HttpResponse): Result[] {
  const { request, expected, only } = row;
  const judged: readonly CheckId[] | undefined =
    only === 'cors' ? ['cors/allowed'] : only === '304' ? ['headers/cache', 'headers/vary'] : undefined;
  return Object.entries(HEADERS).flatMap(([name, [id, holds]]): Result[] => {
    const value = expected.headers[name.toLowerCase()];
    if (value === undefined || judged?.includes(id) === false) return [];
    // The host may send its own error page.
    if (name === 'Content-Type' && expected.status >= 300) return [];
    const actual = headerOf(response, name);
    const isRight = actual !== undefined && holds(actual, value, { expected: expected.headers, request });
    return [headerResult(row, id, name, isRight, value, actual)];
  });
}

/** Reports a header. */
export function headerResult(
  row: Pick<Row, 'id' | 'what' | 'kind' | 'isOld' | 'hint'>,
  id: CheckId,
  name: string,
  isRight: boolean,
  expected: string,
  found: string | undefined,
): Result {
  if (row.isOld) return verdict(row.id, isRight, `${row.what} ${name}`, { expected, found: found ?? 'none' });
  const subject =
    row.id === 'path/not-found'
      ? 'An error'
      : row.id === 'redirect/status'
        ? 'A redirect'
        : (row.kind?.toUpperCase() ?? row.what);
  const differs = `${subject} ${found === undefined ? `has no ${name}` : `has another ${name}`}.`;
  return verdict(id, isRight, id === 'headers/security' ? `${name} differs from the rules.` : differs, {
    expected: `${name}: ${expected}`,
    found: found === undefined ? `no ${name} header` : `${name}: ${found}`,
  });
}

import { printable } from '../../core/diagnostics/quote.ts';
import { type HttpResponse, statusOf } from '../../system/http/exchange.ts';
import { anonymousTheme, type Deployment, firstOfEach, themeName, themeOf } from './build.ts';
import { headerOf, headerText } from './headers.ts';
import type { ContractRow } from './judge.ts';
import { type Result, verdict } from './result.ts';
import type { Answered } from './rows.ts';

/** Limits the pairs of responses whose validators are compared. */
const MAX_PAIRS = 12;

/** A request with the validator of another document. */
export interface ForeignRow extends ContractRow {
  header: 'If-None-Match' | 'If-Modified-Since';
  value: string;
  /** Whose validator it is. */
  whose: string;
}

function foreignRow(row: ContractRow, header: ForeignRow['header'], value: string, whose: string): ForeignRow {
  const request = { ...row.request, headers: { ...row.request.headers, [header]: value } };
  return { ...row, id: 'conditional/foreign', request, header, value, whose };
}

/**
 * Requests each rendering with the ETag of the next one, or an unknown one. After a wrong 304, clients keep an old document, or a page
 * in place of the JSON (RFC 9110, §8.8.3 and §13.1.2).
 */
export function foreignRows(renderings: readonly Answered[]): ForeignRow[] {
  return renderings.map(({ row }, index) => {
    const next = renderings[(index + 1) % renderings.length];
    const tag = next?.row === row ? undefined : next?.response.headers['etag'];
    const [value, whose] =
      tag === undefined ? ['"themecast-verify"', 'an unknown document'] : [tag, 'another rendering'];
    return foreignRow(row, 'If-None-Match', value, whose);
  });
}

/** Requests CONFIG as a user, with the ETag and date of another theme: 304 would leave the user with that theme. */
export function validatorRows({ build }: Deployment, responses: readonly Answered[]): ForeignRow[] {
  const rows = responses.flatMap((from, index) => {
    const to = responses[(index + 1) % responses.length];
    if (to === undefined || to.response.sha256 === from.response.sha256) return [];
    const whose = themeName(build, from.row.requester?.theme ?? '');
    const { etag, 'last-modified': date } = from.response.headers;
    return [
      ...(etag === undefined ? [] : [foreignRow(to.row, 'If-None-Match', etag, whose)]),
      ...(date === undefined ? [] : [foreignRow(to.row, 'If-Modified-Since', date, whose)]),
    ];
  });
  return rows.slice(0, MAX_PAIRS);
}

export function judgeForeign({ build }: Deployment, row: ForeignRow, response: HttpResponse): Result[] {
  const { id, what, header, value, whose, requester } = row;
  const isSame = header === 'If-None-Match' && headerOf(response, 'ETag') === value;
  const who =
    requester === undefined ? '' : ` with ${themeName(build, requester.theme)} for ${printable(requester.name)}`;
  const message = `${what} has the validator of another document, or responds with 304 to it.`;
  const found = `${statusOf(response)} to ${header}: ${printable(value)} of ${whose}, ${headerText(response, 'ETag')}`;
  return [
    verdict(id, response.status !== 304 && !isSame, message, { expected: `200${who}, and an ETag of its own`, found }),
  ];
}

/** Judges the response to the tag that the same document had: LIST should confirm it. */
export function judgeOwn(row: ContractRow, response: HttpResponse): Result[] {
  if (row.kind === 'config' || row.rendering !== 'json') return [];
  const found = `${statusOf(response)}, ${headerText(response, 'ETag')}`;
  return [
    verdict(
      'conditional/own',
      response.status === 304,
      `${row.kind?.toUpperCase()} does not respond with 304 to its own ETag.`,
      {
        expected: '304',
        found,
      },
    ),
  ];
}

/** A repeated request of CONFIG. */
export interface RepeatRow extends ContractRow {
  before: HttpResponse;
  all: readonly Answered[];
}

/**
 * Repeats requests of CONFIG after those from other requesters: the anonymous one, and up to two per rule. If a shared cache had stored a
 * response for one of them, another would get it now. A stored response alone is no fault: Varnish and CloudFront store each theme
 * once, and choose it for each request.
 */
export function repeatRows({ build }: Deployment, responses: readonly Answered[]): RepeatRow[] {
  if (new Set(responses.map(({ response }) => response.sha256)).size < 2) return [];
  const fallback = anonymousTheme(build);
  const kindOf = ({ row: { requester } }: Answered): string =>
    `${requester?.rule === undefined ? '' : build.rules.identity.indexOf(requester.rule)} ${requester?.theme === fallback}`;
  return firstOfEach(responses, kindOf).map(({ row, response }) => {
    return { ...row, id: 'config/shared-cache', before: response, all: responses };
  });
}

export function judgeRepeat({ build }: Deployment, row: RepeatRow, response: HttpResponse): Result[] {
  const { id, requester, rendering, before, all } = row;
  const { name = '', theme = '' } = { ...requester };
  const isTheirs = all.some(({ response: theirs }) => theirs.sha256 === response.sha256);
  const who = name === 'anonymous' ? 'anonymous clients get' : `${printable(name)} gets`;
  const message = `After requests from others, ${who} the theme of another requester.`;
  return [
    verdict(id, response.sha256 === before.sha256 || !isTheirs, message, {
      expected: themeName(build, theme),
      found: themeName(build, themeOf(build, response, rendering) ?? ''),
    }),
  ];
}

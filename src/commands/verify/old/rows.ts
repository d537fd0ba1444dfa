import { jsonText, printable, visible } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import { normaliseColour } from '../../../core/theme/colour/colour.ts';
import { FIELDS, RECORD_FIELDS, type Field } from '../../../core/theme/fields/fields.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { jsonOf, type HttpResponse, type Outcome } from '../../../system/http/exchange.ts';
import type { Headers } from '../build.ts';
import type { CheckId } from '../checks.ts';
import * as h from '../headers.ts';
import { headerResult, judgeOutcome, type Row, withoutQueries } from '../judge.ts';
import { fault, passed, type Result } from '../result.ts';
import { endpointProbes, pathProbes, preflight, renderingProbe, requestOf, routesOf, type Probe } from '../rows.ts';
import { type OldRequester, wrongRequesters } from './inputs.ts';

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
  const asked = [...new Set(['authorization', ...rules.corsHeaders.map((header) => header.toLowerCase())])];
  const as = (requester: OldRequester, rows: readonly Question[]): Question[] =>
    rows.map((row) => ({ ...row, requester }));
  return [
    ...[...requesters, ...wrongRequesters(requesters)].flatMap((requester) => as(requester, json)),
    ...requesters.slice(0, 1).flatMap((each) => as(each, paths.slice(1, 2))),
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

/** A theme as a service lists it: any fields. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** The URLs of an image at both services. */
export interface ImagePair {
  what: string;
  old: string;
  new: string;
  /** Whether the service generated it: the bytes then always differ between services. */
  isThumbnail: boolean;
}

/** Two lists, compared by the ids of their themes. */
export interface ListComparison {
  results: Result[];
  /** Images are compared later, because their URLs always differ. */
  images: ImagePair[];
  /** Themes in both lists, by id. */
  pairs: ReadonlyMap<string, RecordPair>;
}

export type RecordPair = readonly [old: AnyRecord, now: AnyRecord];

const ID = 'themes/same';

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ListComparison {
  const [before, after] = [byId(old), byId(now)];
  const [results, images]: [Result[], ImagePair[]] = [[], []];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [oldTheme, newTheme] = [before.get(id), after.get(id)];
    const label = `theme ${printable(id)}`;
    if (oldTheme === undefined || newTheme === undefined) {
      results.push(differs(ID, label, textOf(oldTheme?.['name']), textOf(newTheme?.['name'])));
      continue;
    }
    pairs.set(id, [oldTheme, newTheme]);
    for (const field of fieldsOf(oldTheme, newTheme)) {
      const [value, other] = [oldTheme[field], newTheme[field]];
      const what = `${label} ${printable(field)}`;
      const parts = imageParts(what, field, value, other);
      if (parts === undefined)
        results.push(
          differs(ID, what, ...([value, other].map((each) => textOf(normalise(field, each))) as [string, string])),
        );
      else images.push(...parts);
    }
  }
  const order = (records: ReadonlyMap<string, AnyRecord>): string =>
    [...records.keys()].filter((id) => pairs.has(id)).join(', ');
  results.push(differs(ID, 'order', order(before), order(after)));
  for (const [records, ids, side] of [[old, before, 'OLD'] as const, [now, after, 'NEW'] as const])
    results.push(differs(ID, `ids of ${side}`, `${records.length} different ids`, `${ids.size} different ids`));
  return { results, images, pairs };
}

function fieldsOf(old: AnyRecord, now: AnyRecord): ReadonlySet<string> {
  return new Set([...RECORD_FIELDS, ...Object.keys(old), ...Object.keys(now)]);
}

/** Returns the URLs of an image field; undefined if it is none, or either service has another type of value. */
function imageParts(what: string, field: string, old: unknown, now: unknown): ImagePair[] | undefined {
  if (!Object.hasOwn(FIELDS, field) || FIELDS[field as Field].kind === 'setting') return undefined;
  const isUrl = typeof old === 'string' && typeof now === 'string' && URL.canParse(old) === URL.canParse(now);
  if (isUrl) return [{ what, old, new: now, isThumbnail: false }];
  if (!isImageSet(old) || !isImageSet(now)) return undefined;
  return (['original', 'thumbnail'] as const).map((part) => {
    return { what: `${what}.${part}`, old: old[part], new: now[part], isThumbnail: part === 'thumbnail' };
  });
}

function isImageSet(value: unknown): value is { original: string; thumbnail: string } {
  const { original, thumbnail, ...unknown } = (value ?? {}) as Record<string, unknown>;
  return typeof original === 'string' && typeof thumbnail === 'string' && Object.keys(unknown).length === 0;
}

/** Normalises colours and Unicode text as `import` does, so that an imported theme equals its source. */
function normalise(field: string, value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (field !== 'palette_preview' || !Array.isArray(value)) return value;
  return value.map((colour: unknown) => {
    const result = typeof colour === 'string' ? normaliseColour(colour) : { problem: 'syntax' };
    return 'hsl' in result ? result.hsl : colour;
  });
}

/** Compares two records, except differences that the lists of both services have too. */
export function compareConfigs(
  id: CheckId,
  what: string,
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): Result[] {
  if (idOf(old) !== idOf(now)) return [differs(id, what, themeName(old), themeName(now))];
  const [listed, nowListed] = pairs.get(idOf(old)) ?? [];
  return [...fieldsOf(old, now)].flatMap((field) => {
    const [before, after] = [plainUrls(old[field]), plainUrls(now[field])];
    const isListed = before === plainUrls(listed?.[field]) && after === plainUrls(nowListed?.[field]);
    return before === after || isListed
      ? []
      : [differs(id, `${what} ${printable(field)}`, textOf(old[field]), textOf(now[field]))];
  });
}

/** Formats a value with URLs without scheme and query: a service may respond by http and https, and sign its URLs. */
export function plainUrls(value: unknown): string {
  return textOf(value).replaceAll(/"https?:(\/\/[^"?#]*)[^"]*"/g, '"$1"');
}

export function idOf(record: AnyRecord): string {
  return record['id'] === undefined ? 'without id' : textOf(record['id']);
}

export function themeName(record: AnyRecord): string {
  return `theme ${printable(idOf(record))}`;
}

function byId(records: readonly unknown[]): Map<string, AnyRecord> {
  const objects = records.filter((record): record is AnyRecord => typeof record === 'object' && record !== null);
  return new Map(objects.map((record) => [idOf(record), record]));
}

function textOf(value: unknown): string {
  return value === undefined ? 'missing' : jsonText(value);
}

const MAX_CHARACTERS = 80;
/** Characters of a shortened text before the difference. */
const CONTEXT_CHARACTERS = 20;

/** Compares two texts. Shows them without the queries of URLs, and shortened to the part that differs. */
export function differs(id: CheckId, what: string, old: string, now: string): Result {
  if (old === now) return passed(id);
  const [before, after] = [withoutQueries(old), withoutQueries(now)];
  let at = 0;
  while (before[at] === after[at] && at < before.length) at++;
  const from =
    Math.max(before.length, after.length) <= MAX_CHARACTERS || at <= MAX_CHARACTERS / 2 ? 0 : at - CONTEXT_CHARACTERS;
  const part = (text: string): string => {
    const end = from + MAX_CHARACTERS;
    return visible(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
  };
  const other = before === after ? ' (another query)' : '';
  return fault(id, what, { expected: part(before), found: `${part(after)}${other}` });
}

import { likeName, type LoggedRequest, requestName } from '../../compare/access-log.ts';
import { compareResponses, type Probe, PROBES, typeOf } from '../../compare/probes.ts';
import {
  type AnyRecord,
  compareConfigs,
  compareLists,
  idOf,
  type ImagePair,
  namesOf,
  type RecordPair,
} from '../../compare/records.ts';
import type { Requester } from '../../compare/requesters.ts';
import { type Compared, type Comparison, differs, same } from '../../compare/result.ts';
import { count, printable } from '../../diagnostics/quote.ts';
import { CONFIG } from '../../document/endpoint.ts';
import { type HttpResponse, jsonOf } from '../../verify/exchange.ts';
import { mapConcurrently } from '../concurrency.ts';
import { Decoders } from '../decoder/pool.ts';
import { type ComparedPixels, compareImages } from './compare-images.ts';
import { type LiveList, readLiveList } from './live-list.ts';
import { completeResponse, type Side } from './side.ts';

export interface CompareOptions {
  old: Side;
  new: Side;
  requesters: readonly Requester[];
  /** Requests of an access log, each with the headers that identify its user. */
  logged: readonly { request: LoggedRequest; headers: Readonly<Record<string, string>> }[];
  /** The name of the access log in the report. */
  logName: string;
  onProgress: (done: number, all: number) => void;
  /** Receives the pixels of images that are not the same bytes. */
  show: (shown: ComparedPixels) => void;
}

/** Requests of one kind under way at the same time. */
const CONCURRENCY = 4;

/** What responses are compared with. */
interface Known {
  old: LiveList;
  new: LiveList;
  pairs: ReadonlyMap<string, RecordPair>;
}

/** Asks both services for everything, and compares what they return. */
export async function compareServices(options: CompareOptions): Promise<Omit<Comparison, 'unused' | 'warnings'>> {
  const lists = { old: await readLiveList(options.old), new: await readLiveList(options.new) };
  const { compared: fields, images, pairs } = compareLists(lists.old.records, lists.new.records);
  const known: Known = { ...lists, pairs };
  const elsewhere = imagesElsewhere(images, options.new);
  const reached = elsewhere === undefined ? images : [];
  const decoders = new Decoders();
  try {
    const users = await mapConcurrently(options.requesters, CONCURRENCY, (one) =>
      compareRequester(one, options, known),
    );
    const compared = [
      ...fields,
      ...(await compareImages(reached, options.old, options.new, decoders, options.onProgress, options.show)),
      ...(await compareProbes(PROBES, 'responses', options, known)),
      ...users.map(({ compared: one }) => one),
      ...(await compareLogged(options, known)),
    ];
    const hints = [elsewhere, rejectedHint(users, options.requesters), unknownUsersHint(users, lists.old)];
    return {
      themes: pairs.size,
      names: namesOf([...lists.new.records, ...lists.old.records]),
      compared,
      notCompared: images.length - reached.length,
      hints: hints.filter((hint) => hint !== undefined),
      notes: notesOf(lists, options),
    };
  } finally {
    decoders.close();
  }
}

/** Why no image of NEW can be requested: all are on another host. @returns nothing if some are not */
function imagesElsewhere(images: readonly ImagePair[], now: Side): string | undefined {
  const [first] = images;
  if (first === undefined || !images.every((pair) => now.isElsewhere(pair.new))) return undefined;
  const { origin, host } = new URL(first.new);
  return `${count(images.length, 'image')} were not compared: NEW names them at ${origin}, and you gave ${now.url}. Run it where the build of NEW is, with its dist/ and edge/; or, if that host serves them, add \`--media-host ${host}\`.`;
}

async function compareProbes(
  probes: readonly Probe[],
  group: 'responses' | 'requests',
  options: CompareOptions,
  known: Known,
): Promise<Compared[]> {
  const found = await mapConcurrently(probes, CONCURRENCY, async (probe) => {
    const { what, like, method, path, headers } = probe;
    const [one, other] = await Promise.all([
      options.old.ask(method, path, headers),
      options.new.ask(method, path, headers),
    ]);
    const [before, after] = [completeResponse(one), completeResponse(other)];
    if (typeof before === 'string' || typeof after === 'string')
      return [withLike(unusable(group, what, before, after), what, like)];
    const rows = compareResponses(group, probe, before, after).map((row) => withLike(row, what, like));
    const document = method === 'GET' ? documentDifference(path, before, after, known) : undefined;
    if (document === undefined) return rows;
    const body = withLike(differs(group, `${what} body`, document.old, document.new), what, like);
    return [...rows.filter((row) => row.class !== 'same'), body];
  });
  return found.flat();
}

/** A result of a request, with the name that it has for others of its kind. */
function withLike(row: Compared, what: string, like: string | undefined): Compared {
  return like === undefined || row.class === 'same' ? row : { ...row, like: like + row.what.slice(what.length) };
}

/** How two documents differ, beyond what their lists say already; nothing for other responses. */
function documentDifference(
  path: string,
  old: HttpResponse,
  now: HttpResponse,
  known: Known,
): { old: string; new: string } | undefined {
  const isDocument = (response: HttpResponse): boolean =>
    response.status === 200 && typeOf(response)?.startsWith('application/json') === true;
  if (!isDocument(old) || !isDocument(now)) return undefined;
  if (path.startsWith(CONFIG.path)) {
    const [one, other] = [recordOf(old), recordOf(now)];
    if (one === undefined || other === undefined)
      return { old: one === undefined ? 'no theme' : 'a theme', new: other === undefined ? 'no theme' : 'a theme' };
    return compareConfigs(one, other, known.pairs);
  }
  const isList = (response: HttpResponse, { sha256 }: LiveList): string =>
    response.sha256 === sha256 ? 'the list' : 'another list';
  const [before, after] = [isList(old, known.old), isList(now, known.new)];
  return before === after ? undefined : { old: before, new: after };
}

function recordOf(response: HttpResponse): AnyRecord | undefined {
  const value = jsonOf(response);
  return typeof value === 'object' && value !== null && 'id' in value ? { ...value } : undefined;
}

/** How CONFIG compares for a user, and the theme that OLD gives. */
interface ComparedUser {
  compared: Compared;
  theme: string | undefined;
  /** The status of OLD, if it responded. */
  status?: number;
}

/** CONFIG as one user. */
async function compareRequester(
  { what, old, new: now }: Requester,
  options: CompareOptions,
  known: Known,
): Promise<ComparedUser> {
  const json = { Accept: 'application/json' };
  const [one, other] = await Promise.all([
    options.old.ask('GET', CONFIG.path, { ...json, ...old }),
    options.new.ask('GET', CONFIG.path, { ...json, ...now }),
  ]);
  const [before, after] = [completeResponse(one), completeResponse(other)];
  if (typeof before === 'string' || typeof after === 'string')
    return { compared: unusable('users', what, before, after), theme: undefined };
  const [theme, record] = [before, after].map((response) => (response.status === 200 ? recordOf(response) : undefined));
  const found =
    theme !== undefined && record !== undefined
      ? compareConfigs(theme, record, known.pairs)
      : { old: themeName(before, theme), new: themeName(after, record) };
  const isSame = found === undefined || (before.status === after.status && before.status !== 200);
  return {
    compared: isSame ? same('users', what) : differs('users', what, found.old, found.new),
    theme: theme && idOf(theme),
    status: before.status,
  };
}

function themeName({ status }: HttpResponse, record: AnyRecord | undefined): string {
  if (record !== undefined) return `theme ${idOf(record)}`;
  return status === 200 ? 'no theme' : `status ${status}`;
}

/** Users whom OLD refuses: their credentials are wrong, most probably. */
function rejectedHint(users: readonly ComparedUser[], requesters: readonly Requester[]): string | undefined {
  const isRejected = ({ status }: ComparedUser): boolean => status === 401 || status === 403;
  const rejected = users.filter(isRejected);
  if (rejected.length === 0) return undefined;
  const statuses = [...new Set(rejected.map(({ status }) => status))].join(', ');
  const whose =
    rejected.length === users.length
      ? users.length === 1
        ? 'the user'
        : `all ${count(users.length, 'user')}`
      : `${rejected.length} of ${count(users.length, 'user')}`;
  const sources = users.flatMap((user, at) => (isRejected(user) ? (requesters[at]?.source ?? []) : []));
  const from = [...new Set(sources)].map((source) => ` ${source}.`).join('');
  return `OLD rejected the credentials of ${whose} (${statuses}): they may be wrong or expired.${from}`;
}

/** Users whose credentials OLD does not accept prove nothing, even if NEW gives them the same theme. */
function unknownUsersHint(users: readonly ComparedUser[], { records }: LiveList): string | undefined {
  const fallback = records.find((one): one is AnyRecord => (one as AnyRecord | null)?.['is_default'] === true);
  const isUnknown = users.length > 0 && users.every(({ theme }) => fallback !== undefined && theme === idOf(fallback));
  return isUnknown
    ? 'OLD gave every user its default theme. Check that it accepts their credentials, or that the users have others.'
    : undefined;
}

async function compareLogged({ logged, logName, ...options }: CompareOptions, known: Known): Promise<Compared[]> {
  const probes = logged.map(({ request, headers }): Probe => {
    const { method, path, accept } = request;
    const what = requestName(request, logName);
    return {
      what,
      like: likeName(request),
      method,
      path,
      headers: { ...(accept === undefined ? {} : { Accept: accept }), ...headers },
    };
  });
  return compareProbes(probes, 'requests', { ...options, logged, logName }, known);
}

function unusable(
  group: Compared['group'],
  what: string,
  old: HttpResponse | string,
  now: HttpResponse | string,
): Compared {
  const textOf = (response: HttpResponse | string): string =>
    typeof response === 'string' ? response : `status ${response.status}`;
  return differs(group, what, textOf(old), textOf(now));
}

function notesOf(lists: { old: LiveList; new: LiveList }, { requesters }: CompareOptions): string[] {
  const [before, after] = [lists.old, lists.new].map(({ cacheControl }) => printable(cacheControl ?? 'none'));
  return [
    'POST and PUT are never sent: compare asks for what clients read.',
    ...(before === after ? [] : [`Cache-Control of LIST: ${before} → ${after}.`]),
    ...(requesters.length > 0 ? [] : ['No user was compared: add `--sample FILE:N` or `--as USER=VARIABLE`.']),
  ];
}

import { progressLine } from '../../../compiler/report.ts';
import { readRules } from '../../../compiler/serve/read-build.ts';
import { serve } from '../../../compiler/serve/serve.ts';
import { compact } from '../../../core/diagnostics/compact.ts';
import { count, printable, quote, shownUrl } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { rateOf } from '../../../system/command-line/flags.ts';
import { hostnameFlag } from '../../../system/command-line/keys.ts';
import { serviceUrlOf } from '../../../system/command-line/service-url.ts';
import { compareDecoded } from '../../../system/decoder/compare-decoded.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import { acquireDecoders } from '../../../system/decoder/shared.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import { sha256Of, systemReason } from '../../../system/disk/files.ts';
import type { HttpResponse, Outcome } from '../../../system/http/exchange.ts';
import { Fetcher, type Fetched, type NotFetched } from '../../../system/http/io/fetcher.ts';
import { MAX_PAGE_BYTES, describeNonJson, readList, type WholeList } from '../../../system/http/read-list.ts';
import { isConfidential, type Headers } from '../build.ts';
import type { VerifyFlags } from '../command.ts';
import { furtherHeaders } from '../headers.ts';
import { judge } from '../judge.ts';
import { accept, readAccepted } from '../old/inputs.ts';
import { requestersOf, type OldRequester } from '../old/inputs.ts';
import {
  ANY_ORIGIN,
  cachingResults,
  compareAnswers,
  originHeaders,
  plainList,
  questions,
  recordOf,
  type OldTable,
  type Question,
  compareLists,
  differs,
  idOf,
  type AnyRecord,
  type ImagePair,
} from '../old/rows.ts';
import type { Subject } from '../report.ts';
import { fault, mergeResults, passed, type Result, type Verification } from '../result.ts';
import { requestOf } from '../rows.ts';
import { secret } from './verify.ts';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';

export interface ServiceOptions {
  /** Requests per second, at most. */
  rate: number;
  /** Headers of every request to its origin, such as the password of a staging host. */
  everyRequest?: Headers | undefined;
}

const CONCURRENCY = 4;
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** This process serves the build, so the rate need not be limited. */
const LOCAL_RATE = 10_000;

/** One of the two services. Receives GET, HEAD and OPTIONS within the rate; credentials are sent only to its origin. */
export class Service {
  readonly name: 'OLD' | 'NEW';
  /** The part before `/api/v2/theme/`, without trailing slash. */
  readonly url: string;
  /** The base URL of its build: images below it are requested at `url`. */
  readonly #baseUrl: string | undefined;
  readonly #fetcher: Fetcher;

  /** @throws {UsageError} if headers would be sent without encryption */
  constructor(name: 'OLD' | 'NEW', url: string, options: ServiceOptions, baseUrl?: string) {
    if (options.everyRequest !== undefined && !isConfidential(url))
      throw new UsageError(
        `The headers of every request to ${name} would be sent without encryption. Use an https URL.`,
      );
    this.name = name;
    this.url = url;
    this.#baseUrl = baseUrl;
    this.#fetcher = new Fetcher({ origin: new URL(url).origin, userAgent: 'themecast-verify', ...options });
  }

  close(): void {
    this.#fetcher.close();
  }

  async ask(question: Question): Promise<Outcome> {
    const { requester, hostname } = question;
    const credentials = this.name === 'OLD' ? requester?.old : requester?.headers;
    const host = hostname === undefined ? {} : { Host: hostname };
    const request = requestOf(question, this.url, { ...credentials, ...host });
    const outcome = await this.#fetcher.send({ ...request, limit: MAX_PAGE_BYTES, keep: MAX_PAGE_BYTES, decode: true });
    // Services write the hostname of the request into their URLs.
    if (hostname === undefined || 'noResponse' in outcome) return outcome;
    const text = Buffer.from(outcome.start).toString('utf8');
    return { ...outcome, start: Buffer.from(text.replaceAll(`//${hostname}`, `//${new URL(this.url).host}`)) };
  }

  /** Fetches an image of the list, as a page of another origin does. */
  image(text: string): Promise<Fetched | NotFetched> {
    const base = this.#baseUrl;
    const list = this.url + LIST.path;
    const absolute = URL.canParse(text, list) ? new URL(text, list).href : text;
    const image = base !== undefined && text.startsWith(`${base}/`) ? this.url + text.slice(base.length) : absolute;
    return this.#fetcher.get(image, MAX_IMAGE_BYTES, { Origin: ANY_ORIGIN });
  }
}

/**
 * Opens the new service, or serves a build on 127.0.0.1, so that it responds as on a host.
 * @param url - undefined for the build
 * @param rules - the rules of the build: on a staging host, images have URLs at the public address
 */
export async function openNew(
  url: string | undefined,
  { out, edge }: { out: string; edge: string },
  rules: EdgeRules,
  options: ServiceOptions,
): Promise<{ service: Service; server?: Server }> {
  if (url !== undefined) return { service: new Service('NEW', url, options, rules.baseUrl) };
  const { server, url: localUrl } = await serve({ outDir: out, edgeOutDir: edge, port: 0 });
  return { service: new Service('NEW', localUrl, { ...options, rate: LOCAL_RATE }), server };
}

/** Reads the list of a service, page by page. @throws {UsageError} if it does not respond, or returns no list */
async function readLiveList(service: Service): Promise<WholeList & { plain: string | undefined }> {
  const { name, url } = service;
  let plain: string | undefined;
  const list = await readList(url + LIST.path, async (next) => {
    const response = await listPage(service, pathBelow(service, next));
    plain ??= plainList(response);
    return { body: Buffer.from(response.start), headers: response.headers };
  });
  if ('problem' in list) throw new UsageError(`LIST of ${name} cannot be compared. ${list.problem}`);
  return { ...list, plain };
}

async function listPage(service: Service, path: string): Promise<HttpResponse> {
  const { name } = service;
  const headers = { Accept: 'application/json' };
  const outcome = await service.ask({ what: 'LIST', kind: 'list', method: 'GET', path, headers });
  if ('noResponse' in outcome || outcome.end !== 'complete')
    throw new UsageError(`${name} cannot be reached: ${'end' in outcome ? outcome.end : outcome.noResponse}.`);
  const { location } = outcome.headers;
  const target = location === undefined ? '' : ` to ${shownUrl(location)}`;
  const problem =
    outcome.status === 200 ? describeNonJson(Buffer.from(outcome.start)) : `status ${outcome.status}${target}`;
  if (problem === undefined) return outcome;
  const flag = name === 'OLD' ? '--old-header' : '--every-request';
  throw new UsageError(
    `LIST of ${name} returns no list of themes, but ${problem}. If it needs a login, pass credentials: \`${flag} NAME=VARIABLE\`.`,
  );
}

/** Returns the path of a further page. Its host is ignored: behind a proxy, a service may not know its public name. */
function pathBelow({ name, url }: Service, next: string): string {
  const { pathname, search } = URL.canParse(next) ? new URL(next) : { pathname: '', search: '' };
  const path = pathname.slice(new URL(url).pathname.replace(/\/$/, '').length);
  if (!path.startsWith(LIST.path)) throw new UsageError(`The list of ${name} has a next page outside of LIST.`);
  return path + search;
}

export interface CompareOptions extends OldTable {
  old: Service;
  new: Service;
  onProgress?: (done: number, all: number) => void;
}

interface Answers {
  question: Question;
  old: Outcome;
  new: Outcome;
}

/** Asks both services the same: the answer of the old one is the expected one. */
export async function compareServices(options: CompareOptions): Promise<{ results: Result[]; notes: string[] }> {
  const { old, new: now, requesters } = options;
  const [before, after] = [await readLiveList(old), await readLiveList(now)];
  const { results, images, pairs } = compareLists(before.records, after.records);
  const ask = async (question: Question): Promise<Answers> => {
    const outcomes = await Promise.all([old.ask(question), now.ask(question)]);
    return { question, old: outcomes[0], new: outcomes[1] };
  };
  const answers = await mapConcurrently(questions(options, before.records), CONCURRENCY, ask);
  const context = { url: now.url, pairs, lists: [before.plain, after.plain] };
  results.push(
    ...answers.flatMap((each) => compareAnswers(each.question, each.old, each.new, context)),
    ...(await compareImages(images, options)),
    differs('responses/same', 'LIST form', before.form, after.form),
  );
  return {
    results: [...summaries(results), ...results.filter(({ ok }) => !ok)],
    notes: compact([
      unknownUsersNote(answers, before.records),
      furtherHeadersNote(answers),
      'Not compared, because every service of Django REST Framework differs: texts of OPTIONS, and the type of errors.',
      'POST and PUT are never sent to compare two services.',
      requesters.length === 0 && 'No user was compared, not even for LIST: add `--sample FILE:N`.',
    ]),
  };
}

const EQUAL = 'with equal pixels';

/** Counts what is equal, by group. */
function summaries(results: readonly Result[]): Result[] {
  return (['themes/same', 'responses/same', 'users/same'] as const).flatMap((id) => {
    const own = results.filter((result) => result.ok && result.id === id);
    const images = own.filter(({ label }) => label === EQUAL).length;
    const equal = images === 0 ? [] : [passed(id, `${count(images, 'image')} ${EQUAL}`)];
    return own.length === 0 ? [] : [passed(id, `${own.length - images} same`), ...equal];
  });
}

/** Compares images; each pair of URLs is fetched once. */
async function compareImages(pairs: readonly ImagePair[], options: CompareOptions): Promise<Result[]> {
  const { decoders, release } = acquireDecoders();
  const compared = new Map<string, Promise<Result[]>>();
  let done = 0;
  const results = await mapConcurrently(pairs, CONCURRENCY, async (pair) => {
    const key = JSON.stringify([pair.old, pair.new, pair.isThumbnail]);
    const outcome = compared.get(key) ?? compareImage(pair, options, decoders);
    compared.set(key, outcome);
    const own = await outcome;
    options.onProgress?.(++done, pairs.length);
    return own.map((result) => ({ ...result, message: result.message.replace(/^image/, () => pair.what) }));
  }).finally(release);
  return results.flat();
}

/** Compares the pixels of two images, and the headers of their responses. The name of each result begins with `image`. */
async function compareImage(pair: ImagePair, { old, new: now }: CompareOptions, decoders: Decoders): Promise<Result[]> {
  const [before, after] = await Promise.all([old.image(pair.old), now.image(pair.new)]);
  if ('problem' in before || 'problem' in after || before.status !== 200 || after.status !== 200)
    return [fault('themes/same', 'image', { expected: textOf(before), found: textOf(after) })];
  const isSame = sha256Of(before.body) === sha256Of(after.body);
  const further = imageHeaders(before, after, isSame);
  if (isSame) return [passed('themes/same'), ...further];
  const { names, difference, isEqual } = await compareDecoded(before.body, after.body, pair, decoders);
  if (isEqual) return [passed('themes/same', EQUAL), ...further];
  const distance = difference && `other pixels: mean ${difference.mean.toFixed(2)}, max ${difference.max} of 255`;
  const found = compact([names[1], distance]).join(', ');
  const [oldPath, newPath] = [pathOf(pair.old, old), pathOf(pair.new, now)];
  return [
    fault('themes/same', 'image', { expected: `${names[0]} ${oldPath}`, found: `${found} ${newPath}` }),
    ...further,
  ];
}

/** Compares the type of equal images, their caching, and whether pages of other origins can read them. */
function imageHeaders(before: Fetched, after: Fetched, isSame: boolean): Result[] {
  const [old, now] = [before, after].map((image): HttpResponse => {
    const headers = { ...image.headers, etag: '' };
    return { ...image, headers, bytes: image.body.length, sha256: '', start: image.body, end: 'complete' };
  }) as [HttpResponse, HttpResponse];
  const { 'content-type': type } = old.headers;
  const headers = {
    ...originHeaders('GET', ANY_ORIGIN, old),
    ...(isSame && type !== undefined && { 'content-type': type }),
  };
  const request = { method: 'GET', origin: '', target: '', headers: {}, limit: 0, keep: 0 } as const;
  const row = { id: 'responses/same', what: 'image', request, isOld: true } as const;
  const results = [
    ...judge({ ...row, expected: { status: 200, headers, text: '' } }, now),
    ...cachingResults(row, old, now),
  ];
  return results.filter(({ ok }) => !ok);
}

function textOf(image: Fetched | NotFetched): string {
  if ('problem' in image) return image.problem;
  return image.status === 200 ? 'an image' : `status ${image.status}`;
}

/** Returns the path of an image below the URL of its service, or its URL, so that people can open it. */
function pathOf(image: string, { url }: Service): string {
  return image.startsWith(`${url}/`) ? shownUrl(image).slice(url.length) : shownUrl(image);
}

/** Names the headers that only OLD sends: clients may read them, or not even know them. */
function furtherHeadersNote(answers: readonly Answers[]): string | false {
  const names = answers.flatMap(({ question, old, new: now }) =>
    question.isDocument !== true || question.requester !== undefined || 'noResponse' in old || 'noResponse' in now
      ? []
      : furtherHeaders(old, now.headers),
  );
  const distinct = [...new Set(names)].filter((name) => !/^(?:allow|vary|access-control-.*)$/.test(name)).toSorted();
  return (
    distinct.length > 0 &&
    `OLD sends headers that NEW lacks; does a client read them? ${distinct.map(printable).join(', ')}`
  );
}

/** Warns if OLD knows no user of the sample: equal themes then prove nothing, because all are the default theme. */
function unknownUsersNote(answers: readonly Answers[], records: readonly unknown[]): string | false {
  const fallback = records.find((record) => (record as AnyRecord | null)?.['is_default'] === true) as
    | AnyRecord
    | undefined;
  const users = answers.filter(
    ({ question: { requester, what } }) => requester?.isWrong === false && what === 'CONFIG',
  );
  const isUnknown = ({ old }: Answers): boolean =>
    fallback !== undefined && 'status' in old && idOf(recordOf(old) ?? {}) === idOf(fallback);
  const note =
    'OLD gave every user its default theme. Check that it accepts their credentials, or that the users have others.';
  return users.length > 0 && users.every(isUnknown) && note;
}

/** Requests per second to each service, unless --rate is given: an old service may be slow. */
const DEFAULT_RATE = '10';

/** Compares the old service with the new one, or with the last build. @param argument - the URL of the new one, if any */
export async function verifyOld(
  values: VerifyFlags,
  oldText: string,
  argument: string,
): Promise<{ subject: Subject; result: Verification }> {
  const old = serviceUrlOf(oldText);
  const url = argument === '' ? undefined : serviceUrlOf(argument);
  if (old === url)
    throw new UsageError(
      `--old is the URL itself, ${old}. Name two services, or leave URL out to compare with a build.`,
    );
  const accepted = values.accept === undefined ? [] : valid(values.accept, readAccepted(await readText(values.accept)));
  const options = { rate: rateOf(values.rate ?? DEFAULT_RATE) };
  const hostnames = values.hostname.map(hostnameFlag);
  const everyRequest = givenHeaders(values['every-request'], secret, '--every-request');
  const ofOld = givenHeaders(values['old-header'], secret, '--old-header');
  const rules = await readRules(values['edge-out']);
  const requesters = await readSample(values.sample, rules);
  const oldService = new Service('OLD', old, { ...options, everyRequest: ofOld });
  const place = { out: values.out, edge: values['edge-out'] };
  const { service, server } = await openNew(url, place, rules, { ...options, everyRequest });
  const progress = progressLine(values.format === 'json');
  try {
    const { results, notes } = await compareServices({
      old: oldService,
      new: service,
      rules,
      requesters,
      hostnames,
      onProgress: progress.show,
    });
    const checks = mergeResults(accept(results, accepted));
    return { subject: { old, url: url ?? values.out }, result: { checks, notes } };
  } finally {
    progress.clear();
    oldService.close();
    service.close();
    server?.closeAllConnections();
    server?.close();
  }
}

/** Returns the users of --sample. */
async function readSample(text: string | undefined, { identity }: EdgeRules): Promise<OldRequester[]> {
  if (text === undefined) return [];
  const [, file = '', size = ''] = /^(.+):(\d{1,6})$/.exec(text) ?? [];
  if (file === '' || Number(size) === 0)
    throw new UsageError(`--sample must be FILE:N, such as themes/users.csv:50, not \`${text}\`.`);
  return valid(file, requestersOf(await readText(file), path.basename(file), Number(size), identity, secret));
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${quote(path.normalize(file))} cannot be read: ${systemReason(error)}.`);
  });
}

/** Returns what was read of a file. @throws {UsageError} if that is a problem */
function valid<T>(file: string, read: T | string): T {
  if (typeof read !== 'string') return read;
  throw new UsageError(`${quote(file)}: ${read}`);
}

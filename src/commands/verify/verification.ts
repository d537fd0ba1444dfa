import { count } from '../../core/diagnostics/quote.ts';
import type { HttpResponse, Outcome } from '../../system/http/exchange.ts';
import { anonymousTheme, type Deployment, firstOfEach, type Requester } from './build.ts';
import { foreignRows, judgeForeign, judgeOwn, judgeRepeat, repeatRows, validatorRows } from './conditional.ts';
import { type Route, routesOf } from './expected.ts';
import { cookiesOf, furtherHeaders, typeOf } from './headers.ts';
import { type ContractRow, judge } from './judge.ts';
import { isListOf, judgeList } from './list.ts';
import { judgePrivate, privateRows } from './private.ts';
import { judgeManifest, judgeRecord, judgeRetained, recordOf, recordRow, retainedRows } from './records.ts';
import { RECORDS } from '../../core/document/endpoint.ts';
import { oddRequesters, planOf, unverifiedResult } from './requesters.ts';
import {
  type CheckResult,
  fault,
  mergeResults,
  passed,
  type Result,
  resultsOf,
  type Row,
  type Send,
} from './result.ts';
import {
  type Answered,
  codedRows,
  endpointRows,
  fileRows,
  imageRows,
  pathRows,
  redirectRows,
  refusedRows,
  renderingRow,
  unmodifiedRow,
  variantRows,
} from './rows.ts';

export interface Verification {
  checks: CheckResult[];
  /** Omitted checks, each with the reason. */
  notes: string[];
  /** Headers that something in front of the host adds, and that break nothing. */
  furtherHeaders: string[];
}

/** Repeated requests of LIST and of the deployment record: each of several servers behind one address should get one. */
const [LIST_REPEATS, RECORD_REPEATS] = [3, 4];
/** Limits the images whose requests follow each other, so that two servers behind one address get one each. */
const MAX_SEQUENTIAL_IMAGES = 200;
/** Limits the addresses, and the responses of CONFIG and images for each address. */
const [MAX_ADDRESSES, MAX_PERSONAL, MAX_IMAGES] = [8, 16, 6];

/** Returns the first request: LIST as JSON. */
export function listRow(deployment: Deployment): Promise<ContractRow> {
  const [list] = routesOf(deployment.build.rules) as [Route];
  return renderingRow(deployment, list, list.endpoint.renderings[0] as never);
}

/**
 * Verifies a deployment against the contract and this build; stops after the list if that is of another build. The caller sends the
 * requests: GET, HEAD and OPTIONS, and POST and PUT without a body only where the response is proven to be of this build.
 * @param onPlan - receives the number of remaining requests, before most of them are sent
 */
export async function verification(
  deployment: Deployment,
  send: Send,
  onPlan: (requests: number) => void = () => undefined,
): Promise<Verification> {
  const session = new Session(deployment, send);
  const first = await listRow(deployment);
  const [list] = await session.ask([first], judgeList);
  if (!isListOf(deployment.build, list))
    return session.end('Stopped after one request: this URL does not serve this build (yet), or is no theme service.');
  session.plain.set('list json', { row: first, response: list });
  await session.askConfig();
  const proven = await session.askRenderings();
  const rows = await session.remainingRows(proven);
  const [privates, images] = [privateRows(deployment), imageRows(deployment)];
  onPlan(rows.length + privates.length + images.flat().length + LIST_REPEATS + RECORD_REPEATS + 8);
  await session.ask(rows);
  await session.askConditional();
  await session.ask(privates, (_, row, response) => judgePrivate(row, response));
  for (let round = 0; round < LIST_REPEATS; round++)
    await session.ask([{ ...first, request: { ...first.request, isFresh: true } }], judgeList);
  await session.askRecords();
  await session.askFiles(proven.length === session.routes.length);
  for (const requests of images.slice(0, MAX_SEQUENTIAL_IMAGES)) await session.ask(requests);
  await session.ask(images.slice(MAX_SEQUENTIAL_IMAGES).flat());
  if (images.length > 0)
    session.results.push(passed('media/image', `${count(images.length, 'image')} with their bytes`));
  session.checkCookies(list);
  const notes = await session.askAddresses(
    first,
    images.slice(0, MAX_IMAGES).flatMap(([image]) => image ?? []),
  );
  const unproven = session.routes.filter((route) => !proven.includes(route)).map(({ title }) => title);
  const unsent = `POST and PUT were not sent on ${unproven.join(' and ')}: this build is not proven to be deployed there, and another service might act on them.`;
  return session.end(...(unproven.length === 0 ? [] : [unsent]), ...notes);
}

type Judge<R extends Row> = (deployment: Deployment, row: R, response: HttpResponse) => Result[];

/** Sends the rows of the table, and collects the results. */
class Session {
  readonly results: Result[] = [];
  readonly routes: readonly Route[];
  /** The responses to anonymous clients, by endpoint and rendering (`list json`). */
  readonly plain = new Map<string, Answered>();
  /** The responses of CONFIG to requesters who got their theme. */
  readonly #personal: Answered[] = [];
  readonly #further = new Set<string>();
  readonly #deployment: Deployment;
  readonly #send: Send;

  constructor(deployment: Deployment, send: Send) {
    this.#deployment = deployment;
    this.#send = send;
    this.routes = routesOf(deployment.build.rules);
  }

  end(...notes: string[]): Verification {
    const further = [...this.#further].toSorted();
    if (further.length > 0) this.results.push(passed('headers/effect', count(further.length, 'further header')));
    return { checks: mergeResults(this.results, this.#deployment), notes, furtherHeaders: further };
  }

  async ask(rows: readonly ContractRow[]): Promise<(HttpResponse | undefined)[]>;
  async ask<R extends Row>(rows: readonly R[], judgeRow: Judge<R>): Promise<(HttpResponse | undefined)[]>;
  async ask<R extends Row>(rows: readonly R[], judgeRow?: Judge<R>): Promise<(HttpResponse | undefined)[]> {
    const judgeOf = judgeRow ?? (judge as unknown as Judge<R>);
    const outcomes = await this.#send(rows.map(({ request }) => request));
    return rows.map((row, at) => {
      const outcome = outcomes[at];
      this.results.push(...resultsOf(row, outcome, (each, response) => judgeOf(this.#deployment, each, response)));
      if (outcome === undefined || 'noResponse' in outcome) return undefined;
      if ('expected' in row)
        for (const name of furtherHeaders(outcome, (row as unknown as ContractRow).expected.headers))
          this.#further.add(name);
      return outcome;
    });
  }

  /** Sends rows, and returns the responses with status 200. */
  async #answers(rows: readonly Promise<ContractRow>[]): Promise<Answered[]> {
    const all = await Promise.all(rows);
    const responses = await this.ask(all);
    return all.flatMap((row, at): Answered[] => {
      const response = responses[at];
      // With another type, it is another rendering, which is reported.
      if (response?.status !== 200 || !isOfType(row, response)) return [];
      const answered = { row, response };
      const { requester, kind, rendering } = row;
      if (requester === undefined || requester.name === 'anonymous') this.plain.set(`${kind} ${rendering}`, answered);
      return [answered];
    });
  }

  get #config(): Route | undefined {
    return this.routes.find(({ kind }) => kind === 'config');
  }

  /** Requests the JSON of CONFIG as every requester, then checks that no requester gets another one's theme. */
  async askConfig(): Promise<void> {
    const { build } = this.#deployment;
    const { requesters, unverified, themes } = planOf(this.#deployment);
    const sample = `${themes.toLocaleString('en')} of ${count(build.rules.themes.length, 'theme')}`;
    this.results.push(passed('config/asked', `sampled: a key for each of ${sample}, with every rule`));
    this.results.push(...unverified.map((problem) => unverifiedResult(build, problem)));
    const all = await this.#answers(this.#rowsOfConfig(requesters, (name) => name === 'json'));
    // While a cache mixes up themes, responses vary, and further checks of CONFIG are meaningless.
    if (!(await this.#askAgain(all))) {
      this.plain.delete('config json');
      return;
    }
    this.#personal.push(...all.filter(isRight));
    const right = this.#requesters();
    // If anonymous clients get a user's theme, forged credentials of that user cannot be told apart.
    if (right.some(({ name }) => name === 'anonymous'))
      await this.ask(
        await Promise.all(this.#rowsOfConfig(oddRequesters(this.#deployment, right), (name) => name === 'json')),
      );
  }

  #rowsOfConfig(
    requesters: readonly Requester[],
    isAsked: (rendering: string, requester: Requester) => boolean,
  ): Promise<ContractRow>[] {
    const route = this.#config;
    if (route === undefined) return [];
    return requesters.flatMap((requester) =>
      route.endpoint.renderings
        .filter(({ name }) => isAsked(name, requester))
        .map((rendering) => renderingRow(this.#deployment, route, rendering, requester)),
    );
  }

  #requesters(): Requester[] {
    return firstOfEach(
      this.#personal.flatMap(({ row }) => row.requester ?? []),
      (requester) => requester,
    );
  }

  /** Requests CONFIG with validators of others, and again after them. @returns whether no cache mixes them up */
  async #askAgain(answers: readonly Answered[]): Promise<boolean> {
    const before = this.results.length;
    await this.ask(validatorRows(this.#deployment, answers), judgeForeign);
    await this.ask(repeatRows(this.#deployment, answers), judgeRepeat);
    return !this.results.slice(before).some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  }

  /**
   * Requests the other renderings as requesters whose JSON is right, and every endpoint in every other way.
   *
   * An equal list does not prove that an endpoint serves this build: the old service may list the same themes and images. Neither does
   * another published file: during a migration, files and endpoints may be on different services. So each endpoint must return its
   * JSON, its browsable page (of a theme by its id, its stylesheet), which only themecast writes, and its metadata, byte for byte. The metadata is requested by OPTIONS:
   * proxies that route writes to another service route OPTIONS with them.
   * @returns the endpoints that are proven to serve this build, and may be sent POST and PUT
   */
  async askRenderings(): Promise<Route[]> {
    const requesters = this.#requesters();
    // A single page per theme is enough.
    const [pages, all] = [firstOfEach(requesters, ({ theme }) => theme), requesters];
    const personal = this.#rowsOfConfig(
      all,
      (name, requester) => name !== 'json' && (name !== 'html' || pages.includes(requester)),
    );
    const shared = this.routes
      .filter(({ kind }) => kind !== 'config')
      .flatMap((route) =>
        route.endpoint.renderings
          .filter(({ name }) => !this.plain.has(`${route.kind} ${name}`))
          .map((rendering) => renderingRow(this.#deployment, route, rendering)),
      );
    const answers = await this.#answers([...personal, ...shared]);
    const styles = answers.filter(({ row }) => row.kind === 'config' && row.rendering !== 'html');
    await this.#askAgain(styles);
    this.#personal.push(...answers.filter(({ row }) => row.kind === 'config'));
    const proven: Route[] = [];
    for (const route of this.routes.filter(({ kind }) => this.plain.has(`${kind} json`))) {
      const rows = this.#withGet(await Promise.all(endpointRows(this.#deployment, route)));
      const responses = await this.ask(rows);
      const metadata = rows.findIndex(({ id }) => id === 'method/options');
      const isSame = (response: HttpResponse | undefined, row: ContractRow | undefined): boolean =>
        response?.end === 'complete' && response.sha256 === row?.expected.file?.sha256;
      const documents = route.endpoint.renderings
        .slice(0, 2)
        .map(({ name }) => this.plain.get(`${route.kind} ${name}`));
      if (isSame(responses[metadata], rows[metadata]) && documents.every((each) => isSame(each?.response, each?.row)))
        proven.push(route);
    }
    return proven;
  }

  /** Adds the response to GET that an anonymous client got. */
  #withGet(rows: readonly ContractRow[]): ContractRow[] {
    return rows.map((row) => {
      const get = row.requester === undefined ? this.plain.get(`${row.kind} ${row.rendering}`)?.response : undefined;
      return { ...row, get: row.get ?? get };
    });
  }

  /** The responses to anonymous clients, and those to one user with another theme. */
  #variants(): { plain: Answered[]; user: Answered[] } {
    const { build } = this.#deployment;
    const user = this.#requesters().find(({ theme, rule }) => rule !== undefined && theme !== anonymousTheme(build));
    return {
      plain: [...this.plain.values()],
      user: this.#personal.filter(({ row }) => user !== undefined && row.requester === user),
    };
  }

  /** Returns the rows that need earlier responses to compare with. */
  async remainingRows(proven: readonly Route[]): Promise<ContractRow[]> {
    const deployment = this.#deployment;
    const { plain, user } = this.#variants();
    // A single requester per rule, and every hostname.
    const requesters = firstOfEach(this.#requesters(), ({ headers, rule }) => headers['Host'] ?? rule);
    const list = this.routes.filter(({ kind }) => kind === 'list');
    const documents = [
      ...plain.filter(({ row }) => row.kind !== 'config' || row.rendering === 'html'),
      ...firstOfEach(
        this.#personal.filter((each) => isRight(each) && ['json', 'css'].includes(each.row.rendering ?? '')),
        ({ response }) => response.sha256,
      ),
    ];
    return this.#withGet([
      ...(await Promise.all([
        ...plain.flatMap((each) => variantRows(deployment, each, each.row.rendering === 'json')),
        ...user.flatMap((each) => variantRows(deployment, each, false)),
        ...list.flatMap((route) =>
          requesters.map((requester) =>
            renderingRow(deployment, route, route.endpoint.renderings[0] as never, requester),
          ),
        ),
        ...pathRows(deployment),
        ...redirectRows(deployment),
        ...refusedRows(deployment, proven, []),
      ])),
      ...codedRows(documents),
    ]);
  }

  /** Requests renderings with their own ETag, and with another one. */
  async askConditional(): Promise<void> {
    const { plain, user } = this.#variants();
    for (const { kind } of this.routes)
      await this.ask(foreignRows(plain.filter(({ row }) => row.kind === kind)), judgeForeign);
    const tagged = [...plain, ...user].filter(({ response }) => response.headers['etag'] !== undefined);
    const rows = tagged.map((each) => unmodifiedRow(this.#deployment, each, each.response.headers['etag'] ?? ''));
    await this.ask(await Promise.all(rows), (deployment, row, response) => [
      ...(response.status === 304 ? judge(deployment, row, response) : []),
      ...judgeOwn(row, response),
    ]);
  }

  /** Verifies the files of the last deployment: its record, its manifest, and retained images. A first deployment has none yet. */
  async askRecords(): Promise<void> {
    const row = await recordRow(this.#deployment);
    const answers: (HttpResponse | undefined)[] = [];
    for (let round = 0; round < RECORD_REPEATS; round++) answers.push(...(await this.ask([row], judgeRecord)));
    const records = answers.flatMap((response) => (response === undefined ? [] : [recordOf(response)]));
    const live = records.find((record) => record !== undefined);
    if (live === undefined) return;
    if (answers.some((response) => response?.status === 404))
      this.results.push(
        fault(row.id, 'deployment.json comes and goes.', {
          expected: '200 each time',
          found: '200 and 404 in turn: several servers respond, and not all were deployed to',
          url: this.#deployment.url + RECORDS.deployment,
        }),
      );
    const manifest = await recordRow(this.#deployment, RECORDS.manifest);
    await this.ask([manifest], (deployment, each, response) => judgeManifest(deployment, each, response, live));
    await this.ask(retainedRows(this.#deployment, live), (_, each, response) => judgeRetained(each, response));
  }

  /** Requests the schemas and assets.json; then, if they are of this build, compressed. @param isProven - whether POST may be sent */
  async askFiles(isProven: boolean): Promise<void> {
    const rows = await Promise.all(fileRows(this.#deployment));
    const before = this.results.length;
    await this.ask(rows);
    if (this.results.slice(before).some(({ id, ok }) => id === 'schema/document' && !ok)) return;
    await this.ask([
      ...codedRows(rows.map((row) => ({ row }))),
      ...(isProven ? await Promise.all(refusedRows(this.#deployment, [], rows)) : []),
    ]);
  }

  /** Reports cookies that LIST sets and CONFIG does not: a load balancer sets them everywhere, but shared caches store LIST. */
  checkCookies(list: HttpResponse): void {
    const config = this.plain.get('config json');
    const usual = config === undefined ? [] : cookiesOf(config.response);
    const names = cookiesOf(list).filter((name) => !usual.includes(name));
    if (names.length === 0) return;
    this.results.push(
      fault('headers/effect', 'LIST sets a cookie, which shared caches send to all clients.', {
        expected: 'no Set-Cookie header',
        found: `a Set-Cookie header: ${names.join(', ')}`,
        hint: 'Let the server set it on other responses only.',
        url: this.#deployment.url + (this.routes[0]?.path ?? ''),
      }),
    );
  }

  /** Requests LIST, CONFIG once per identity rule, the deployment record and some images at each address of the host. @returns notes */
  async askAddresses(list: ContractRow, images: readonly ContractRow[]): Promise<string[]> {
    const { url, addresses = [] } = this.#deployment;
    const personal = firstOfEach(this.#personal, ({ row: { rendering, requester } }) =>
      JSON.stringify([rendering, requester?.rule]),
    );
    const rows = personal.slice(0, MAX_PERSONAL).map(({ row }) => row);
    const record = await recordRow(this.#deployment);
    const notes: string[] = [];
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      const at = (row: ContractRow): ContractRow => ({ ...row, request: { ...row.request, address } });
      const [outcome] = (await this.#send([at(list).request])) as [Outcome];
      if ('noResponse' in outcome) {
        const { noResponse, code = '' } = outcome;
        const details = { expected: 'a response', found: noResponse, url: `${url} at the address ${address}` };
        // Usually this machine has no IPv6.
        if (['EHOSTUNREACH', 'ENETUNREACH'].includes(code))
          notes.push(`The address ${address} was not verified: ${noResponse}.`);
        else this.results.push(fault('service/address', 'An address of the host does not respond.', details));
        continue;
      }
      const first = resultsOf(at(list), outcome, (row, response) => judgeList(this.#deployment, row, response));
      this.results.push(...first);
      if (!first.every(({ ok, id }) => ok || id === 'list/base-url')) continue;
      await this.ask([at(record)], judgeRecord);
      await this.ask([...images, ...rows].map(at));
    }
    if (addresses.length > 0)
      this.results.push(passed('service/address', count(addresses.length, 'address', 'addresses')));
    return notes;
  }
}

/** Whether a response has the media type that is expected, apart from parameters. */
function isOfType({ expected }: ContractRow, response: HttpResponse): boolean {
  const essence = (type: string | undefined): string | undefined => type?.split(';')[0];
  return essence(typeOf(response)) === essence(expected.headers['content-type']);
}

/** Whether a response is the document that is expected. */
function isRight({ row, response }: Answered): boolean {
  return response.end === 'complete' && response.sha256 === row.expected.file?.sha256;
}

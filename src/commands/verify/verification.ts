import { count } from '../../core/diagnostics/quote.ts';
import type { HttpResponse } from '../../system/http/exchange.ts';
import { anonymousTheme, type Deployment, firstOfEach, type Requester } from './build.ts';
import type { CheckId } from './checks.ts';
import { isFile, isListOf } from './documents.ts';
import { cookiesOf } from './headers.ts';
import { type Answered, judgeOutcome, type Row } from './judge.ts';
import { privateRows } from './private.ts';
import { filesOfRecord, recordOf, recordRow } from './records.ts';
import { oddRequesters, planOf } from './requesters.ts';
import { mergeResults, passed, type Result, type Send, type Verification, verdict } from './result.ts';
import * as table from './rows.ts';

/** Repeated requests of LIST and of the deployment record: each of several servers behind one address should get one. */
const [LIST_REPEATS, RECORD_REPEATS] = [3, 4];
/** Limits the addresses, and the responses of CONFIG and images for each address. */
const [MAX_ADDRESSES, MAX_PERSONAL, MAX_IMAGES] = [8, 16, 6];

/**
 * Verifies a deployment against the contract and this build; stops after the list if that is of another build. The caller sends the
 * requests: GET, HEAD and OPTIONS, and POST and PUT without a body only where the response is proven to be of this build.
 */
export async function verification(deployment: Deployment, send: Send): Promise<Verification> {
  const session = new Session(deployment, send);
  const first = await table.listRow(deployment);
  const [list] = await session.ask([first]);
  if (list === undefined || !isListOf(deployment.build, list.response))
    return session.end('Stopped after one request: this URL does not serve this build (yet), or is no theme service.');
  await session.askConfig();
  await session.askRenderings();
  await session.askVariants();
  await session.ask(privateRows(deployment));
  for (let round = 0; round < LIST_REPEATS; round++)
    await session.ask([{ ...first, request: { ...first.request, isFresh: true } }]);
  await session.askRecords();
  const images = table.imageRows(deployment);
  for (const rows of images.filter(({ length }) => length > 1)) await session.ask(rows);
  await session.ask(images.filter(({ length }) => length === 1).flat());
  if (images.length > 0)
    session.results.push(passed('media/image', `${count(images.length, 'image')} with their bytes`));
  session.checkCookies(list.response);
  const sample = images.slice(0, MAX_IMAGES).flatMap(([image]) => image ?? []);
  return session.end(...(await session.askRefused()), ...(await session.askAddresses(first, sample)));
}

/** The checks of documents, which prove that an endpoint or a file is of this build. */
const PROOFS: ReadonlySet<CheckId> = new Set([
  'list/document',
  'config/theme',
  'rendering/document',
  'method/options',
  'schema/document',
] as const);

/** Sends the rows of the table, and collects the results. */
class Session {
  readonly results: Result[] = [];
  #routes: readonly table.Route[];
  /** The right documents of anonymous clients, and those of CONFIG. */
  #plain: Answered[] = [];
  #personal: Answered[] = [];
  /** Whether every document so far is equal: otherwise, another service may respond. */
  #isProven = true;
  readonly #deployment: Deployment;
  readonly #send: Send;

  constructor(deployment: Deployment, send: Send) {
    this.#deployment = deployment;
    this.#send = send;
    this.#routes = table.routesOf(deployment.build.rules);
  }

  end(...notes: string[]): Verification {
    return { checks: mergeResults(this.results, this.#deployment), notes };
  }

  /** Sends rows, and judges the responses. @returns the responses with status 200 */
  async ask(some: readonly (Row | Promise<Row>)[]): Promise<Answered[]> {
    const rows = await Promise.all(some.map(async (row) => row));
    const outcomes = await this.#send(rows.map(({ request }) => request));
    return rows.flatMap((row, at): Answered[] => {
      const outcome = outcomes[at];
      const results = judgeOutcome(row, outcome);
      this.results.push(...results);
      const response = outcome === undefined || 'noResponse' in outcome ? undefined : outcome;
      this.#prove(row, response);
      if (response?.status !== 200) return [];
      const isShown = row.rendering === 'html' || isFile(row, response);
      return [{ row, response, isRight: isShown && results.every(({ ok, id }) => ok || id !== row.id) }];
    });
  }

  /**
   * An equal list does not prove that an endpoint serves this build: the old service may list the same themes and images. Neither does
   * another published file: during a migration, files and endpoints may be on different services. So every document and the metadata of
   * an endpoint must be equal, byte for byte. Proxies that route writes to another service route OPTIONS with them.
   */
  #prove(row: Row, response: HttpResponse | undefined): void {
    const { id, expected, request, requester, only } = row;
    const isOdd = request.isOdd === true || requester?.id === 'config/forged';
    if (!PROOFS.has(id) || expected.status !== 200 || isOdd || only !== undefined) return;
    if (response === undefined || !isFile(row, response)) this.#isProven = false;
  }

  #rowsOfConfig(requesters: readonly Requester[], isAsked: (rendering: string) => boolean): Promise<Row>[] {
    return this.#routes
      .filter(({ kind }) => kind === 'config')
      .flatMap((route) =>
        requesters.flatMap((requester) =>
          route.endpoint.renderings
            .filter(({ name }) => isAsked(name))
            .map((rendering) => table.renderingRow(this.#deployment, route, rendering, requester)),
        ),
      );
  }

  /** The requesters who got their theme. */
  get #right(): Requester[] {
    return firstOfEach(
      this.#personal.flatMap(({ row }) => row.requester ?? []),
      (requester) => requester,
    );
  }

  /** Requests the JSON of CONFIG as every requester, then checks that no requester gets another one's theme. */
  async askConfig(): Promise<void> {
    const { build } = this.#deployment;
    const { requesters, unverified, themes } = planOf(this.#deployment);
    const sample = `${themes.toLocaleString('en')} of ${count(build.rules.themes.length, 'theme')}`;
    this.results.push(passed('config/asked', `sampled: a key for each of ${sample}, with every rule`), ...unverified);
    const isJson = (name: string): boolean => name === 'json';
    const answers = await this.ask(this.#rowsOfConfig(requesters, isJson));
    this.#personal = answers.filter(({ isRight }) => isRight);
    // While a cache mixes up themes, responses vary, and further checks of CONFIG are meaningless.
    if (!(await this.#askAgain(this.#personal))) {
      this.#routes = this.#routes.filter(({ kind }) => kind !== 'config');
      this.#personal = [];
    }
    const right = this.#right;
    // If anonymous clients get a user's theme, forged credentials of that user cannot be told apart.
    if (right.some(({ name }) => name === 'anonymous'))
      await this.ask(this.#rowsOfConfig(oddRequesters(this.#deployment, right), isJson));
  }

  /**
   * Requests CONFIG with validators of others, and once per rule again: if a shared cache had stored a response for one requester, another
   * would get it now. A stored response alone is no fault: Varnish and CloudFront store each theme once, and choose it for each request.
   * @returns whether no cache mixes them up
   */
  async #askAgain(answers: readonly Answered[]): Promise<boolean> {
    await this.ask(table.foreignRows(answers));
    if (new Set(answers.map(({ response }) => response.sha256)).size < 2) return true;
    const { build } = this.#deployment;
    const kindOf = ({ row: { requester } }: Answered): string =>
      `${requester?.rule && build.rules.identity.indexOf(requester.rule)} ${requester?.theme === anonymousTheme(build)}`;
    const repeated = firstOfEach(answers, kindOf);
    const before = this.results.length;
    await this.ask(repeated.map(({ row }) => row));
    return this.results.slice(before).every(({ ok, id }) => ok || !['config/theme', 'rendering/document'].includes(id));
  }

  /** Requests the other renderings, as a user of each theme, by each rule, and at each hostname; and every endpoint in every other way. */
  async askRenderings(): Promise<void> {
    const requesters = this.#right;
    const some = new Set([
      ...firstOfEach(requesters, ({ theme }) => theme),
      ...firstOfEach(requesters, ({ headers, rule }) => headers['Host'] ?? rule),
    ]);
    const pages = firstOfEach([...some], ({ theme }) => theme);
    const shared = this.#routes
      .filter(({ kind }) => kind !== 'config')
      .flatMap((route) =>
        route.endpoint.renderings.map((rendering) => table.renderingRow(this.#deployment, route, rendering)),
      );
    const styles = await this.ask(this.#rowsOfConfig([...some], (name) => !['json', 'html'].includes(name)));
    await this.#askAgain(styles.filter(({ isRight }) => isRight));
    const others = await this.ask([...this.#rowsOfConfig(pages, (name) => name === 'html'), ...shared]);
    const documents = [...this.#personal, ...styles, ...others].filter(({ isRight }) => isRight);
    this.#personal = documents.filter(({ row }) => row.kind === 'config');
    this.#plain = documents.filter(({ row }) => row.kind !== 'config' || row.requester?.name === 'anonymous');
    // Without its JSON, an endpoint is not requested further.
    this.#routes = this.#routes.filter(({ kind }) =>
      this.#plain.some(({ row }) => row.kind === kind && row.rendering === 'json'),
    );
    await this.ask(this.#routes.flatMap((route) => table.endpointRows(this.#deployment, route)));
  }

  /** Requests what builds upon the documents: HEAD, origins, validators, codings, other users of LIST; other paths and files. */
  async askVariants(): Promise<void> {
    const deployment = this.#deployment;
    const requesters = this.#right;
    const user = requesters.find(({ theme, rule }) => rule !== undefined && theme !== anonymousTheme(deployment.build));
    const ofUser = this.#personal.filter(({ row }) => user !== undefined && row.requester === user);
    const all = [...this.#plain, ...ofUser];
    const list = this.#plain.find(({ row }) => row.kind === 'list' && row.rendering === 'json');
    const documents = firstOfEach(
      [...all, ...this.#personal.filter(({ row }) => ['json', 'css'].includes(row.rendering ?? ''))],
      ({ row }) => row.expected.file?.sha256,
    );
    const [route] = this.#routes;
    await this.ask([
      ...all.flatMap((each) => table.variantRows(deployment, each)),
      ...(list === undefined || route === undefined
        ? []
        : firstOfEach(requesters, ({ headers, rule }) => headers['Host'] ?? rule).map((requester) =>
            table.renderingRow(deployment, route, route.endpoint.renderings[0] as never, requester),
          )),
      ...table.pathRows(deployment),
      ...table.redirectRows(deployment),
      ...table.codedRows(documents.map(({ row }) => row)),
      ...this.#routes.flatMap(({ kind }) => table.foreignRows(this.#plain.filter(({ row }) => row.kind === kind))),
    ]);
    const files = await this.ask(table.fileRows(deployment));
    await this.ask(table.codedRows(files.filter(({ isRight }) => isRight).map(({ row }) => row)));
  }

  /** Sends methods that change nothing here, if all documents are proven to be of this build. @returns notes */
  async askRefused(): Promise<string[]> {
    const routes = table.routesOf(this.#deployment.build.rules);
    if (!this.#isProven || this.#routes.length < routes.length)
      return [
        'POST and PUT were not sent: this build is not proven to be deployed on all paths, and another service might act on them.',
      ];
    const files = await Promise.all(table.fileRows(this.#deployment));
    await this.ask(table.refusedRows(this.#deployment, routes, files));
    return [];
  }

  /** Verifies the files of the last deployment: its record, its manifest, and retained images. A first deployment has none yet. */
  async askRecords(): Promise<void> {
    const row = await recordRow(this.#deployment);
    const answers: Answered[] = [];
    for (let round = 0; round < RECORD_REPEATS; round++) answers.push(...(await this.ask([row])));
    const [live] = answers.flatMap(({ response }) => recordOf(response) ?? []);
    if (live !== undefined) await this.ask(await filesOfRecord(this.#deployment, live));
  }

  /** Reports cookies that LIST sets and CONFIG does not: a load balancer sets them everywhere, but shared caches store LIST. */
  checkCookies(list: HttpResponse): void {
    const config = this.#plain.filter(({ row }) => row.kind === 'config');
    const usual = new Set(config.flatMap(({ response }) => cookiesOf(response)));
    const names = cookiesOf(list).filter((name) => !usual.has(name));
    const [expected, found] = ['no Set-Cookie header', `a Set-Cookie header: ${names.join(', ')}`];
    const message = 'LIST sets a cookie, which shared caches send to all clients.';
    const hint = 'Let the server set it on other responses only.';
    this.results.push(
      verdict('headers/effect', names.length === 0, message, { expected, found, hint, url: this.#deployment.url }),
    );
  }

  /** Requests LIST, CONFIG once per identity rule, the deployment record and some images at each address of the host. @returns notes */
  async askAddresses(list: Row, images: readonly Row[]): Promise<string[]> {
    const { build, addresses = [] } = this.#deployment;
    const personal = firstOfEach(this.#personal, ({ row: { rendering, requester } }) =>
      JSON.stringify([rendering, requester?.rule]),
    );
    const rows = [
      await recordRow(this.#deployment),
      ...images,
      ...personal.slice(0, MAX_PERSONAL).map(({ row }) => row),
    ];
    const notes: string[] = [];
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      const at = (row: Row): Row => ({ ...row, request: { ...row.request, address } });
      const [outcome] = await this.#send([at(list).request]);
      // Usually this machine has no IPv6; otherwise clients lose time until they try the next address.
      if (outcome === undefined || 'noResponse' in outcome)
        notes.push(`The address ${address} was not verified: ${outcome?.noResponse ?? 'no response'}.`);
      else if (isListOf(build, outcome)) await this.ask(rows.map(at));
      else this.results.push(...judgeOutcome(at(list), outcome));
    }
    return notes;
  }
}

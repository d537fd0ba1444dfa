import { count } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { cookiesOf } from '../probe/headers.ts';
import {
  endpointProbes,
  ENDPOINTS,
  type Kind,
  originProbes,
  pathProbes,
  plainProbe,
  type Probe,
  requesterProbes,
  type Service,
  title,
} from '../probe/table.ts';
import {
  anonymousTheme,
  type Deployment,
  digestOf,
  firstOfEach,
  foreignOrigins,
  type Requester,
  type Responded,
  themeOf,
} from './build.ts';
import { claimsOf } from './claims.ts';
import {
  againQuestions,
  compressionQuestions,
  conditionalQuestions,
  sharedTagResults,
  validatorQuestions,
} from './conditional.ts';
import { imageQuestions, recordQuestion, recordResults, redirectQuestions, schemaResults } from './files.ts';
import { isListOf, listQuestion } from './list.ts';
import { privateQuestions } from './private.ts';
import { planOf } from './requesters.ts';
import { ask, fault, merged, passed, type Question, type Result, resultsOf, type Row, type Send } from './result.ts';
import { questionOf, unaskedResult } from './rows.ts';

/** The result of a verification. */
export interface Verification {
  checks: Row[];
  /** What was not checked, and why. */
  notes: string[];
}

const KINDS = ['list', 'config'] as const;
/** How often LIST is requested again: of several servers behind one address, each gets one of these requests. */
const REPEATED = 3;
/** Images whose requests follow each other: of two servers behind one address, each gets one. */
const MAX_IN_TURN = 200;
/** What is requested at each address of the host: addresses, responses of CONFIG, images. */
const [MAX_ADDRESSES, MAX_PERSONAL, MAX_IMAGES] = [8, 16, 6];

/**
 * Verifies a deployment against the contract and against the build of this checkout; if its list is of another build, nothing else.
 * Pure: the caller sends the requests. All are GET, HEAD or OPTIONS, except POST and PUT without a body on an endpoint that is
 * proved to be of this build, which rejects both; and POST on its schemas, if both endpoints and they are of this build.
 * @param onPlan - gets the number of requests that are left, before most of them are sent
 */
export async function verification(
  deployment: Deployment,
  send: Send,
  onPlan: (requests: number) => void = () => undefined,
): Promise<Verification> {
  const first = await listQuestion(deployment);
  const [list] = await send([first.request]);
  const session = new Session(deployment, send, resultsOf(first, list));
  if (!isListOf(deployment.build, list))
    return session.end('No further requests were sent: this is not a theme service, or not of this build, or not yet.');
  session.plain.set('list json', list);
  await session.askConfig();
  const proved = await session.askRenderings();
  const images = imageQuestions(deployment);
  const rest = await session.rest(proved);
  onPlan(rest.length + images.flat().length + REPEATED + 2 * deployment.build.rules.schemas.length + 5);
  await session.ask(rest);
  for (let round = 0; round < REPEATED; round++)
    await session.ask([{ ...first, request: { ...first.request, isFresh: true } }]);
  session.results.push(...(await recordResults(send, deployment)));
  session.results.push(...(await schemaResults(send, deployment, proved.size === KINDS.length)));
  await session.askImages(images, list);
  session.results.push(...sharedTagResults(deployment, session.plain));
  const notes = await session.askAddresses(
    first,
    images.slice(0, MAX_IMAGES).flatMap(([image]) => image ?? []),
  );
  const unproved = KINDS.filter((kind) => !proved.has(kind)).map(title);
  const unsent = `POST and PUT were not sent on ${unproved.join(' and ')}: this build is not proved to be deployed there, and another service might act on them.`;
  return session.end(...(unproved.length === 0 ? [] : [unsent]), ...notes);
}

/** What a verification has learnt. */
class Session {
  readonly results: Result[];
  /** The responses to anonymous clients, by endpoint and rendering: `list json`. */
  readonly plain = new Map<string, HttpResponse>();
  /** The responses of CONFIG that are right, by requester and rendering. */
  readonly #responded: Responded[] = [];
  readonly #deployment: Deployment;
  readonly #send: Send;
  readonly #service: Service;

  constructor(deployment: Deployment, send: Send, results: readonly Result[]) {
    this.#deployment = deployment;
    this.#send = send;
    this.results = [...results];
    const { build } = deployment;
    const { endpoints, corsOrigins, corsHeaders } = build.rules;
    const { requesters, unasked, themes } = planOf(deployment);
    const of = `${themes.toLocaleString('en')} of ${count(build.rules.themes.length, 'theme')}`;
    this.#service = {
      renderings: { list: endpoints.list.renderings, config: endpoints.config.renderings },
      requesters,
      origins: [...corsOrigins, ...foreignOrigins(corsOrigins)].map((origin) => ({ name: origin, origin })),
      requestHeaders: corsHeaders,
      theme: build.list[0],
    };
    this.#late = [
      passed('config/asked', `sampled: a key for each of ${of}, with every rule`),
      ...unasked.map((problem) => unaskedResult(build, problem)),
    ];
  }

  /** Results that only count once CONFIG is asked. */
  readonly #late: readonly Result[];

  end(...notes: string[]): Verification {
    return { checks: merged(this.results, this.#deployment), notes };
  }

  async ask(questions: readonly Question[]): Promise<Result[]> {
    const results = await ask(this.#send, questions);
    this.results.push(...results);
    return results;
  }

  /** Rows of the table. @param onRight - gets the responses with the right status and headers */
  async #rows(
    probes: readonly Probe[],
    onRight: (probe: Probe, response: HttpResponse) => void = () => undefined,
  ): Promise<Question[]> {
    const asked = probes.filter(({ returns }) => returns !== undefined);
    const questions = asked.map((probe) => questionOf(this.#deployment, probe, this.plain));
    return (await Promise.all(questions)).map((question, at) => ({
      ...question,
      judge: (response) => {
        if (response.status === 200) onRight(asked[at] as Probe, response);
        return question.judge(response);
      },
    }));
  }

  /** The JSON of CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
  async askConfig(): Promise<void> {
    const { build } = this.#deployment;
    this.results.push(...this.#late);
    const probes = requesterProbes(this.#service).filter(
      ({ kind, returns }) => kind === 'config' && returns === 'json',
    );
    const all: Responded[] = [];
    const asked = await this.ask(await this.#rows(probes, this.#keeping(all)));
    const again = await this.ask([
      ...validatorQuestions(this.#deployment, all),
      ...againQuestions(this.#deployment, all),
    ]);
    // While a cache mixes up themes, responses vary, and nothing else that is asked of CONFIG tells anything.
    if (again.some(({ id, ok }) => id === 'config/shared-cache' && !ok)) return;
    const anonymous = all.find(({ requester }) => requester.name === 'anonymous');
    if (anonymous !== undefined) this.plain.set('config json', anonymous.response);
    this.#responded.push(...all.filter(({ requester, response }) => themeOf(build, response) === requester.theme));
    // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
    if (!asked.some(({ id, ok }) => id === 'config/anonymous' && ok)) return;
    const right = this.#responded.map(({ requester }) => requester);
    const [json] = this.#service.renderings.config;
    const claims = claimsOf(this.#deployment, right).map((claim) => plainProbe('config', json as never, claim));
    await this.ask(await this.#rows(claims));
  }

  #keeping(all: Responded[]): (probe: Probe, response: HttpResponse) => void {
    return (probe, response) => void all.push({ probe, requester: probe.requester as Requester, response });
  }

  /**
   * The other renderings, as requesters whose JSON is right; then the endpoints that are proved to be of this build, which alone may be
   * sent methods that a service could act on.
   *
   * The list is no proof: a service that themes were imported from may list the same ones, images included. Nor is any other
   * published file, `manifest.json` or an image: while the endpoints are moved from one service to another, files and endpoints
   * may be served by different ones. So each endpoint itself has to send its JSON, its browsable page, which only themecast
   * writes, and its metadata, byte for byte; the latter by OPTIONS, as proxies that divide reading from writing count it with
   * writing.
   */
  async askRenderings(): Promise<ReadonlySet<Kind>> {
    const { build } = this.#deployment;
    const right = new Set(this.#responded.map(({ requester }) => requester));
    const personal = requesterProbes(this.#service).filter(
      ({ kind, returns, requester }) => kind === 'config' && returns !== 'json' && right.has(requester as Requester),
    );
    // One page of each theme.
    const probes = firstOfEach(personal, ({ returns, requester }) =>
      returns === 'html' ? (requester as Requester).theme : [returns, requester],
    );
    const kinds = this.#kinds();
    const pages = this.#service.renderings.list.filter(({ name }) => name === 'html');
    const options = kinds.flatMap((kind) => endpointProbes(kind, this.#service).filter(isOptions));
    const all: Responded[] = [];
    const rows = [...probes, ...pages.map((page) => plainProbe('list', page)), ...options];
    await this.ask(await this.#rows(rows, this.#keeping(all)));
    for (const { probe, requester, response } of all)
      if (requester === undefined || requester.name === 'anonymous')
        this.plain.set(`${probe.kind} ${String(probe.returns)}`, response);
    const styles = all.filter(({ requester, probe }) => requester !== undefined && probe.returns !== 'html');
    await this.ask([...validatorQuestions(this.#deployment, styles), ...againQuestions(this.#deployment, styles)]);
    this.#responded.push(...styles);
    const isProved = (kind: Kind): boolean => {
      const theme = kind === 'config' ? anonymousTheme(build) : undefined;
      const metadata = build.files.get(`${ENDPOINTS[kind].path.slice(1)}options.json`)?.sha256;
      return ['json', 'html', 'options'].every((name) => {
        const response = this.plain.get(`${kind} ${name}`);
        const digest = name === 'options' ? metadata : digestOf(build, kind, name, theme);
        return response?.end === 'complete' && response.sha256 === digest;
      });
    };
    return new Set(kinds.filter(isProved));
  }

  /** The endpoints that respond. */
  #kinds(): Kind[] {
    return KINDS.filter((kind) => this.plain.has(`${kind} json`));
  }

  /** Everything that is compared with what is known by now. */
  async rest(proved: ReadonlySet<Kind>): Promise<Question[]> {
    const [deployment, service] = [this.#deployment, this.#service];
    const { themes } = deployment.build.rules;
    // One requester of each rule, and every hostname.
    const right = firstOfEach(this.#responded, ({ requester: { headers, rule } }) => headers['Host'] ?? rule);
    const requesters = right.map(({ requester }) => requester);
    const missing = [`${LIST.path}index.json`, ...themes.slice(0, 1).map((slug) => `${CONFIG.path}${slug}.json`)];
    const [notFound] = pathProbes(service);
    const kinds = this.#kinds();
    const probes = [
      ...requesterProbes({ ...service, requesters }).filter(({ kind }) => kind === 'list'),
      ...kinds.flatMap((kind) => endpointProbes(kind, service).filter((probe) => !isOptions(probe))),
      ...pathProbes(service),
      ...missing.map((path) => ({ ...(notFound as Probe), path })),
      ...kinds.flatMap((kind) => originProbes(kind, service)),
    ];
    const refused = [...proved].flatMap((kind) => {
      const probe = { what: '', kind, method: 'GET', path: ENDPOINTS[kind].path, returns: 405 } as const;
      const headers = { 'Content-Length': '0' };
      return (['POST', 'PUT'] as const).map((method) =>
        questionOf(deployment, { ...probe, headers }, this.plain, method),
      );
    });
    return [
      ...conditionalQuestions(deployment, this.plain),
      ...(await this.#rows(probes)),
      ...(await Promise.all(refused)),
      ...compressionQuestions(deployment, this.plain, this.#responded),
      ...(await redirectQuestions(deployment)),
      ...privateQuestions(deployment),
    ];
  }

  /** Every image; and cookies of LIST, which may be those of whatever is in front of all. */
  async askImages(images: readonly Question[][], list: HttpResponse): Promise<void> {
    const cookies = new Set<string>();
    const noting = images.map((questions) =>
      questions.map((question) => ({
        ...question,
        judge: (response: HttpResponse) => {
          for (const name of cookiesOf(response)) cookies.add(name);
          return question.judge(response);
        },
      })),
    );
    for (const requests of noting.slice(0, MAX_IN_TURN)) await this.ask(requests);
    await this.ask(noting.slice(MAX_IN_TURN).flat());
    if (images.length > 0) this.results.push(passed('media/status', `${count(images.length, 'image')} with 200`));
    const names = cookiesOf(list);
    if (names.length === 0) return;
    const isOfAll = names.every((name) => cookies.has(name));
    const details = { expected: 'no Set-Cookie header', found: `a Set-Cookie header: ${names.join(', ')}` };
    const url = this.#deployment.url + LIST.path;
    this.results.push(
      isOfAll
        ? fault('headers/cookie', 'Every response sets a cookie.', { ...details, url })
        : fault('headers/cache', 'LIST sets a cookie, which shared caches give to all clients.', { ...details, url }),
    );
  }

  /** What clients get at each address of the host: LIST, CONFIG as one requester of each rule, the record and images. @returns notes */
  async askAddresses(list: Question, images: readonly Question[]): Promise<string[]> {
    const { url, addresses = [] } = this.#deployment;
    const personal = firstOfEach(this.#responded, ({ probe: { returns }, requester: { rule } }) =>
      JSON.stringify([returns, rule]),
    );
    const rows = await this.#rows(personal.slice(0, MAX_PERSONAL).map(({ probe }) => probe));
    const notes: string[] = [];
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      const at = (question: Question): Question => ({ ...question, request: { ...question.request, address } });
      const [outcome] = await this.#send([at(list).request]);
      if (outcome !== undefined && 'noResponse' in outcome) {
        const { noResponse } = outcome;
        const details = { expected: 'a response', found: noResponse, url: `${url} at the address ${address}` };
        // Here is no IPv6, most often.
        if (noResponse.includes('no way to')) notes.push(`The address ${address} was not verified: ${noResponse}.`);
        else this.results.push(fault('service/address', 'An address of the host does not respond.', details));
        continue;
      }
      const found = resultsOf(at(list), outcome);
      this.results.push(...found);
      if (found.every(({ ok, id }) => ok || id === 'list/base-url'))
        await this.ask([recordQuestion(this.#deployment), ...images, ...rows].map(at));
    }
    if (addresses.length > 0)
      this.results.push(passed('service/address', count(addresses.length, 'address', 'addresses')));
    return notes;
  }
}

function isOptions({ returns }: Probe): boolean {
  return returns === 'options';
}

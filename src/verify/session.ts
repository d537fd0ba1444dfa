import { count } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import type { HttpResponse } from '../http/exchange.ts';
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
import { againQuestions, compressionQuestions, conditionalQuestions, validatorQuestions } from './conditional.ts';
import { redirectQuestions } from './files.ts';
import { privateQuestions } from './private.ts';
import { planOf } from './requesters.ts';
import { ask, passed, type Question, type Result, type Send } from './result.ts';
import { questionOf, unaskedResult } from './rows.ts';

export const KINDS = ['list', 'config'] as const;

/** A verification under way. */
export class Session {
  readonly results: Result[];
  /** The responses to anonymous clients, by endpoint and rendering: `list json`. */
  readonly plain = new Map<string, HttpResponse>();
  /** The responses of CONFIG that are right, by requester and rendering. */
  readonly responded: Responded[] = [];
  readonly deployment: Deployment;
  readonly send: Send;
  readonly #service: Service;

  constructor(deployment: Deployment, send: Send, results: readonly Result[]) {
    this.deployment = deployment;
    this.send = send;
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

  async ask(questions: readonly Question[]): Promise<Result[]> {
    const results = await ask(this.send, questions);
    this.results.push(...results);
    return results;
  }

  /** Rows of the table. @param onRight - gets the responses with the right status and headers */
  async rows(
    probes: readonly Probe[],
    onRight: (probe: Probe, response: HttpResponse) => void = () => undefined,
  ): Promise<Question[]> {
    const rows = probes.filter(({ returns }) => returns !== undefined);
    const questions = rows.map((probe) => questionOf(this.deployment, probe, this.plain));
    return (await Promise.all(questions)).map((question, at) => ({
      ...question,
      judge: (response) => {
        if (response.status === 200) onRight(rows[at] as Probe, response);
        return question.judge(response);
      },
    }));
  }

  /** The JSON of CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
  async askConfig(): Promise<void> {
    const { build } = this.deployment;
    this.results.push(...this.#late);
    const probes = requesterProbes(this.#service).filter(
      ({ kind, returns }) => kind === 'config' && returns === 'json',
    );
    const all: Responded[] = [];
    const results = await this.ask(await this.rows(probes, this.#keeping(all)));
    const again = await this.ask([
      ...validatorQuestions(this.deployment, all),
      ...againQuestions(this.deployment, all),
    ]);
    // While a cache mixes up themes, responses vary, and nothing else that is asked of CONFIG tells anything.
    if (again.some(({ id, ok }) => id === 'config/shared-cache' && !ok)) return;
    const anonymous = all.find(({ requester }) => requester.name === 'anonymous');
    if (anonymous !== undefined) this.plain.set('config json', anonymous.response);
    this.responded.push(...all.filter(({ requester, response }) => themeOf(build, response) === requester.theme));
    // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
    if (!results.some(({ id, ok }) => id === 'config/anonymous' && ok)) return;
    const right = this.responded.map(({ requester }) => requester);
    const [json] = this.#service.renderings.config;
    const claims = claimsOf(this.deployment, right).map((claim) => plainProbe('config', json as never, claim));
    await this.ask(await this.rows(claims));
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
    const { build } = this.deployment;
    const right = new Set(this.responded.map(({ requester }) => requester));
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
    await this.ask(await this.rows(rows, this.#keeping(all)));
    for (const { probe, requester, response } of all)
      if (requester === undefined || requester.name === 'anonymous')
        this.plain.set(`${probe.kind} ${String(probe.returns)}`, response);
    const styles = all.filter(({ requester, probe }) => requester !== undefined && probe.returns !== 'html');
    await this.ask([...validatorQuestions(this.deployment, styles), ...againQuestions(this.deployment, styles)]);
    this.responded.push(...styles);
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
    const [deployment, service] = [this.deployment, this.#service];
    const { themes } = deployment.build.rules;
    // One requester of each rule, and every hostname.
    const right = firstOfEach(this.responded, ({ requester: { headers, rule } }) => headers['Host'] ?? rule);
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
      ...(await this.rows(probes)),
      ...(await Promise.all(refused)),
      ...compressionQuestions(deployment, this.plain, this.responded),
      ...(await redirectQuestions(deployment)),
      ...privateQuestions(deployment),
    ];
  }
}

function isOptions({ returns }: Probe): boolean {
  return returns === 'options';
}

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
  type ConfigResponse,
  themeOf,
} from './build.ts';
import { oddRequesters } from './odd-requesters.ts';
import { repeatQuestions, compressionQuestions, conditionalQuestions, validatorQuestions } from './conditional.ts';
import { redirectQuestions } from './files.ts';
import { privateQuestions } from './private.ts';
import { planOf } from './requesters.ts';
import { ask, passed, type Question, type Result, type Send } from './result.ts';
import { questionOf, unverifiedResult } from './questions.ts';

export const KINDS = ['list', 'config'] as const;

/** A verification under way. */
export class Session {
  readonly results: Result[];
  /** The responses to anonymous clients, by endpoint and rendering: `list json`. */
  readonly plain = new Map<string, HttpResponse>();
  /** The right responses of CONFIG, by requester and rendering. */
  readonly configResponses: ConfigResponse[] = [];
  readonly deployment: Deployment;
  readonly send: Send;
  readonly #service: Service;

  constructor(deployment: Deployment, send: Send, results: readonly Result[]) {
    this.deployment = deployment;
    this.send = send;
    this.results = [...results];
    const { build } = deployment;
    const { endpoints, corsOrigins, corsHeaders } = build.rules;
    const { requesters, unverified, themes } = planOf(deployment);
    const sample = `${themes.toLocaleString('en')} of ${count(build.rules.themes.length, 'theme')}`;
    this.#service = {
      renderings: { list: endpoints.list.renderings, config: endpoints.config.renderings },
      requesters,
      origins: [...corsOrigins, ...foreignOrigins(corsOrigins)].map((origin) => ({ name: origin, origin })),
      requestHeaders: corsHeaders,
      theme: build.list[0],
    };
    this.#ruleResults = [
      passed('config/asked', `sampled: a key for each of ${sample}, with every rule`),
      ...unverified.map((problem) => unverifiedResult(build, problem)),
    ];
  }

  /** Results about identity rules, reported only if CONFIG is requested. */
  readonly #ruleResults: readonly Result[];

  async ask(questions: readonly Question[]): Promise<Result[]> {
    const results = await ask(this.send, questions);
    this.results.push(...results);
    return results;
  }

  /** Makes questions of probes. @param onOk - receives each response with status 200 */
  async questions(
    probes: readonly Probe[],
    onOk: (probe: Probe, response: HttpResponse) => void = () => undefined,
  ): Promise<Question[]> {
    const expected = probes.filter(({ returns }) => returns !== undefined);
    const questions = expected.map((probe) => questionOf(this.deployment, probe, this.plain));
    return (await Promise.all(questions)).map((question, at) => ({
      ...question,
      judge: (response) => {
        if (response.status === 200) onOk(expected[at] as Probe, response);
        return question.judge(response);
      },
    }));
  }

  /** Requests the JSON of CONFIG as every requester, then checks that no requester gets another one's theme. */
  async askConfig(): Promise<void> {
    const { build } = this.deployment;
    this.results.push(...this.#ruleResults);
    const probes = requesterProbes(this.#service).filter(
      ({ kind, returns }) => kind === 'config' && returns === 'json',
    );
    const all: ConfigResponse[] = [];
    const results = await this.ask(await this.questions(probes, this.#collector(all)));
    const again = await this.ask([
      ...validatorQuestions(this.deployment, all),
      ...repeatQuestions(this.deployment, all),
    ]);
    // While a cache mixes up themes, responses vary, and further checks of CONFIG are meaningless.
    if (again.some(({ id, ok }) => id === 'config/shared-cache' && !ok)) return;
    const anonymous = all.find(({ requester }) => requester.name === 'anonymous');
    if (anonymous !== undefined) this.plain.set('config json', anonymous.response);
    this.configResponses.push(...all.filter(({ requester, response }) => themeOf(build, response) === requester.theme));
    // If anonymous clients get a user's theme, forged credentials of that user cannot be told apart.
    if (!results.some(({ id, ok }) => id === 'config/anonymous' && ok)) return;
    const right = this.configResponses.map(({ requester }) => requester);
    const [json] = this.#service.renderings.config;
    const odd = oddRequesters(this.deployment, right).map((requester) =>
      plainProbe('config', json as never, requester),
    );
    await this.ask(await this.questions(odd));
  }

  #collector(all: ConfigResponse[]): (probe: Probe, response: HttpResponse) => void {
    return (probe, response) => void all.push({ probe, requester: probe.requester as Requester, response });
  }

  /**
   * Requests the other renderings as requesters whose JSON is right.
   *
   * An equal list does not prove that an endpoint serves this build: the old service may list the same themes and images. Neither does
   * another published file: during a migration, files and endpoints may be on different services. So each endpoint must return its
   * JSON, its browsable page, which only themecast writes, and its metadata, byte for byte. The metadata is requested by OPTIONS:
   * proxies that route writes to another service route OPTIONS with them.
   * @returns the endpoints that are proven to serve this build, and may be sent POST and PUT
   */
  async askRenderings(): Promise<ReadonlySet<Kind>> {
    const { build } = this.deployment;
    const right = new Set(this.configResponses.map(({ requester }) => requester));
    const personal = requesterProbes(this.#service).filter(
      ({ kind, returns, requester }) => kind === 'config' && returns !== 'json' && right.has(requester as Requester),
    );
    // A single page per theme is enough.
    const probes = firstOfEach(personal, ({ returns, requester }) =>
      returns === 'html' ? (requester as Requester).theme : [returns, requester],
    );
    const kinds = this.#kinds();
    const pages = this.#service.renderings.list.filter(({ name }) => name === 'html');
    const options = kinds.flatMap((kind) => endpointProbes(kind, this.#service).filter(isOptions));
    const all: ConfigResponse[] = [];
    const allProbes = [...probes, ...pages.map((page) => plainProbe('list', page)), ...options];
    await this.ask(await this.questions(allProbes, this.#collector(all)));
    for (const { probe, requester, response } of all)
      if (requester === undefined || requester.name === 'anonymous')
        this.plain.set(`${probe.kind} ${String(probe.returns)}`, response);
    const styles = all.filter(({ requester, probe }) => requester !== undefined && probe.returns !== 'html');
    await this.ask([...validatorQuestions(this.deployment, styles), ...repeatQuestions(this.deployment, styles)]);
    this.configResponses.push(...styles);
    const isProven = (kind: Kind): boolean => {
      const theme = kind === 'config' ? anonymousTheme(build) : undefined;
      const metadata = build.files.get(`${ENDPOINTS[kind].path.slice(1)}options.json`)?.sha256;
      return ['json', 'html', 'options'].every((name) => {
        const response = this.plain.get(`${kind} ${name}`);
        const digest = name === 'options' ? metadata : digestOf(build, kind, name, theme);
        return response?.end === 'complete' && response.sha256 === digest;
      });
    };
    return new Set(kinds.filter(isProven));
  }

  /** Returns the endpoints that respond. */
  #kinds(): Kind[] {
    return KINDS.filter((kind) => this.plain.has(`${kind} json`));
  }

  /** Returns the questions that need earlier responses to compare with. */
  async remainingQuestions(proven: ReadonlySet<Kind>): Promise<Question[]> {
    const [deployment, service] = [this.deployment, this.#service];
    const { themes } = deployment.build.rules;
    // A single requester per rule, and every hostname.
    const right = firstOfEach(this.configResponses, ({ requester: { headers, rule } }) => headers['Host'] ?? rule);
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
    const refused = [...proven].flatMap((kind) => {
      const probe = { what: '', kind, method: 'GET', path: ENDPOINTS[kind].path, returns: 405 } as const;
      const headers = { 'Content-Length': '0' };
      return (['POST', 'PUT'] as const).map((method) =>
        questionOf(deployment, { ...probe, headers }, this.plain, method),
      );
    });
    return [
      ...conditionalQuestions(deployment, this.plain),
      ...(await this.questions(probes)),
      ...(await Promise.all(refused)),
      ...compressionQuestions(deployment, this.plain, this.configResponses),
      ...(await redirectQuestions(deployment)),
      ...privateQuestions(deployment),
    ];
  }
}

function isOptions({ returns }: Probe): boolean {
  return returns === 'options';
}

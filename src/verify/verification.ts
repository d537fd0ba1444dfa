import { count } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import type { HttpResponse, Outcome } from '../http/exchange.ts';
import {
  endpointProbes,
  type Kind,
  originProbes,
  pathProbes,
  plainProbe,
  type Probe,
  requesterProbes,
  type Service,
  title,
} from '../probe/table.ts';
import { addressResults } from './addresses.ts';
import { ask, evaluated, type Exchange, type Send } from './ask.ts';
import {
  anonymousTheme,
  type Deployment,
  digestOf,
  firstOfEach,
  type Requester,
  type Responded,
  type Session,
  themeOf,
} from './build.ts';
import { claimExchanges } from './claims.ts';
import { compressionExchanges } from './compression.ts';
import { configExchange, planResults } from './config.ts';
import { crossOriginExchange, foreignOrigins } from './cors.ts';
import { exchangesOf, notFoundExchange, refusedExchanges, renderingExchange } from './documents.ts';
import { recordResults, schemaResults } from './files.ts';
import { cookieResults } from './headers.ts';
import { isListOf, listExchange, sameListExchange } from './list.ts';
import { mediaExchanges, redirectExchanges } from './media.ts';
import { privateExchanges } from './private.ts';
import { planOf } from './requesters.ts';
import { merged, passed, type Row } from './result.ts';
import { againExchanges, conditionalExchanges, sharedTagResults, validatorExchanges } from './validators.ts';

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
  const { build } = deployment;
  const first = listExchange(deployment);
  const [list] = await send([first.request]);
  const results = evaluated(first, list);
  if (!isListOf(build, list))
    return {
      checks: merged(results, deployment.capabilities),
      notes: ['No further requests were sent: this is not a theme service, or not of this build, or not yet.'],
    };
  const session: Session = { deployment, send, results, plain: new Map([['list json', list]]), responded: [] };
  const service = await askConfig(session);
  const proved = await askRenderings(session, service);
  const images = mediaExchanges(deployment);
  const rest = restOf(session, service, list, proved);
  onPlan(rest.length + images.flat().length + REPEATED + 2 * build.rules.schemas.length + 5);
  results.push(...(await ask(send, rest)));
  for (let round = 0; round < REPEATED; round++)
    results.push(...(await ask(send, [{ ...first, request: { ...first.request, isFresh: true } }])));
  results.push(...(await recordResults(send, deployment)));
  results.push(...(await schemaResults(send, deployment, proved.size === KINDS.length)));
  const others = await askImages(session, images);
  results.push(...cookieResults(deployment, list, others), ...sharedTagResults(deployment, session.plain));
  const notes = await addressResults(
    session,
    first,
    images.slice(0, MAX_SAMPLE).flatMap(([image]) => image ?? []),
  );
  return { checks: merged(results, deployment.capabilities), notes: [...unprovedNotes(proved), ...notes] };
}

/** Images that are requested at each further address. */
const MAX_SAMPLE = 6;

/** The JSON of CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
async function askConfig({ deployment, send, results, plain, responded }: Session): Promise<Service> {
  const { build } = deployment;
  const { list, config } = build.rules.endpoints;
  const plan = planOf(deployment);
  const service: Service = {
    renderings: { list: list.renderings, config: config.renderings },
    requesters: plan.requesters,
    origins: [
      ...build.rules.corsOrigins.map((origin) => ({ name: origin, origin })),
      ...foreignOrigins(build.rules.corsOrigins),
    ],
    requestHeaders: build.rules.corsHeaders,
    theme: build.list[0],
  };
  const all: Responded[] = [];
  const exchanges = requesterProbes(service)
    .filter(({ kind, returns }) => kind === 'config' && returns === 'json')
    .map((probe) => {
      const requester = probe.requester as Requester;
      return configExchange(deployment, probe, requester, (response) => void all.push({ probe, requester, response }));
    });
  const asked = await ask(send, exchanges);
  const again = await ask(send, [...validatorExchanges(deployment, all), ...againExchanges(deployment, all)]);
  results.push(...asked, ...planResults(build, plan), ...again);
  // While a cache mixes up themes, responses vary, and nothing else that is asked of CONFIG tells anything.
  if (again.some(({ id, ok }) => id === 'config/shared-cache' && !ok)) return service;
  const anonymous = all.find(({ requester }) => requester.name === 'anonymous');
  if (anonymous !== undefined) plain.set('config json', anonymous.response);
  responded.push(...all.filter(({ requester, response }) => themeOf(build, response) === requester.theme));
  // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
  if (!asked.some(({ id, ok }) => id === 'config/anonymous' && ok)) return service;
  const right = responded.map(({ requester }) => requester);
  results.push(...(await ask(send, claimExchanges(deployment, right))));
  return service;
}

/**
 * The other renderings, as requesters whose JSON is right; then the endpoints that are proved to be of this build, which alone may be sent
 * methods that a service could act on.
 *
 * The list is no proof: a service that themes were imported from may list the same ones, images included. Nor is any other
 * published file, `manifest.json` or an image: while the endpoints are moved from one service to another, files and endpoints
 * may be served by different ones. So each endpoint itself has to send its JSON, its browsable page, which only themecast
 * writes, and its metadata, byte for byte; the latter by OPTIONS, as proxies that divide reading from writing count it with
 * writing.
 */
async function askRenderings(session: Session, service: Service): Promise<ReadonlySet<Kind>> {
  const { deployment, send, results, plain, responded } = session;
  const { build } = deployment;
  const right = new Set(responded.map(({ requester }) => requester));
  const personal = requesterProbes(service).filter(
    ({ kind, returns, requester }) => kind === 'config' && returns !== 'json' && right.has(requester as Requester),
  );
  const probes = firstOfEach(personal, ({ returns, requester }) =>
    returns === 'html' ? (requester as Requester).theme : [returns, requester],
  );
  const styles: Responded[] = [];
  const exchanges = probes.map((probe): Exchange => {
    const requester = probe.requester as Requester;
    return capturing(renderingExchange(deployment, probe, requester.theme), (response) => {
      if (requester.name === 'anonymous') plain.set(`config ${String(probe.returns)}`, response);
      if (probe.returns !== 'html') styles.push({ probe, requester, response });
    });
  });
  const options = new Map<Kind, HttpResponse>();
  const kinds = KINDS.filter((kind) => plain.has(`${kind} json`));
  const others = kinds.flatMap((kind) => {
    const rows = endpointProbes(kind, service).filter(({ returns }) => returns === 'options');
    const page = service.renderings[kind].filter(({ name }) => kind === 'list' && name === 'html');
    return [
      ...rows
        .flatMap((row) => exchangesOf(deployment, row, plain))
        .map((one) => capturing(one, (response) => options.set(kind, response))),
      ...page
        .flatMap((rendering) => exchangesOf(deployment, plainProbe(kind, rendering), plain))
        .map((one) => capturing(one, (response) => plain.set(`${kind} html`, response))),
    ];
  });
  results.push(...(await ask(send, [...exchanges, ...others])));
  results.push(
    ...(await ask(send, [...validatorExchanges(deployment, styles), ...againExchanges(deployment, styles)])),
  );
  responded.push(...styles);
  const isProved = (kind: Kind): boolean => {
    const theme = kind === 'config' ? anonymousTheme(build) : undefined;
    return (
      ['json', 'html'].every((name) => isComplete(plain.get(`${kind} ${name}`), digestOf(build, kind, name, theme))) &&
      isComplete(
        options.get(kind),
        build.files.get(`${(kind === 'list' ? LIST : CONFIG).path.slice(1)}options.json`)?.sha256,
      )
    );
  };
  return new Set(kinds.filter(isProved));
}

function isComplete(response: HttpResponse | undefined, sha256: string | undefined): boolean {
  return response?.status === 200 && response.end === 'complete' && response.sha256 === sha256;
}

/** An exchange that hands on its response, if that is right. */
function capturing(exchange: Exchange, onResponse: (response: HttpResponse) => void): Exchange {
  return {
    ...exchange,
    also: (response) => {
      onResponse(response);
      return exchange.also?.(response) ?? [];
    },
  };
}

/** Everything that is compared with what is known by now. */
function restOf(
  { deployment, plain, responded }: Session,
  service: Service,
  list: HttpResponse,
  proved: ReadonlySet<Kind>,
): Exchange[] {
  const { rules } = deployment.build;
  const kinds = KINDS.filter((kind) => plain.has(`${kind} json`));
  const rows = (probes: readonly Probe[]): Exchange[] =>
    probes.flatMap((probe) => exchangesOf(deployment, probe, plain));
  // One requester of each rule, and every hostname.
  const who = ({ headers: { Host }, rule }: Requester): unknown => Host ?? rule;
  const right = firstOfEach(responded, ({ requester }) => who(requester)).map(({ requester }) => requester);
  const lists = requesterProbes({ ...service, requesters: right }).filter(({ kind }) => kind === 'list');
  const files = [`${LIST.path}index.json`, ...rules.themes.slice(0, 1).map((slug) => `${CONFIG.path}${slug}.json`)];
  return [
    ...conditionalExchanges(deployment, plain),
    ...lists.map((probe) => sameListExchange(deployment, probe, list)),
    ...kinds.flatMap((kind) => rows(endpointProbes(kind, service).filter(({ returns }) => returns !== 'options'))),
    ...rows(pathProbes(service)),
    ...files.map((path) => notFoundExchange(deployment, path)),
    ...kinds.flatMap((kind) => originProbes(kind, service)).flatMap((probe) => crossOriginExchange(deployment, probe)),
    ...[...proved].flatMap((kind) => refusedExchanges(deployment, kind)),
    ...compressionExchanges(deployment, plain, responded),
    ...redirectExchanges(deployment),
    ...privateExchanges(deployment),
  ];
}

/** Every image. @returns the responses */
async function askImages({ send, results }: Session, images: readonly Exchange[][]): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  const noting: Send = async (requests) => {
    const outcomes = await send(requests);
    responses.push(...outcomes.filter((outcome: Outcome): outcome is HttpResponse => 'status' in outcome));
    return outcomes;
  };
  const [inTurn, others] = [images.slice(0, MAX_IN_TURN), images.slice(MAX_IN_TURN)];
  for (const requests of inTurn) results.push(...(await ask(noting, requests)));
  results.push(...(await ask(noting, others.flat())));
  if (images.length > 0) results.push(passed('media/status', `${count(images.length, 'image')} with 200`));
  return responses;
}

/**
 * Whether a deployment passes.
 * @param strict - whether tolerated faults fail too, except those that the host declares
 */
export function holds({ checks }: Verification, strict: boolean): boolean {
  return checks.every(
    ({ status, declared }) => status === 'passed' || (status === 'tolerated' && (!strict || declared)),
  );
}

function unprovedNotes(proved: ReadonlySet<Kind>): string[] {
  const unproved = KINDS.filter((kind) => !proved.has(kind)).map(title);
  if (unproved.length === 0) return [];
  return [
    `POST and PUT were not sent on ${unproved.join(' and ')}: this build is not proved to be deployed there, and another service might act on them.`,
  ];
}

import { CONFIG } from '../document/endpoint.ts';
import type { Deployment, LiveList } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { againExchanges, validatorExchanges } from './config-again.ts';
import { claimExchanges } from './config-claims.ts';
import { type Responded, configRequest, themeResults } from './config-theme.ts';
import { type HttpResponse, type Request, statusOf } from '../http/exchange.ts';
import { type Asking, ask, judgedOutcome } from './ask.ts';
import { fault, type Result, judged, passed } from './result.ts';
import { endpointResults } from './headers.ts';
import { resolutionResults } from './hostnames.ts';
import { type Plan, planOf, type Requester } from './requesters.ts';

/** What CONFIG was found to be. */
export interface ConfigVerified {
  results: Result[];
  /** Those who got a 200. */
  responded: readonly Responded[];
}

/** CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
export function* configResults(deployment: Deployment, live: LiveList): Asking<ConfigVerified> {
  const { build } = deployment;
  const plan = planOf(deployment, live);
  const requests = plan.requesters.map((requester) => configRequest(deployment, requester));
  const outcomes = yield requests;
  const responded: Responded[] = [];
  const results = plan.requesters.flatMap((requester, index) => {
    const request = requests[index] as Request;
    return judgedOutcome('config/status', request, outcomes[index], (response) => {
      if (response.status === 200) responded.push({ requester, response });
      return requesterResults(build, live, requester, request, response);
    });
  });
  const others = yield* ask([
    ...validatorExchanges(deployment, responded),
    ...againExchanges(deployment, live, responded),
  ]);
  // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
  const isDefault = results.some(({ id, ok }) => id === 'config/anonymous' && ok);
  const isMixed = others.some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  const forged = isDefault && !isMixed ? yield* ask(claimExchanges(deployment, live, responded)) : [];
  return {
    results: [
      ...results,
      ...planResults(build, live, plan),
      ...resolutionResults(deployment.resolved),
      ...others,
      ...forged,
    ],
    responded,
  };
}

/** The response to the anonymous requester, if it is one that HEAD can be compared with. */
export function anonymousResponse({ responded }: ConfigVerified): HttpResponse | undefined {
  return responded.find(({ requester }) => requester.name === 'anonymous')?.response;
}

/** Who was asked as, and who could not be. */
function planResults({ rules, rulesAt }: Build, { isCurrent }: LiveList, { unasked, themes }: Plan): Result[] {
  const count = (n: number): string => n.toLocaleString('en');
  const done = `sampled: a key for each of ${count(themes)} of ${count(rules.themes.length)} themes, with every rule`;
  return [
    ...(isCurrent ? [passed('config/asked', done)] : []),
    ...unasked.map(({ who, why, remedy }) =>
      fault('config/asked', `CONFIG was not requested for ${who}.`, {
        expected: 'a request with each identity rule',
        found: `not requested: ${why}`,
        hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
      }),
    ),
  ];
}

const ROUTED =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it. ';

function requesterResults(
  build: Build,
  live: LiveList,
  requester: Requester,
  request: Request,
  response: HttpResponse,
): Result[] {
  const status = judged('config/status', response.status === 200, 'CONFIG does not respond with 200.', {
    expected: '200',
    found: statusOf(response),
    hint: `${requester.headers['Host'] === undefined ? '' : ROUTED}CONFIG must serve a file of ${CONFIG.path.slice(1)}, chosen by user: see ${build.rulesAt}.`,
  });
  if (!status.ok) return [status];
  const { endpoints, contentTypes } = build.rules;
  const headers = { 'Content-Type': contentTypes.json, 'Cache-Control': endpoints.config.cacheControl };
  return [
    status,
    ...themeResults(build, live, requester, request, response),
    ...endpointResults(build, 'config', response, headers),
  ];
}

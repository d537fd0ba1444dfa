import { count } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import type { Build } from '../hosts/published-build.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { type Asking, ask, type Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import { claimExchanges } from './config-claims.ts';
import { configRequest, type Responded, themeResults, unaskedResult } from './config-theme.ts';
import { endpointResults } from './headers.ts';
import { type Plan, planOf, type Requester } from './requesters.ts';
import { passed, type Result } from './result.ts';
import { againExchanges, validatorExchanges } from './validators.ts';

/** What CONFIG was found to be. */
export interface ConfigVerified {
  results: Result[];
  /** Those who got a 200. */
  responded: readonly Responded[];
}

/** CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
export function* configResults(deployment: Deployment): Asking<ConfigVerified> {
  const { build } = deployment;
  const plan = planOf(deployment);
  const responded: Responded[] = [];
  const results = yield* ask(
    plan.requesters.map((requester) =>
      requesterExchange(deployment, requester, (response) => responded.push({ requester, response })),
    ),
  );
  const again = yield* ask([...validatorExchanges(deployment, responded), ...againExchanges(deployment, responded)]);
  // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
  const isDefault = results.some(({ id, ok }) => id === 'config/anonymous' && ok);
  const isMixed = again.some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  const claims = isDefault && !isMixed ? yield* ask(claimExchanges(deployment, responded)) : [];
  return { results: [...results, ...planResults(build, plan), ...again, ...claims], responded };
}

/** Who was asked as, and who could not be. */
function planResults({ rules, rulesAt }: Build, { unasked, themes }: Plan): Result[] {
  const of = `${themes.toLocaleString('en')} of ${count(rules.themes.length, 'theme')}`;
  return [
    passed('config/asked', `sampled: a key for each of ${of}, with every rule`),
    ...unasked.map((problem) => unaskedResult(rulesAt, problem)),
  ];
}

const ROUTED =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it. ';

function requesterExchange(
  deployment: Deployment,
  requester: Requester,
  onResponse: (response: HttpResponse) => void,
): Exchange {
  const { build } = deployment;
  const { endpoints, contentTypes } = build.rules;
  const request = configRequest(deployment, requester);
  const headers = { 'Content-Type': contentTypes.json, 'Cache-Control': endpoints.config.cacheControl };
  return {
    id: 'config/status',
    request,
    is: 200,
    message: 'CONFIG does not respond with 200.',
    hint: `${requester.headers['Host'] === undefined ? '' : ROUTED}CONFIG must serve a file of ${CONFIG.path.slice(1)}, chosen by user: see ${build.rulesAt}.`,
    also: (response) => {
      onResponse(response);
      return [
        ...themeResults(build, requester, request, response),
        ...endpointResults(build, 'config', response, headers),
      ];
    },
  };
}

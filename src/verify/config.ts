import { CONFIG } from '../document/endpoint.ts';
import { type Build, type Deployment, type LiveList } from './build.ts';
import { againExchange, validatorExchanges } from './config-again.ts';
import { forgedExchanges } from './config-forged.ts';
import { type Answered, configRequest, themeFindings } from './config-theme.ts';
import { type Answer, type Asking, ask, judgedOutcome, type Request, statusOf, urlOf } from './exchange.ts';
import { fault, type Finding, judged, passed } from './result.ts';
import { endpointFindings, members, sameMembers, shown } from './headers.ts';
import { contentType } from './list.ts';
import { type Plan, planOf, type Requester } from './requesters.ts';
import { cacheNamed, isCacheHit } from './shared-cache.ts';

/** What CONFIG was found to be. */
export interface ConfigVerified {
  findings: Finding[];
  /** Those who were answered with 200. */
  answered: readonly Answered[];
}

/** CONFIG as everyone of the plan, then what tells whether one requester's theme reaches another. */
export function* configFindings(deployment: Deployment, live: LiveList): Asking<ConfigVerified> {
  const { build } = deployment;
  const plan = planOf(deployment, live);
  const requests = plan.requesters.map((requester) => configRequest(deployment, requester));
  const outcomes = yield requests;
  const answered: Answered[] = [];
  const findings = plan.requesters.flatMap((requester, index) => {
    const request = requests[index] as Request;
    return judgedOutcome('config/status', request, outcomes[index], (answer) => {
      if (answer.status === 200) answered.push({ requester, answer });
      return requesterFindings(build, live, requester, request, answer);
    });
  });
  const others = yield* ask([
    ...validatorExchanges(deployment, answered),
    ...againExchange(deployment, live, answered),
  ]);
  // Where anonymous visitors get a user's theme, nothing is known of those who claim to be that user.
  const isDefault = findings.some(({ id, ok }) => id === 'config/anonymous' && ok);
  const isMixed = others.some(({ id, ok }) => id === 'config/shared-cache' && !ok);
  const forged = isDefault && !isMixed ? yield* ask(forgedExchanges(deployment, live)) : [];
  return { findings: [...findings, ...planFindings(build, live, plan), ...others, ...forged], answered };
}

/** The response to the anonymous requester, if it is one that HEAD can be compared with. */
export function anonymousAnswer({ answered }: ConfigVerified): Answer | undefined {
  return answered.find(({ requester }) => requester.name === 'anonymous')?.answer;
}

/** Who was asked as, and who could not be. */
function planFindings({ rules, rulesAt }: Build, { isCurrent }: LiveList, { unasked, themes }: Plan): Finding[] {
  const count = (n: number): string => n.toLocaleString('en');
  const done = `sampled: a key for each of ${count(themes)} of ${count(rules.themes.length)} themes, with every rule`;
  if (!isCurrent) return [];
  return [
    passed('config/asked', done),
    ...unasked.map(({ who, why, remedy }) =>
      fault('config/asked', `CONFIG was not requested for ${who}.`, {
        expected: 'a request with each identity rule',
        found: `not requested: ${why}`,
        hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
      }),
    ),
  ];
}

function requesterFindings(
  build: Build,
  live: LiveList,
  requester: Requester,
  request: Request,
  answer: Answer,
): Finding[] {
  const status = judged('config/status', answer.status === 200, 'CONFIG does not respond with 200.', {
    expected: '200',
    found: statusOf(answer),
    hint: `CONFIG must serve a file of ${CONFIG.path.slice(1)}, chosen by user: see ${build.rulesAt}.`,
    url: urlOf(request),
  });
  if (!status.ok) return [status];
  return [
    status,
    contentType(build, 'config', request, answer),
    ...themeFindings(build, live, requester, request, answer),
    ...endpointFindings(build, 'config', request, answer),
    configCacheFinding(build, request, answer),
    notFromCache(build, request, answer),
  ];
}

function configCacheFinding({ rules, rulesAt }: Build, request: Request, answer: Answer): Finding {
  const value = answer.headers['cache-control'];
  const directives = members(value);
  const isOpen = !directives.includes('private') && !directives.includes('no-store');
  const expected = rules.endpoints.config.cacheControl;
  return judged('config/cache', sameMembers(value, expected), 'CONFIG has the wrong Cache-Control.', {
    expected: `Cache-Control: ${expected}`,
    found: shown(answer, 'Cache-Control'),
    hint: `${isOpen ? 'A shared cache may serve the theme of one user to others' : 'Clients may show the theme of an earlier login'}: see ${rulesAt}.`,
    url: urlOf(request),
  });
}

function notFromCache({ rulesAt }: Build, request: Request, answer: Answer): Finding {
  return judged('config/shared-cache', !isCacheHit(answer), 'CONFIG comes from a shared cache.', {
    expected: 'a response of the host itself',
    found: cacheNamed(answer),
    hint: `The response is private (Cache-Control: private), but a cache in front stores it: exclude ${CONFIG.path} there, and see ${rulesAt}.`,
    url: urlOf(request),
  });
}
